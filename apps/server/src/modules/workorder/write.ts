/** Writing: opening, answering, moving, assigning and deleting orders. Every change holds the order's row. */
import { MAX_OPEN_WORK_ORDERS, MAX_WORK_ORDER_MESSAGES } from '@tidegate/contract/limits'
import type { InputOf, OutputOf } from '@tidegate/contract/operations/index'
import {
  moved,
  type WorkOrderContent,
  type WorkOrderMove,
  type WorkOrderState,
  waitsAfter,
} from '@tidegate/contract/work-order'
import { and, eq, sql } from 'drizzle-orm'
import type { Caller } from '../../platform/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/db.ts'
import { AppError, fieldError } from '../../platform/errors.ts'
import { row, rows } from '../../platform/query.ts'
import { audit } from '../audit/index.ts'
import type { SendNotice } from '../notify/index.ts'
import { categories, messages, orders } from './schema.ts'

export interface WorkOrderDeps {
  db: Db
  clock: Clock
  /** Tells the customer of a reply, the staff of a new order and of an appeal. */
  notify: SendNotice
  /** Of these names of uploads, those that the caller put there for work orders. */
  ownUploads(tx: Tx, names: readonly string[], caller: Caller): Promise<ReadonlySet<string>>
}

type Order = typeof orders.$inferSelect
type Event = (typeof messages.$inferInsert)['event']

const side = (caller: Caller): 'user' | 'admin' => (caller.kind === 'admin' ? 'admin' : 'user')

/** The order, held until the transaction ends. A customer has the own ones alone. */
const hold = async (tx: Tx, id: number, caller: Caller): Promise<Order> => {
  const mine = caller.kind === 'admin' ? undefined : eq(orders.customerId, caller.id)
  const [found] = await tx
    .select()
    .from(orders)
    .where(and(eq(orders.id, id), mine))
    .for('update')
  if (!found) throw new AppError('not_found')
  return found
}

const stateOf = ({ status, replied, closeReason, solved, appealed }: Order): WorkOrderState => ({
  ...{ status, replied, closeReason, solved, appealed },
})

/** Pictures are the writer's own uploads for work orders. */
const checkImages = async (deps: WorkOrderDeps, tx: Tx, img: readonly string[], caller: Caller) => {
  if (img.length === 0) return
  const names = img.map((path) => path.slice('/uploads/'.length))
  const own = await deps.ownUploads(tx, names, caller)
  const foreign = names.findIndex((name) => !own.has(name))
  if (foreign >= 0) throw fieldError(`content.img.${foreign}`, 'upload_path')
}

interface Entry {
  orderId: number
  text: string
  img?: readonly string[]
  event?: Event
  internal?: boolean
}

const write = async (deps: WorkOrderDeps, tx: Tx, caller: Caller, { orderId, text, img, event, internal }: Entry) => {
  const found = await row<{ n: number }>(
    tx,
    sql`SELECT count(*) AS n FROM work_order_message WHERE order_id = ${orderId}`,
  )
  // A state can always be changed; only talk ends.
  if (!event && (found?.n ?? 0) >= MAX_WORK_ORDER_MESSAGES)
    throw new AppError('order_full', { params: { max: MAX_WORK_ORDER_MESSAGES } })
  const [made] = await tx
    .insert(messages)
    .values({
      ...{ orderId, sender: side(caller), senderId: caller.id, senderName: caller.name },
      actingName: caller.acting?.kind === 'impersonation' ? caller.acting.name : '',
      ...{ body: text, img: [...(img ?? [])], event: event ?? '', internal: internal ?? false },
      createdAt: new Date(deps.clock.now()),
    })
    .returning({ id: messages.id })
  if (!made) throw new AppError('internal')
  return made.id
}

/** What the log keeps; not the talk itself, which stands in the order. */
const trace = ({ status, closeReason, waiting, assigneeId, rating, solved }: Order) => ({
  ...{ status, closeReason, waiting, assigneeId, rating, solved },
})

const update = async (tx: Tx, before: Order, change: Partial<Order>): Promise<Order> => {
  const [after] = await tx.update(orders).set(change).where(eq(orders.id, before.id)).returning()
  if (!after) throw new AppError('internal')
  return after
}

