import { setTimeout as delay } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import type { TestDatabase } from '@tidegate/testkit/database'
import type pg from 'pg'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { type Analytics, ensureAnalyticsDatabase, openAnalytics } from '../../platform/clickhouse.ts'
import { systemClock } from '../../platform/clock.ts'
import { openDatabase } from '../../platform/db.ts'
import { type TestAnalytics, testAnalytics } from '../../testing/analytics.ts'
import { batch, counter, line, servesEverything } from '../../testing/batches.ts'
import { testDatabase } from '../../testing/database.ts'
import { createIngest } from './receive.ts'
import { rawRetention } from './retention.ts'
import { ensureAnalyticsSchema } from './schema.ts'
import { type IngestService, startIngestService } from './service.ts'
import { boundQueue, shipLines } from './ship.ts'
import { readIngestState } from './state.ts'

const SITE = 7
const DAY = 86_400_000
let analytics: TestAnalytics
let store: Analytics
let database: TestDatabase
let pool: pg.Pool
let services: IngestService[]

beforeAll(async () => {
  analytics = await testAnalytics()
  store = openAnalytics(analytics.url)
  await ensureAnalyticsDatabase(analytics.url)
  await ensureAnalyticsSchema(store)
})
afterAll(async () => {
  await store?.close()
  await analytics?.drop()
})
beforeEach(async () => {
  database = await testDatabase()
  pool = openDatabase(database.appUrl, () => {}).pool
  services = []
  await store.command('TRUNCATE TABLE request_log')
})
afterEach(async () => {
  await Promise.all(services.map((s) => s.stop()))
  await pool.end()
  await database.drop()
})

const stored = async () => Number((await store.query<{ n: string }>('SELECT count() AS n FROM request_log'))[0]?.n)
const waiting = async () => (await pool.query<{ n: number }>('SELECT count(*)::int AS n FROM ingest_raw')).rows[0]?.n
const send = (count: number, lines: (i: number) => ReturnType<typeof line> = (i) => line(Date.now() - i, SITE)) =>
  createIngest({ ...servesEverything, pool, clock: systemClock })(
    3,
    batch({ lines: Array.from({ length: count }, (_, i) => lines(i)) }),
  )

it('makes its tables once and finds them again', async () => {
  expect(await ensureAnalyticsSchema(store)).toEqual([])
})

it('brings every field of a line to the store as it was [N10]', async () => {
  const one = line(Date.UTC(2026, 10, 21, 3, 4, 5, 678), SITE, {
    uri: '/呵呵?q="\\\'\t\n',
    status: 502,
    out: 5_000_000_000,
    oms: 12,
    up: '192.0.2.9:80',
    why: 'origin_refused',
    ref: 'https://a.example/',
  })
  await createIngest({ ...servesEverything, pool, clock: { now: () => one.ts + 5_000 } })(3, batch({ lines: [one] }))
  await shipLines({ pool, store })
  const rows = await store.query<Record<string, unknown>>(
    'SELECT * REPLACE (toUnixTimestamp64Milli(ts) AS ts) FROM request_log',
  )
  expect(rows).toEqual([
    { ...one, ts: String(one.ts), out: String(one.out), in: String(one.in), org: String(one.org), node: 3 },
  ])
  expect(await waiting()).toBe(0)
})

it('counts lines once when the shipper dies between the insert and its own delete, over several days [N10]', async () => {
  await send(300, (i) => line(Date.now() - (i % 3) * DAY, SITE))
  await send(200)
  const dies = shipLines({
    pool,
    store,
    onInserted: () => {
      throw new Error('killed')
    },
  })
  await expect(dies).rejects.toThrow('killed')
  expect([await stored(), await waiting()]).toEqual([500, 2])
  // What came since does not change what the interrupted block is.
  await send(100)
  await shipLines({ pool, store })
  expect([await stored(), await waiting()]).toEqual([600, 0])
})

it('counts lines once when the store is killed right after the insert', async () => {
  await send(400)
  const dies = shipLines({
    pool,
    store,
    onInserted: async () => {
      await analytics.kill()
      throw new Error('killed')
    },
  })
  await expect(dies).rejects.toThrow('killed')
  await expect(shipLines({ pool, store })).rejects.toThrow()
  await analytics.start()
  await shipLines({ pool, store })
  expect([await stored(), await waiting()]).toEqual([400, 0])
})

it('ships once when several processes try at the same time', async () => {
  for (let n = 0; n < 6; n++) await send(50)
  await Promise.all([1, 2, 3].map(() => shipLines({ pool, store })))
  expect([await stored(), await waiting()]).toEqual([300, 0])
})

