/** Cron expressions of scheduled tasks: five parts (minute to weekday), also L, W and # as croner 11 reads them. Server and console use this one. */
import { Cron } from 'croner'
import type { FieldErrorKey } from './errors.ts'
import { MAX_CRON } from './limits.ts'

const FIVE_PARTS = /^\S+(?:[ \t]+\S+){4}$/

const pattern = (text: string) => new Cron(text.trim(), { mode: '5-part', paused: true })

/** Why an expression cannot be used, from `now` (Unix ms) on; null: it can. */
export const cronFault = (text: string, now: number): FieldErrorKey | null => {
  if (text.trim() === '') return 'required'
  if (text.length > MAX_CRON || !FIVE_PARTS.test(text.trim())) return 'cron'
  try {
    return pattern(text).nextRun(new Date(now)) === null ? 'cron_never' : null
  } catch {
    return 'cron'
  }
}

/** The next times after `now` (Unix ms), read in the zone; fewer when there are no more. Throws for what `cronFault` refuses. */
export const nextRuns = (text: string, timeZone: string, now: number, count: number): number[] =>
  new Cron(text.trim(), { mode: '5-part', paused: true, timezone: timeZone })
    .nextRuns(count, new Date(now))
    .map((at) => at.getTime())