/** The order after a move; throws `move_refused` for one that its state does not allow. */
const move = async (
  deps: WorkOrderDeps,
  tx: Tx,
  order: Order,
  what: WorkOrderMove,
  caller: Caller,
  more: Partial<Order> = {},
): Promise<Order> => {
  const next = moved(stateOf(order), what, side(caller), more.solved ?? null)
  if (next === null) throw new AppError('move_refused')
  const now = new Date(deps.clock.now())
  const first = what === 'answer' && order.firstAnswerAt === null ? { firstAnswerAt: now } : {}
  return update(tx, order, { ...next, ...more, ...first, waiting: waitsAfter(what), lastAt: now })
}

/** Tells the staff what a customer brought. */
const tellStaff = async (
  deps: WorkOrderDeps,
  tx: Tx,
  event: 'work_order_new' | 'work_order_appeal',
  { id, title }: Order,
  more: { customer: string; reason?: string },
) => {
  const vars = { id: String(id), title, ...more }
  await deps.notify(tx, { event, to: { operator: true }, vars, dedupKey: `${event} ${id}` })
}

/** Tells the customer, who is told of his own deeds by nobody. */
const tell = async (deps: WorkOrderDeps, tx: Tx, { id, title, customerId }: Order) => {
  await deps.notify(tx, { event: 'work_order_reply', to: { user: customerId }, vars: { id: String(id), title } })
}

export const openOrder = (deps: WorkOrderDeps, input: InputOf<'ownOrder.save'>, caller: Caller): Promise<number> =>
  deps.db.transaction(async (tx) => {
    // One after another, so that the limit holds.
    await tx.execute(sql`SELECT FROM customer WHERE id = ${caller.id} FOR UPDATE`)
    const [category] = await tx.select().from(categories).where(eq(categories.id, input.categoryId)).for('share')
    if (!category?.enabled) throw fieldError('categoryId', 'invalid')
    const open = await row<{ n: number }>(
      tx,
      sql`SELECT count(*) AS n FROM work_order WHERE customer_id = ${caller.id} AND status <> 3`,
    )
    if ((open?.n ?? 0) >= MAX_OPEN_WORK_ORDERS)
      throw new AppError('too_many_orders', { params: { max: MAX_OPEN_WORK_ORDERS } })
    await checkImages(deps, tx, input.content.img ?? [], caller)
    const now = new Date(deps.clock.now())
    const [made] = await tx
      .insert(orders)
      .values({
        ...{ customerId: caller.id, categoryId: category.id, title: input.title },
        ...{ status: 0, waiting: true, createdAt: now, lastAt: now },
      })
      .returning()
    if (!made) throw new AppError('internal')
    await write(deps, tx, caller, { orderId: made.id, ...input.content })
    await tellStaff(deps, tx, 'work_order_new', made, { customer: caller.name })
    await audit(tx, caller, {
      action: 'ownOrder.save',
      target: `work order ${made.id}`,
      after: { title: made.title, category: category.title, pictures: input.content.img?.length ?? 0 },
    })
    return made.id
  })

/** A message, or a note of the staff. */
export const sendMessage = (
  deps: WorkOrderDeps,
  { id, content, internal }: { id: number; content: WorkOrderContent; internal: boolean },
  caller: Caller,
): Promise<number> =>
  deps.db.transaction(async (tx) => {
    const order = await hold(tx, id, caller)
    await checkImages(deps, tx, content.img ?? [], caller)
    const staff = side(caller) === 'admin'
    const after = internal ? order : await move(deps, tx, order, staff ? 'answer' : 'ask', caller)
    const made = await write(deps, tx, caller, { orderId: id, ...content, internal })
    if (staff && !internal) await tell(deps, tx, after)
    await audit(tx, caller, {
      action: staff ? 'workOrder.send' : 'ownOrder.send',
      target: `work order ${id}`,
      after: { message: made, length: content.text.length, pictures: content.img?.length ?? 0, internal },
    })
    return made
  })

export const moveOrder = async (deps: WorkOrderDeps, input: InputOf<'workOrder.move'>, caller: Caller) => {
  const { id, action, reason } = input
  await deps.db.transaction(async (tx) => {
    const before = await hold(tx, id, caller)
    // Who opens an order again gives the customer another chance to rate it.
    const again = action === 'reopen' ? { rating: null, ratedAt: null } : {}
    const after = await move(deps, tx, before, action, caller, again)
    await write(deps, tx, caller, { orderId: id, text: reason, event: action })
    await tell(deps, tx, after)
    await audit(tx, caller, {
      action: 'workOrder.move',
      target: `work order ${id}`,
      before: trace(before),
      after: { ...trace(after), reason },
    })
  })
}