it('gives up a batch that the store cannot read, counts it, and ships those beside it', async () => {
  await send(10)
  const bad = batch({ lines: [line(Date.now(), SITE)] })
  await createIngest({ ...servesEverything, pool, clock: systemClock })(2 ** 40, bad)
  await pool.query(`UPDATE ingest_raw SET body = $1 WHERE lines = 1`, [gzipSync('{"ts":"never","site":[]}\n')])
  await send(20)
  expect(await shipLines({ pool, store })).toEqual({ batches: 2, refused: 1, more: false })
  expect([await stored(), await waiting()]).toEqual([30, 0])
  expect(await readIngestState(pool)).toMatchObject({ refused: 1 })
})

it('drops the oldest lines beyond the bound while the store is away, and no counters', async () => {
  const ingest = createIngest({ ...servesEverything, pool, clock: systemClock })
  const minute = Math.floor(Date.now() / 60_000) * 60
  for (let n = 0; n < 5; n++) {
    await ingest(
      1,
      batch({
        counters: [counter(minute, SITE, { requests: 100 })],
        lines: Array.from({ length: 100 }, () => line(Date.now(), SITE)),
      }),
    )
  }
  const sizes = (await pool.query<{ bytes: number }>('SELECT bytes FROM ingest_raw ORDER BY seq DESC')).rows
  const dropped = await boundQueue(pool, (sizes[0]?.bytes ?? 0) + (sizes[1]?.bytes ?? 0))
  expect(dropped).toBe(300)
  expect(await readIngestState(pool)).toMatchObject({ droppedHere: 300 })
  expect((await pool.query('SELECT FROM ingest_counter')).rowCount).toBe(5)
  expect(await waiting()).toBe(2)
})

it('says that the store is away and, when it is back, ships what waited [N10]', async () => {
  await analytics.kill()
  const service = startIngestService({
    pool,
    clock: systemClock,
    log: pino({ level: 'silent' }),
    analyticsUrl: analytics.url,
    timeZone: () => 'UTC',
  })
  services.push(service)
  const ingest = createIngest({ ...servesEverything, pool, clock: systemClock, onStored: service.wake })
  await ingest(1, batch({ counters: [counter(60, SITE, { requests: 1 })], lines: [line(Date.now(), SITE)] }))
  await until(async () => (await readIngestState(pool)).analyticsDownSince !== null)
  await until(async () => (await pool.query('SELECT FROM rollup_total')).rowCount === 1)
  await analytics.start()
  await until(async () => (await stored()) === 1)
  await until(async () => (await readIngestState(pool)).analyticsDownSince === null)
})

it('folds counters and keeps raw lines within the bound where there is no analytics store', async () => {
  const service = startIngestService({
    pool,
    clock: systemClock,
    log: pino({ level: 'silent' }),
    analyticsUrl: undefined,
    timeZone: () => 'UTC',
    maxRawBytes: 0,
  })
  services.push(service)
  const ingest = createIngest({ ...servesEverything, pool, clock: systemClock, onStored: service.wake })
  await ingest(1, batch({ counters: [counter(60, SITE, { requests: 1 })], lines: [line(Date.now(), SITE)] }))
  await until(async () => (await pool.query('SELECT FROM rollup_total')).rowCount === 1)
  await until(async () => (await readIngestState(pool)).droppedHere === 1)
})

it('drops days beyond the retention, and the oldest of the rest only when the disk is low', async () => {
  const now = Date.now()
  const days = [0, 1, 3, 5, 33]
  const rows = days.map((d) => JSON.stringify({ ts: now - d * DAY, site: 1 })).join('\n')
  // The store's own TTL would take the oldest at any moment.
  await store.command('SYSTEM STOP TTL MERGES')
  await store.insert('request_log', Buffer.from(rows), 'retention')
  const name = (d: number) => new Date(now - d * DAY).toISOString().slice(0, 10).replaceAll('-', '')
  expect(await rawRetention(store, now, false)).toEqual([name(33)])
  expect(await rawRetention(store, now, true)).toEqual([name(5)])
  expect(await rawRetention(store, now, true)).toEqual([name(3)])
  expect(await rawRetention(store, now, true)).toEqual([])
  expect(await stored()).toBe(2)
})

const until = async (condition: () => Promise<boolean>) => {
  const deadline = Date.now() + 15_000
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error('it did not happen within 15 s')
    await delay(20)
  }
}
