/** Table of migration 0011; a test compares it with the migrated database. */
import type { ExportState } from '@tidegate/contract/enums'
import { bigint, boolean, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core'
import type { Caller } from '../../platform/caller.ts'

/** The caller as stored: who asked, and what they might do at that moment. */
export type StoredCaller = Omit<Caller, 'permissions'> & { permissions: string[] }

const number = (name: string) => bigint(name, { mode: 'number' })
const time = (name: string) => timestamp(name, { withTimezone: true })

export const exportJobs = pgTable('export_job', {
  id: number('id').primaryKey().generatedAlwaysAsIdentity(),
  ownerKind: text('owner_kind').notNull(),
  ownerId: number('owner_id').notNull(),
  list: text('list').notNull(),
  query: jsonb('query').$type<Record<string, unknown>>().notNull(),
  columns: text('columns').array().notNull(),
  caller: jsonb('caller').$type<StoredCaller>().notNull(),
  state: text('state').$type<ExportState>().notNull().default('waiting'),
  rowCount: number('row_count').notNull().default(0),
  bytes: number('bytes').notNull().default(0),
  cut: boolean('cut').notNull().default(false),
  error: text('error').notNull().default(''),
  createdAt: time('created_at').notNull(),
  expiresAt: time('expires_at').notNull(),
})
export type ExportJob = typeof exportJobs.$inferSelect
