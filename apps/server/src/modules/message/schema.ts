/** Tables of migration 0018. */
import { MESSAGE_TARGETS } from '@tidegate/contract/enums'
import { bigint, boolean, integer, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'

const key = (name: string) => bigint(name, { mode: 'number' })
const time = (name: string) => timestamp(name, { withTimezone: true })

export const messages = pgTable('message', {
  id: key('id').primaryKey().generatedAlwaysAsIdentity(),
  title: text('title').notNull(),
  content: text('content').notNull(),
  type: integer('type').notNull(),
  status: integer('status').notNull(),
  target: text('target', { enum: MESSAGE_TARGETS }).notNull(),
  link: text('link').notNull().default(''),
  publishAt: time('publish_at').notNull(),
  expireAt: time('expire_at'),
  managed: boolean('managed').notNull(),
  createdAt: time('created_at').notNull(),
})

export const messageTargets = pgTable(
  'message_target',
  { customerId: key('customer_id').notNull(), messageId: key('message_id').notNull() },
  (table) => [primaryKey({ columns: [table.customerId, table.messageId] })],
)

export const messageReads = pgTable(
  'message_read',
  {
    readerKind: text('reader_kind', { enum: ['admin', 'user'] }).notNull(),
    readerId: key('reader_id').notNull(),
    messageId: key('message_id').notNull(),
    readAt: time('read_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.readerKind, table.readerId, table.messageId] })],
)
