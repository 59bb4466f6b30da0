/** Work orders: the staff's side under `sys/`, the customers' under `app/`. Another customer's order is not there. */
import { z } from 'zod'
import { WORK_ORDER_LABELS, WORK_ORDER_REASONS, WORK_ORDER_STATUS } from '../enums.ts'
import { MAX_WORK_ORDER_TEXT } from '../limits.ts'
import { id, idIn, idOut, ids, int, none, operation, pageIn, pageOut } from '../operation.ts'
import { contentIn } from '../work-order.ts'

const label = z.enum(WORK_ORDER_LABELS)
const status = int.refine((n) => (Object.values(WORK_ORDER_STATUS) as number[]).includes(n), {
  message: 'not_one_of',
  params: { values: '0, 1, 2, 3' },
})
const line = (max: number) =>
  z.string({ error: 'required' }).trim().min(1, { error: 'required' }).max(max, { error: 'too_long' })
const reason = line(500)

/** One row of a list, as the customer sees it. */
export const ownOrder = z.object({
  id: z.int(),
  title: z.string(),
  categoryObj: z.object({ id: z.int(), title: z.string() }),
  userName: z.string(),
  /** 0 processing, 1 completed, 2 appeal processing, 3 closed */
  status: z.int(),
  label,
  createDate: z.string(),
  /** When the last message was sent. */
  lastSubmitDate: z.string(),
  /** Replies that the customer has not seen. */
  unread: z.int(),
  closeReason: z.enum(WORK_ORDER_REASONS),
  /** 1-5; null: not rated. */
  rating: z.int().nullable(),
  solved: z.boolean().nullable(),
  appealed: z.boolean(),
  replied: z.boolean(),
})
export type OwnOrder = z.infer<typeof ownOrder>

/** What the staff sees beside it. */
export const workOrder = ownOrder.extend({
  userId: z.int(),
  assignee: z.object({ id: z.int(), name: z.string() }).nullable(),
  /** It is the staff's turn. */
  waiting: z.boolean(),
})
export type WorkOrderRow = z.infer<typeof workOrder>

export const senderInfo = z.object({
  id: z.int(),
  /** `user`: the customer. */
  sender: z.enum(['user', 'admin']),
  name: z.string(),
  /** The administrator who wrote in the customer's place; '' = nobody. Only the staff is told. */
  actingName: z.string(),
  /** What the message came with; '' = it is a message alone. */
  event: z.enum(['', 'rate', 'appeal', 'complete', 'reject', 'close', 'reopen']),
  /** JSON text of `{text, img?}`. Plain text, addresses of uploads. */
  content: z.string(),
  /** For the staff alone; the customer's answers hold none. */
  internal: z.boolean(),
  createdate: z.string(),
})
export type SenderInfo = z.infer<typeof senderInfo>

const category = z.object({
  id: z.int(),
  title: z.string(),
  sort: z.int(),
  enabled: z.boolean(),
  /** Orders in it; 0 for customers, who are not told. */
  orders: z.int(),
})
export type WorkOrderCategory = z.infer<typeof category>

const quickReply = z.object({
  id: z.int(),
  title: z.string(),
  /** Typed after a slash; '' = none. */
  shortcut: z.string(),
  content: z.string(),
  sort: z.int(),
})
export type QuickReply = z.infer<typeof quickReply>

const SYS = 'sys/tb/work/order'
const APP = 'app/tb/work/order'
const LIST = 'cdn:work-order:list'

const filters = { status: status.optional(), label: label.optional(), categoryId: id.optional() }
const sort = int.min(0).max(9999).default(0)

