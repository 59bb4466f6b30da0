/** Writes of administrators' accounts. Who may: see rights.ts; besides, nobody ends or limits the own account, and a super administrator always stays. */
import type { InputOf } from '@tidegate/contract/operations/index'
import { eq, inArray, sql } from 'drizzle-orm'
import type { Caller, Handlers } from '../../platform/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/db.ts'
import { AppError, fieldError } from '../../platform/errors.ts'
import { row, sqlState } from '../../platform/query.ts'
import { audit } from '../audit/index.ts'
import { type AdminState, adminOptions, adminStates, listAdmins } from './admin-list.ts'
import { eventOf } from './enter.ts'
import type { Hasher } from './hasher.ts'
import type { SecurityEvent } from './places.ts'
import type { CheckPassword } from './policy.ts'
import { holdingOf, keepSuper, mustReach, oneAtATime } from './rights.ts'
import { adminRoles, admins } from './schema.ts'
import type { Sessions } from './sessions.ts'
import { forgetAccount } from './throttle.ts'

interface Deps {
  db: Db
  clock: Clock
  hasher: Hasher
  sessions: Sessions
  checkPassword: CheckPassword
  /** Tells an account's owner what happened to it. Never throws. */
  notify(event: SecurityEvent): void
}

type Fields = InputOf<'admin.update'>

/** For the audit log. */
const noted = ({ username, enabled, roles, unvalidModel }: AdminState) => ({
  username,
  enabled,
  roles: roles.map((r) => r.name),
  unvalidModel,
})

/** The account, if it exists and the caller's rights reach as far as its own. */
const target = async (tx: Tx, caller: Caller, id: number): Promise<AdminState> => {
  const [admin] = await adminStates(tx, [id])
  if (!admin) throw new AppError('not_found')
  mustReach(caller, admin)
  return admin
}

const checkScreens = async (tx: Tx, before: readonly string[], after: readonly string[]) => {
  for (const [i, url] of after.entries())
    if (!before.includes(url) && !(await row(tx, sql`SELECT 1 AS n FROM menu WHERE url = ${url} LIMIT 1`)))
      throw fieldError(`unvalidModel.${i}`, 'invalid')
}

const setRoles = async (tx: Tx, adminId: number, roleIds: readonly number[]) => {
  await tx.delete(adminRoles).where(eq(adminRoles.adminId, adminId))
  if (roleIds.length > 0)
    await tx.insert(adminRoles).values([...new Set(roleIds)].map((roleId) => ({ adminId, roleId })))
}

/** Turns a name that another account has into an error of its field. */
const uniquely = async <T>(username: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (sqlState(error) === '23505') throw fieldError('username', 'taken', { value: username })
    throw error
  }
}

/** What an account may not do to itself. */
const protectSelf = (caller: Caller, before: AdminState, { enabled, unvalidModel }: Fields) => {
  if (before.id !== caller.id) return
  if (!enabled || unvalidModel.some((url) => !before.unvalidModel.includes(url))) throw new AppError('self_protected')
}

const update = async (deps: Deps, tx: Tx, input: Fields, caller: Caller) => {
  await oneAtATime(tx)
  const before = await target(tx, caller, input.id)
  protectSelf(caller, before, input)
  const holding = await holdingOf(tx, input.roleIds)
  mustReach(caller, holding)
  if (!input.enabled && holding.superAdmin) throw new AppError('super_protected')
  await checkScreens(tx, before.unvalidModel, input.unvalidModel)
  const { username, enabled, unvalidModel } = input
  await tx.update(admins).set({ username, enabled, unvalidModel }).where(eq(admins.id, input.id))
  await setRoles(tx, input.id, input.roleIds)
  if (before.superAdmin) await keepSuper(tx)
  if (!enabled) await deps.sessions.revokeAll(tx, { kind: 'admin', id: input.id })
  const [after] = await adminStates(tx, [input.id])
  await audit(tx, caller, {
    action: 'admin.update',
    target: `admin ${input.id}`,
    before: noted(before),
    after: noted(after ?? before),
  })
}

const create = async (deps: Deps, tx: Tx, input: InputOf<'admin.save'>, caller: Caller, passwordHash: string) => {
  await oneAtATime(tx)
  const holding = await holdingOf(tx, input.roleIds)
  mustReach(caller, holding)
  if (!input.enabled && holding.superAdmin) throw new AppError('super_protected')
  await checkScreens(tx, [], input.unvalidModel)
  const now = new Date(deps.clock.now())
  const { username, enabled, unvalidModel } = input
  const values = { username, enabled, unvalidModel, passwordHash, createdAt: now, passwordAt: now }
  const [made] = await tx.insert(admins).values(values).returning({ id: admins.id })
  if (!made) throw new AppError('internal')
  await setRoles(tx, made.id, input.roleIds)
  const [after] = await adminStates(tx, [made.id])
  await audit(tx, caller, { action: 'admin.save', target: `admin ${made.id}`, after: after && noted(after) })
  return made.id
}

const remove = async (tx: Tx, ids: readonly number[], caller: Caller) => {
  await oneAtATime(tx)
  if (ids.includes(caller.id)) throw new AppError('self_protected')
  for (const id of new Set(ids)) {
    const before = await target(tx, caller, id)
    if (before.superAdmin) throw new AppError('super_protected')
    await audit(tx, caller, { action: 'admin.delete', target: `admin ${id}`, before: noted(before) })
  }
  // Logins and roles go with the account.
  await tx.delete(admins).where(inArray(admins.id, [...ids]))
}

type Ids = 'admin.list' | 'admin.options' | 'admin.save' | 'admin.update' | 'admin.delete' | 'admin.resetPassword'

export const createAdminScreens = (deps: Deps): Handlers<Ids> => ({
  'admin.list': (input, caller) => listAdmins(deps.db, input, caller),
  'admin.options': (_input, caller) => adminOptions(deps.db, caller),
  'admin.save': async (input, caller) => {
    // Not within the transaction: it takes long, and others wait for the lock.
    await deps.checkPassword('password', input.password)
    const passwordHash = await deps.hasher.hash(input.password)
    const id = await uniquely(input.username, () =>
      deps.db.transaction((tx) => create(deps, tx, input, caller, passwordHash)),
    )
    return { id }
  },
  'admin.update': async (input, caller) => {
    await uniquely(input.username, () => deps.db.transaction((tx) => update(deps, tx, input, caller)))
    return { id: input.id }
  },
  'admin.delete': async ({ ids }, caller) => {
    await deps.db.transaction((tx) => remove(tx, ids, caller))
    return {}
  },
  'admin.resetPassword': async ({ id, newPassword }, caller) => {
    // One's own password takes the present one: a login left open must not be enough to take the account over.
    if (id === caller.id) throw new AppError('self_protected')
    await deps.checkPassword('newPassword', newPassword)
    const passwordHash = await deps.hasher.hash(newPassword)
    const username = await deps.db.transaction(async (tx) => {
      await oneAtATime(tx)
      const admin = await target(tx, caller, id)
      const change = { passwordHash, passwordAt: new Date(deps.clock.now()) }
      await tx.update(admins).set(change).where(eq(admins.id, id))
      await forgetAccount(tx, { kind: 'admin', names: [admin.username] })
      await deps.sessions.revokeAll(tx, { kind: 'admin', id })
      await audit(tx, caller, { action: 'admin.resetPassword', target: `admin ${id}` })
      return admin.username
    })
    deps.notify(eventOf('password_changed', { kind: 'admin', id, username }, caller, deps.clock.now()))
    return {}
  },
})
