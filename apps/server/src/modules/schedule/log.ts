/** The log of runs. */
import type { RunState, RunTrigger } from '@tidegate/contract/enums'
import { COUNT_CAP } from '@tidegate/contract/limits'
import type { InputOf, OutputOf } from '@tidegate/contract/operations/index'
import type { RunRow } from '@tidegate/contract/operations/schedule'
import { sql } from 'drizzle-orm'
import type { Db } from '../../platform/db.ts'
import { AppError } from '../../platform/errors.ts'
import { contains, page } from '../../platform/page.ts'
import { iso, row, rows } from '../../platform/query.ts'
import type { TaskKind } from '../../platform/task.ts'
import { titleOf } from './kinds.ts'

interface Found {
  id: number
  taskId: number | null
  kind: string
  description: string
  state: RunState
  trigger: RunTrigger
  by: string
  attempt: number
  progress: number | null
  dueAt: string
  startedAt: string | null
  finishedAt: string | null
  error: string
}

const COLUMNS = sql`r.id, r.task_id AS "taskId", r.kind, r.description, r.state, r.trigger, r.started_by AS by, r.attempt, r.progress,
  r.due_at AS "dueAt", r.started_at AS "startedAt", r.finished_at AS "finishedAt", r.error`

const present = (kinds: readonly TaskKind[], found: Found): RunRow => {
  const { dueAt, startedAt, finishedAt, taskId, ...run } = found
  const whole = startedAt !== null && finishedAt !== null
  return {
    ...run,
    taskId: taskId ?? 0,
    title: titleOf(kinds, run.kind),
    dueTime: iso(dueAt),
    startTime: iso(startedAt),
    finishTime: iso(finishedAt),
    duration: whole ? Math.max(0, Date.parse(iso(finishedAt)) - Date.parse(iso(startedAt))) : null,
  }
}

/** Newest first. */
export const listRuns = async (db: Db, kinds: readonly TaskKind[], input: InputOf<'schedule.logList'>) => {
  const parts = [sql`true`]
  if (input.taskId !== undefined) parts.push(sql`r.task_id = ${input.taskId}`)
  if (input.kind !== undefined) parts.push(sql`r.kind = ${input.kind}`)
  if (input.state !== undefined) parts.push(sql`r.state = ${input.state}`)
  const key = input.key?.trim()
  if (key)
    parts.push(
      sql`(r.description ILIKE ${contains(key)} OR r.error ILIKE ${contains(key)} OR r.started_by ILIKE ${contains(key)})`,
    )
  const where = sql.join(parts, sql` AND `)
  const way = input.order === 'asc' ? sql`ASC` : sql`DESC`
  const count = await row<{ n: number }>(
    db,
    sql`SELECT count(*) AS n FROM (SELECT FROM task_run r WHERE ${where} LIMIT ${COUNT_CAP}) x`,
  )
  const found = await rows<Found>(
    db,
    sql`SELECT ${COLUMNS} FROM task_run r WHERE ${where} ORDER BY r.id ${way} LIMIT ${input.limit} OFFSET ${(input.page - 1) * input.limit}`,
  )
  return page(
    input,
    count?.n ?? 0,
    found.map((one) => present(kinds, one)),
  )
}

type Extra = Pick<OutputOf<'schedule.logInfo'>['data'], 'params' | 'result' | 'output' | 'runner'>

export const runInfo = async (
  db: Db,
  kinds: readonly TaskKind[],
  id: number,
): Promise<OutputOf<'schedule.logInfo'>> => {
  const found = await row<Found & Extra>(
    db,
    sql`SELECT ${COLUMNS}, r.params, r.result, r.output, r.runner FROM task_run r WHERE r.id = ${id}`,
  )
  if (!found) throw new AppError('not_found')
  const { params, result, output, runner, ...run } = found
  return { data: { ...present(kinds, run), params, result, output, runner } }
}

/** Removes runs that ended and were due before `before`; answers how many. */
export const dropRuns = async (db: Db, before: Date): Promise<number> =>
  (
    await db.execute(
      sql`DELETE FROM task_run WHERE due_at < ${before.toISOString()}::timestamptz AND state NOT IN ('waiting', 'running')`,
    )
  ).rowCount ?? 0
