/** Table of migration 0016. */
import { bigint, integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core'

export const uploads = pgTable('upload', {
  name: text('name').primaryKey(),
  purpose: text('purpose').notNull(),
  type: text('type').notNull(),
  size: integer('size').notNull(),
  store: text('store', { enum: ['disk', 's3'] }).notNull(),
  ownerKind: text('owner_kind').notNull(),
  ownerId: bigint('owner_id', { mode: 'number' }).notNull(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
})
