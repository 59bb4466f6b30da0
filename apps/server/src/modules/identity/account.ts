/** The caller's own account: who am I, change my password, log out. */
import { eq } from 'drizzle-orm'
import type { Caller, Handlers } from '../../platform/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db.ts'
import { AppError, fieldError } from '../../platform/errors.ts'
import { iso } from '../../platform/query.ts'
import { audit } from '../audit/index.ts'
import { accountOf, storePassword, targetOf } from './accounts.ts'
import { eventOf } from './enter.ts'
import type { Hasher } from './hasher.ts'
import { maskedEmail, maskedMobile } from './mask.ts'
import type { SecurityEvent } from './places.ts'
import type { CheckPassword } from './policy.ts'
import { admins, customers } from './schema.ts'
import type { Owner, Sessions } from './sessions.ts'
import { subjectOf, type Throttle } from './throttle.ts'
import { linkOf } from './wechat-links.ts'

export interface ProofDeps {
  db: Db
  clock: Clock
  hasher: Hasher
  sessions: Sessions
  throttle: Throttle
}

interface Deps extends ProofDeps {
  checkPassword: CheckPassword
  notify(event: SecurityEvent): void
}

/** Whose login calls. Throws `unauthenticated` without one. */
export const ownerOf = ({ kind, id }: Caller): Owner => {
  if (kind !== 'admin' && kind !== 'user') throw new AppError('unauthenticated')
  return { kind, id }
}

/** The caller's account, and proof that the caller knows its password: wrong tries count like failed logins. Throws the field error of `password`. */
export const provePassword = async (deps: ProofDeps, caller: Caller, password: string) => {
  const account = await accountOf(deps.db, ownerOf(caller))
  if (!account) throw new AppError('unauthenticated')
  const attempt = await deps.throttle.begin(subjectOf(account.kind, account.username, caller.ip))
  if (!(await deps.hasher.verify(account.passwordHash, password))) throw fieldError('password', 'password_wrong')
  return { account, attempt }
}

/** Ends every session of the account, this one too. */
const changePassword = async (
  deps: Deps,
  caller: Caller,
  action: 'admin.password' | 'account.password',
  input: { password: string; newPassword: string },
) => {
  const { account, attempt } = await provePassword(deps, caller, input.password)
  await deps.checkPassword('newPassword', input.newPassword)
  const passwordHash = await deps.hasher.hash(input.newPassword)
  await deps.db.transaction(async (tx) => {
    await attempt.succeeded(tx, account)
    await storePassword(tx, account, passwordHash, deps.clock.now())
    await deps.sessions.revokeAll(tx, account)
    await audit(tx, caller, { action, target: targetOf(account) })
  })
  deps.notify(eventOf('password_changed', account, caller, deps.clock.now()))
  return {}
}

/** A screen left alone is no way around the throttle. */
const unlock = async (deps: Deps, caller: Caller, password: string) => {
  try {
    const { account, attempt } = await provePassword(deps, caller, password)
    await deps.db.transaction(async (tx) => {
      await attempt.succeeded(tx, account)
      await audit(tx, caller, { action: 'auth.unlock', target: targetOf(account) })
    })
  } catch (error) {
    if (error instanceof AppError && error.key === 'invalid_input')
      await audit(deps.db, caller, { action: 'auth.unlock.failed', target: targetOf(ownerOf(caller)) })
    throw error
  }
  return {}
}

const logout = async (deps: Deps, caller: Caller, action: 'auth.logout' | 'auth.userLogout') => {
  await deps.db.transaction(async (tx) => {
    await deps.sessions.revoke(tx, caller.sessionId)
    await audit(tx, caller, { action, target: targetOf(ownerOf(caller)) })
  })
  return {}
}

const adminInfo = async (db: Db, caller: Caller) => {
  const [admin] = await db.select().from(admins).where(eq(admins.id, caller.id))
  if (!admin) throw new AppError('unauthenticated')
  return {
    user: {
      userId: admin.id,
      username: admin.username,
      superAdmin: caller.superAdmin,
      whiteIpStatus: admin.whiteIpStatus,
      unvalidModel: admin.unvalidModel,
      permissions: [...caller.permissions].sort(),
    },
  }
}

const customerInfo = async (db: Db, caller: Caller) => {
  const [customer] = await db.select().from(customers).where(eq(customers.id, caller.id))
  if (!customer) throw new AppError('unauthenticated')
  const link = await linkOf(db, caller.id)
  return {
    user: {
      userId: customer.id,
      username: customer.username,
      whiteIpStatus: customer.whiteIpStatus,
      unvalidModel: customer.unvalidModel,
      permissions: [...caller.permissions].sort(),
      mobile: maskedMobile(customer.mobile ?? ''),
      email: maskedEmail(customer.email ?? ''),
      wechat: link !== undefined,
      verifyStatus: customer.verifyStatus,
      balance: customer.balance.toString(),
      lang: customer.lang,
      createTime: iso(customer.createdAt),
    },
  }
}

type Ids =
  | 'auth.logout'
  | 'auth.unlock'
  | 'auth.userLogout'
  | 'admin.info'
  | 'admin.password'
  | 'account.info'
  | 'account.password'

export const createAccount = (deps: Deps): Handlers<Ids> => ({
  'auth.logout': (_input, caller) => logout(deps, caller, 'auth.logout'),
  'auth.unlock': ({ password }, caller) => unlock(deps, caller, password),
  'auth.userLogout': (_input, caller) => logout(deps, caller, 'auth.userLogout'),
  'admin.info': (_input, caller) => adminInfo(deps.db, caller),
  'account.info': (_input, caller) => customerInfo(deps.db, caller),
  'admin.password': (input, caller) => changePassword(deps, caller, 'admin.password', input),
  'account.password': (input, caller) => changePassword(deps, caller, 'account.password', input),
})
