import { expect, it } from 'vitest'
import { midnight, spanOf } from './span.ts'

const at = (text: string) => Date.parse(text)
const span = (range: Parameters<typeof spanOf>[0], now: string, zone = 'Asia/Shanghai') => {
  const { from, to, step, shift } = spanOf(range, at(now), zone)
  return { from: new Date(from * 1000).toISOString(), to: new Date(to * 1000).toISOString(), step, shift }
}

it('ends with the bucket that is running', () => {
  expect(span('1h', '2026-11-21T06:59:59.999Z')).toMatchObject({
    from: '2026-11-21T06:00:00.000Z',
    to: '2026-11-21T07:00:00.000Z',
    step: 60,
  })
  expect(span('1h', '2026-11-21T07:00:00.000Z').to).toBe('2026-11-21T07:01:00.000Z')
  expect(span('6h', '2026-11-21T06:59:00Z')).toMatchObject({
    from: '2026-11-21T01:00:00.000Z',
    step: 300,
    shift: 21_600,
  })
  expect(span('7d', '2026-11-21T06:30:00Z')).toMatchObject({ from: '2026-11-14T07:00:00.000Z', step: 3_600 })
})

it('begins today at midnight in the time zone of the installation [S9.11]', () => {
  expect(span('today', '2026-11-21T15:59:59Z')).toMatchObject({
    from: '2026-11-20T16:00:00.000Z',
    to: '2026-11-21T16:00:00.000Z',
  })
  expect(span('today', '2026-11-21T16:00:00Z')).toMatchObject({
    from: '2026-11-21T16:00:00.000Z',
    to: '2026-11-21T16:10:00.000Z',
  })
  expect(span('today', '2026-11-21T16:00:00Z', 'UTC').from).toBe('2026-11-21T00:00:00.000Z')
})

it('cuts four-hour buckets at local midnight', () => {
  expect(span('30d', '2026-11-21T15:59:00Z')).toEqual({
    from: '2026-10-22T16:00:00.000Z',
    to: '2026-11-21T16:00:00.000Z',
    step: 14_400,
    shift: 30 * 86_400,
  })
})

it('knows days of 23 and 25 hours', () => {
  const begin = (now: string) => new Date(midnight(at(now) / 1000, 'Europe/Berlin') * 1000).toISOString()
  expect(begin('2026-03-29T20:00:00Z')).toBe('2026-03-28T23:00:00.000Z')
  expect(begin('2026-10-25T20:00:00Z')).toBe('2026-10-24T22:00:00.000Z')
  // In Chile the clocks change at midnight: the day begins at one o'clock.
  expect(new Date(midnight(at('2026-09-06T12:00:00Z') / 1000, 'America/Santiago') * 1000).toISOString()).toBe(
    '2026-09-06T04:00:00.000Z',
  )
  // In Cuba they are set back to midnight: it comes twice.
  expect(new Date(midnight(at('2026-11-01T20:00:00Z') / 1000, 'America/Havana') * 1000).toISOString()).toBe(
    '2026-11-01T04:00:00.000Z',
  )
  expect(span('today', '2026-10-26T08:00:00Z', 'Europe/Berlin').shift).toBe(25 * 3_600)
})

it('takes zones that are half an hour off', () => {
  expect(span('today', '2026-11-21T06:00:00Z', 'Asia/Kolkata').from).toBe('2026-11-20T18:30:00.000Z')
  expect(span('7d', '2026-11-21T06:00:00Z', 'Asia/Kolkata').to).toBe('2026-11-21T06:30:00.000Z')
})
