/** Cache cleanup: tasks, their way to each node, and their history. */
import type { PURGE_STATES, PushState } from '@tidegate/contract/enums'
import { COUNT_CAP } from '@tidegate/contract/limits'
import type { FeedbackRow } from '@tidegate/contract/operations/push'
import { purgeKey } from '@tidegate/node-config/compile'
import { type SQL, sql } from 'drizzle-orm'
import type { Caller, Handlers } from '../../platform/caller.ts'
import { groupScope, type WithConfigChange } from '../../platform/config-change.ts'
import type { Db } from '../../platform/db.ts'
import { AppError } from '../../platform/errors.ts'
import { nodeFor } from '../../platform/owner.ts'
import { page } from '../../platform/page.ts'
import { iso, row, rows } from '../../platform/query.ts'
import { submitPurge } from './submit.ts'

export { keepPurges } from './restored.ts'

export interface PurgeModuleDeps {
  db: Db
  withConfigChange: WithConfigChange
  /** Every node's answer to each revision that a change made (modules/publish). */
  feedbackOfChange(change: string): Promise<{ state: PushState; feedback: FeedbackRow[] }[]>
  /** Only how many answered what, for many changes at once (modules/publish). */
  totalsOfChanges(changes: string[]): Promise<Map<string, PushTotals>>
}

/** Of all revisions of a change together. */
interface PushTotals {
  state: PushState
  nodes: number
  done: number
  /** From the save to the last answer; -1 = none yet. */
  totalMs: number
}

type PurgeState = (typeof PURGE_STATES)[number]
const STATES: Record<PushState, PurgeState> = { pending: 'pending', done: 'done', refused: 'failed' }

interface TaskRow {
  id: number
  kind: 'site' | 'url' | 'dir'
  entries: string[]
  createTime: string
  by: string
  change: string
}

export const createPurgeModule = (deps: PurgeModuleDeps) => ({
  handlers: handlers(deps),
  /** Drops rows older than a year, when every cache that they were about has long forgotten; answers their number. `now`: Unix ms. */
  retention: (now: number) => dropOldRows(deps, now),
})

const handlers = (deps: PurgeModuleDeps): Handlers<'cache.purge' | 'cache.task' | 'cache.list'> => ({
  'cache.purge': (input, caller) => submitPurge(deps, input, caller),
  'cache.task': async ({ id }, caller) => {
    const [task] = await readTasks(deps.db, sql`id = ${id} AND ${ownTasks(caller)}`, 1, 0)
    if (!task) throw new AppError('not_found')
    const { summary, feedback } = await withState(deps, task)
    return { data: { ...summary, feedback: feedback.map((row) => nodeFor(caller, row)) } }
  },
  'cache.list': async (input, caller) => {
    const where = sql`${input.kind ? sql`kind = ${input.kind}` : sql`true`} AND ${ownTasks(caller)}`
    const count = await row<{ n: number }>(
      deps.db,
      sql`SELECT count(*) AS n FROM (SELECT FROM purge_task WHERE ${where} LIMIT ${COUNT_CAP}) x`,
    )
    const tasks = await readTasks(deps.db, where, input.limit, (input.page - 1) * input.limit)
    const totals = await deps.totalsOfChanges(tasks.map((task) => task.change))
    const list = tasks.map(({ change, ...task }) => {
      // Revisions are kept for a time, tasks for longer: nobody waits any more.
      const t = totals.get(change) ?? { state: 'done', nodes: 0, done: 0, totalMs: -1 }
      const totalMs = t.state === 'pending' ? -1 : t.totalMs
      return {
        ...task,
        createTime: iso(task.createTime),
        state: STATES[t.state],
        nodes: t.nodes,
        nodesDone: t.done,
        totalMs,
      }
    })
    return page(input, count?.n ?? 0, list)
  },
})

/** A customer sees the own tasks. */
const ownTasks = (caller: Caller): SQL =>
  caller.kind === 'user' ? sql`by_kind = 'user' AND by_id = ${caller.id}` : sql`true`

const readTasks = (db: Db, where: SQL, limit: number, offset: number) =>
  rows<TaskRow>(
    db,
    sql`SELECT id, kind, entries, created_at AS "createTime", by_name AS by, change FROM purge_task WHERE ${where}
        ORDER BY id DESC LIMIT ${limit} OFFSET ${offset}`,
  )

const withState = async (deps: PurgeModuleDeps, { change, ...task }: TaskRow) => {
  const parts = await deps.feedbackOfChange(change)
  const feedback = parts
    .flatMap((p) => p.feedback)
    .map((f) => ({
      nodeId: f.nodeId,
      nodeName: f.nodeName,
      state: STATES[f.state],
      error: f.error || f.refused.map((r) => `${r.reason}: ${r.detail}`).join('; '),
      time: f.time,
      ms: f.totalMs,
    }))
  const pending = parts.some((p) => p.state === 'pending')
  const state: PurgeState = pending ? 'pending' : feedback.some((f) => f.state === 'failed') ? 'failed' : 'done'
  const summary = {
    ...task,
    createTime: iso(task.createTime),
    state,
    nodes: feedback.length,
    nodesDone: feedback.filter((f) => f.state === 'done').length,
    totalMs: pending ? -1 : Math.max(-1, ...feedback.map((f) => f.ms)),
  }
  return { summary, feedback }
}

const dropOldRows = async ({ withConfigChange }: PurgeModuleDeps, now: number): Promise<number> => {
  const before = new Date(now - 365 * 86_400_000).toISOString()
  const meta = { reason: 'purge', subject: '', by: 'system' } as const
  const { result } = await withConfigChange(meta, async (tx, touch) => {
    const gone = await rows<{ siteId: number; kind: string; value: string; groupId: number }>(
      tx,
      sql`DELETE FROM purge_row p USING site s WHERE s.id = p.site_id AND p.created_at < ${before}::timestamptz
          RETURNING p.site_id AS "siteId", p.kind, p.value, s.group_id AS "groupId"`,
    )
    for (const g of gone) touch(groupScope(g.groupId), 'purge', purgeKey(g.siteId, g.kind, g.value))
    return gone.length
  })
  return result
}
