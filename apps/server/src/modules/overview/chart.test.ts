import { operationById } from '@tidegate/contract/operations/index'
import type { TestDatabase } from '@tidegate/testkit/database'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Caller } from '../../platform/caller.ts'
import { type Database, openDatabase } from '../../platform/db.ts'
import { batch, counter, servesEverything } from '../../testing/batches.ts'
import { testDatabase } from '../../testing/database.ts'
import { foldCounters } from '../ingest/fold.ts'
import { createIngest } from '../ingest/receive.ts'
import { statsRetention } from '../ingest/retention.ts'
import { chartHandler } from './chart.ts'

const NOW = Date.UTC(2026, 10, 21, 6, 59, 30)
const MINUTE = Date.UTC(2026, 10, 21, 6, 59) / 1000
const ZONE = 'Asia/Shanghai'
const ADMIN: Caller = {
  kind: 'admin',
  id: 1,
  name: 'admin',
  superAdmin: true,
  permissions: new Set(),
  unvalidModel: [],
  sessionId: 1,
  console: 'admin',
  acting: null,
  lang: 'en',
  ip: '127.0.0.1',
  userAgent: '',
  requestId: '',
}

let test: TestDatabase
let database: Database
beforeEach(async () => {
  test = await testDatabase()
  database = openDatabase(test.appUrl, () => {})
})
afterEach(async () => {
  await database.close()
  await test.drop()
})

const count = async (...counters: ReturnType<typeof counter>[]) => {
  // Sent when it happened, so that the bounds on time do not touch it.
  for (const c of counters) {
    await createIngest({ ...servesEverything, pool: database.pool, clock: { now: () => c.minute * 1000 } })(
      1,
      batch({ counters: [c] }),
    )
  }
  await foldCounters(database.pool, ZONE)
}
const chart = async (range: '1h' | '6h' | 'today' | '7d' | '30d', now = NOW, caller = ADMIN) => {
  const handler = chartHandler({
    pool: database.pool,
    clock: { now: () => now },
    timeZone: () => ZONE,
    sitesOf: async () => [1, 9],
    siteNames: async (ids) => new Map(ids.filter((id) => id !== 9).map((id) => [id, `site-${id}.example`])),
  })
  const answer = await handler({ range }, caller, AbortSignal.timeout(10_000))
  operationById('overview.chart').output.parse(answer)
  return answer.data
}

it('gives an installation without traffic a full row of zeros for each range', async () => {
  for (const [range, points] of [
    ['1h', 60],
    ['6h', 72],
    ['today', 90],
    ['7d', 168],
    ['30d', 180],
  ] as const) {
    const data = await chart(range)
    expect(data.points).toHaveLength(points)
    expect(
      data.points.every((p, i) => p.requests === 0 && (i === 0 || p.t - (data.points[i - 1]?.t ?? 0) === data.step)),
    ).toBe(true)
    expect(data.bandwidth).toEqual({ now: 0, peak: 0, p95: 0 })
    expect(data.topSites).toEqual([])
  }
})

it('shows exactly what the nodes counted, where it belongs [N10]', async () => {
  await count(
    counter(MINUTE, 1, { requests: 3, hits: 2, bytesOut: 300, bytesOrigin: 90, s2xx: 2, s4xx: 1, blocked: 1 }),
    counter(MINUTE, 2, { requests: 10, s5xx: 10 }),
    counter(MINUTE - 60, 1, { requests: 5, s3xx: 5 }),
    counter(MINUTE, 0, { requests: 1, s4xx: 1 }),
  )
  const data = await chart('1h')
  expect(data.points.filter((p) => p.requests > 0).map((p) => [p.t, p.requests])).toEqual([
    [MINUTE - 60, 5],
    [MINUTE, 14],
  ])
  expect(data.total).toEqual({
    requests: 19,
    hits: 2,
    bytesOut: 300,
    bytesOrigin: 90,
    s2xx: 2,
    s3xx: 5,
    s4xx: 2,
    s5xx: 10,
    blocked: 1,
  })
  expect(data.previous.requests).toBe(0)
  // The most requests first; requests for no site are in the sums but are no site.
  expect(data.topSites).toEqual([
    { siteId: 2, domain: 'site-2.example', requests: 10, bytesOut: 0, hits: 0 },
    { siteId: 1, domain: 'site-1.example', requests: 8, bytesOut: 300, hits: 2 },
  ])
})

