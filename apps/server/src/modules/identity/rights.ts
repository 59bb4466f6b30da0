/** How far a caller's rights reach: nobody gives, takes or touches what holds more than he does. */
import { inArray, sql } from 'drizzle-orm'
import type { Caller } from '../../platform/caller.ts'
import type { Tx } from '../../platform/db.ts'
import { AppError, fieldError } from '../../platform/errors.ts'
import { rolePermissions, roles } from './schema.ts'

const LOCK = 7_413_005

/** What an account or a role holds, without what unvalidModel takes away: that can be given back. */
export interface Holding {
  superAdmin: boolean
  permissions: readonly string[]
}

/** Whether the caller holds everything that this does. */
export const reaches = (caller: Caller, { superAdmin, permissions }: Holding): boolean =>
  caller.superAdmin || (!superAdmin && permissions.every((p) => caller.permissions.has(p)))

/** Throws `beyond_rights`. */
export const mustReach = (caller: Caller, holding: Holding): void => {
  if (!reaches(caller, holding)) throw new AppError('beyond_rights')
}

/** Changes of accounts, roles and menus go one after another, so that no two of them together break a rule that each alone keeps. */
export const oneAtATime = async (tx: Tx): Promise<void> =>
  void (await tx.execute(sql`SELECT pg_advisory_xact_lock(${LOCK})`))

/** What these roles hold together; a field error for one that does not exist. */
export const holdingOf = async (tx: Tx, roleIds: readonly number[]): Promise<Holding> => {
  if (roleIds.length === 0) return { superAdmin: false, permissions: [] }
  const found = await tx
    .select()
    .from(roles)
    .where(inArray(roles.id, [...roleIds]))
  const known = new Set(found.map((role) => role.id))
  const missing = roleIds.findIndex((id) => !known.has(id))
  if (missing >= 0) throw fieldError(`roleIds.${missing}`, 'invalid')
  const held = await tx
    .select()
    .from(rolePermissions)
    .where(inArray(rolePermissions.roleId, [...roleIds]))
  return { superAdmin: found.some((role) => role.isSuper), permissions: held.map((h) => h.permission) }
}

/** Throws `last_super` when no enabled super administrator is left. */
export const keepSuper = async (tx: Tx): Promise<void> => {
  const { rowCount } = await tx.execute(sql`
    SELECT FROM admin a JOIN admin_role ar ON ar.admin_id = a.id JOIN role r ON r.id = ar.role_id
    WHERE a.enabled AND r.is_super LIMIT 1`)
  if (rowCount === 0) throw new AppError('last_super')
}
