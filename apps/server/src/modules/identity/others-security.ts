/** An administrator's hand in the logins of others: see them, end them, take away second factors of who lost them, allowed addresses. */
import type { InputOf } from '@tidegate/contract/operations/index'
import type { Caller, Handlers } from '../../platform/caller.ts'
import { AppError } from '../../platform/errors.ts'
import { iso } from '../../platform/query.ts'
import { audit } from '../audit/index.ts'
import { accountOf, targetOf } from './accounts.ts'
import { addressIn } from './addresses.ts'
import { adminStates } from './admin-list.ts'
import { mustReach } from './rights.ts'
import { endLogins, type SecurityDeps, securityState, storeWhite } from './security.ts'
import type { Owner } from './sessions.ts'
import { type LinkDeps, linkOf, unlinkTold } from './wechat-links.ts'

type OthersDeps = SecurityDeps & LinkDeps

/** The account, if it exists and, for an administrator's, the caller's rights reach as far. */
const reachable = async (deps: SecurityDeps, caller: Caller, owner: Owner): Promise<Owner> => {
  if (owner.kind === 'admin') {
    const [admin] = await adminStates(deps.db, [owner.id])
    if (!admin) throw new AppError('not_found')
    mustReach(caller, admin)
  } else if (!(await accountOf(deps.db, owner))) throw new AppError('not_found')
  return owner
}

const isOwn = (caller: Caller, owner: Owner) => caller.kind === owner.kind && caller.id === owner.id

const info = async (deps: SecurityDeps, caller: Caller, owner: Owner) => {
  await reachable(deps, caller, owner)
  return { data: await securityState(deps, owner, isOwn(caller, owner) ? caller.sessionId : 0) }
}

const revoke = async (deps: SecurityDeps, action: string, caller: Caller, owner: Owner, sessionId?: number) => {
  await reachable(deps, caller, owner)
  const count = await deps.db.transaction(async (tx) => {
    const ended = await endLogins(tx, owner, sessionId, isOwn(caller, owner) ? caller.sessionId : 0)
    await audit(tx, caller, { action, target: targetOf(owner), before: { logins: ended } })
    return ended
  })
  return { count }
}

const reset = async (deps: SecurityDeps, action: string, caller: Caller, owner: Owner) => {
  // One's own takes the password: a login left open must not be enough.
  if (isOwn(caller, owner)) throw new AppError('self_protected')
  await reachable(deps, caller, owner)
  await deps.db.transaction(async (tx) => {
    const factors = await deps.factors.removeAll(tx, owner)
    await deps.sessions.revokeAll(tx, owner)
    await audit(tx, caller, { action, target: targetOf(owner), before: { factors } })
  })
  return {}
}

const white = async (
  deps: SecurityDeps,
  action: string,
  caller: Caller,
  owner: Owner,
  { whiteIpStatus, whiteIps }: InputOf<'security.whiteIp'>,
) => {
  if (isOwn(caller, owner) && whiteIpStatus === 1 && !addressIn(caller.ip, whiteIps))
    throw new AppError('self_protected')
  await reachable(deps, caller, owner)
  await deps.db.transaction(async (tx) => {
    const before = await storeWhite(tx, owner, { whiteIpStatus, whiteIps })
    await audit(tx, caller, { action, target: targetOf(owner), before, after: { whiteIpStatus, whiteIps } })
  })
  return {}
}

type Ids =
  | 'userSecurity.wechatUnlink'
  | `${'adminSecurity' | 'userSecurity'}.${'info' | 'revoke' | 'factorReset' | 'whiteIp'}`

/** The same with what logs a customer in beside the password. */
const customerInfo = async (deps: OthersDeps, caller: Caller, id: number) => {
  const { data } = await info(deps, caller, user(id))
  const link = await linkOf(deps.db, id)
  return { data: { ...data, wechat: link ? { nickname: link.nickname, time: iso(link.createdAt) } : null } }
}

const wechatUnlink = async (deps: OthersDeps, caller: Caller, id: number) => {
  await reachable(deps, caller, user(id))
  const what = { customerId: id, action: 'userSecurity.wechatUnlink', target: targetOf(user(id)) }
  await deps.db.transaction((tx) => unlinkTold(deps, tx, caller, what))
  return {}
}

const admin = (id: number): Owner => ({ kind: 'admin', id })
const user = (id: number): Owner => ({ kind: 'user', id })

export const createOthersSecurity = (deps: OthersDeps): Handlers<Ids> => ({
  'adminSecurity.info': ({ id }, caller) => info(deps, caller, admin(id)),
  'adminSecurity.revoke': ({ id, sessionId }, caller) =>
    revoke(deps, 'adminSecurity.revoke', caller, admin(id), sessionId),
  'adminSecurity.factorReset': ({ id }, caller) => reset(deps, 'adminSecurity.factorReset', caller, admin(id)),
  'adminSecurity.whiteIp': ({ id, ...list }, caller) => white(deps, 'adminSecurity.whiteIp', caller, admin(id), list),
  'userSecurity.info': ({ id }, caller) => customerInfo(deps, caller, id),
  'userSecurity.wechatUnlink': ({ id }, caller) => wechatUnlink(deps, caller, id),
  'userSecurity.revoke': ({ id, sessionId }, caller) =>
    revoke(deps, 'userSecurity.revoke', caller, user(id), sessionId),
  'userSecurity.factorReset': ({ id }, caller) => reset(deps, 'userSecurity.factorReset', caller, user(id)),
  'userSecurity.whiteIp': ({ id, ...list }, caller) => white(deps, 'userSecurity.whiteIp', caller, user(id), list),
})
