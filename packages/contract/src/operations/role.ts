/** Roles: named sets of permissions. */
import { z } from 'zod'
import { id, idOut, ids, operation, pageIn, pageOut } from '../operation.ts'

export const roleRow = z.object({
  id: z.int(),
  name: z.string(),
  description: z.string(),
  /** Has every permission, those of later releases too. */
  superRole: z.boolean(),
  permissions: z.array(z.string()),
  /** Accounts that have it. */
  admins: z.int(),
  /** Whether the caller's own rights reach as far as the role's. */
  manageable: z.boolean(),
})
export type RoleRow = z.infer<typeof roleRow>

export const roleIn = z.object({
  name: z.string().trim().min(1, { error: 'required' }).max(64),
  description: z.string().max(255).default(''),
  permissions: z.array(z.string().max(64)).max(500).default([]),
})

export const roleOperations = [
  operation({
    id: 'role.list',
    method: 'POST',
    path: 'sys/role/list',
    audience: 'admin',
    permission: 'account:role:list',
    effect: 'read',
    input: pageIn,
    output: pageOut(roleRow),
  }),
  operation({
    id: 'role.save',
    method: 'POST',
    path: 'sys/role/save',
    audience: 'admin',
    permission: 'account:role:save',
    effect: 'write',
    input: roleIn,
    output: idOut,
  }),
  operation({
    id: 'role.update',
    method: 'POST',
    path: 'sys/role/update',
    audience: 'admin',
    permission: 'account:role:save',
    effect: 'write',
    input: z.object({ id, ...roleIn.shape }),
    output: idOut,
  }),
  operation({
    id: 'role.delete',
    method: 'POST',
    path: 'sys/role/delete',
    audience: 'admin',
    permission: 'account:role:delete',
    effect: 'write',
    input: z.object({ ids }),
    output: z.object({}),
  }),
]
