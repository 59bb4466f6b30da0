/** Work orders: customers ask, the staff answers. */
import { errorText } from '@tidegate/contract/errors'
import { sql } from 'drizzle-orm'
import type { Caller, Handlers } from '../../platform/caller.ts'
import { AppError } from '../../platform/errors.ts'
import type { Part } from '../../platform/part.ts'
import { rows } from '../../platform/query.ts'
import { ownOrderExport, workOrderExport } from './export.ts'
import { listOrders, listOwn, newMessages, orderDetail, orderStats, ownDetail } from './list.ts'
import { deleteCategory, deleteReplies, listCategories, listReplies, saveCategory, saveReply } from './setup.ts'
import {
  appealOrder,
  assignees,
  assignOrders,
  deleteOrders,
  markSeen,
  moveOrder,
  openOrder,
  rateOrder,
  sendMessage,
  type WorkOrderDeps,
} from './write.ts'

type Ids =
  | `workOrder.${'list' | 'stats' | 'detail' | 'newMsg' | 'send' | 'move' | 'assign' | 'assignees' | 'delete'}`
  | `workCategory.${'list' | 'save' | 'delete'}`
  | `workReply.${'list' | 'save' | 'delete'}`
  | `ownOrder.${'list' | 'detail' | 'save' | 'send' | 'read' | 'close' | 'appeal'}`

export interface WorkOrderModule extends Part {
  handlers: Handlers<Ids>
  /** Orders that wait for the staff; a customer's unread replies. 0 for who may not see orders. */
  waitingFor(caller: Caller): Promise<number>
  /** Of these names of uploads, those that a message shows. */
  uploadsInUse(names: readonly string[]): Promise<ReadonlySet<string>>
}

const nothing = async (write: Promise<unknown>) => {
  await write
  return {}
}

const whose = (caller: Caller): number | null => (caller.kind === 'admin' ? null : caller.id)

const staffHandlers = (deps: WorkOrderDeps): Handlers<Exclude<Ids, `ownOrder.${string}`> & Ids> => {
  const { db, clock } = deps
  return {
    'workOrder.list': (input) => listOrders(db, input),
    'workOrder.stats': () => orderStats(db, clock.now()),
    'workOrder.detail': ({ id }) => orderDetail(db, id),
    'workOrder.newMsg': (_input, caller) => newMessages(db, whose(caller)),
    'workOrder.send': async (input, caller) => ({ id: await sendMessage(deps, input, caller) }),
    'workOrder.move': (input, caller) => nothing(moveOrder(deps, input, caller)),
    'workOrder.assign': (input, caller) => nothing(assignOrders(deps, input, caller)),
    'workOrder.assignees': async () => ({ list: await assignees(db) }),
    'workOrder.delete': async ({ ids }, caller) => ({
      results: await deleteOrders(deps, ids, caller, (error) =>
        errorText(error instanceof AppError ? error.key : 'internal', caller.lang),
      ),
    }),
    'workCategory.list': async (_input, caller) => ({ list: await listCategories(db, caller.kind === 'admin') }),
    'workCategory.save': async (input, caller) => ({ id: await saveCategory(input, caller, db) }),
    'workCategory.delete': ({ id }, caller) => nothing(deleteCategory(id, caller, db)),
    'workReply.list': async () => ({ list: await listReplies(db) }),
    'workReply.save': async (input, caller) => ({ id: await saveReply(input, caller, db) }),
    'workReply.delete': ({ ids }, caller) => nothing(deleteReplies(ids, caller, db)),
  }
}

const ownHandlers = (deps: WorkOrderDeps): Handlers<Extract<Ids, `ownOrder.${string}`>> => ({
  'ownOrder.list': (input, caller) => listOwn(deps.db, input, caller.id),
  'ownOrder.detail': ({ id }, caller) => ownDetail(deps.db, id, caller.id),
  'ownOrder.save': async (input, caller) => ({ id: await openOrder(deps, input, caller) }),
  'ownOrder.send': async (input, caller) => ({ id: await sendMessage(deps, { ...input, internal: false }, caller) }),
  'ownOrder.read': ({ id }, caller) => nothing(markSeen(deps, id, caller)),
  'ownOrder.close': (input, caller) => nothing(rateOrder(deps, input, caller)),
  'ownOrder.appeal': (input, caller) => nothing(appealOrder(deps, input, caller)),
})

export const createWorkOrderModule = (deps: WorkOrderDeps): WorkOrderModule => ({
  name: 'workorder',
  handlers: { ...staffHandlers(deps), ...ownHandlers(deps) },
  exports: [workOrderExport, ownOrderExport],
  waitingFor: async (caller) =>
    caller.permissions.has('cdn:work-order:list') ? (await newMessages(deps.db, whose(caller))).newSum : 0,
  uploadsInUse: async (names) => {
    const paths = names.map((name) => `/uploads/${name}`)
    const found = await rows<{ path: string }>(
      deps.db,
      sql`SELECT DISTINCT unnest(img) AS path FROM work_order_message
          WHERE img <> '{}' AND img && ${sql.param(paths)}::text[]`,
    )
    return new Set(found.map(({ path }) => path.slice('/uploads/'.length)))
  },
})
