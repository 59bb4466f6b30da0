/** Table of migration 0030: one row. */
import { boolean, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'

export const systemLicense = pgTable('system_license', {
  one: boolean('one').primaryKey().default(true),
  installationId: uuid('installation_id').notNull(),
  since: timestamp('since', { withTimezone: true }).notNull(),
  file: text('file'),
  addedAt: timestamp('added_at', { withTimezone: true }),
  addedBy: text('added_by').notNull().default(''),
})
export type StoredLicense = typeof systemLicense.$inferSelect
