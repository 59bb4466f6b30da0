/** Days and spans of the installation's time zone; the browser's own zone plays no part. Days are written YYYY-MM-DD. Pure. */
import type { ChartRange } from '@tidegate/contract/enums'

const DAY_MS = 86_400_000
const PARTS = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const

/** Milliseconds that the zone is ahead of UTC at an instant. */
const ahead = (at: number, timeZone: string): number => {
  const format = new Intl.DateTimeFormat('en', { ...PARTS, second: 'numeric', hourCycle: 'h23', timeZone })
  const part = Object.fromEntries(format.formatToParts(at).map((p) => [p.type, Number(p.value)]))
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1000) * 1000
}

/** The zone's wall clock at an instant: 2026-11-21T14:03:22. */
export const wallClock = (at: number, timeZone: string): string =>
  new Date(at + ahead(at, timeZone)).toISOString().slice(0, 19)

/** The zone's day at an instant (Unix milliseconds). */
export const dayAt = (at: number, timeZone: string): string => wallClock(at, timeZone).slice(0, 10)

const isDay = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`))

const textOf = (utc: number) => new Date(utc).toISOString().slice(0, 10)
const utcOf = (day: string) => Date.parse(`${day}T00:00:00Z`)

export const addDays = (day: string, days: number): string => textOf(utcOf(day) + days * DAY_MS)

/** ISO time at which a day begins in the zone, or the day `later` days after it; undefined for what is no day. */
export const dayStart = (day: string | null, timeZone: string, later = 0): string | undefined => {
  if (day === null || !isDay(day)) return undefined
  const moved = utcOf(addDays(day, later))
  // The offset may change between the two guesses: the second one is that of the day's own midnight.
  const guess = moved - ahead(moved, timeZone)
  return new Date(moved - ahead(guess, timeZone)).toISOString()
}

/** Both days belong to it. */
export interface DayRange {
  from: string
  to: string
}

export const DATE_PRESETS = [
  'today',
  'yesterday',
  'thisWeek',
  'thisMonth',
  'thisQuarter',
  'last30',
  'previousDay',
  'nextDay',
] as const
export type DatePreset = (typeof DATE_PRESETS)[number]

/** Monday begins the week (ISO 8601). */
const weekStart = (day: string) => addDays(day, -((new Date(utcOf(day)).getUTCDay() + 6) % 7))
const monthStart = (day: string) => `${day.slice(0, 7)}-01`
const quarterStart = (day: string) => {
  const month = Math.floor((Number(day.slice(5, 7)) - 1) / 3) * 3 + 1
  return `${day.slice(0, 4)}-${String(month).padStart(2, '0')}-01`
}

/** The days of a preset on the day `today`. The day before and the day after are those of what is chosen now (nothing: of today). */
export const presetDays = (preset: DatePreset, today: string, now: DayRange | null = null): DayRange => {
  const one = (day: string): DayRange => ({ from: day, to: day })
  const days: Record<DatePreset, () => DayRange> = {
    today: () => one(today),
    yesterday: () => one(addDays(today, -1)),
    thisWeek: () => ({ from: weekStart(today), to: today }),
    thisMonth: () => ({ from: monthStart(today), to: today }),
    thisQuarter: () => ({ from: quarterStart(today), to: today }),
    last30: () => ({ from: addDays(today, -29), to: today }),
    previousDay: () => one(addDays(now?.from ?? today, -1)),
    nextDay: () => one(addDays(now?.to ?? today, 1)),
  }
  return days[preset]()
}

/** Statistics of bans look back so far unless told otherwise. */
export const DEFAULT_BAN_RANGE: ChartRange = '1h'

const SPANS: Record<Exclude<ChartRange, 'today'>, number> = {
  '1h': 3_600_000,
  '6h': 6 * 3_600_000,
  '7d': 7 * DAY_MS,
  '30d': 30 * DAY_MS,
}

/** From when to when a quick range reaches at an instant, as ISO times; today begins at the zone's midnight. */
export const quickSpan = (range: ChartRange, now: number, timeZone: string): { from: string; to: string } => {
  const to = new Date(now).toISOString()
  if (range === 'today') return { from: dayStart(dayAt(now, timeZone), timeZone) ?? to, to }
  return { from: new Date(now - SPANS[range]).toISOString(), to }
}

/** Milliseconds between two reads. */
export const REFRESH_INTERVALS = [5000, 60_000, 300_000, 3_600_000, 86_400_000] as const
export type RefreshEvery = (typeof REFRESH_INTERVALS)[number]