const staff = [
  operation({
    id: 'workOrder.list',
    method: 'POST',
    path: `${SYS}/wol/list`,
    audience: 'admin',
    permission: LIST,
    effect: 'read',
    /** `assigneeId` 0: nobody's. `waiting`: those whose turn is the staff's. */
    input: pageIn.extend({
      ...filters,
      assigneeId: int.min(0).optional(),
      userId: id.optional(),
      waiting: z.boolean().optional(),
    }),
    /** Counts by label, under the same filters but the label itself. */
    output: pageOut(workOrder).extend({ counts: z.record(label, z.int()) }),
  }),
  operation({
    id: 'workOrder.stats',
    method: 'GET',
    path: `${SYS}/wol/stats`,
    audience: 'admin',
    permission: LIST,
    effect: 'read',
    input: none,
    /** Of the last 30 days; null: nothing to measure. Seconds; mean of the ratings; share that was solved. */
    output: z.object({
      data: z.object({
        waiting: z.int(),
        open: z.int(),
        firstAnswer: z.number().nullable(),
        rating: z.number().nullable(),
        rated: z.int(),
        solved: z.number().nullable(),
      }),
    }),
  }),
  operation({
    id: 'workOrder.detail',
    method: 'GET',
    path: `${SYS}/wol/detail`,
    audience: 'admin',
    permission: LIST,
    effect: 'read',
    input: idIn,
    output: z.object({ data: workOrder.extend({ senderInfos: z.array(senderInfo) }) }),
  }),
  operation({
    id: 'workOrder.newMsg',
    method: 'GET',
    path: `${SYS}/wol/new/msg`,
    aliases: [`${APP}/wol/new/msg`],
    audience: 'any',
    permission: LIST,
    effect: 'read',
    input: none,
    /** Staff: orders that wait for it. Customer: replies not seen. `lastId`: the newest message of the other side; it grows with each. */
    output: z.object({ newSum: z.int(), lastId: z.int() }),
  }),
  operation({
    id: 'workOrder.send',
    method: 'POST',
    path: `${SYS}/wol/send/message`,
    audience: 'admin',
    permission: 'cdn:work-order:save',
    effect: 'write',
    /** `internal`: a note for the staff. */
    input: z.object({ id, content: contentIn, internal: z.boolean().default(false) }),
    output: idOut,
  }),
  operation({
    id: 'workOrder.move',
    method: 'POST',
    path: `${SYS}/wol/move`,
    audience: 'admin',
    permission: 'cdn:work-order:save',
    effect: 'write',
    /** `reason` goes to the customer; a rejection needs one. */
    input: z
      .object({
        id,
        action: z.enum(['complete', 'reject', 'close', 'reopen']),
        reason: z.string().trim().max(500, { error: 'too_long' }).default(''),
      })
      .refine((v) => v.action !== 'reject' || v.reason !== '', { path: ['reason'], error: 'required' }),
    output: none,
  }),
  operation({
    id: 'workOrder.assign',
    method: 'POST',
    path: `${SYS}/wol/assign`,
    audience: 'admin',
    permission: 'cdn:work-order:save',
    effect: 'write',
    /** null: nobody. */
    input: z.object({ ids, adminId: id.nullable() }),
    output: none,
  }),
  operation({
    id: 'workOrder.assignees',
    method: 'GET',
    path: `${SYS}/wol/assignees`,
    audience: 'admin',
    permission: LIST,
    effect: 'read',
    input: none,
    output: z.object({ list: z.array(z.object({ id: z.int(), name: z.string() })) }),
  }),
  operation({
    id: 'workOrder.delete',
    method: 'POST',
    path: `${SYS}/wol/bat/delete`,
    audience: 'admin',
    permission: 'cdn:work-order:delete',
    effect: 'write',
    input: z.object({ ids }),
    /** For each id whether it is gone, and if not, why. */
    output: z.object({ results: z.array(z.object({ id: z.int(), ok: z.boolean(), msg: z.string() })) }),
  }),
]

