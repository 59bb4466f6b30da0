/** Makes runs of the tasks that are due. Rows are locked and skipped by others, so that several processes never make one tick twice. */
import { nextRuns } from '@tidegate/contract/cron'
import type { TaskOverlap } from '@tidegate/contract/enums'
import { MAX_TASK_QUEUE } from '@tidegate/contract/limits'
import { sql } from 'drizzle-orm'
import type { Db, Tx } from '../../platform/db.ts'
import { rows } from '../../platform/query.ts'

const BATCH = 500

interface Due {
  id: number
  cron: string
  overlap: TaskOverlap
  waiting: number
  active: number
}

/** When a task is due next after `now` (Unix ms); null: never again. */
export const nextTime = (cron: string, timeZone: string, now: number): string | null => {
  const [next] = nextRuns(cron, timeZone, now, 1)
  return next === undefined ? null : new Date(next).toISOString()
}

type NextOf = (cron: string) => string | null

/** The same for one zone and moment; each expression is reckoned once, which is most of what many due tasks cost. */
const reckoner = (timeZone: string, now: number): NextOf => {
  const known = new Map<string, string | null>()
  return (cron) => {
    const found = known.get(cron)
    if (found !== undefined) return found
    const next = nextTime(cron, timeZone, now)
    known.set(cron, next)
    return next
  }
}

const leftOut = ({ overlap, waiting, active }: Due) => (overlap === 'skip' ? active > 0 : waiting >= MAX_TASK_QUEUE)

/** One batch; answers how many were due. A tick that was missed counts once: the next is reckoned from now. */
const takeDue = async (
  tx: Tx,
  kinds: readonly string[],
  timeZone: string,
  now: number,
  nextOf: NextOf,
): Promise<number> => {
  const at = new Date(now).toISOString()
  const due = await rows<Due>(
    tx,
    sql`WITH due AS (SELECT id, cron, overlap, next_at FROM scheduled_task WHERE next_at <= ${at}::timestamptz AND kind = ANY (${sql.param(kinds)}::text[])
          ORDER BY next_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
        SELECT id, cron, overlap, runs.waiting, runs.active FROM due, LATERAL (
          SELECT count(*) FILTER (WHERE r.state = 'waiting') AS waiting, count(*) AS active
          FROM task_run r WHERE r.task_id = due.id AND r.state IN ('waiting', 'running')) runs
        ORDER BY next_at`,
  )
  if (due.length === 0) return 0
  const ids = sql.param(due.map((task) => task.id))
  const out = sql.param(due.map(leftOut))
  await tx.execute(sql`INSERT INTO task_run (task_id, kind, description, params, timeout_s, lost_rule, exclusive, state, trigger, due_at, finished_at)
    SELECT t.id, t.kind, t.description, t.params, t.timeout_s, t.lost_rule, t.overlap <> 'parallel',
      CASE WHEN d.out THEN 'skipped' ELSE 'waiting' END, 'clock', t.next_at, CASE WHEN d.out THEN ${at}::timestamptz END
    FROM unnest(${ids}::bigint[], ${out}::boolean[]) WITH ORDINALITY AS d (id, out, place)
    JOIN scheduled_task t ON t.id = d.id ORDER BY d.place`)
  const next = sql.param(due.map((task) => nextOf(task.cron)))
  await tx.execute(sql`UPDATE scheduled_task t SET next_at = d.next, time_zone = ${timeZone}
    FROM unnest(${ids}::bigint[], ${next}::timestamptz[]) AS d (id, next) WHERE t.id = d.id`)
  return due.length
}

/** Makes a run of every task of these kinds that is due at `now`; answers how many were. */
export const makeDue = async (db: Db, kinds: readonly string[], timeZone: string, now: number): Promise<number> => {
  const nextOf = reckoner(timeZone, now)
  let total = 0
  for (;;) {
    const taken = await db.transaction((tx) => takeDue(tx, kinds, timeZone, now, nextOf))
    total += taken
    if (taken < BATCH) return total
  }
}

/** Reckons anew when tasks are due that were reckoned in another zone. */
export const rezone = (db: Db, timeZone: string, now: number): Promise<void> =>
  db.transaction(async (tx) => {
    const old = await rows<{ id: number; cron: string }>(
      tx,
      sql`SELECT id, cron FROM scheduled_task WHERE time_zone <> ${timeZone} ORDER BY id FOR UPDATE`,
    )
    if (old.length === 0) return
    const nextOf = reckoner(timeZone, now)
    const ids = sql.param(old.map((task) => task.id))
    const next = sql.param(old.map((task) => nextOf(task.cron)))
    await tx.execute(sql`UPDATE scheduled_task t SET time_zone = ${timeZone}, next_at = CASE WHEN t.enabled THEN d.next END
      FROM unnest(${ids}::bigint[], ${next}::timestamptz[]) AS d (id, next) WHERE t.id = d.id`)
  })
