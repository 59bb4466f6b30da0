/**
 * Log ingest: batches of 5,000 lines as nodes send them (gzip JSON) -> PostgreSQL -> the chdb process, while the overview is being read in the
 * same server process. Beside it, in the same run: the same lines put straight into the same chdb process, and the overview at rest.
 * Run: node --import tsx bench/ingest.bench.ts [seconds]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gunzip, gzipSync } from 'node:zlib'
import { openCluster } from '@tidegate/embedded/cluster'
import { pino } from 'pino'
import { createIngest, startIngestService } from '../apps/server/src/modules/ingest/index.ts'
import { chartHandler } from '../apps/server/src/modules/overview/chart.ts'
import { type Analytics, openAnalytics } from '../apps/server/src/platform/clickhouse.ts'
import { systemClock } from '../apps/server/src/platform/clock.ts'
import { type Database, openDatabase } from '../apps/server/src/platform/db.ts'
import { migrate } from '../apps/server/src/platform/migrate.ts'
import { testAnalytics } from '../apps/server/src/testing/analytics.ts'
import { batch, batchId, counter, line, servesEverything } from '../apps/server/src/testing/batches.ts'

const SECONDS = Number(process.argv[2] ?? 12)
const LINES = 5_000
const BODIES = 24
const SENDERS = 6
const SITES = 200
const GOAL = 50_000
const READ_EVERY_MS = 50

const expand = promisify(gunzip)
const anybody = {} as Parameters<ReturnType<typeof chartHandler>>[1]

/** What nodes send: full batches with a counter for each site and minute in them. */
const makeBodies = (): Buffer[] =>
  Array.from({ length: BODIES }, (_, b) => {
    const end = Date.now()
    const lines = Array.from({ length: LINES }, (_, i) =>
      line(end - b * 3_000 - (i % 3_000), 1 + ((i * 7 + b) % SITES)),
    )
    const minute = Math.floor(end / 60_000) * 60
    const counters = Array.from({ length: SITES }, (_, s) =>
      counter(minute, s + 1, { requests: LINES / SITES, bytesOut: 500_000 }),
    )
    return gzipSync(JSON.stringify(batch({ lines, counters })), { level: 1 })
  })

/** A month of figures, so that the overview has something to read. */
const fill = async ({ pool }: Database) => {
  const columns = 'requests, hits, bytes_out, bytes_in, bytes_origin, s2xx, s3xx, s4xx, s5xx, blocked'
  const values = '100, 80, 1000000, 1000, 2000, 90, 5, 4, 1, 0'
  const begin = "extract(epoch FROM date_trunc('hour', now()))::bigint"
  await pool.query(
    `INSERT INTO rollup_total (t, ${columns}) SELECT ${begin} - g * 60, ${values} FROM generate_series(1, 43200) g`,
  )
  await pool.query(
    `INSERT INTO rollup_minute (t, site, ${columns}) SELECT ${begin} - g * 60, s, ${values} FROM generate_series(1, 1440) g, generate_series(1, ${SITES}) s`,
  )
  await pool.query(
    `INSERT INTO rollup_hour (t, site, ${columns}) SELECT ${begin} - g * 3600, s, ${values} FROM generate_series(1, 720) g, generate_series(1, ${SITES}) s`,
  )
}

interface Reads {
  p50: number
  p99: number
  count: number
}

/** Reads the overview at a steady pace until `over`; milliseconds. */
const readOverview = async (database: Database, over: () => boolean): Promise<Reads> => {
  const chart = chartHandler({
    pool: database.pool,
    clock: systemClock,
    timeZone: () => 'Asia/Shanghai',
    sitesOf: async () => [],
    siteNames: async (ids) => new Map(ids.map((id) => [id, `site-${id}.example`])),
  })
  const ranges = ['today', '1h', '7d', '30d', '6h'] as const
  const times: number[] = []
  while (!over()) {
    const begin = performance.now()
    await chart({ range: ranges[times.length % ranges.length] ?? 'today' }, anybody, AbortSignal.timeout(10_000))
    times.push(performance.now() - begin)
    await delay(READ_EVERY_MS)
  }
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
  return { p50: at(0.5), p99: at(0.99), count: times.length }
}

const timed = (seconds: number) => {
  const end = Date.now() + seconds * 1000
  return () => Date.now() >= end
}

