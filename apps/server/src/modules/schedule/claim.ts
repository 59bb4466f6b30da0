/** Who runs what: a run is claimed by one process, kept by its beats, and taken from it when these stop. */
import type { RunState, TaskLostRule } from '@tidegate/contract/enums'
import { MAX_RUN_ATTEMPTS } from '@tidegate/contract/limits'
import { sql } from 'drizzle-orm'
import type { Db, Tx } from '../../platform/db.ts'
import { row, rows, sqlState } from '../../platform/query.ts'

export interface Run {
  id: number
  /** null: the task was deleted since. */
  taskId: number | null
  kind: string
  description: string
  params: Record<string, unknown>
  timeout: number
  lost: TaskLostRule
  attempt: number
}

const COLUMNS = sql`id, task_id AS "taskId", kind, description, params, timeout_s AS timeout, lost_rule AS lost, attempt`
const UNIQUE = '23505'

/** The oldest waiting run that may begin, now this runner's; null: none. */
export const claim = async (db: Db, runner: string, kinds: readonly string[], now: number): Promise<Run | null> => {
  try {
    const found = await row<Run>(
      db,
      sql`UPDATE task_run SET state = 'running', runner = ${runner}, started_at = ${new Date(now).toISOString()}::timestamptz, beat_at = now()
          WHERE id = (
            SELECT w.id FROM task_run w WHERE w.state = 'waiting' AND w.kind = ANY (${sql.param(kinds)}::text[])
              AND NOT (w.exclusive AND EXISTS (
                SELECT FROM task_run o WHERE o.task_id = w.task_id AND o.state = 'running' AND o.exclusive))
            ORDER BY w.id LIMIT 1 FOR UPDATE SKIP LOCKED)
          RETURNING ${COLUMNS}`,
    )
    return found ?? null
  } catch (error) {
    // Another process began a run of the same task in this moment: the index task_run_alone says no.
    if (sqlState(error) === UNIQUE) return null
    throw error
  }
}

export interface Told {
  progress: number | null
  output: string
}

/** Says that the run goes on; false: it was taken away. */
export const beat = async (db: Db, id: number, runner: string, { progress, output }: Told): Promise<boolean> =>
  (await row(
    db,
    sql`UPDATE task_run SET beat_at = now(), progress = ${progress}, output = ${output}
        WHERE id = ${id} AND runner = ${runner} AND state = 'running' RETURNING id`,
  )) !== undefined

export interface Ending extends Told {
  state: Extract<RunState, 'done' | 'failed' | 'timeout' | 'lost'>
  result: Readonly<Record<string, unknown>>
  error: string
}

/** Writes how a run ended, if it is still this runner's. */
export const finish = async (tx: Tx, id: number, runner: string, end: Ending, now: number): Promise<boolean> =>
  (await row(
    tx,
    sql`UPDATE task_run SET state = ${end.state}, progress = ${end.progress}, output = ${end.output}, error = ${end.error},
          result = ${JSON.stringify(end.result)}::jsonb, finished_at = ${new Date(now).toISOString()}::timestamptz
        WHERE id = ${id} AND runner = ${runner} AND state = 'running' RETURNING id`,
  )) !== undefined

/** After a loss: the run again, if its rule says so and the tries are not used up; whether it will. */
export const again = async (tx: Tx, run: Run, now: number): Promise<boolean> => {
  if (run.lost !== 'retry' || run.attempt >= MAX_RUN_ATTEMPTS || run.taskId === null) return false
  await tx.execute(sql`INSERT INTO task_run (task_id, kind, description, params, timeout_s, lost_rule, exclusive, state, trigger, started_by, attempt, due_at)
    SELECT task_id, kind, description, params, timeout_s, lost_rule, exclusive, 'waiting', 'retry', started_by, attempt + 1,
      ${new Date(now).toISOString()}::timestamptz
    FROM task_run WHERE id = ${run.id}`)
  return true
}

/** Takes the runs whose process has been silent for longer than the lease. */
export const takeLost = (tx: Tx, leaseMs: number, now: number): Promise<Run[]> =>
  rows<Run>(
    tx,
    sql`UPDATE task_run SET state = 'lost', error = 'the process that ran it ended', finished_at = ${new Date(now).toISOString()}::timestamptz
        WHERE id IN (SELECT id FROM task_run WHERE state = 'running' AND beat_at < now() - ${leaseMs} * interval '1 millisecond'
          ORDER BY beat_at LIMIT 100 FOR UPDATE SKIP LOCKED)
        RETURNING ${COLUMNS}`,
  )
