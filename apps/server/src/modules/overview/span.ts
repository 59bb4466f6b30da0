/** What a range of the overview covers. All times are Unix seconds; days and buckets begin where the installation's time zone says. */
import type { ChartRange } from '@tidegate/contract/enums'

export interface Span {
  from: number
  /** Exclusive: the end of the bucket that is running. */
  to: number
  /** Seconds of a bucket. */
  step: number
  /** The span to compare with lies this many seconds before. `today` compares with yesterday at the same hours. */
  shift: number
}

const MINUTE = 60
const HOUR = 3_600
const DAY = 86_400

const SLIDING: Record<Exclude<ChartRange, 'today'>, { length: number; step: number }> = {
  '1h': { length: HOUR, step: MINUTE },
  '6h': { length: 6 * HOUR, step: 5 * MINUTE },
  '7d': { length: 7 * DAY, step: HOUR },
  '30d': { length: 30 * DAY, step: 4 * HOUR },
}
const TODAY_STEP = 10 * MINUTE

/** `now`: Unix milliseconds; `timeZone`: IANA name. */
export const spanOf = (range: ChartRange, now: number, timeZone: string): Span => {
  const seconds = Math.floor(now / 1000)
  if (range === 'today') {
    const from = midnight(seconds, timeZone)
    const to = from + (Math.floor((seconds - from) / TODAY_STEP) + 1) * TODAY_STEP
    return { from, to, step: TODAY_STEP, shift: from - midnight(from - 1, timeZone) }
  }
  const { length, step } = SLIDING[range]
  const offset = zoneOffset(seconds, timeZone)
  const to = (Math.floor((seconds + offset) / step) + 1) * step - offset
  return { from: to - length, to, step, shift: length }
}

/** The begin of the day in which `seconds` lies, also on days of 23 and 25 hours. */
export const midnight = (seconds: number, timeZone: string): number => {
  const offset = zoneOffset(seconds, timeZone)
  const day = Math.floor((seconds + offset) / DAY) * DAY
  // The clocks may have been changed since, or at midnight itself: the begin is the earliest moment whose local date is this one.
  const before = zoneOffset(day - offset - 3 * HOUR, timeZone)
  const [first = 0, second = first] = [day - offset, day - before].sort((a, b) => a - b)
  return first + zoneOffset(first, timeZone) >= day ? first : second
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** Seconds that the zone is ahead of UTC at that moment. Throws RangeError on an unknown zone. */
const zoneOffset = (seconds: number, timeZone: string): number => {
  let format = formats.get(timeZone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
    formats.set(timeZone, format)
  }
  const part: Record<string, number> = {}
  for (const { type, value } of format.formatToParts(seconds * 1000)) part[type] = Number(value)
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part
  return Date.UTC(year, month - 1, day, hour, minute, second) / 1000 - seconds
}
