/** Scheduled tasks and the log of their runs. */
import { z } from 'zod'
import { RUN_STATES, RUN_TRIGGERS, TASK_LOST_RULES, TASK_OVERLAPS } from '../enums.ts'
import { MAX_CRON, MAX_TASK_TIMEOUT } from '../limits.ts'
import { id, idIn, idOut, ids, int, none, operation, pageIn, pageOut } from '../operation.ts'

const words = z.object({ zh: z.string(), en: z.string() })
const flag = z.union([z.literal(0), z.literal(1)])
const params = z.record(z.string(), z.unknown())
const state = z.enum(RUN_STATES)
const kindName = z.string().min(1, { error: 'required' }).max(64)

/** One parameter, as a form needs it. */
const kindField = z.object({
  name: z.string(),
  title: words,
  /** `numbers`: a list of whole numbers. */
  type: z.enum(['number', 'numbers', 'boolean', 'text']),
  min: z.number().nullable(),
  max: z.number().nullable(),
})
export type TaskField = z.infer<typeof kindField>

const kindRow = z.object({
  kind: z.string(),
  title: words,
  /** What it does. */
  about: words,
  fields: z.array(kindField),
  /** Values of a new task. */
  params,
  cron: z.string(),
  timeout: z.int(),
  overlap: z.enum(TASK_OVERLAPS),
  lost: z.enum(TASK_LOST_RULES),
})
export type TaskKindRow = z.infer<typeof kindRow>

const taskRow = z.object({
  id: z.int(),
  kind: z.string(),
  title: words,
  description: z.string(),
  cron: z.string(),
  params,
  /** Seconds. */
  timeout: z.int(),
  overlap: z.enum(TASK_OVERLAPS),
  lost: z.enum(TASK_LOST_RULES),
  /** 0: paused. */
  status: z.int(),
  /** Came with the product: may be paused, not deleted. */
  builtin: z.boolean(),
  /** Empty while paused. */
  nextTime: z.string(),
  /** Runs that wait or run now. */
  active: z.int(),
  /** The last run that ended; null: none yet. */
  last: z.object({ id: z.int(), state, time: z.string() }).nullable(),
})
export type TaskRow = z.infer<typeof taskRow>

const runRow = z.object({
  id: z.int(),
  /** 0: the task was deleted since. */
  taskId: z.int(),
  kind: z.string(),
  title: words,
  description: z.string(),
  state,
  trigger: z.enum(RUN_TRIGGERS),
  /** Who started it by hand. */
  by: z.string(),
  attempt: z.int(),
  /** Percent; null: not told. */
  progress: z.int().nullable(),
  dueTime: z.string(),
  startTime: z.string(),
  finishTime: z.string(),
  /** Milliseconds; null until it ended, or when it never began. */
  duration: z.int().nullable(),
  error: z.string(),
})
export type RunRow = z.infer<typeof runRow>

const saveIn = z.object({
  id: id.optional(),
  kind: kindName,
  /** Checked by the kind's own schema. */
  params: params.default({}),
  cron: z.string({ error: 'required' }).trim().min(1, { error: 'required' }).max(MAX_CRON, { error: 'cron' }),
  description: z.string().trim().max(200, { error: 'too_long' }).default(''),
  timeout: int.min(1).max(MAX_TASK_TIMEOUT),
  overlap: z.enum(TASK_OVERLAPS),
  lost: z.enum(TASK_LOST_RULES),
  status: flag.default(1),
})

const reads = { audience: 'admin', permission: 'system:schedule:task', effect: 'read' } as const
const readsLog = { audience: 'admin', permission: 'system:schedule:log', effect: 'read' } as const

export const scheduleOperations = [
  operation({
    id: 'schedule.kinds',
    method: 'GET',
    path: 'sys/schedule/task/kinds',
    ...reads,
    input: none,
    output: z.object({ data: z.array(kindRow) }),
  }),
  operation({
    id: 'schedule.list',
    method: 'POST',
    path: 'sys/schedule/task/list',
    ...reads,
    /** `key` is looked for in kind and description. */
    input: pageIn.extend({ status: flag.optional(), kind: kindName.optional() }),
    output: pageOut(taskRow),
  }),
  operation({
    id: 'schedule.info',
    method: 'GET',
    path: 'sys/schedule/task/info/{id}',
    ...reads,
    input: idIn,
    output: z.object({ data: taskRow }),
  }),
  operation({
    id: 'schedule.save',
    method: 'POST',
    path: 'sys/schedule/task/save',
    audience: 'admin',
    permission: 'system:schedule:task:save',
    effect: 'write',
    input: saveIn,
    output: idOut,
  }),
  operation({
    id: 'schedule.delete',
    method: 'POST',
    path: 'sys/schedule/task/delete',
    audience: 'admin',
    permission: 'system:schedule:task:delete',
    effect: 'write',
    input: z.object({ ids }),
    output: none,
  }),
  operation({
    /** Starts it now; answers the run's id. */
    id: 'schedule.run',
    method: 'POST',
    path: 'sys/schedule/task/run',
    audience: 'admin',
    permission: 'system:schedule:task:run',
    effect: 'write',
    input: idIn,
    output: idOut,
  }),
  operation({
    /** Status 0 pauses, 1 resumes. */
    id: 'schedule.pause',
    method: 'POST',
    path: 'sys/schedule/task/pause',
    audience: 'admin',
    permission: 'system:schedule:task:save',
    effect: 'write',
    input: z.object({ ids, status: flag }),
    output: none,
  }),
  operation({
    id: 'schedule.logList',
    method: 'POST',
    path: 'sys/schedule/log/list',
    ...readsLog,
    input: pageIn.extend({ taskId: id.optional(), kind: kindName.optional(), state: state.optional() }),
    output: pageOut(runRow),
  }),
  operation({
    id: 'schedule.logInfo',
    method: 'GET',
    path: 'sys/schedule/log/info/{id}',
    ...readsLog,
    input: idIn,
    output: z.object({
      data: runRow.extend({
        params,
        result: z.record(z.string(), z.unknown()),
        /** The last MAX_RUN_OUTPUT characters. */
        output: z.string(),
        /** The process that ran it. */
        runner: z.string(),
      }),
    }),
  }),
]