export const rateOrder = async (deps: WorkOrderDeps, input: InputOf<'ownOrder.close'>, caller: Caller) => {
  const { id, rating, solved } = input
  await deps.db.transaction(async (tx) => {
    const before = await hold(tx, id, caller)
    const ratedAt = new Date(deps.clock.now())
    const after = await move(deps, tx, before, 'rate', caller, { rating, solved, ratedAt })
    await write(deps, tx, caller, { orderId: id, text: '', event: 'rate' })
    await audit(tx, caller, {
      action: 'ownOrder.close',
      target: `work order ${id}`,
      before: trace(before),
      after: trace(after),
    })
  })
}

export const appealOrder = async (deps: WorkOrderDeps, { id, reason }: InputOf<'ownOrder.appeal'>, caller: Caller) => {
  await deps.db.transaction(async (tx) => {
    const before = await hold(tx, id, caller)
    const after = await move(deps, tx, before, 'appeal', caller)
    await write(deps, tx, caller, { orderId: id, text: reason, event: 'appeal' })
    await tellStaff(deps, tx, 'work_order_appeal', after, { customer: caller.name, reason })
    await audit(tx, caller, {
      action: 'ownOrder.appeal',
      target: `work order ${id}`,
      before: trace(before),
      after: { ...trace(after), reason },
    })
  })
}

/** The customer has seen all there is. Who looks in the customer's place does not see for him. */
export const markSeen = async (deps: WorkOrderDeps, id: number, caller: Caller) => {
  await deps.db.transaction(async (tx) => {
    const order = await hold(tx, id, caller)
    if (caller.acting !== null) return
    const last = await row<{ id: number }>(
      tx,
      sql`SELECT coalesce(max(id), 0) AS id FROM work_order_message WHERE order_id = ${id} AND NOT internal`,
    )
    if ((last?.id ?? 0) <= order.seenId) return
    await update(tx, order, { seenId: last?.id ?? 0 })
    await audit(tx, caller, { action: 'ownOrder.read', target: `work order ${id}` })
  })
}

export const assignOrders = async (deps: WorkOrderDeps, input: InputOf<'workOrder.assign'>, caller: Caller) => {
  const { adminId } = input
  await deps.db.transaction(async (tx) => {
    if (adminId !== null && !(await assignees(tx)).some((a) => a.id === adminId))
      throw fieldError('adminId', 'user_unknown', { value: String(adminId) })
    for (const id of [...new Set(input.ids)].sort((a, b) => a - b)) {
      const before = await hold(tx, id, caller)
      const after = await update(tx, before, { assigneeId: adminId })
      await audit(tx, caller, {
        action: 'workOrder.assign',
        target: `work order ${id}`,
        before: trace(before),
        after: trace(after),
      })
    }
  })
}

/** Administrators who may handle orders. */
export const assignees = (on: Db | Tx): Promise<{ id: number; name: string }[]> =>
  rows(
    on,
    sql`SELECT a.id, a.username AS name FROM admin a WHERE a.enabled AND EXISTS (
          SELECT FROM admin_role ar JOIN role r ON r.id = ar.role_id WHERE ar.admin_id = a.id AND (r.is_super OR EXISTS (
            SELECT FROM role_permission p WHERE p.role_id = r.id AND p.permission = 'cdn:work-order:save')))
        ORDER BY lower(a.username)`,
  )

/** Each in a transaction of its own: one that is not there does not keep the others. `say` puts the error into words. */
export const deleteOrders = async (
  deps: WorkOrderDeps,
  ids: readonly number[],
  caller: Caller,
  say: (error: unknown) => string,
): Promise<OutputOf<'workOrder.delete'>['results']> => {
  const results: OutputOf<'workOrder.delete'>['results'] = []
  for (const id of new Set(ids)) {
    try {
      await deps.db.transaction(async (tx) => {
        const before = await hold(tx, id, caller)
        await audit(tx, caller, {
          action: 'workOrder.delete',
          target: `work order ${id}`,
          before: { ...trace(before), title: before.title, userId: before.customerId },
        })
        await tx.delete(orders).where(eq(orders.id, id))
      })
      results.push({ id, ok: true, msg: '' })
    } catch (error) {
      results.push({ id, ok: false, msg: say(error) })
    }
  }
  return results
}
