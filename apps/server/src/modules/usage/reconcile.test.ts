import { operationById } from '@tidegate/contract/operations/index'
import type { TestDatabase } from '@tidegate/testkit/database'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Caller } from '../../platform/caller.ts'
import { type Analytics, ensureAnalyticsDatabase, openAnalytics } from '../../platform/clickhouse.ts'
import { type Database, openDatabase } from '../../platform/db.ts'
import { type TestAnalytics, testAnalytics } from '../../testing/analytics.ts'
import { batch, counter, line, servesEverything } from '../../testing/batches.ts'
import { testDatabase } from '../../testing/database.ts'
import { foldCounters } from '../ingest/fold.ts'
import { createIngest } from '../ingest/receive.ts'
import { noteRawDropped } from '../ingest/retention.ts'
import { ensureAnalyticsSchema } from '../ingest/schema.ts'
import { boundQueue, shipLines } from '../ingest/ship.ts'
import { createUsageModule } from './index.ts'
import { type ReconcileDeps, reconcile } from './reconcile.ts'

const ZONE = 'Asia/Shanghai'
/** 14:40 in Shanghai: the hour from 06:00 UTC runs. */
const NOW = Date.UTC(2026, 10, 21, 6, 40)
const HOUR = 3_600
const hourBegin = (ago: number) => Date.UTC(2026, 10, 21, 6) / 1000 - ago * HOUR
const PARAMS = { days: 2, tolerance: 2, worst: 100, repair: false }

let analytics: TestAnalytics
let store: Analytics
let test: TestDatabase
let database: Database
let told: { vars: Record<string, string>; key: string }[]

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
  test = await testDatabase()
  database = openDatabase(test.appUrl, () => {})
  told = []
  await store.command('TRUNCATE TABLE request_log')
})
afterEach(async () => {
  await database.close()
  await test.drop()
})

const deps = (more: Partial<ReconcileDeps> = {}): ReconcileDeps => ({
  pool: database.pool,
  clock: { now: () => NOW },
  timeZone: () => ZONE,
  store: { ready: async () => store, wasAway: () => {} },
  sampledSince: async () => false,
  tell: async (_tx, vars, key) => void told.push({ vars, key }),
  rangeSites: 2,
  ...more,
})
const context = (more: object = {}) => ({
  signal: new AbortController().signal,
  say: () => {},
  progress: () => {},
  ...more,
})
const run = (params: Partial<typeof PARAMS> = {}, more: Partial<ReconcileDeps> = {}) =>
  reconcile(deps(more), { ...PARAMS, ...params }, context())

/** Requests of a site in an hour, counted and shipped as a node does it; `node` and the second of the hour may be given. */
const serve = async (ago: number, site: number, requests: number, { node = 1, second = 90 } = {}) => {
  const t = hourBegin(ago) + second
  const lines = Array.from({ length: requests }, (_, n) => line(t * 1000 + n, site, { out: 100 }))
  const values = { requests, bytesOut: 100 * requests, s2xx: requests }
  const sent = batch({ counters: [counter(t - (t % 60), site, values)], lines })
  // Sent when it happened, so that the bounds on time do not touch it.
  const ingest = createIngest({ ...servesEverything, pool: database.pool, clock: { now: () => (t + 5) * 1000 } })
  await ingest(node, sent)
}
const settle = async () => {
  await foldCounters(database.pool, ZONE)
  while ((await shipLines({ pool: database.pool, store })).more);
}
/** Five sites on two nodes over two and a half days, an hour that runs among them. */
const traffic = async () => {
  for (const ago of [0, 1, 5, 7, 20, 30, 44])
    for (const site of [0, 1, 2, 3, 7])
      await serve(ago, site, site + 3, { node: 1 + (site % 2), second: 60 * (site + 1) })
  await serve(5, 1, 4, { second: 1_200 })
  await settle()
}
const gaps = async (report: unknown) =>
  (
    await database.pool.query<Record<string, unknown>>(
      `SELECT kind, extract(epoch FROM at)::bigint AS at, site, (wanted->>'requests')::bigint AS wanted, (found->>'requests')::bigint AS found, difference, state
       FROM reconcile_gap WHERE run_id = $1 ORDER BY kind, at, site`,
      [report],
    )
  ).rows
const sums = async () => {
  const tables = ['rollup_minute', 'rollup_hour', 'rollup_day', 'rollup_total', 'rollup_node']
  const all = await Promise.all(
    tables.map((name) => database.pool.query(`SELECT to_jsonb(x) AS r FROM ${name} x ORDER BY to_jsonb(x)::text`)),
  )
  return all.map(({ rows }) => rows)
}
const sabotage = (text: string, values: unknown[] = []) => database.pool.query(text, values)

