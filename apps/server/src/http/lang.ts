/** The caller's language. */
import { LANGUAGES, type Lang } from '@tidegate/contract/enums'

const known = (tag: string): Lang | null => LANGUAGES.find((l) => tag.toLowerCase().split(/[-_]/)[0] === l) ?? null

/** Header `lang`, else the best of `Accept-Language` (RFC 9110, 12.5.4), else the site's default. */
export const langOf = (header: unknown, accept: unknown, fallback: Lang): Lang => {
  const wanted = typeof header === 'string' ? known(header) : null
  if (wanted) return wanted
  if (typeof accept !== 'string') return fallback
  const ranked = accept
    .slice(0, 500)
    .split(',')
    .map((part) => {
      const [tag = '', ...params] = part.trim().split(';')
      const q = params.map((p) => /^\s*q=([\d.]+)\s*$/.exec(p)?.[1]).find((v) => v !== undefined)
      return { lang: known(tag.trim()), q: q === undefined ? 1 : Number(q) }
    })
    .filter((r) => r.lang !== null && r.q > 0)
    .sort((a, b) => b.q - a.q)
  return ranked[0]?.lang ?? fallback
}
