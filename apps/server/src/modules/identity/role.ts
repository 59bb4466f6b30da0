/** Roles. Nobody makes, changes or deletes one that holds what he does not hold himself. */
import { COUNT_CAP } from '@tidegate/contract/limits'
import type { InputOf, OutputOf } from '@tidegate/contract/operations/index'
import { eq, inArray, sql } from 'drizzle-orm'
import type { Caller, Handlers } from '../../platform/caller.ts'
import type { Db, Queryable, Tx } from '../../platform/db.ts'
import { AppError, fieldError } from '../../platform/errors.ts'
import { contains, page } from '../../platform/page.ts'
import { row, rows, sqlState } from '../../platform/query.ts'
import { audit } from '../audit/index.ts'
import { mustReach, oneAtATime, reaches } from './rights.ts'
import { permissions as permissionTable, rolePermissions, roles } from './schema.ts'

type Row = Omit<OutputOf<'role.list'>['data']['list'][number], 'manageable'>
type Fields = InputOf<'role.save'>

const SELECT = sql`
  SELECT r.id, r.name, r.description, r.is_super AS "superRole",
    ARRAY(SELECT rp.permission FROM role_permission rp WHERE rp.role_id = r.id ORDER BY rp.permission) AS permissions,
    (SELECT count(*) FROM admin_role ar WHERE ar.role_id = r.id) AS admins
  FROM role r`

const holding = ({ superRole, permissions }: Row) => ({ superAdmin: superRole, permissions })

export const listRoles = async (on: Queryable, input: InputOf<'role.list'>, caller: Caller) => {
  const pattern = contains(input.key?.trim() ?? '')
  const where = sql`(r.name ILIKE ${pattern} OR r.description ILIKE ${pattern})`
  const count = await row<{ n: number }>(
    on,
    sql`SELECT count(*) AS n FROM (SELECT FROM role r WHERE ${where} LIMIT ${COUNT_CAP}) x`,
  )
  const list = await rows<Row>(
    on,
    sql`${SELECT} WHERE ${where} ORDER BY r.is_super DESC, lower(r.name), r.id
        LIMIT ${input.limit} OFFSET ${(input.page - 1) * input.limit}`,
  )
  return page(
    input,
    count?.n ?? 0,
    list.map((role) => ({ ...role, manageable: !role.superRole && reaches(caller, holding(role)) })),
  )
}

/** A role that the caller may change. */
const target = async (tx: Tx, caller: Caller, id: number): Promise<Row> => {
  const role = await row<Row>(tx, sql`${SELECT} WHERE r.id = ${id}`)
  if (!role) throw new AppError('not_found')
  mustReach(caller, holding(role))
  if (role.superRole) throw new AppError('fixed_entry')
  return role
}

/** Each permission once; throws for one that does not exist or that the caller does not hold. */
const checked = async (tx: Tx, caller: Caller, wanted: readonly string[]): Promise<string[]> => {
  const known = new Set((await tx.select({ value: permissionTable.value }).from(permissionTable)).map((p) => p.value))
  const unknown = wanted.findIndex((p) => !known.has(p))
  if (unknown >= 0) throw fieldError(`permissions.${unknown}`, 'invalid')
  mustReach(caller, { superAdmin: false, permissions: wanted })
  return [...new Set(wanted)].sort()
}

const setPermissions = async (tx: Tx, roleId: number, permissions: readonly string[]) => {
  await tx.delete(rolePermissions).where(eq(rolePermissions.roleId, roleId))
  if (permissions.length > 0)
    await tx.insert(rolePermissions).values(permissions.map((permission) => ({ roleId, permission })))
}

const uniquely = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (sqlState(error) === '23505') throw fieldError('name', 'taken', { value: name })
    throw error
  }
}

const create = async (tx: Tx, input: Fields, caller: Caller) => {
  await oneAtATime(tx)
  const permissions = await checked(tx, caller, input.permissions)
  const { name, description } = input
  const [made] = await tx.insert(roles).values({ name, description }).returning({ id: roles.id })
  if (!made) throw new AppError('internal')
  await setPermissions(tx, made.id, permissions)
  await audit(tx, caller, { action: 'role.save', target: `role ${made.id}`, after: { name, description, permissions } })
  return made.id
}

const update = async (tx: Tx, input: InputOf<'role.update'>, caller: Caller) => {
  await oneAtATime(tx)
  const { name, description, permissions: held } = await target(tx, caller, input.id)
  const permissions = await checked(tx, caller, input.permissions)
  const after = { name: input.name, description: input.description }
  await tx.update(roles).set(after).where(eq(roles.id, input.id))
  await setPermissions(tx, input.id, permissions)
  const before = { name, description, permissions: held }
  await audit(tx, caller, {
    action: 'role.update',
    target: `role ${input.id}`,
    before,
    after: { ...after, permissions },
  })
}

const remove = async (tx: Tx, ids: readonly number[], caller: Caller) => {
  await oneAtATime(tx)
  for (const id of new Set(ids)) {
    const { name, description, permissions, admins } = await target(tx, caller, id)
    if (admins > 0) throw new AppError('in_use')
    const before = { name, description, permissions }
    await audit(tx, caller, { action: 'role.delete', target: `role ${id}`, before })
  }
  await tx.delete(roles).where(inArray(roles.id, [...ids]))
}

export const createRoles = (db: Db): Handlers<'role.list' | 'role.save' | 'role.update' | 'role.delete'> => ({
  'role.list': (input, caller) => listRoles(db, input, caller),
  'role.save': async (input, caller) => ({
    id: await uniquely(input.name, () => db.transaction((tx) => create(tx, input, caller))),
  }),
  'role.update': async (input, caller) => {
    await uniquely(input.name, () => db.transaction((tx) => update(tx, input, caller)))
    return { id: input.id }
  },
  'role.delete': async ({ ids }, caller) => {
    await db.transaction((tx) => remove(tx, ids, caller))
    return {}
  },
})
