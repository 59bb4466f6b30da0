/** Tables of migration 0020. */
import { WORK_ORDER_REASONS } from '@tidegate/contract/enums'
import { bigint, boolean, integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core'

const key = (name: string) => bigint(name, { mode: 'number' })
const own = () => key('id').primaryKey().generatedAlwaysAsIdentity()
const time = (name: string) => timestamp(name, { withTimezone: true })

export const categories = pgTable('work_order_category', {
  id: own(),
  title: text('title').notNull(),
  sort: integer('sort').notNull(),
  enabled: boolean('enabled').notNull(),
})

export const orders = pgTable('work_order', {
  id: own(),
  customerId: key('customer_id').notNull(),
  categoryId: key('category_id').notNull(),
  title: text('title').notNull(),
  status: integer('status').notNull(),
  replied: boolean('replied').notNull().default(false),
  closeReason: text('close_reason', { enum: WORK_ORDER_REASONS }).notNull().default(''),
  solved: boolean('solved'),
  appealed: boolean('appealed').notNull().default(false),
  rating: integer('rating'),
  ratedAt: time('rated_at'),
  waiting: boolean('waiting').notNull(),
  assigneeId: key('assignee_id'),
  seenId: key('seen_id').notNull().default(0),
  createdAt: time('created_at').notNull(),
  lastAt: time('last_at').notNull(),
  firstAnswerAt: time('first_answer_at'),
})

export const messages = pgTable('work_order_message', {
  id: own(),
  orderId: key('order_id').notNull(),
  sender: text('sender', { enum: ['user', 'admin'] }).notNull(),
  senderId: key('sender_id').notNull(),
  senderName: text('sender_name').notNull(),
  actingName: text('acting_name').notNull().default(''),
  event: text('event', { enum: ['', 'rate', 'appeal', 'complete', 'reject', 'close', 'reopen'] })
    .notNull()
    .default(''),
  body: text('body').notNull(),
  img: text('img').array().notNull().default([]),
  internal: boolean('internal').notNull().default(false),
  createdAt: time('created_at').notNull(),
})

export const replies = pgTable('work_order_reply', {
  id: own(),
  title: text('title').notNull(),
  shortcut: text('shortcut').notNull(),
  content: text('content').notNull(),
  sort: integer('sort').notNull(),
})
