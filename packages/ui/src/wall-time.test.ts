import { describe, expect, it } from 'vitest'
import { absolute } from './format.ts'
import { wallToIso } from './wall-time.ts'

describe('a wall-clock time of a zone', () => {
  it.each([
    ['2026-11-21 14:03:22', 'Asia/Shanghai', '2026-11-21T06:03:22.000Z'],
    ['2026-11-21 14:03', 'Asia/Shanghai', '2026-11-21T06:03:00.000Z'],
    ['2026-07-01 00:00', 'America/New_York', '2026-07-01T04:00:00.000Z'],
    ['2026-12-01 00:00', 'America/New_York', '2026-12-01T05:00:00.000Z'],
    ['2026-03-29 03:30', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
    ['tomorrow', 'Asia/Shanghai', ''],
    ['', 'Asia/Shanghai', ''],
  ])('%s in %s is %s', (wall, zone, iso) => {
    expect(wallToIso(wall, zone)).toBe(iso)
    if (iso !== '') expect(absolute(iso, zone).startsWith(wall)).toBe(true)
  })
})
