/** Wall-clock times of the installation's zone, as instants. Pure. */

const PARTS = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const

/** Milliseconds that the zone is ahead of UTC at an instant. */
const ahead = (at: number, timeZone: string): number => {
  const format = new Intl.DateTimeFormat('en', { ...PARTS, second: 'numeric', hourCycle: 'h23', timeZone })
  const part = Object.fromEntries(format.formatToParts(at).map((p) => [p.type, Number(p.value)]))
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1000) * 1000
}

/** `2026-11-21 14:03` or `2026-11-21 14:03:22` in a zone -> ISO 8601; '' for what is no time. */
export const wallToIso = (wall: string, timeZone: string): string => {
  const [day = '', time = ''] = wall.trim().split(' ')
  const utc = Date.parse(`${day}T${time.length === 5 ? `${time}:00` : time}Z`)
  if (Number.isNaN(utc)) return ''
  // The offset may change between the two guesses: the second one is that of the time itself.
  const guess = utc - ahead(utc, timeZone)
  return new Date(utc - ahead(guess, timeZone)).toISOString()
}
