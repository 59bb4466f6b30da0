/** The schedule: tasks that modules register, run by the clock in the role worker, and the log of their runs. */
import type { Lang } from '@tidegate/contract/enums'
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Handlers } from '../../platform/caller.ts'
import type { Tx } from '../../platform/db.ts'
import type { Log } from '../../platform/log.ts'
import type { Part } from '../../platform/part.ts'
import { iso, row } from '../../platform/query.ts'
import { type TaskKind, taskKind } from '../../platform/task.ts'
import type { Run } from './claim.ts'
import { createEngine, type Engine } from './engine.ts'
import { presentKind, titleOf } from './kinds.ts'
import { dropRuns, listRuns, runInfo } from './log.ts'
import {
  deleteTasks,
  ensureBuiltin,
  listTasks,
  pauseTasks,
  runTask,
  saveTask,
  type TaskDeps,
  taskInfo,
} from './tasks.ts'

export interface ScheduleDeps extends TaskDeps {
  log: Log
  defaultLang: () => Promise<Lang>
  /** Tells the operator that a task failed; a second notice of the same key is not made. */
  tellFailure: (tx: Tx, vars: { task: string; reason: string; time: string }, dedupKey: string) => Promise<unknown>
}

type Ids =
  | 'schedule.kinds'
  | 'schedule.list'
  | 'schedule.info'
  | 'schedule.save'
  | 'schedule.delete'
  | 'schedule.run'
  | 'schedule.pause'
  | 'schedule.logList'
  | 'schedule.logInfo'

export interface ScheduleModule extends Part {
  handlers: Handlers<Ids>
  engine: Engine
  /** Makes the tasks that come with the product. */
  ensure(): Promise<void>
  /** When a task of this kind runs next (ISO); '' = never. */
  nextOf(kind: string): Promise<string>
}

/** `2026-11-21 18:00` in the zone. */
const wallTime = (at: number, timeZone: string) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(at)

/** One notice a task and day for the failures since the last run that went well. */
const alerting = (deps: ScheduleDeps) => async (tx: Tx, run: Run, reason: string) => {
  const good = await row<{ id: number }>(
    tx,
    sql`SELECT id FROM task_run WHERE task_id = ${run.taskId} AND state = 'done' ORDER BY id DESC LIMIT 1`,
  )
  const time = wallTime(deps.clock.now(), deps.timeZone())
  const task = run.description || titleOf(deps.kinds(), run.kind)[await deps.defaultLang()]
  const key = `task_failed ${run.taskId ?? run.kind} ${good?.id ?? 0} ${time.slice(0, 10)}`
  await deps.tellFailure(tx, { task, reason, time }, key)
}

/** The log's own clean-up. */
const logRetention = ({ db, clock }: ScheduleDeps): TaskKind =>
  taskKind({
    kind: 'schedule.retention',
    title: { zh: '清理任务日志', en: 'Task log clean-up' },
    about: { zh: '删除过期的任务执行记录', en: 'Deletes old entries of the task log.' },
    params: z.strictObject({ days: z.int().min(1).max(3650).default(90) }),
    fields: { days: { zh: '保留天数', en: 'Days to keep' } },
    cron: '33 3 * * *',
    run: async ({ days }) => ({ removed: await dropRuns(db, new Date(clock.now() - days * 86_400_000)) }),
  })

export const createScheduleModule = (deps: ScheduleDeps): ScheduleModule => {
  const { db, clock, kinds, timeZone } = deps
  const engine = createEngine({ ...deps, alert: alerting(deps) })
  const ensure = () => ensureBuiltin(db, kinds(), timeZone(), clock.now())
  return {
    name: 'schedule',
    engine,
    ensure,
    nextOf: async (kind) => {
      const next = await row<{ at: string | null }>(
        db,
        sql`SELECT min(next_at) AS at FROM scheduled_task WHERE kind = ${kind} AND enabled`,
      )
      return iso(next?.at ?? null)
    },
    tasks: [logRetention(deps)],
    handlers: {
      'schedule.kinds': async () => ({ data: kinds().map(presentKind) }),
      'schedule.list': (input) => listTasks(deps, input),
      'schedule.info': ({ id }) => taskInfo(deps, id),
      'schedule.save': async (input, caller) => ({ id: await saveTask(deps, input, caller) }),
      'schedule.delete': async ({ ids }, caller) => {
        await deleteTasks(deps, ids, caller)
        return {}
      },
      'schedule.run': async ({ id }, caller) => ({ id: await runTask(deps, id, caller) }),
      'schedule.pause': async (input, caller) => {
        await pauseTasks(deps, input, caller)
        return {}
      },
      'schedule.logList': (input) => listRuns(db, kinds(), input),
      'schedule.logInfo': ({ id }) => runInfo(db, kinds(), id),
    },
    start: async (roles) => {
      if (!roles.has('worker')) return
      await ensure()
      engine.start()
    },
    stop: () => engine.stop(),
  }
}
