/** Accounts of administrators; one's own account is in auth.ts. */
import { z } from 'zod'
import { id, idOut, ids, none, operation, pageIn, pageOut } from '../operation.ts'
import { accountName, password } from '../validators.ts'
import { screenRef } from './common.ts'

export const roleRef = z.object({ id: z.int(), name: z.string() })
const path = z.string().max(255)

export const adminRow = z.object({
  id: z.int(),
  username: z.string(),
  enabled: z.boolean(),
  superAdmin: z.boolean(),
  roles: z.array(roleRef),
  /** Paths of screens that are taken away from this account. */
  unvalidModel: z.array(z.string()),
  /** ISO times, empty = never. */
  lastLogin: z.string(),
  lastLoginIp: z.string(),
  createTime: z.string(),
  passwordTime: z.string(),
  /** Whether it is the caller's own account. */
  own: z.boolean(),
  /** Whether the caller's own rights reach as far as this account's. */
  manageable: z.boolean(),
})
export type AdminRow = z.infer<typeof adminRow>

const fields = z.object({
  username: accountName,
  enabled: z.boolean().default(true),
  roleIds: z.array(id).max(50).default([]),
  unvalidModel: z.array(path).max(200).default([]),
})
export const adminIn = fields.extend({ password })

export const adminOperations = [
  operation({
    id: 'admin.list',
    method: 'POST',
    path: 'sys/user/list',
    audience: 'admin',
    permission: 'account:users:admins',
    effect: 'read',
    input: pageIn.extend({ enabled: z.boolean().optional(), roleId: id.optional() }),
    output: pageOut(adminRow),
  }),
  operation({
    /** What an account can be given: roles, and the screens that can be taken away. */
    id: 'admin.options',
    method: 'GET',
    path: 'sys/user/options',
    audience: 'admin',
    permission: 'account:users:admins',
    effect: 'read',
    input: none,
    output: z.object({
      data: z.object({
        roles: z.array(
          roleRef.extend({
            description: z.string(),
            superRole: z.boolean(),
            /** Whether the caller may give it. */
            grantable: z.boolean(),
          }),
        ),
        screens: z.array(screenRef),
      }),
    }),
  }),
  operation({
    id: 'admin.save',
    method: 'POST',
    path: 'sys/user/save',
    audience: 'admin',
    permission: 'account:users:admins:save',
    effect: 'write',
    input: adminIn,
    output: idOut,
  }),
  operation({
    id: 'admin.update',
    method: 'POST',
    path: 'sys/user/update',
    audience: 'admin',
    permission: 'account:users:admins:save',
    effect: 'write',
    input: z.object({ id, ...fields.shape }),
    output: idOut,
  }),
  operation({
    id: 'admin.delete',
    method: 'POST',
    path: 'sys/user/delete',
    audience: 'admin',
    permission: 'account:users:admins:delete',
    effect: 'write',
    input: z.object({ ids }),
    output: none,
  }),
  operation({
    /** Gives another account a new password; ends its logins and lifts its throttling. One's own: `sys/user/password`. */
    id: 'admin.resetPassword',
    method: 'POST',
    path: 'sys/user/password/reset',
    audience: 'admin',
    permission: 'account:users:admins:password',
    effect: 'write',
    input: z.object({ id, newPassword: password }),
    output: none,
  }),
]