it('counts the first minute of a span and not the one before or behind it', async () => {
  const from = MINUTE + 60 - 3_600
  await count(
    counter(from - 60, 1, { requests: 1 }),
    counter(from, 1, { requests: 10 }),
    counter(MINUTE, 1, { requests: 100 }),
    counter(MINUTE + 60, 1, { requests: 1_000 }),
  )
  const data = await chart('1h')
  expect(data.total.requests).toBe(110)
  expect(data.previous.requests).toBe(1)
  expect([data.points[0]?.requests, data.points.at(-1)?.requests]).toEqual([10, 100])
})

it('begins today at midnight in Shanghai and compares with yesterday at the same hours [S9.11]', async () => {
  const midnight = Date.UTC(2026, 10, 20, 16) / 1000
  await count(
    counter(midnight - 60, 1, { requests: 1 }),
    counter(midnight, 1, { requests: 10 }),
    counter(midnight - 86_400, 1, { requests: 100 }),
    // Yesterday at this time, and a minute later than it is now.
    counter(MINUTE - 86_400, 1, { requests: 1_000 }),
    counter(MINUTE + 60 - 86_400, 1, { requests: 10_000 }),
  )
  const data = await chart('today')
  expect(data.total.requests).toBe(10)
  expect(data.points[0]).toMatchObject({ t: midnight, requests: 10 })
  expect(data.previous.requests).toBe(1_100)
})

it('sums 7 and 30 days from the same counters, and names a site that is gone by its number', async () => {
  await count(
    counter(MINUTE - 6 * 86_400, 1, { requests: 7 }),
    counter(MINUTE - 29 * 86_400, 9, { requests: 30 }),
    counter(MINUTE - 40 * 86_400, 1, { requests: 500 }),
  )
  expect((await chart('7d')).total.requests).toBe(7)
  const month = await chart('30d')
  expect(month.total.requests).toBe(37)
  expect(month.previous.requests).toBe(500)
  expect(month.points.map((p) => p.requests).filter(Boolean)).toEqual([30, 7])
  expect(month.topSites.map((s) => [s.domain, s.requests])).toEqual([
    ['#9', 30],
    ['site-1.example', 7],
  ])
})

it('compares a customer’s month with the one before, whose minutes are kept no more', async () => {
  const begin = MINUTE - 60 * 86_400
  const before = MINUTE - 30 * 86_400
  await count(
    // What lies before it, the middle of it, its last minute that counts, the span itself, and another's.
    counter(begin - 86_400, 1, { requests: 1_000_000 }),
    ...[40, 45].map((days) => counter(MINUTE - days * 86_400, 1, { requests: days, bytesOut: 7 })),
    counter(before, 9, { requests: 3 }),
    counter(MINUTE - 29 * 86_400, 1, { requests: 20_000 }),
    counter(MINUTE - 50 * 86_400, 2, { requests: 5_000_000 }),
  )
  const customer: Caller = { ...ADMIN, kind: 'user', superAdmin: false }
  const month = () => chart('30d', NOW, customer)
  const { previous, total } = await month()
  expect([previous.requests, previous.bytesOut, total.requests]).toEqual([88, 14, 20_000])
  await statsRetention(database.pool, NOW)
  expect(await month()).toMatchObject({ previous, total })
})

it('states bandwidth now, at the peak and at the 95th percentile of 5-minute samples', async () => {
  // 12 samples lie in [06:00, 07:00), of which 11 have passed at 06:59:30; the one that runs is no sample yet.
  const begin = Date.UTC(2026, 10, 21, 6) / 1000
  const samples = Array.from({ length: 12 }, (_, i) =>
    counter(begin + i * 300 + 120, 1, { bytesOut: (i + 1) * 37_500 }),
  )
  await count(...samples, counter(MINUTE - 60, 1, { bytesOut: 7_500 }))
  const { bandwidth } = await chart('1h')
  expect(bandwidth).toEqual({ now: 1_000, peak: 11_000, p95: 11_000 })
  // Of 71 samples in six hours 3 are dropped: 11,000, 10,000 and 9,000.
  expect((await chart('6h')).bandwidth).toEqual({ now: 1_000, peak: 11_000, p95: 8_000 })
})