/** The peer: the same lines straight into the store, in blocks like ours, one after the other. Lines a second. */
const bareInsert = async (store: Analytics, bodies: Buffer[], seconds: number): Promise<number> => {
  const blocks: Buffer[] = []
  for (let b = 0; b + 3 <= bodies.length; b += 3) {
    const lines = await Promise.all(
      bodies.slice(b, b + 3).map(async (body) => JSON.parse((await expand(body)).toString()).lines),
    )
    blocks.push(
      Buffer.from(
        `${lines
          .flat()
          .map((l: object) => JSON.stringify(l))
          .join('\n')}\n`,
      ),
    )
  }
  const begin = performance.now()
  const over = timed(seconds)
  let inserted = 0
  for (let n = 0; !over(); n++) {
    await store.insert('request_log', blocks[n % blocks.length] ?? Buffer.alloc(0), `bare-${n}`)
    inserted += 3 * LINES
  }
  return inserted / ((performance.now() - begin) / 1000)
}

const countRows = async (store: Analytics, where: string) =>
  Number((await store.query<{ n: string }>(`SELECT count() AS n FROM request_log WHERE ${where}`))[0]?.n ?? 0)

/** Sends until time is over, then waits until every line is in the store. */
const load = async (database: Database, store: Analytics, bodies: Buffer[], wake: () => void) => {
  const ingest = createIngest({ ...servesEverything, pool: database.pool, clock: systemClock, onStored: wake })
  const begin = performance.now()
  const over = timed(SECONDS)
  let sent = 0
  const send = async (node: number) => {
    for (let n = node; !over(); n++) {
      const body = JSON.parse((await expand(bodies[n % bodies.length] ?? Buffer.alloc(0))).toString())
      await ingest(node + 1, { ...body, id: batchId() })
      sent += LINES
    }
  }
  await Promise.all(Array.from({ length: SENDERS }, (_, node) => send(node)))
  const accepted = performance.now() - begin
  while ((await database.pool.query('SELECT FROM ingest_raw LIMIT 1')).rowCount) await delay(20)
  const stored = performance.now() - begin
  return {
    sent,
    accepted: sent / (accepted / 1000),
    stored: sent / (stored / 1000),
    inStore: await countRows(store, 'node > 0'),
  }
}

const main = async () => {
  const dir = mkdtempSync(join(tmpdir(), 'tgb-'))
  const cluster = await openCluster({ dir: join(dir, 'data'), runDir: join(dir, 'run') })
  const analytics = await testAnalytics()
  const database = openDatabase(cluster.appUrl, () => {})
  const store = openAnalytics(analytics.url)
  await migrate(cluster.ownerUrl, join(import.meta.dirname, '../apps/server/migrations'))
  await fill(database)
  const log = pino({ level: 'warn' })
  const service = startIngestService({
    pool: database.pool,
    clock: systemClock,
    log,
    analyticsUrl: analytics.url,
    timeZone: () => 'Asia/Shanghai',
  })
  try {
    const bodies = makeBodies()
    await readOverview(database, timed(2))
    const bare = await bareInsert(store, bodies, Math.max(3, SECONDS / 3))
    const idle = await readOverview(database, timed(Math.max(4, SECONDS / 2)))
    let loading = true
    const reading = readOverview(database, () => !loading)
    const result = await load(database, store, bodies, service.wake)
    loading = false
    report(bare, idle, await reading, result)
    const folded = await database.pool.query<{ n: number }>('SELECT sum(requests)::bigint AS n FROM rollup_node')
    if (result.inStore !== result.sent || folded.rows[0]?.n !== result.sent) {
      throw new Error(`sent ${result.sent} lines, stored ${result.inStore}, counted ${folded.rows[0]?.n}`)
    }
    if (result.stored < GOAL) process.exitCode = 1
  } finally {
    await service.stop()
    await store.close()
    await database.close()
    await analytics.drop()
    await cluster.stop()
    rmSync(dir, { recursive: true, force: true })
  }
}

const report = (bare: number, idle: Reads, busy: Reads, result: Awaited<ReturnType<typeof load>>) => {
  const n = (value: number, digits = 0) => value.toLocaleString('en-US', { maximumFractionDigits: digits })
  const rows = [
    `lines sent                     ${n(result.sent)} (all in the store once, all counted)`,
    `acknowledged                   ${n(result.accepted)} lines/s`,
    `in the store, queue empty      ${n(result.stored)} lines/s (goal ${n(GOAL)}: ${(result.stored / GOAL).toFixed(2)}x)`,
    `bare insert into the store     ${n(bare)} lines/s (ours ${(result.stored / bare).toFixed(2)}x)`,
    `overview at rest               p50 ${n(idle.p50, 1)} ms, p99 ${n(idle.p99, 1)} ms (${idle.count} reads)`,
    `overview under ingest          p50 ${n(busy.p50, 1)} ms, p99 ${n(busy.p99, 1)} ms (${busy.count} reads), ${(busy.p50 / idle.p50).toFixed(1)}x and ${(busy.p99 / idle.p99).toFixed(1)}x`,
  ]
  process.stdout.write(`${rows.join('\n')}\n`)
}

await main()
