/**
 * Counters of 2,000 nodes: one batch each, with 100 of 20,000 sites in it, taken and folded into the rollups; beside it, in the same run,
 * the bare statement that adds the same counters to one table. Run: node --import tsx bench/ingest-fold.bench.ts
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openCluster } from '@tidegate/embedded/cluster'
import { foldCounters } from '../apps/server/src/modules/ingest/fold.ts'
import { createIngest } from '../apps/server/src/modules/ingest/index.ts'
import { systemClock } from '../apps/server/src/platform/clock.ts'
import { openDatabase } from '../apps/server/src/platform/db.ts'
import { migrate } from '../apps/server/src/platform/migrate.ts'
import { batch, counter, servesEverything } from '../apps/server/src/testing/batches.ts'

const NODES = 2_000
const COUNTERS = 100
const SITES = 20_000
const AT_ONCE = 20
const ROUNDS = 4

const dir = mkdtempSync(join(tmpdir(), 'tgb-'))
const cluster = await openCluster({ dir: join(dir, 'data'), runDir: join(dir, 'run') })
const { pool, close } = openDatabase(cluster.appUrl, () => {})
await migrate(cluster.ownerUrl, join(import.meta.dirname, '../apps/server/migrations'))
const ingest = createIngest({ ...servesEverything, pool, clock: systemClock })

const batchOf = (node: number, minute: number) =>
  batch({
    counters: Array.from({ length: COUNTERS }, (_, n) =>
      counter(minute, 1 + ((node * 37 + n) % SITES), { requests: 10, bytesOut: 100_000 }),
    ),
  })

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const begin = performance.now()
  await work()
  return performance.now() - begin
}

/** One upsert of the queue's sums into a table of the same form. */
const bare = () =>
  pool.query(`INSERT INTO rollup_hour (t, site, requests, hits, bytes_out, bytes_in, bytes_origin, s2xx, s3xx, s4xx, s5xx, blocked)
    SELECT -1, s, sum(r), 0, sum(o), 0, 0, 0, 0, 0, 0, 0
    FROM ingest_counter, jsonb_to_recordset(counters) AS x(s bigint, r bigint, o bigint) GROUP BY s ORDER BY s
    ON CONFLICT (t, site) DO UPDATE SET requests = rollup_hour.requests + excluded.requests, bytes_out = rollup_hour.bytes_out + excluded.bytes_out`)

for (let round = 1; round <= ROUNDS; round++) {
  const minute = Math.floor(Date.now() / 60_000) * 60
  const taken = await timed(async () => {
    for (let n = 0; n < NODES; n += AT_ONCE) {
      await Promise.all(Array.from({ length: AT_ONCE }, (_, i) => ingest(n + i + 1, batchOf(n + i, minute))))
    }
  })
  const peer = await timed(bare)
  const folded = await timed(() => foldCounters(pool, 'Asia/Shanghai'))
  process.stdout.write(
    `round ${round}: ${NODES} batches taken in ${taken.toFixed(0)} ms, folded into five tables in ${folded.toFixed(0)} ms; ` +
      `bare upsert into one ${peer.toFixed(0)} ms (ours ${(folded / peer).toFixed(1)}x)\n`,
  )
}
await close()
await cluster.stop()
rmSync(dir, { recursive: true, force: true })
