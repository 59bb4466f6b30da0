/**
 * Monitoring of 2,000 nodes at 3 ports by 5 monitors every 10 s (3,000 results a second): processor time to take results, to judge the nodes and
 * to show them. Beside it, as a floor, the same rows inserted one by one into a plain table, and what the screen would have to ask of that.
 * Run: node --import tsx bench/monitor.bench.ts [nodes] [rounds]
 */
import { readFileSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { dispatchConfig } from '@tidegate/contract/config/dispatch'
import { MAX_PROBE_RESULTS } from '@tidegate/contract/monitor'
import { monitorOperations } from '@tidegate/contract/operations/monitor'
import { createMonitorModule } from '../apps/server/src/modules/monitor/index.ts'
import { openDatabase } from '../apps/server/src/platform/db.ts'
import { createLog } from '../apps/server/src/platform/log.ts'
import { testDatabase } from '../apps/server/src/testing/database.ts'
import { ADMIN } from '../apps/server/src/testing/plane.ts'
import { heading, line, percentile, startCluster } from './lib/plane.ts'

const NODES = Number(process.argv[2] ?? 2_000)
const ROUNDS = Number(process.argv[3] ?? 12)
/** Rounds that are measured, after the tables have got their size. */
const MEASURED = 4
const LOOKS = 10
const PORTS = [80, 443, 8443]
const MONITORS = ['frankfurt', 'lima', 'oslo', 'quito', 'tokyo']
const STEP_MS = 10_000
/** A third of one core at 3,000 results a second. */
const GOAL_CPU_S = 10
const GOAL_SCREEN_MS = 500

const end = await startCluster()
const database = await testDatabase()
// One connection: its backend's processor time is the database's share.
const { db, pool, close } = openDatabase(database.appUrl, () => {}, 1)
// Its helpers' time would not be seen.
await pool.query('SET max_parallel_workers_per_gather = 0')
const owner = openDatabase(database.ownerUrl, () => {}, 1)
let now = Math.floor(Date.now() / STEP_MS) * STEP_MS
const config = dispatchConfig.parse({ checkNodePortList: PORTS.join('|') })
const monitor = createMonitorModule({
  db,
  clock: { now: () => now },
  log: createLog('silent', 'bench'),
  config: async () => config,
  tokenMatches: async () => true,
  tell: async () => {},
  timeZone: () => 'UTC',
})
const never = new AbortController().signal
const { rows: nodes } = await pool.query<{ id: number }>(
  `INSERT INTO node (name, group_id, address, enrolled_at) SELECT 'edge-' || n, 1, '203.0.' || n / 250 || '.' || n % 250, now()
   FROM generate_series(1, $1::int) n RETURNING id`,
  [NODES],
)
await owner.pool.query(
  `CREATE TABLE plain (monitor int, node bigint, port int, at bigint, ok boolean, ms int, error text, PRIMARY KEY (node, monitor, port, at));
   GRANT SELECT, INSERT ON plain TO PUBLIC`,
)

const batchesOf = (round: number): object[][] => {
  const all = nodes.flatMap(({ id: node }) =>
    PORTS.map((port) => {
      const ok = (node + round) % 50 !== 0
      return {
        node,
        port,
        ok,
        ms: ok ? (node * 7 + round) % 90 : 3_000,
        error: 'timeout',
        at: now - ((node * 37) % STEP_MS),
      }
    }),
  )
  return Array.from({ length: Math.ceil(all.length / MAX_PROBE_RESULTS) }, (_, i) =>
    all.slice(i * MAX_PROBE_RESULTS, (i + 1) * MAX_PROBE_RESULTS),
  )
}
const [, { input }, { input: stableInput }] = monitorOperations
/** As a request is: checked by the contract, then taken. */
const take = async (name: string, results: object[]) =>
  void (await monitor.handlers['monitor.results'](input.parse({ monitor: name, results }), ADMIN, never))
const plainly = (name: string, results: object[]) =>
  pool.query(
    `INSERT INTO plain SELECT $1::int, r.* FROM jsonb_to_recordset($2::jsonb) AS r (node bigint, port int, at bigint, ok boolean, ms int, error text)
     ON CONFLICT DO NOTHING`,
    [MONITORS.indexOf(name), JSON.stringify(input.parse({ monitor: name, results }).results)],
  )

const backend = async () => (await pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]?.pid ?? 0
const pid = await backend()
/** Seconds of this process and of the database's backend; a tick is 10 ms on Linux. */
const cpu = (): { own: number; database: number } => {
  const { user, system } = process.cpuUsage()
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return { own: (user + system) / 1e6, database: (Number(fields[11]) + Number(fields[12])) / 100 }
}
interface Cost {
  own: number
  database: number
}
const fill = async (work: (name: string, results: object[]) => Promise<unknown>): Promise<Cost> => {
  let begun = cpu()
  let results = 0
  for (let round = 0; round < ROUNDS; round++) {
    now += STEP_MS
    const batches = batchesOf(round)
    if (round === ROUNDS - MEASURED) {
      begun = cpu()
      results = 0
    }
    for (const name of MONITORS) for (const batch of batches) await work(name, batch)
    results += MONITORS.length * NODES * PORTS.length
  }
  const ended = cpu()
  const per = 100_000 / results
  return { own: (ended.own - begun.own) * per, database: (ended.database - begun.database) * per }
}
const timed = async (work: () => Promise<unknown>) => {
  const times: number[] = []
  for (let i = 0; i < LOOKS; i++) {
    const since = performance.now()
    await work()
    times.push(performance.now() - since)
  }
  return times
}

const beforeAll = now
const tracks = await fill(take)
const stable = stableInput.parse({ limit: 20 })
await monitor.judge()
const screen = await timed(() => monitor.handlers['dispatch.stable'](stable, ADMIN, never))
const beforeJudging = cpu()
const judged = await timed(() => monitor.judge())
const afterJudging = cpu()
/** Of one judgement. */
const judging = {
  own: (afterJudging.own - beforeJudging.own) / LOOKS,
  database: (afterJudging.database - beforeJudging.database) / LOOKS,
}
now = beforeAll
const plain = await fill(plainly)
const ids = nodes.slice(0, 20).map(({ id }) => id)
const plainScreen = await timed(() =>
  pool.query(
    `SELECT node, monitor, count(*), count(*) FILTER (WHERE NOT ok) FROM plain WHERE node = ANY ($1::bigint[]) AND at > $2 GROUP BY 1, 2`,
    [ids, now - 10 * STEP_MS],
  ),
)
const plainJudged = await timed(() =>
  pool.query(`SELECT node, monitor, count(*), count(*) FILTER (WHERE NOT ok) FROM plain WHERE at > $1 GROUP BY 1, 2`, [
    now - 10 * STEP_MS,
  ]),
)
const size = async (table: string) =>
  (await owner.pool.query<{ n: string }>(`SELECT pg_size_pretty(pg_total_relation_size($1::regclass)) AS n`, [table]))
    .rows[0]?.n
const sizes = [await size('probe_track'), await size('plain')]

heading(`${NODES} nodes, ${PORTS.length} ports, ${MONITORS.length} monitors, after ${ROUNDS} rounds`)
line('the screen, a page of 20 nodes', screen)
line('one judgement of all nodes', judged)
line('plain rows: rates of 20 nodes', plainScreen)
line('plain rows: rates of all nodes', plainJudged)
const cost = ({ own, database: data }: Cost) =>
  `${(own + data).toFixed(2)} s (${own.toFixed(2)} in this process, ${data.toFixed(2)} in the database)`
const screenMs = percentile(screen, 0.5)
const good = tracks.own + tracks.database <= GOAL_CPU_S && screenMs <= GOAL_SCREEN_MS
process.stdout.write(
  `processor time for 100,000 results: ${cost(tracks)}\nas plain rows:                      ${cost(plain)}
for one judgement of all nodes:     ${cost(judging)}
tables after ${ROUNDS} rounds: ${sizes[0]}, bounded by itself; plain rows ${sizes[1]}, growing
goal: ${GOAL_CPU_S} s for 100,000 results, ${GOAL_SCREEN_MS} ms for the screen: ${good ? 'met' : 'MISSED'}\n`,
)
await owner.close()
await close()
await database.drop()
await end()
process.exit(good ? 0 : 1)
