/** Tasks: listed, made, changed, paused, deleted, started by hand. */
import { cronFault } from '@tidegate/contract/cron'
import type { RunState, TaskLostRule, TaskOverlap } from '@tidegate/contract/enums'
import { fieldErrors } from '@tidegate/contract/issues'
import { COUNT_CAP, MAX_TASK_QUEUE } from '@tidegate/contract/limits'
import type { InputOf } from '@tidegate/contract/operations/index'
import type { TaskRow } from '@tidegate/contract/operations/schedule'
import { type SQL, sql } from 'drizzle-orm'
import type { Caller } from '../../platform/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db, Queryable, Tx } from '../../platform/db.ts'
import { AppError, fieldError } from '../../platform/errors.ts'
import { columnOf, contains, page } from '../../platform/page.ts'
import { iso, row, rows } from '../../platform/query.ts'
import type { TaskKind } from '../../platform/task.ts'
import { audit } from '../audit/index.ts'
import { nextTime } from './due.ts'
import { kindNamed, titleOf } from './kinds.ts'

export interface TaskDeps {
  db: Db
  clock: Clock
  kinds: () => readonly TaskKind[]
  timeZone: () => string
}

interface Stored {
  id: number
  kind: string
  builtin: boolean
  params: Record<string, unknown>
  cron: string
  description: string
  enabled: boolean
  timeout: number
  overlap: TaskOverlap
  lost: TaskLostRule
}
interface Listed extends Stored {
  nextAt: string | null
  active: number
  lastId: number | null
  lastState: RunState | null
  lastAt: string | null
}

const STORED = sql`t.id, t.kind, t.builtin, t.params, t.cron, t.description, t.enabled, t.timeout_s AS timeout, t.overlap, t.lost_rule AS lost`
const LISTED = sql`${STORED}, t.next_at AS "nextAt", l.id AS "lastId", l.state AS "lastState", l.finished_at AS "lastAt",
  (SELECT count(*) FROM task_run r WHERE r.task_id = t.id AND r.state IN ('waiting', 'running')) AS active`
/** The last run that began and ended. */
const WITH_LAST = sql`scheduled_task t LEFT JOIN LATERAL (SELECT r.id, r.state, r.finished_at FROM task_run r
  WHERE r.task_id = t.id AND r.state NOT IN ('waiting', 'running', 'skipped') ORDER BY r.id DESC LIMIT 1) l ON true`

const present = (kinds: readonly TaskKind[], found: Listed): TaskRow => {
  const { enabled, nextAt, lastId, lastState, lastAt, ...task } = found
  return {
    ...task,
    title: titleOf(kinds, task.kind),
    status: enabled ? 1 : 0,
    nextTime: iso(nextAt),
    last: lastId === null || lastState === null ? null : { id: lastId, state: lastState, time: iso(lastAt) },
  }
}

const SORTS: Readonly<Record<string, SQL>> = {
  id: sql`t.id`,
  kind: sql`t.kind`,
  description: sql`t.description`,
  nextTime: sql`t.next_at`,
  status: sql`t.enabled`,
}

export const listTasks = async ({ db, kinds }: TaskDeps, input: InputOf<'schedule.list'>) => {
  const parts = [sql`true`]
  if (input.status !== undefined) parts.push(sql`t.enabled = ${input.status === 1}`)
  if (input.kind !== undefined) parts.push(sql`t.kind = ${input.kind}`)
  if (input.key?.trim()) parts.push(matching(kinds(), input.key.trim()))
  const where = sql.join(parts, sql` AND `)
  const way = input.order === 'desc' ? sql`DESC` : sql`ASC`
  const count = await row<{ n: number }>(
    db,
    sql`SELECT count(*) AS n FROM (SELECT FROM scheduled_task t WHERE ${where} LIMIT ${COUNT_CAP}) x`,
  )
  const found = await rows<Listed>(
    db,
    sql`SELECT ${LISTED} FROM ${WITH_LAST} WHERE ${where} ORDER BY ${columnOf(SORTS, input.sidx, sql`t.id`)} ${way} NULLS LAST, t.id ${way}
        LIMIT ${input.limit} OFFSET ${(input.page - 1) * input.limit}`,
  )
  return page(
    input,
    count?.n ?? 0,
    found.map((one) => present(kinds(), one)),
  )
}

