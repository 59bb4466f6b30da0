/** Tables of migration 0039. */
import { bigint, boolean, doublePrecision, integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core'

const time = (name: string) => timestamp(name, { withTimezone: true })
const big = (name: string) => bigint(name, { mode: 'number' })

export const monitors = pgTable('monitor', {
  id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
  kind: text('kind').notNull(),
  nodeId: big('node_id'),
  name: text('name').notNull().default(''),
  firstAt: time('first_at').notNull(),
  lastAt: time('last_at').notNull(),
})

export const probeTracks = pgTable('probe_track', {
  nodeId: big('node_id').notNull(),
  monitorId: integer('monitor_id').notNull(),
  port: integer('port').notNull(),
  lastAt: big('last_at').notNull(),
  ats: big('ats').array().notNull(),
  outcomes: integer('outcomes').array().notNull(),
})

export const nodeHealth = pgTable('node_health', {
  nodeId: big('node_id').primaryKey(),
  health: text('health').notNull(),
  failing: boolean('failing').notNull(),
  since: time('since').notNull(),
})

export const nodeHealthChanges = pgTable('node_health_change', {
  id: big('id').primaryKey().generatedAlwaysAsIdentity(),
  nodeId: big('node_id').notNull(),
  at: time('at').notNull(),
  failing: boolean('failing').notNull(),
  failPercent: doublePrecision('fail_percent').notNull(),
  fails: integer('fails').notNull(),
  total: integer('total').notNull(),
  monitors: text('monitors').array().notNull(),
})
