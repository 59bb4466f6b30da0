/** Tables of migration 0017. */
import { NOTIFY_CHANNELS, NOTIFY_EVENTS, NOTIFY_FAULTS, NOTIFY_STATES } from '@tidegate/contract/config/notify'
import { LANGUAGES } from '@tidegate/contract/enums'
import { bigint, customType, integer, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core'

const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' })
const identity = () => bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity()
const time = (name: string) => timestamp(name, { withTimezone: true })

export const notices = pgTable('notice', {
  id: identity(),
  event: text('event', { enum: NOTIFY_EVENTS }).notNull(),
  channel: text('channel', { enum: NOTIFY_CHANNELS }).notNull(),
  ownerKind: text('owner_kind', { enum: ['user', 'admin', 'operator', 'address'] }).notNull(),
  ownerId: bigint('owner_id', { mode: 'number' }).notNull().default(0),
  address: text('address').notNull(),
  lang: text('lang', { enum: LANGUAGES }).notNull(),
  vars: jsonb('vars').$type<Record<string, string>>().notNull(),
  sealed: text('sealed'),
  dedupKey: text('dedup_key'),
  state: text('state', { enum: NOTIFY_STATES }).notNull(),
  fault: text('fault', { enum: NOTIFY_FAULTS }).notNull().default('none'),
  attempts: integer('attempts').notNull().default(0),
  nextAt: time('next_at'),
  leaseUntil: time('lease_until'),
  handedAt: time('handed_at'),
  expiresAt: time('expires_at'),
  subject: text('subject').notNull().default(''),
  answer: text('answer').notNull().default(''),
  createdAt: time('created_at').notNull(),
  finishedAt: time('finished_at'),
})
export type Notice = typeof notices.$inferSelect

export const noticeTemplates = pgTable('notice_template', {
  event: text('event', { enum: NOTIFY_EVENTS }).notNull(),
  channel: text('channel', { enum: NOTIFY_CHANNELS }).notNull(),
  lang: text('lang', { enum: LANGUAGES }).notNull(),
  subject: text('subject').notNull(),
  body: text('body').notNull(),
  updatedAt: time('updated_at').notNull(),
})

export const noticePreferences = pgTable('notice_preference', {
  customerId: bigint('customer_id', { mode: 'number' }).notNull(),
  event: text('event', { enum: NOTIFY_EVENTS }).notNull(),
  channels: text('channels', { enum: NOTIFY_CHANNELS }).array().notNull(),
})

export const noticeReceivers = pgTable('notice_receiver', {
  customerId: bigint('customer_id', { mode: 'number' }).notNull(),
  channel: text('channel', { enum: ['telegram', 'webhook'] }).notNull(),
  address: text('address').notNull(),
  secret: text('secret').notNull().default(''),
})

export const verifyCodes = pgTable('verify_code', {
  id: identity(),
  channel: text('channel', { enum: ['mail', 'sms'] }).notNull(),
  address: text('address').notNull(),
  purpose: text('purpose').notNull(),
  ip: text('ip').notNull(),
  codeHash: bytea('code_hash').notNull(),
  salt: bytea('salt').notNull(),
  tries: integer('tries').notNull().default(0),
  createdAt: time('created_at').notNull(),
  expiresAt: time('expires_at').notNull(),
  usedAt: time('used_at'),
})