it('finds nothing where nothing is wrong, whatever still runs, comes late or waits', async () => {
  await traffic()
  const result = await run()
  expect(result).toMatchObject({ gaps: 0, open: 0, repaired: 0, missing: 0, raw: 'compared' })
  expect(result.compared).toBeGreaterThan(60)
  expect(told).toEqual([])
  // Counted and waiting: neither folded nor shipped yet.
  await serve(0, 1, 9)
  await serve(3, 1, 9)
  expect(await run()).toMatchObject({ gaps: 0 })
  // Folded, its lines still wait for the store: known, so nobody is told.
  await foldCounters(database.pool, ZONE)
  expect(await run()).toMatchObject({ gaps: 1, open: 0, missing: 9, known: 18 })
  await settle()
  expect(await run()).toMatchObject({ gaps: 0 })
  expect(told).toEqual([])
})

it('never calls the running hour a gap, even where all its raw lines and its day are missing', async () => {
  await serve(0, 1, 50)
  await serve(5, 1, 5)
  await settle()
  await store.command(
    `ALTER TABLE request_log DELETE WHERE ts >= toDateTime(${hourBegin(0)}) SETTINGS mutations_sync = 1`,
  )
  await sabotage('DELETE FROM rollup_hour WHERE t = $1', [hourBegin(0)])
  expect(await run()).toMatchObject({ gaps: 0 })
  // An hour later it has ended.
  expect(await run({}, { clock: { now: () => NOW + HOUR * 1000 } })).toMatchObject({ gaps: 1 })
})

it('names a lost hour, and puts it back from the minutes when it is told to', async () => {
  await traffic()
  const before = await sums()
  await sabotage('DELETE FROM rollup_hour WHERE t = $1 AND site = 7', [hourBegin(20)])
  const first = await run()
  // The day is right, and so are the raw lines: they differ from the hour that is lost.
  expect(await gaps(first.report)).toEqual([
    {
      kind: 'day',
      at: Date.UTC(2026, 10, 19, 16) / 1000,
      site: 7,
      wanted: 10,
      found: 20,
      difference: 10,
      state: 'open',
    },
    { kind: 'hour', at: hourBegin(20), site: 7, wanted: 10, found: 0, difference: 10, state: 'open' },
    { kind: 'raw', at: hourBegin(20), site: 7, wanted: 0, found: 10, difference: 10, state: 'open' },
  ])
  expect(told).toEqual([
    {
      vars: { open: '3', repaired: '0', missing: '0', from: '2026-11-19', to: '2026-11-21' },
      key: 'figures_differ 2026-11-21',
    },
  ])
  const second = await run({ repair: true })
  expect(await gaps(second.report)).toEqual([
    { kind: 'hour', at: hourBegin(20), site: 7, wanted: 10, found: 0, difference: 10, state: 'repaired' },
  ])
  expect(second).toMatchObject({ gaps: 1, repaired: 1, open: 0 })
  expect(await sums()).toEqual(before)
  const { rows } = await database.pool.query(
    `SELECT actor_kind, target, before->'site 7'->'requests' AS before, after->'site 7'->'requests' AS after, after->'rows' AS n FROM audit_log WHERE action = 'usage.repair'`,
  )
  expect(rows).toEqual([
    { actor_kind: 'system', target: 'usage hour 2026-11-20T10:00:00.000Z', before: 0, after: 10, n: 1 },
  ])
  expect(await run({ repair: true })).toMatchObject({ gaps: 0 })
})

it('names a lost day and a wrong total and repairs both', async () => {
  await traffic()
  const before = await sums()
  await sabotage(`DELETE FROM rollup_day WHERE day = '2026-11-20' AND site = 2`)
  await sabotage('UPDATE rollup_total SET requests = requests + 5, s5xx = s5xx + 5 WHERE t >= $1 AND t < $1 + 3600', [
    hourBegin(7),
  ])
  const seen = (await gaps((await run()).report)).map(({ kind, site, difference }) => [kind, site, difference])
  expect(seen).toEqual([
    ['day', 2, 10],
    ['total', null, 25],
  ])
  expect(await run({ repair: true })).toMatchObject({ gaps: 2, repaired: 2, open: 0 })
  expect(await sums()).toEqual(before)
})

