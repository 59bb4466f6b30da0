/** Numbers, sizes, rates, prices and times in the reader's units. Pure. */
import type { Lang } from '@tidegate/contract/enums'

/** A figure and its unit, apart so that the unit can be set smaller. */
export interface Figure {
  value: string
  unit: string
}

const LOCALE: Record<Lang, string> = { zh: 'zh-CN', en: 'en-US' }

/** Grouped digits: 28,316. */
export const grouped = (n: number, lang: Lang, digits = 0): string =>
  n.toLocaleString(LOCALE[lang], { maximumFractionDigits: digits, minimumFractionDigits: 0 })

/** Up to four significant digits, none of them a trailing zero of a fraction: 38.42, 1.284, 94.7, 120. */
const four = (n: number, lang: Lang): string => {
  const whole = Math.max(1, Math.floor(Math.log10(Math.abs(n) || 1)) + 1)
  return grouped(n, lang, Math.min(3, Math.max(0, 4 - whole)))
}

const step = (n: number, base: number, units: readonly string[]): [number, string] => {
  let rest = n
  let at = 0
  // 999.95 would print as 1,000: it moves to the next unit.
  while (Math.abs(rest) >= base * 0.99995 && at < units.length - 1) {
    rest /= base
    at += 1
  }
  return [rest, units[at] ?? '']
}

/** A count in the locale's own units: 28,316; 128.4 万, 1.284 亿; 128.4 K, 1.284 M. Below 100,000 all digits stand. */
export const count = (n: number, lang: Lang): Figure => {
  if (Math.abs(n) < 100_000) return { value: grouped(n, lang), unit: '' }
  if (lang === 'zh') {
    const [v, unit] = step(n / 10_000, 10_000, ['万', '亿', '万亿'])
    return { value: four(v, lang), unit }
  }
  const [v, unit] = step(n / 1000, 1000, ['K', 'M', 'B', 'T'])
  return { value: four(v, lang), unit }
}

/** Bytes, base 1000: 513.1 GB. */
export const bytes = (n: number, lang: Lang): Figure => {
  const [v, unit] = step(n, 1000, ['B', 'KB', 'MB', 'GB', 'TB', 'PB', 'EB'])
  return { value: unit === 'B' ? grouped(v, lang) : four(v, lang), unit }
}

/** Bits a second, base 1000: 38.42 Gbps. */
export const bps = (n: number, lang: Lang): Figure => {
  const [v, unit] = step(n, 1000, ['bps', 'Kbps', 'Mbps', 'Gbps', 'Tbps', 'Pbps'])
  return { value: unit === 'bps' ? grouped(Math.round(v), lang) : four(v, lang), unit }
}

/** A share of 0..1 as per cent: 94.7; small ones keep their first digits: 0.042. */
export const percent = (share: number, lang: Lang): Figure => {
  const v = share * 100
  const digits = v === 0 || v >= 1 ? 1 : v >= 0.1 ? 2 : 3
  return { value: grouped(v, lang, digits), unit: '%' }
}

/** What prices are in unless the installation says otherwise. */
const PRICE_UNIT = '¥'

/** Cents (a whole number) as 2 decimals with groups, behind the unit: ¥1,234.50. Exact for bigint. */
export const price = (cents: number | bigint, lang: Lang, unit = PRICE_UNIT): string => {
  const whole = BigInt(typeof cents === 'bigint' ? cents : Math.round(cents))
  const size = whole < 0n ? -whole : whole
  const rest = String(size % 100n).padStart(2, '0')
  return `${whole < 0n ? '-' : ''}${unit}${(size / 100n).toLocaleString(LOCALE[lang])}.${rest}`
}

/** Milliseconds: 87 ms, 1.2 s; finer than a tenth of a millisecond is not shown. */
export const millis = (ms: number, lang: Lang): string => {
  if (ms < 10) return `${grouped(ms, lang, 1)} ms`
  if (ms < 1000) return `${grouped(Math.round(ms), lang)} ms`
  if (ms < 120_000) return `${grouped(ms / 1000, lang, 1)} s`
  return `${grouped(ms / 60_000, lang, 1)} min`
}

/** One string of a figure: "38.42 Gbps". */
export const figureText = ({ value, unit }: Figure): string => (unit === '' ? value : `${value} ${unit}`)

/** An ISO time as 2026-11-21 14:03:22 in a zone; '' gives ''. */
export const absolute = (iso: string, timeZone: string): string => {
  const time = new Date(iso)
  if (iso === '' || Number.isNaN(time.getTime())) return ''
  return time.toLocaleString('sv-SE', { timeZone })
}

const SPANS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
]

/** "3 minutes ago" of an ISO time against now (ms). */
export const relative = (iso: string, now: number, lang: Lang): string => {
  const seconds = (new Date(iso).getTime() - now) / 1000
  const [unit, size] = SPANS.find(([, s]) => Math.abs(seconds) >= s) ?? ['second', 1]
  const style = new Intl.RelativeTimeFormat(LOCALE[lang], { numeric: 'auto', style: 'short' })
  return style.format(Math.round(seconds / size), unit)
}
