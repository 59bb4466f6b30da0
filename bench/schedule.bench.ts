/**
 * 10,000 scheduled tasks: how long a tick takes to make runs of those that are due, what a process takes of memory for it, and whether two
 * processes at once ever make one tick twice. Beside it, as a floor, the bare statements without the reckoning of the next time.
 * Run: node --import tsx bench/schedule.bench.ts [tasks] [rounds]
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { makeDue } from '../apps/server/src/modules/schedule/due.ts'
import { openDatabase } from '../apps/server/src/platform/db.ts'
import { testDatabase } from '../apps/server/src/testing/database.ts'
import { heading, line, startCluster } from './lib/plane.ts'
import type { TickerSaid } from './lib/ticker.ts'

const TASKS = Number(process.argv[2] ?? 10_000)
const ROUNDS = Number(process.argv[3] ?? 20)
const FEW = 100
const MINUTE = 60_000
const START = Date.parse('2026-03-01T00:00:30Z')
const KIND = 'bench.work'
/** Everything due in the same second is the worst that can come; the next tick waits for it. */
const GOAL_MS = 2_000

const end = await startCluster()
const database = await testDatabase()
const { db, pool, close } = openDatabase(database.appUrl, () => {})
/** The runtime role may neither truncate nor vacuum. */
const owner = openDatabase(database.ownerUrl, () => {})
await pool.query(
  `INSERT INTO scheduled_task (kind, params, cron, enabled, timeout_s, overlap, lost_rule, next_at, time_zone, created_at)
   SELECT $1, jsonb_build_object('n', n), (n % 60) || ' ' || (n % 24) || ' * * *', true, 60, 'parallel', 'fail', NULL, 'Asia/Shanghai', now()
   FROM generate_series(1, $2) n`,
  [KIND, TASKS],
)
/** Makes so many of them due at the moment, and forgets earlier runs. */
const dueAt = async (now: number, count: number) => {
  const later = new Date(now + 1_000 * MINUTE).toISOString()
  await owner.pool.query(
    'UPDATE scheduled_task SET next_at = CASE WHEN id <= $1 THEN $2::timestamptz ELSE $3::timestamptz END',
    [count, new Date(now - 1).toISOString(), later],
  )
  await owner.pool.query('TRUNCATE task_run')
}
const vacuum = () => owner.pool.query('VACUUM ANALYZE scheduled_task, task_run')
const mb = (bytes: number) => `${(bytes / 1_048_576).toFixed(0)} MiB`

const timed = async (count: number, work: (now: number) => Promise<number>) => {
  const times: number[] = []
  for (let i = 0; i < ROUNDS; i++) {
    const now = START + i * MINUTE
    await dueAt(now, count)
    await vacuum()
    const since = performance.now()
    const made = await work(now)
    times.push(performance.now() - since)
    if (made !== count) throw new Error(`${made} of ${count} were made`)
  }
  return times
}
const tick = (now: number) => makeDue(db, [KIND], 'Asia/Shanghai', now)
/** Takes and moves on all that is due in one statement; every task an hour on. */
const bare = async (now: number) =>
  (
    await pool.query(
      `WITH due AS (SELECT id FROM scheduled_task WHERE next_at <= $1 FOR UPDATE SKIP LOCKED),
         moved AS (UPDATE scheduled_task t SET next_at = t.next_at + interval '1 hour' FROM due WHERE t.id = due.id RETURNING t.*)
       INSERT INTO task_run (task_id, kind, description, params, timeout_s, lost_rule, exclusive, state, trigger, due_at)
       SELECT id, kind, description, params, timeout_s, lost_rule, false, 'waiting', 'clock', next_at FROM moved`,
      [new Date(now).toISOString()],
    )
  ).rowCount ?? 0

heading(`a tick over ${TASKS} tasks, ${ROUNDS} rounds`)
line('none is due', await timed(0, tick))
const few = await timed(FEW, tick)
line(`${FEW} are due`, few)
const all = await timed(TASKS, tick)
line('all are due', all)
line(`${FEW} are due, the bare statement`, await timed(FEW, bare))
line('all are due, the bare statement', await timed(TASKS, bare))

/** Two processes tick at the same moments; what they made must be each task once. */
const twice = async () => {
  const children = [0, 1].map(() =>
    fork(join(import.meta.dirname, 'lib/ticker.ts'), [KIND], {
      execArgv: ['--import', 'tsx'],
      env: { ...process.env, DATABASE_URL: database.appUrl },
    }),
  )
  const told = () => Promise.all(children.map(async (child) => (await once(child, 'message'))[0] as TickerSaid))
  await told()
  let right = true
  let share = 0
  let memory: TickerSaid[] = []
  for (let i = 0; i < ROUNDS; i++) {
    const now = START + (ROUNDS + i) * MINUTE
    await dueAt(now, TASKS)
    const answers = told()
    for (const child of children) child.send({ now })
    memory = await answers
    const { rows } = await pool.query<{ runs: number; tasks: number }>(
      'SELECT count(*) AS runs, count(DISTINCT task_id) AS tasks FROM task_run',
    )
    const [one] = rows
    right &&= Number(one?.runs) === TASKS && Number(one?.tasks) === TASKS
    share += Math.min(...memory.map((m) => m.made)) / TASKS
  }
  for (const child of children) child.kill()
  return { right, share: share / ROUNDS, memory }
}
const { right, share, memory } = await twice()
const middle = all.sort((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0
await owner.close()
await close()
await database.drop()
await end()
const text = [
  `two processes at once: each tick made once ${right ? 'always' : 'NOT ALWAYS'}; the lesser of the two made ${(share * 100).toFixed(0)} %`,
  `memory of a process: resident ${memory.map((m) => mb(m.rss)).join(', ')}; before ${memory.map((m) => mb(m.before)).join(', ')}`,
  `goal: all ${TASKS} in ${GOAL_MS} ms, each once: ${right && middle <= GOAL_MS ? 'met' : 'MISSED'}`,
]
process.stdout.write(`${text.join('\n')}\n`)
process.exit(right && middle <= GOAL_MS ? 0 : 1)