const categories = [
  operation({
    id: 'workCategory.list',
    method: 'GET',
    path: `${SYS}/category/list`,
    aliases: [`${APP}/category/list`],
    audience: 'any',
    permission: LIST,
    effect: 'read',
    input: none,
    /** Customers get those that are enabled. */
    output: z.object({ list: z.array(category) }),
  }),
  operation({
    id: 'workCategory.save',
    method: 'POST',
    path: `${SYS}/category/save`,
    audience: 'admin',
    permission: 'cdn:work-order:category',
    effect: 'write',
    input: z.object({ id: id.optional(), title: line(50), sort, enabled: z.boolean().default(true) }),
    output: idOut,
  }),
  operation({
    id: 'workCategory.delete',
    method: 'GET',
    alsoMethods: ['POST'],
    path: `${SYS}/category/delete`,
    audience: 'admin',
    permission: 'cdn:work-order:category',
    effect: 'write',
    input: idIn,
    output: none,
  }),
]

const replies = [
  operation({
    id: 'workReply.list',
    method: 'GET',
    path: `${SYS}/reply/list`,
    audience: 'admin',
    permission: LIST,
    effect: 'read',
    input: none,
    output: z.object({ list: z.array(quickReply) }),
  }),
  operation({
    id: 'workReply.save',
    method: 'POST',
    path: `${SYS}/reply/save`,
    audience: 'admin',
    permission: 'cdn:work-order:reply',
    effect: 'write',
    input: z.object({
      id: id.optional(),
      title: line(50),
      shortcut: z
        .string()
        .trim()
        .regex(/^[a-z0-9_-]{0,20}$/, { error: 'reply_shortcut' })
        .default(''),
      content: line(MAX_WORK_ORDER_TEXT),
      sort,
    }),
    output: idOut,
  }),
  operation({
    id: 'workReply.delete',
    method: 'POST',
    path: `${SYS}/reply/delete`,
    audience: 'admin',
    permission: 'cdn:work-order:reply',
    effect: 'write',
    input: z.object({ ids }),
    output: none,
  }),
]

const own = [
  operation({
    id: 'ownOrder.list',
    method: 'POST',
    path: `${APP}/wol/list`,
    audience: 'user',
    permission: LIST,
    effect: 'read',
    input: pageIn.extend(filters),
    output: pageOut(ownOrder).extend({ counts: z.record(label, z.int()) }),
  }),
  operation({
    id: 'ownOrder.detail',
    method: 'GET',
    path: `${APP}/wol/detail`,
    audience: 'user',
    permission: LIST,
    effect: 'read',
    input: idIn,
    output: z.object({ data: ownOrder.extend({ senderInfos: z.array(senderInfo) }) }),
  }),
  operation({
    id: 'ownOrder.save',
    method: 'POST',
    path: `${APP}/wol/save`,
    audience: 'user',
    permission: LIST,
    effect: 'write',
    input: z.object({ title: line(100), categoryId: id, content: contentIn }),
    output: idOut,
  }),
  operation({
    id: 'ownOrder.send',
    method: 'POST',
    path: `${APP}/wol/send/message`,
    audience: 'user',
    permission: LIST,
    effect: 'write',
    input: z.object({ id, content: contentIn }),
    output: idOut,
  }),
  operation({
    id: 'ownOrder.read',
    method: 'POST',
    path: `${APP}/wol/read`,
    audience: 'user',
    permission: LIST,
    effect: 'write',
    input: idIn,
    output: none,
  }),
  operation({
    id: 'ownOrder.close',
    method: 'POST',
    path: `${APP}/wol/close`,
    audience: 'user',
    permission: LIST,
    effect: 'write',
    input: z.object({ id, rating: int.min(1).max(5), solved: z.boolean() }),
    output: none,
  }),
  operation({
    id: 'ownOrder.appeal',
    method: 'POST',
    path: `${APP}/wol/appeal`,
    audience: 'user',
    permission: LIST,
    effect: 'write',
    input: z.object({ id, reason }),
    output: none,
  }),
]

export const workOrderOperations = [...staff, ...categories, ...replies, ...own]
