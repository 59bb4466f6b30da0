/** Days of the installation's time zone as instants. */

const PARTS = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const

/** Milliseconds that the zone is ahead of UTC at an instant. */
const ahead = (at: number, timeZone: string): number => {
  const format = new Intl.DateTimeFormat('en', { ...PARTS, second: 'numeric', hourCycle: 'h23', timeZone })
  const part = Object.fromEntries(format.formatToParts(at).map((p) => [p.type, Number(p.value)]))
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1000) * 1000
}

/** ISO time at which a day (YYYY-MM-DD) begins in the zone, or the day `later` days after it; undefined for what is no day. */
export const dayStart = (day: string | null, timeZone: string, later = 0): string | undefined => {
  if (day === null || !/^\d{4}-\d\d-\d\d$/.test(day)) return undefined
  const utc = Date.parse(`${day}T00:00:00Z`)
  if (Number.isNaN(utc)) return undefined
  const moved = utc + later * 86_400_000
  // The offset may change between the two guesses: the second one is that of the day's own midnight.
  const guess = moved - ahead(moved, timeZone)
  return new Date(moved - ahead(guess, timeZone)).toISOString()
}