it('names a doubled minute and does not carry it on into the hour', async () => {
  await traffic()
  const hours = (await sums())[1]
  await sabotage('UPDATE rollup_minute SET requests = requests * 2 WHERE site = 7 AND t >= $1 AND t < $1 + 3600', [
    hourBegin(7),
  ])
  const { report } = await run({ repair: true })
  expect(
    (await gaps(report)).map(({ kind, site, wanted, found, state }) => [kind, site, wanted, found, state]),
  ).toEqual([
    ['hour', 7, 20, 10, 'doubtful'],
    ['node', null, 38, 28, 'doubtful'],
    ['total', null, 38, 28, 'doubtful'],
  ])
  expect((await sums())[1]).toEqual(hours)
})

it('names what a node alone counted otherwise', async () => {
  await traffic()
  await sabotage('UPDATE rollup_node SET bytes_out = bytes_out - 1 WHERE node_id = 2 AND t = $1', [hourBegin(7) + 120])
  const { report } = await run({ repair: true })
  expect(await gaps(report)).toMatchObject([{ kind: 'node', site: null, difference: 0, state: 'open' }])
})

it('names missing and surplus raw lines by site and hour, beyond what is tolerated', async () => {
  await traffic()
  await store.command(
    `ALTER TABLE request_log DELETE WHERE site = 7 AND ts >= toDateTime(${hourBegin(20)}) AND ts < toDateTime(${hourBegin(19)}) AND rand() >= 0 SETTINGS mutations_sync = 1`,
  )
  const extra = (n: number, site: number) =>
    Array.from({ length: n }, () => JSON.stringify({ ts: hourBegin(30) * 1000, site, out: 100 })).join('\n')
  await store.insert('request_log', Buffer.from(extra(6, 3)), 'surplus')
  await store.insert('request_log', Buffer.from(extra(2, 2)), 'tolerated')
  await store.insert('request_log', Buffer.from(extra(4, 900)), 'of a site without figures')
  const { report } = await run()
  expect((await gaps(report)).map(({ kind, at, site, wanted, found }) => [kind, at, site, wanted, found])).toEqual([
    ['raw', hourBegin(30), 3, 6, 12],
    ['raw', hourBegin(30), 900, 0, 4],
    ['raw', hourBegin(20), 7, 10, 0],
  ])
  expect(told).toHaveLength(1)
})

it('tells nobody of raw lines that are known to be lost, on a node, here or on purpose', async () => {
  await serve(7, 1, 10)
  await serve(20, 2, 10)
  await foldCounters(database.pool, ZONE)
  await boundQueue(database.pool, 0)
  expect(await run()).toMatchObject({ gaps: 2, open: 0, missing: 20, known: 20 })
  // Lost without anybody's knowledge on top of it.
  await serve(8, 3, 5)
  await settle()
  await store.command('TRUNCATE TABLE request_log')
  const worse = await run()
  expect(worse).toMatchObject({ gaps: 3, open: 3, missing: 25, known: 20 })
  expect(told).toHaveLength(1)
  // The node says that its spool was full.
  await createIngest({ ...servesEverything, pool: database.pool, clock: { now: () => NOW } })(4, batch({ dropped: 5 }))
  await settle()
  expect(await run()).toMatchObject({ open: 0, known: 25 })
  // The disk was low: a whole day was dropped.
  await serve(9, 4, 40)
  await foldCounters(database.pool, ZONE)
  await sabotage('DELETE FROM ingest_raw')
  expect(await run()).toMatchObject({ gaps: 4, open: 4 })
  await noteRawDropped(database.pool, ['20261121'])
  expect(await run()).toMatchObject({ gaps: 0 })
  expect(told).toHaveLength(2)
})

it('compares sums alone where the store of raw lines is away, or is not there, or nodes keep only some lines', async () => {
  await traffic()
  await sabotage('UPDATE rollup_hour SET hits = 1 WHERE t = $1 AND site = 1', [hourBegin(5)])
  const away = { ready: () => Promise.reject(new Error('refused')), wasAway: () => {} }
  expect(await run({}, { store: away })).toMatchObject({ raw: 'away', gaps: 1 })
  expect(await run({}, { store: undefined })).toMatchObject({ raw: 'none', gaps: 1 })
  const asked: number[] = []
  const sampledSince = async (from: number) => asked.push(from) > 0
  await store.command('TRUNCATE TABLE request_log')
  expect(await run({}, { sampledSince })).toMatchObject({ raw: 'sampled', gaps: 1, missing: 0 })
  expect(asked.map((from) => new Date(from * 1000).toISOString())).toEqual(['2026-11-18T16:00:00.000Z'])
})

