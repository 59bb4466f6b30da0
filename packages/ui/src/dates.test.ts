import { describe, expect, it } from 'vitest'
import {
  addDays,
  DATE_PRESETS,
  DEFAULT_BAN_RANGE,
  dayAt,
  dayStart,
  presetDays,
  quickSpan,
  REFRESH_INTERVALS,
  wallClock,
} from './dates.ts'

const TODAY = '2026-11-21'

describe('days of the installation’s zone', () => {
  it('begin at midnight of the zone, also where the clocks change', () => {
    expect(dayStart('2026-03-01', 'Asia/Shanghai')).toBe('2026-02-28T16:00:00.000Z')
    expect(dayStart('2026-03-01', 'Asia/Shanghai', 1)).toBe('2026-03-01T16:00:00.000Z')
    expect(dayStart('2026-03-29', 'Europe/Berlin')).toBe('2026-03-28T23:00:00.000Z')
    expect(dayStart('2026-03-29', 'Europe/Berlin', 1)).toBe('2026-03-29T22:00:00.000Z')
    expect(dayStart('2026-3-1', 'UTC')).toBeUndefined()
    expect(dayStart('2026-02-31x', 'UTC')).toBeUndefined()
    expect(dayStart(null, 'UTC')).toBeUndefined()
  })
  it('are those of its wall clock, eight hours ahead by default', () => {
    const at = Date.parse('2026-11-20T16:30:05Z')
    expect(wallClock(at, 'Asia/Shanghai')).toBe('2026-11-21T00:30:05')
    expect(dayAt(at, 'Asia/Shanghai')).toBe('2026-11-21')
    expect(dayAt(at, 'America/New_York')).toBe('2026-11-20')
    expect(addDays('2026-12-31', 1)).toBe('2027-01-01')
    expect(addDays('2028-03-01', -1)).toBe('2028-02-29')
  })
})

describe('date presets', () => {
  it.each([
    ['today', '2026-11-21', '2026-11-21'],
    ['yesterday', '2026-11-20', '2026-11-20'],
    ['thisWeek', '2026-11-16', '2026-11-21'],
    ['thisMonth', '2026-11-01', '2026-11-21'],
    ['thisQuarter', '2026-10-01', '2026-11-21'],
    ['last30', '2026-10-23', '2026-11-21'],
    ['previousDay', '2026-11-20', '2026-11-20'],
    ['nextDay', '2026-11-22', '2026-11-22'],
  ] as const)('%s is %s to %s', (preset, from, to) => {
    expect(presetDays(preset, TODAY)).toEqual({ from, to })
    expect(DATE_PRESETS).toHaveLength(8)
  })
  it('take the day before and after what is chosen', () => {
    const chosen = { from: '2026-03-01', to: '2026-03-31' }
    expect(presetDays('previousDay', TODAY, chosen)).toEqual({ from: '2026-02-28', to: '2026-02-28' })
    expect(presetDays('nextDay', TODAY, chosen)).toEqual({ from: '2026-04-01', to: '2026-04-01' })
  })
  it('begin weeks on Monday and quarters in January, April, July and October', () => {
    expect(presetDays('thisWeek', '2026-11-22').from).toBe('2026-11-16')
    expect(presetDays('thisWeek', '2026-11-23').from).toBe('2026-11-23')
    const starts = ['01', '02', '03', '04', '06', '07', '09', '10', '12'].map(
      (month) => presetDays('thisQuarter', `2026-${month}-15`).from,
    )
    expect(starts).toEqual(['01', '01', '01', '04', '04', '07', '07', '10', '10'].map((m) => `2026-${m}-01`))
  })
})

describe('quick ranges', () => {
  it('reach back from now, today from the zone’s midnight; bans are looked at for an hour', () => {
    const now = Date.parse('2026-11-20T16:30:00Z')
    const from = (range: Parameters<typeof quickSpan>[0]) => quickSpan(range, now, 'Asia/Shanghai').from
    expect(from('1h')).toBe('2026-11-20T15:30:00.000Z')
    expect(from('6h')).toBe('2026-11-20T10:30:00.000Z')
    expect(from('today')).toBe('2026-11-20T16:00:00.000Z')
    expect(from('7d')).toBe('2026-11-13T16:30:00.000Z')
    expect(from('30d')).toBe('2026-10-21T16:30:00.000Z')
    expect(from(DEFAULT_BAN_RANGE)).toBe(from('1h'))
    expect(quickSpan('7d', now, 'UTC').to).toBe('2026-11-20T16:30:00.000Z')
  })
  it('are read anew every 5 s, minute, 5 minutes, hour or day', () => {
    expect(REFRESH_INTERVALS.map((ms) => ms / 1000)).toEqual([5, 60, 300, 3600, 86_400])
  })
})
