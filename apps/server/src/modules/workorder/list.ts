/** Reading: lists with their counts, one order with its messages, figures. */
import { WORK_ORDER_LABELS } from '@tidegate/contract/enums'
import { COUNT_CAP } from '@tidegate/contract/limits'
import type { InputOf, OutputOf } from '@tidegate/contract/operations/index'
import type { OwnOrder, SenderInfo, WorkOrderRow } from '@tidegate/contract/operations/work-order'
import { contentText, type WorkOrderLabel, workOrderLabel } from '@tidegate/contract/work-order'
import { type SQL, sql } from 'drizzle-orm'
import type { Queryable } from '../../platform/db.ts'
import { AppError } from '../../platform/errors.ts'
import { columnOf, contains, page } from '../../platform/page.ts'
import { iso, row, rows } from '../../platform/query.ts'

type Filter = InputOf<'workOrder.list'>

interface Selected extends Omit<WorkOrderRow, 'label' | 'createDate' | 'lastSubmitDate' | 'categoryObj' | 'assignee'> {
  category_id: number
  category_title: string
  assignee_id: number | null
  assignee_name: string | null
  created_at: Date
  last_at: Date
}

/** What a customer has not seen of an order: replies, not the staff's notes. */
const UNREAD = sql`(SELECT count(*) FROM work_order_message m
  WHERE m.order_id = o.id AND m.id > o.seen_id AND m.sender = 'admin' AND NOT m.internal)`

const SELECT = sql`SELECT o.id, o.title, o.customer_id AS "userId", c.username AS "userName", o.status, o.replied,
    o.close_reason AS "closeReason", o.solved, o.appealed, o.rating, o.waiting, o.assignee_id, a.username AS assignee_name,
    o.category_id, k.title AS category_title, o.created_at, o.last_at, ${UNREAD} AS unread
  FROM work_order o JOIN customer c ON c.id = o.customer_id JOIN work_order_category k ON k.id = o.category_id
    LEFT JOIN admin a ON a.id = o.assignee_id`

const ownRow = (found: Selected): OwnOrder => {
  const { id, title, userName, status, unread, closeReason, rating, solved, appealed, replied } = found
  return {
    ...{ id, title, userName, status, unread, closeReason, rating, solved, appealed, replied },
    categoryObj: { id: found.category_id, title: found.category_title },
    label: workOrderLabel(found),
    createDate: iso(found.created_at),
    lastSubmitDate: iso(found.last_at),
  }
}

const staffRow = (found: Selected): WorkOrderRow => ({
  ...ownRow(found),
  userId: found.userId,
  waiting: found.waiting,
  assignee: found.assignee_id === null ? null : { id: found.assignee_id, name: found.assignee_name ?? '' },
})

/** The rule of `workOrderLabel`, for the database; a test holds them together. */
const LABEL: SQL = sql`(CASE o.status WHEN 1 THEN 'completed' WHEN 2 THEN 'appeal'
  WHEN 3 THEN CASE WHEN o.close_reason = 'rejected' THEN 'rejected' ELSE 'closed' END
  ELSE CASE WHEN o.replied THEN 'processing' ELSE 'pending' END END)`

const ORDERS: Readonly<Record<string, SQL>> = {
  id: sql`o.id`,
  createDate: sql`o.created_at`,
  lastSubmitDate: sql`o.last_at`,
}

/** Title, number, and for the staff the customer's name. */
const words = (key: string, staff: boolean): SQL => {
  const like = contains(key.toLowerCase())
  const number = /^#?(\d{1,15})$/.exec(key)?.[1]
  return sql`(lower(o.title) LIKE ${like} ${staff ? sql`OR lower(c.username) LIKE ${like}` : sql``}
    ${number === undefined ? sql`` : sql`OR o.id = ${Number(number)}`})`
}

const conditions = (input: Filter, customerId: number | null): SQL[] => {
  const parts: SQL[] = [sql`true`]
  if (customerId !== null) parts.push(sql`o.customer_id = ${customerId}`)
  else if (input.userId !== undefined) parts.push(sql`o.customer_id = ${input.userId}`)
  if (input.status !== undefined) parts.push(sql`o.status = ${input.status}`)
  if (input.categoryId !== undefined) parts.push(sql`o.category_id = ${input.categoryId}`)
  if (input.assigneeId !== undefined)
    parts.push(input.assigneeId === 0 ? sql`o.assignee_id IS NULL` : sql`o.assignee_id = ${input.assigneeId}`)
  if (input.waiting !== undefined) parts.push(sql`o.waiting = ${input.waiting}`)
  const key = input.key?.trim()
  if (key) parts.push(words(key, customerId === null))
  return parts
}

/** Up to the cap for each label. */
const countsOf = async (on: Queryable, where: SQL): Promise<Record<WorkOrderLabel, number>> => {
  const found = await rows<{ label: WorkOrderLabel; n: number }>(
    on,
    sql`SELECT ${LABEL} AS label, count(*) AS n FROM work_order o JOIN customer c ON c.id = o.customer_id WHERE ${where} GROUP BY 1`,
  )
  const counts = Object.fromEntries(WORK_ORDER_LABELS.map((label) => [label, 0])) as Record<WorkOrderLabel, number>
  for (const { label, n } of found) counts[label] = Math.min(n, COUNT_CAP)
  return counts
}