it('cuts days as the folder did, between hours and around a change of the zone', async () => {
  const india = 'Asia/Kolkata'
  for (const second of [60, 1_500, 2_000, 3_500]) for (const ago of [11, 12, 35]) await serve(ago, 1, 3, { second })
  await foldCounters(database.pool, india)
  while ((await shipLines({ pool: database.pool, store })).more);
  expect(await run({}, { timeZone: () => india })).toMatchObject({ gaps: 0, skipped: 0 })
  await sabotage(`UPDATE rollup_day SET requests = requests + 1 WHERE day = '2026-11-20'`)
  expect(await run({}, { timeZone: () => india })).toMatchObject({ gaps: 1 })
  expect((await database.pool.query('SELECT zone FROM reconcile_run')).rows[0]).toEqual({ zone: india })
  // From here on days are cut otherwise: the old ones cannot be compared.
  await serve(6, 1, 3)
  await settle()
  expect(await run()).toMatchObject({ gaps: 0, skipped: 2 })
})

it('comes to the same when it is killed at any step and goes on elsewhere', async () => {
  await traffic()
  await sabotage('DELETE FROM rollup_hour WHERE t = $1 AND site = 7', [hourBegin(20)])
  await sabotage('DELETE FROM rollup_day WHERE site = 3')
  const whole = await run()
  const expected = { ...whole, report: 0 }
  const rows = await gaps(whole.report)
  const steps = { n: 0 }
  const killedAt = (n: number) => {
    let seen = 0
    return context({
      signal: {
        throwIfAborted: () => {
          if (++seen > n) throw new Error('killed')
        },
      },
    })
  }
  let report = 0
  for (;;) {
    try {
      const result = await reconcile(deps(), PARAMS, killedAt(7))
      report = Number(result.report)
      expect({ ...result, report: 0 }).toEqual(expected)
      break
    } catch (error) {
      expect((error as Error).message).toBe('killed')
      steps.n += 1
    }
  }
  expect(steps.n).toBeGreaterThan(5)
  expect(report).toBe(Number(whole.report) + 1)
  expect(await gaps(report)).toEqual(rows)
})

it('does each step once when two processes are at it', async () => {
  await traffic()
  await sabotage('DELETE FROM rollup_day WHERE site = 3')
  const both = await Promise.all([run(), run()])
  expect(both.filter((result) => result.elsewhere === true)).toHaveLength(1)
  const done = both.find((result) => result.elsewhere !== true)
  expect(done).toMatchObject({ gaps: 2, open: 2 })
  expect(await gaps(done?.report)).toHaveLength(2)
  expect(told).toHaveLength(1)
})

it('repairs while batches come in without losing or doubling one', async () => {
  await traffic()
  await sabotage('DELETE FROM rollup_hour WHERE t < $1', [hourBegin(6)])
  await sabotage('DELETE FROM rollup_day WHERE day < $1', ['2026-11-21'])
  const coming = (async () => {
    for (let n = 0; n < 30; n++) {
      await serve(7 + (n % 20), n % 4, 2)
      await foldCounters(database.pool, ZONE)
    }
  })()
  await run({ repair: true })
  await coming
  await settle()
  expect(await run()).toMatchObject({ gaps: 0 })
})

it('keeps the greatest differences and counts all; the report is read by page with the names of sites', async () => {
  for (let site = 1; site <= 9; site++) await serve(7, site, site)
  await settle()
  await sabotage('UPDATE rollup_hour SET requests = 0 WHERE t = $1', [hourBegin(7)])
  const { report } = await run({ worst: 3, tolerance: 1000 })
  const module = createUsageModule({
    ...deps(),
    db: database.db,
    siteNames: async (ids) => new Map(ids.filter((id) => id !== 8).map((id) => [id, `site-${id}.example`])),
  })
  const caller = {} as Caller
  const signal = AbortSignal.timeout(10_000)
  const list = await module.handlers['usage.gapList']({ report: Number(report), page: 1, limit: 10 }, caller, signal)
  operationById('usage.gapList').output.parse(list)
  expect(list.data.list.map(({ siteId, domain, difference }) => [siteId, domain, difference])).toEqual([
    [9, 'site-9.example', 9],
    [8, '', 8],
    [7, 'site-7.example', 7],
  ])
  const info = await module.handlers['usage.reconcileInfo']({ id: Number(report) }, caller, signal)
  operationById('usage.reconcileInfo').output.parse(info)
  expect(info.data).toMatchObject({ state: 'done', gaps: 9, open: 9, firstDay: '2026-11-19', tolerance: 1000 })
  expect(await module.figures()).toEqual({ report, open: 9, at: new Date(NOW) })
})
