/** What the benchmarks of the plane share: a PostgreSQL of their own (fsync on), many sites, percentiles. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openCluster } from '@tidegate/embedded/cluster'
import pg from 'pg'

/** Starts a cluster as the launcher does and hands it to the test databases; answers how to end it. */
export const startCluster = async (): Promise<() => Promise<void>> => {
  const dir = mkdtempSync(join(tmpdir(), 'tgbench-'))
  const cluster = await openCluster({ dir: join(dir, 'data'), runDir: join(dir, 'run') })
  const { superUrl, ownerUrl, appUrl } = cluster
  process.env.TIDEGATE_TEST_CLUSTER = JSON.stringify({ superUrl, ownerUrl, appUrl })
  let ended: Promise<void> | undefined
  const end = () => {
    ended ??= cluster.stop(10_000).then(() => rmSync(dir, { recursive: true, force: true }))
    return ended
  }
  // The cluster is not of our process group: it would outlive a benchmark that is broken off or fails.
  const leave = (code: number) => void end().finally(() => process.exit(code))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => leave(1))
  process.once('uncaughtException', (error) => {
    process.stderr.write(`${error.stack}\n`)
    leave(1)
  })
  return end
}

const NOWHERE = { host: 'origin.example', httpPort: 80, httpsPort: 443 }

/** Rows of sites only; what nodes get of them is made by the compiler, at the next resync or push of everything. */
export const insertSites = async (
  pool: Pick<pg.Pool, 'query'>,
  count: number,
  settings: object,
  origin = NOWHERE,
): Promise<void> => {
  await pool.query(
    `INSERT INTO site (group_id, slug, domains, origin_protocol, origins, settings, enabled, created_at, updated_at)
     SELECT 1, 'bench' || n, ARRAY['www.site-' || n || '.example', 'site-' || n || '.example'], 'http',
       $3::jsonb, $2::jsonb, n % 50 <> 0,
       now() - n * interval '1 second', now() - (n::bigint * 7919 % 1000003) * interval '1 second'
     FROM generate_series(1, $1::int) n`,
    [count, JSON.stringify(settings), JSON.stringify([{ ...origin, line: 'main', weight: 1 }])],
  )
  await pool.query(
    'INSERT INTO site_domain (domain, site_id) SELECT unnest(domains), id FROM site ON CONFLICT DO NOTHING',
  )
}

/** What autovacuum does sooner or later; the runtime role may not. */
export const vacuum = async (ownerUrl: string): Promise<void> => {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  await client.query('VACUUM (ANALYZE) site, site_domain, site_search, node_push')
  await client.end()
}

/** The share (0..1) of the values that is not above the result. */
export const percentile = (values: number[], share: number): number => {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.max(0, Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1))] ?? 0
}

/** One line: name, p50, p99, maximum in milliseconds. */
export const line = (name: string, values: number[]): void => {
  const figures = [0.5, 0.99, 1].map((share) => percentile(values, share).toFixed(2).padStart(10))
  process.stdout.write(`${name.padEnd(48)}${figures.join('')}\n`)
}

export const heading = (text: string): void => {
  process.stdout.write(
    `\n${text}\n${''.padEnd(48)}${['p50 ms', 'p99 ms', 'max ms'].map((t) => t.padStart(10)).join('')}\n`,
  )
}
