/**
 * Reconciliation of many sites: sums among themselves and against raw lines, 48 hours. Beside it, in the same run and on the same tables,
 * the plain sums by site and hour, or day, of everything that is compared, thrown away: what reading it once costs. Run: node --import tsx bench/reconcile.bench.ts [sites] [hours]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openCluster } from '@tidegate/embedded/cluster'
import { ensureAnalyticsSchema } from '../apps/server/src/modules/ingest/schema.ts'
import { reconcile } from '../apps/server/src/modules/usage/reconcile.ts'
import { ensureAnalyticsDatabase, openAnalytics } from '../apps/server/src/platform/clickhouse.ts'
import { openDatabase } from '../apps/server/src/platform/db.ts'
import { migrate } from '../apps/server/src/platform/migrate.ts'
import { testAnalytics } from '../apps/server/src/testing/analytics.ts'

const SITES = Number(process.argv[2] ?? 50_000)
const HOURS = Number(process.argv[3] ?? 48)
const HOUR = 3_600
/** Midnight in UTC, the zone of this run; the span is whole days before it. */
const END = Math.floor(Date.now() / 86_400_000) * 86_400
const BEGIN = END - HOURS * HOUR
const NOW = END * 1000 + 20 * 60_000

const dir = mkdtempSync(join(tmpdir(), 'tgb-'))
const cluster = await openCluster({ dir: join(dir, 'data'), runDir: join(dir, 'run') })
const { pool, close } = openDatabase(cluster.appUrl, () => {})
await migrate(cluster.ownerUrl, join(import.meta.dirname, '../apps/server/migrations'))
const analytics = await testAnalytics()
await ensureAnalyticsDatabase(analytics.url)
const store = openAnalytics(analytics.url)
await ensureAnalyticsSchema(store)

const say = (text: string) => process.stdout.write(`${text}\n`)
const timed = async <T>(work: () => Promise<T>): Promise<[number, T]> => {
  const begin = performance.now()
  const done = await work()
  return [performance.now() - begin, done]
}

/** Every site has one request in each hour; its minute depends on its number. */
const NAMES = 'requests, hits, bytes_out, bytes_in, bytes_origin, s2xx, s3xx, s4xx, s5xx, blocked'
const ONE = (n: string) => `${n}, 0, ${n} * 100, 0, 0, ${n}, 0, 0, 0, 0`
const fill = async () => {
  for (let t = BEGIN; t < END; t += HOUR) {
    const sites = `generate_series(1, ${SITES}) s`
    await pool.query(
      `INSERT INTO rollup_minute (t, site, ${NAMES}) SELECT ${t} + s % 60 * 60, s, ${ONE('1')} FROM ${sites}`,
    )
    await pool.query(`INSERT INTO rollup_hour (t, site, ${NAMES}) SELECT ${t}, s, ${ONE('1')} FROM ${sites}`)
    for (const [table, key] of [
      ['rollup_total', ''],
      ['rollup_node', 'node_id, '],
    ])
      await pool.query(
        `INSERT INTO ${table} (t, ${key}${NAMES}) SELECT t, ${key ? '1, ' : ''}${ONE('count(*)')} FROM rollup_minute WHERE t >= ${t} AND t < ${t + HOUR} GROUP BY t`,
      )
    await store.command(
      `INSERT INTO request_log (ts, site, out) SELECT toDateTime64(${t} + (number + 1) % 60 * 60, 3, 'UTC'), number + 1, 100 FROM numbers(${SITES})`,
    )
  }
  for (let t = BEGIN; t < END; t += 24 * HOUR)
    await pool.query(
      `INSERT INTO rollup_day (day, site, ${NAMES}) SELECT (to_timestamp(${t}) AT TIME ZONE 'UTC')::date, s, ${ONE('24')} FROM generate_series(1, ${SITES}) s`,
    )
  const owner = openDatabase(cluster.ownerUrl, () => {})
  await owner.pool.query('VACUUM ANALYZE rollup_minute, rollup_hour, rollup_day')
  await owner.close()
}

const plain = async () => {
  const sums = NAMES.split(', ').map((name) => `sum(${name})`)
  await pool.query(`SELECT count(*) FROM (SELECT site, t / 3600, ${sums} FROM rollup_minute GROUP BY 1, 2) x`)
  await pool.query(`SELECT count(*) FROM (SELECT site, ${sums} FROM rollup_hour GROUP BY 1) x`)
  await pool.query(`SELECT count(*) FROM (SELECT site, ${sums} FROM rollup_day GROUP BY 1) x`)
  await store.query(
    'SELECT count() FROM (SELECT site, intDiv(toUnixTimestamp(ts), 3600) AS h, count(), sum(out) FROM request_log GROUP BY 1, 2)',
  )
}

const run = (params: object = {}) =>
  reconcile(
    {
      pool,
      clock: { now: () => NOW },
      timeZone: () => 'UTC',
      store: { ready: async () => store, wasAway: () => {} },
      sampledSince: async () => false,
      tell: async () => {},
    },
    { days: Math.max(1, HOURS / 24), tolerance: 10, worst: 200, repair: false, ...params },
    { signal: new AbortController().signal, say: () => {}, progress: () => {} },
  )

/** The longest wait of a query that asks for one site all the time, while something else goes on. */
const beside = async <T>(work: () => Promise<T>): Promise<[number, T]> => {
  let worst = 0
  let over = false
  const asking = (async () => {
    while (!over) {
      const [ms] = await timed(() => pool.query('SELECT sum(requests) FROM rollup_hour WHERE site = 17'))
      worst = Math.max(worst, ms)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  })()
  const done = await work()
  over = true
  await asking
  return [worst, done]
}

const [filling] = await timed(fill)
say(
  `${SITES} sites, ${HOURS} hours: ${SITES * HOURS} rows by minute, as many by hour, as many raw lines; filled in ${(filling / 1000).toFixed(0)} s`,
)
const [peer] = await timed(plain)
const [ms, [worst, result]] = await timed(() => beside(() => run()))
const resident = process.memoryUsage().rss / 1_048_576
if (result.gaps !== 0) throw new Error(`found ${result.gaps} differences where there are none`)
say(
  `compared ${result.compared} sums in ${(ms / 1000).toFixed(1)} s; summed up plainly ${(peer / 1000).toFixed(1)} s (ours ${(ms / peer).toFixed(1)}x)`,
)
say(`beside it a site's chart took ${worst.toFixed(0)} ms at the longest; this process has ${resident.toFixed(0)} MiB`)

await pool.query('DELETE FROM rollup_hour WHERE t = $1', [BEGIN + HOUR])
const [mending, mended] = await timed(() => run({ repair: true }))
say(`an hour of all sites lost: ${mended.repaired} repaired, the whole run ${(mending / 1000).toFixed(1)} s`)
if (mended.repaired !== SITES || mended.open !== 0) throw new Error('not repaired')

await store.close()
await analytics.drop()
await close()
await cluster.stop()
rmSync(dir, { recursive: true, force: true })
