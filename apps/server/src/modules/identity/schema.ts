/** Tables of migrations 0002, 0009 and 0014, for typed queries; a test compares them with the migrated database. */

import { LANGUAGES } from '@tidegate/contract/enums'
import type { MenuItem } from '@tidegate/contract/operations/common'
import { sql } from 'drizzle-orm'
import { bigint, boolean, customType, integer, jsonb, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'

const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' })
const key = (name: string) => bigint(name, { mode: 'number' })
const identity = () => key('id').primaryKey().generatedAlwaysAsIdentity()
const time = (name: string) => timestamp(name, { withTimezone: true })

export const admins = pgTable('admin', {
  id: identity(),
  username: text('username').notNull(),
  passwordHash: text('password_hash').notNull(),
  enabled: boolean('enabled').notNull().default(true),
  unvalidModel: text('unvalid_model').array().notNull().default([]),
  whiteIpStatus: integer('white_ip_status').notNull().default(0),
  whiteIps: text('white_ips').array().notNull().default([]),
  createdAt: time('created_at').notNull(),
  passwordAt: time('password_at').notNull(),
  lastLoginAt: time('last_login_at'),
  lastLoginIp: text('last_login_ip').notNull().default(''),
})

export const roles = pgTable('role', {
  id: key('id').primaryKey().generatedByDefaultAsIdentity(),
  name: text('name').notNull(),
  description: text('description').notNull().default(''),
  isSuper: boolean('is_super').notNull().default(false),
})

export const menus = pgTable('menu', {
  id: key('id').primaryKey(),
  parentId: key('parent_id'),
  url: text('url').notNull(),
  type: integer('type').notNull(),
  sort: integer('sort').notNull(),
  permission: text('permission'),
  enabled: boolean('enabled').notNull(),
  consoles: text('consoles').array().notNull(),
  meta: jsonb('meta').$type<MenuItem['meta']>().notNull(),
})

export const permissions = pgTable('permission', {
  value: text('value').primaryKey(),
  menuId: key('menu_id').notNull(),
  name: jsonb('name').$type<{ zh: string; en: string }>().notNull(),
})

export const rolePermissions = pgTable(
  'role_permission',
  { roleId: key('role_id').notNull(), permission: text('permission').notNull() },
  (table) => [primaryKey({ columns: [table.roleId, table.permission] })],
)

export const adminRoles = pgTable(
  'admin_role',
  { adminId: key('admin_id').notNull(), roleId: key('role_id').notNull() },
  (table) => [primaryKey({ columns: [table.adminId, table.roleId] })],
)

export const sessions = pgTable('session', {
  id: identity(),
  tokenHash: bytea('token_hash').notNull(),
  /** One of the two owners is set. */
  adminId: key('admin_id'),
  customerId: key('customer_id'),
  console: text('console').notNull(),
  /** The administrator's own login that this one, held in another's place, ends with. */
  parentId: key('parent_id'),
  actingBy: key('acting_by'),
  actingRole: key('acting_role'),
  actingReason: text('acting_reason').notNull().default(''),
  ip: text('ip').notNull(),
  userAgent: text('user_agent').notNull(),
  createdAt: time('created_at').notNull(),
  usedAt: time('used_at').notNull(),
  strong: boolean('strong').notNull().default(false),
})

export const customers = pgTable('customer', {
  id: identity(),
  username: text('username').notNull(),
  passwordHash: text('password_hash').notNull(),
  enabled: boolean('enabled').notNull().default(true),
  unvalidModel: text('unvalid_model').array().notNull().default([]),
  whiteIpStatus: integer('white_ip_status').notNull().default(0),
  whiteIps: text('white_ips').array().notNull().default([]),
  mobile: text('mobile'),
  email: text('email'),
  wechat: text('wechat'),
  /** Cents. */
  balance: bigint('balance', { mode: 'bigint' }).notNull().default(sql`0`),
  verifyStatus: text('verify_status', { enum: ['none', 'pending', 'verified', 'rejected'] })
    .notNull()
    .default('none'),
  realName: text('real_name').notNull().default(''),
  idCard: text('id_card').notNull().default(''),
  verifiedAt: time('verified_at'),
  verifyReason: text('verify_reason').notNull().default(''),
  verifyAskedAt: time('verify_asked_at'),
  note: text('note').notNull().default(''),
  lang: text('lang', { enum: LANGUAGES }),
  createdAt: time('created_at').notNull(),
  passwordAt: time('password_at').notNull(),
  lastLoginAt: time('last_login_at'),
  lastLoginIp: text('last_login_ip').notNull().default(''),
})

export const customerPermissions = pgTable('customer_permission', {
  value: text('value').primaryKey(),
  menuId: key('menu_id').notNull(),
})

export const captchas = pgTable('captcha', {
  uuid: text('uuid').primaryKey(),
  answerHash: bytea('answer_hash').notNull(),
  expiresAt: time('expires_at').notNull(),
})

export const loginFailures = pgTable('login_failure', {
  id: identity(),
  kind: text('kind', { enum: ['account', 'address'] }).notNull(),
  key: text('key').notNull(),
  failedAt: time('failed_at').notNull(),
})