/** Text of a person in the description, or in what a kind is called. */
const matching = (kinds: readonly TaskKind[], key: string): SQL => {
  const low = key.toLowerCase()
  const named = kinds.filter(({ kind, title }) => [kind, title.zh, title.en].some((t) => t.toLowerCase().includes(low)))
  return sql`(t.description ILIKE ${contains(key)} OR t.kind = ANY (${sql.param(named.map((one) => one.kind))}::text[]))`
}

export const taskInfo = async ({ db, kinds }: TaskDeps, id: number): Promise<{ data: TaskRow }> => {
  const found = await row<Listed>(db, sql`SELECT ${LISTED} FROM ${WITH_LAST} WHERE t.id = ${id}`)
  if (!found) throw new AppError('not_found')
  return { data: present(kinds(), found) }
}

const lock = async (tx: Tx, id: number): Promise<Stored> => {
  const found = await row<Stored>(tx, sql`SELECT ${STORED} FROM scheduled_task t WHERE t.id = ${id} FOR UPDATE`)
  if (!found) throw new AppError('not_found')
  return found
}

/** What the kind's schema makes of the parameters; throws at the parameter that is wrong, in the caller's language. */
const checkedParams = (kind: TaskKind, params: Record<string, unknown>, caller: Caller): Record<string, unknown> => {
  const parsed = kind.params.safeParse(params, { reportInput: true })
  if (parsed.success) return parsed.data
  const worded = fieldErrors(parsed.error, caller.lang).map(({ path, msg }) => ({
    path: path === '' ? 'params' : `params.${path}`,
    msg,
  }))
  throw new AppError('invalid_input', { worded })
}

/** Adds or changes a task; a kind stays what it is. Answers the id. */
export const saveTask = async (deps: TaskDeps, input: InputOf<'schedule.save'>, caller: Caller): Promise<number> => {
  const now = deps.clock.now()
  const kind = kindNamed(deps.kinds(), input.kind)
  const fault = cronFault(input.cron, now)
  if (fault !== null) throw fieldError('cron', fault)
  const params = checkedParams(kind, input.params, caller)
  const zone = deps.timeZone()
  const next = input.status === 1 ? nextTime(input.cron, zone, now) : null
  return deps.db.transaction(async (tx) => {
    const before = input.id === undefined ? undefined : await lock(tx, input.id)
    if (before !== undefined && before.kind !== kind.kind)
      throw fieldError('kind', 'not_one_of', { values: before.kind })
    const { cron, description, timeout, overlap, lost } = input
    const values = { kind: kind.kind, params, cron, description, timeout, overlap, lost, enabled: input.status === 1 }
    const json = JSON.stringify(params)
    const saved = await row<{ id: number }>(
      tx,
      before === undefined
        ? sql`INSERT INTO scheduled_task (kind, params, cron, description, enabled, timeout_s, overlap, lost_rule, next_at, time_zone, created_at)
            VALUES (${kind.kind}, ${json}::jsonb, ${cron}, ${description}, ${values.enabled}, ${timeout}, ${overlap}, ${lost},
              ${next}::timestamptz, ${zone}, ${new Date(now).toISOString()}::timestamptz) RETURNING id`
        : sql`UPDATE scheduled_task SET params = ${json}::jsonb, cron = ${cron}, description = ${description}, enabled = ${values.enabled},
              timeout_s = ${timeout}, overlap = ${overlap}, lost_rule = ${lost}, next_at = ${next}::timestamptz, time_zone = ${zone}
            WHERE id = ${before.id} RETURNING id`,
    )
    const id = saved?.id ?? 0
    await audit(tx, caller, { action: 'schedule.save', target: `task ${id}`, before, after: values })
    return id
  })
}

