/** Tables of migration 0037. */
import { BLACK_SCOPES } from '@tidegate/contract/black'
import { bigint, boolean, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'

const number = (name: string) => bigint(name, { mode: 'number' })
const time = (name: string) => timestamp(name, { withTimezone: true })

export const entries = pgTable('dns_black', {
  id: number('id').primaryKey().generatedAlwaysAsIdentity(),
  name: text('name').notNull(),
  sortKey: text('sort_key').notNull(),
  scope: text('scope', { enum: BLACK_SCOPES }).notNull(),
  enabled: boolean('enabled').notNull(),
  category: text('category').notNull(),
  remark: text('remark').notNull(),
  createdAt: time('created_at').notNull(),
  updatedAt: time('updated_at').notNull(),
})
export type Entry = typeof entries.$inferSelect

export const listState = pgTable('dns_black_state', {
  onlyOne: boolean('only_one').primaryKey().default(true),
  total: number('total').notNull(),
  active: number('active').notNull(),
  revision: number('revision').notNull(),
  changedAt: time('changed_at'),
})

export const readers = pgTable(
  'dns_black_reader',
  {
    ip: text('ip').notNull(),
    name: text('name').notNull(),
    fetchedAt: time('fetched_at').notNull(),
    hash: text('hash').notNull(),
  },
  (table) => [primaryKey({ columns: [table.ip, table.name] })],
)