const select = async (on: Queryable, input: Filter, customerId: number | null) => {
  const base = conditions(input, customerId)
  const all = sql.join(base, sql` AND `)
  const where = input.label === undefined ? all : sql`${all} AND ${LABEL} = ${input.label}`
  const way = input.order === 'asc' ? sql`ASC` : sql`DESC`
  const list = await rows<Selected>(
    on,
    sql`${SELECT} WHERE ${where} ORDER BY ${columnOf(ORDERS, input.sidx, sql`o.last_at`)} ${way}, o.id ${way}
        LIMIT ${input.limit} OFFSET ${(input.page - 1) * input.limit}`,
  )
  const counts = await countsOf(on, all)
  const total = input.label === undefined ? Object.values(counts).reduce((a, b) => a + b, 0) : counts[input.label]
  return { list, counts, total }
}

export const listOrders = async (on: Queryable, input: Filter): Promise<OutputOf<'workOrder.list'>> => {
  const { list, counts, total } = await select(on, input, null)
  return { ...page(input, total, list.map(staffRow)), counts }
}

export const listOwn = async (
  on: Queryable,
  input: InputOf<'ownOrder.list'>,
  customerId: number,
): Promise<OutputOf<'ownOrder.list'>> => {
  const { list, counts, total } = await select(on, input, customerId)
  return { ...page(input, total, list.map(ownRow)), counts }
}

interface MessageRow extends Omit<SenderInfo, 'content' | 'createdate'> {
  body: string
  img: string[]
  created_at: Date
}

const messagesOf = async (on: Queryable, id: number, staff: boolean): Promise<SenderInfo[]> => {
  const found = await rows<MessageRow>(
    on,
    sql`SELECT m.id, m.sender, m.sender_name AS name, m.acting_name AS "actingName", m.event, m.body, m.img, m.internal, m.created_at
        FROM work_order_message m WHERE m.order_id = ${id} ${staff ? sql`` : sql`AND NOT m.internal`} ORDER BY m.id`,
  )
  return found.map(({ body, img, created_at, actingName, ...rest }) => ({
    ...rest,
    actingName: staff ? actingName : '',
    content: contentText(body, img),
    createdate: iso(created_at),
  }))
}

const one = async (on: Queryable, id: number, customerId: number | null): Promise<Selected> => {
  const mine = customerId === null ? sql`` : sql`AND o.customer_id = ${customerId}`
  const found = await row<Selected>(on, sql`${SELECT} WHERE o.id = ${id} ${mine}`)
  if (!found) throw new AppError('not_found')
  return found
}

export const orderDetail = async (on: Queryable, id: number): Promise<OutputOf<'workOrder.detail'>> => ({
  data: { ...staffRow(await one(on, id, null)), senderInfos: await messagesOf(on, id, true) },
})

export const ownDetail = async (
  on: Queryable,
  id: number,
  customerId: number,
): Promise<OutputOf<'ownOrder.detail'>> => ({
  data: { ...ownRow(await one(on, id, customerId)), senderInfos: await messagesOf(on, id, false) },
})

/** What waits for the staff, or what a customer has not seen; and the newest message of the other side. */
export const newMessages = async (on: Queryable, customerId: number | null): Promise<OutputOf<'workOrder.newMsg'>> => {
  const found = await row<{ newSum: number; lastId: number }>(
    on,
    customerId === null
      ? sql`SELECT (SELECT count(*) FROM work_order WHERE waiting) AS "newSum",
          (SELECT coalesce(max(id), 0) FROM work_order_message WHERE sender = 'user') AS "lastId"`
      : sql`SELECT count(*) FILTER (WHERE m.id > o.seen_id) AS "newSum", coalesce(max(m.id), 0) AS "lastId"
          FROM work_order o JOIN work_order_message m ON m.order_id = o.id AND m.sender = 'admin' AND NOT m.internal
          WHERE o.customer_id = ${customerId}`,
  )
  return found ?? { newSum: 0, lastId: 0 }
}

const SPAN_MS = 30 * 86_400_000

/** Figures of the last 30 days beside what is open now. */
export const orderStats = async (on: Queryable, now: number): Promise<OutputOf<'workOrder.stats'>> => {
  const since = new Date(now - SPAN_MS).toISOString()
  const found = await row<OutputOf<'workOrder.stats'>['data']>(
    on,
    sql`SELECT (SELECT count(*) FROM work_order WHERE waiting) AS waiting,
      (SELECT count(*) FROM work_order WHERE status IN (0, 2)) AS open,
      (SELECT avg(extract(epoch FROM first_answer_at - created_at))::float8 FROM work_order
        WHERE created_at >= ${since} AND first_answer_at IS NOT NULL) AS "firstAnswer",
      r.rating, r.rated, r.solved
      FROM (SELECT avg(rating)::float8 AS rating, count(*) AS rated, avg(solved::int)::float8 AS solved FROM work_order
        WHERE rated_at >= ${since}) r`,
  )
  if (!found) throw new AppError('internal')
  return { data: found }
}