export const deleteTasks = (deps: TaskDeps, ids: readonly number[], caller: Caller): Promise<void> =>
  deps.db.transaction(async (tx) => {
    for (const id of [...new Set(ids)].sort((a, b) => a - b)) {
      const before = await lock(tx, id)
      if (before.builtin) throw new AppError('task_builtin')
      // What waits of it is not run any more; what runs goes on to its end.
      await tx.execute(sql`DELETE FROM task_run WHERE task_id = ${id} AND state = 'waiting'`)
      await tx.execute(sql`DELETE FROM scheduled_task WHERE id = ${id}`)
      await audit(tx, caller, { action: 'schedule.delete', target: `task ${id}`, before })
    }
  })

/** Pauses or resumes; a task that resumes is due at its next time, not for those that passed. */
export const pauseTasks = (deps: TaskDeps, input: InputOf<'schedule.pause'>, caller: Caller): Promise<void> =>
  deps.db.transaction(async (tx) => {
    const enabled = input.status === 1
    const zone = deps.timeZone()
    for (const id of [...new Set(input.ids)].sort((a, b) => a - b)) {
      const before = await lock(tx, id)
      if (before.enabled === enabled) continue
      const next = enabled ? nextTime(before.cron, zone, deps.clock.now()) : null
      await tx.execute(
        sql`UPDATE scheduled_task SET enabled = ${enabled}, next_at = ${next}::timestamptz, time_zone = ${zone} WHERE id = ${id}`,
      )
      const trace = {
        action: 'schedule.pause',
        target: `task ${id}`,
        before: { enabled: before.enabled },
        after: { enabled },
      }
      await audit(tx, caller, trace)
    }
  })

/** A run beside the clock, also of a paused task; answers the run's id. Throws `task_busy` where the overlap rule leaves no room. */
export const runTask = (deps: TaskDeps, id: number, caller: Caller): Promise<number> =>
  deps.db.transaction(async (tx) => {
    const task = await lock(tx, id)
    const busy = await row<{ waiting: number; active: number }>(
      tx,
      sql`SELECT count(*) FILTER (WHERE state = 'waiting') AS waiting, count(*) AS active FROM task_run
          WHERE task_id = ${id} AND state IN ('waiting', 'running')`,
    )
    const full = task.overlap === 'skip' ? (busy?.active ?? 0) > 0 : (busy?.waiting ?? 0) >= MAX_TASK_QUEUE
    if (full) throw new AppError('task_busy')
    const made = await row<{ id: number }>(
      tx,
      sql`INSERT INTO task_run (task_id, kind, description, params, timeout_s, lost_rule, exclusive, state, trigger, started_by, due_at)
          SELECT id, kind, description, params, timeout_s, lost_rule, overlap <> 'parallel', 'waiting', 'hand', ${caller.name},
            ${new Date(deps.clock.now()).toISOString()}::timestamptz
          FROM scheduled_task WHERE id = ${id} RETURNING id`,
    )
    const run = made?.id ?? 0
    await audit(tx, caller, { action: 'schedule.run', target: `task ${id}`, after: { run } })
    return run
  })

/** One task of each kind, as its module wants it, where there is none yet. */
export const ensureBuiltin = async (
  on: Queryable,
  kinds: readonly TaskKind[],
  zone: string,
  now: number,
): Promise<void> => {
  for (const kind of kinds)
    await on.execute(sql`INSERT INTO scheduled_task (kind, builtin, params, cron, enabled, timeout_s, overlap, lost_rule, next_at, time_zone, created_at)
      VALUES (${kind.kind}, true, ${JSON.stringify(kind.params.parse({}))}::jsonb, ${kind.cron}, true, ${kind.timeout}, ${kind.overlap}, ${kind.lost},
        ${nextTime(kind.cron, zone, now)}::timestamptz, ${zone}, ${new Date(now).toISOString()}::timestamptz)
      ON CONFLICT (kind) WHERE builtin DO NOTHING`)
}
