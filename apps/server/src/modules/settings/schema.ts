/** Tables of migrations 0002 and 0016; the base tables of 0001 beside them. */

import { sql } from 'drizzle-orm'
import { bigint, integer, jsonb, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'

export const settings = pgTable('setting', {
  key: text('key').primaryKey(),
  value: jsonb('value').notNull(),
  updatedAt: timestamp('updated_at', { withTimezone: true }).notNull().defaultNow(),
  id: bigint('id', { mode: 'number' }).notNull().default(sql`nextval('setting_id')`),
  remark: text('remark'),
  weight: integer('weight'),
  status: integer('status').notNull().default(1),
  version: integer('version').notNull().default(1),
  updatedBy: text('updated_by').notNull().default('system'),
})

export const settingHistory = pgTable(
  'setting_history',
  {
    key: text('key').notNull(),
    version: integer('version').notNull(),
    value: jsonb('value').notNull(),
    status: integer('status').notNull(),
    remark: text('remark'),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
    createdBy: text('created_by').notNull(),
  },
  (table) => [primaryKey({ columns: [table.key, table.version] })],
)

export const installation = pgTable('installation', {
  key: text('key').primaryKey(),
  value: jsonb('value').notNull(),
  updatedAt: timestamp('updated_at', { withTimezone: true }).notNull().defaultNow(),
})
