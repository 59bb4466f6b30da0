/** Which WeChat account logs in as which customer. */
import { sql } from 'drizzle-orm'
import type { Caller } from '../../platform/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Queryable } from '../../platform/db.ts'
import { AppError } from '../../platform/errors.ts'
import { row } from '../../platform/query.ts'
import { audit } from '../audit/index.ts'
import type { Tickets } from './tickets.ts'
import type { WechatUser } from './wechat-api.ts'

/** What a customer is told of. `ip`: where the one who linked it was; '' for what the staff did. */
export interface WechatChange {
  customerId: number
  linked: boolean
  nickname: string
  /** Nickname of the one that was linked until then; undefined: none was. */
  before?: string | undefined
  ip: string
}

export interface LinkDeps {
  clock: Clock
  /** Tells the customer, in the writer's transaction. */
  tellWechat(tx: Queryable, change: WechatChange): Promise<void>
}

/** A WeChat account as one application sees it. */
export interface WechatPerson extends WechatUser {
  appid: string
}

export interface WechatLink {
  nickname: string
  createdAt: string
}

export const linkOf = (on: Queryable, customerId: number): Promise<WechatLink | undefined> =>
  row<WechatLink>(
    on,
    sql`SELECT nickname, created_at AS "createdAt" FROM wechat_link WHERE customer_id = ${customerId}`,
  )

/**
 * The customer who is linked. The union id goes before the open id, which is another one after the operator has changed the application; who
 * was linked before there was a union is known by it from now on.
 */
export const linkedCustomer = async (on: Queryable, person: WechatPerson): Promise<number | undefined> => {
  const { appid, openid, unionid } = person
  const found = await row<{ id: number; unionid: string | null }>(
    on,
    sql`SELECT customer_id AS id, unionid FROM wechat_link WHERE unionid = ${unionid} OR (appid = ${appid} AND openid = ${openid})
      ORDER BY (unionid = ${unionid}) IS TRUE DESC LIMIT 1`,
  )
  if (!found) return undefined
  if (unionid !== null && found.unionid === null)
    await on.execute(sql`UPDATE wechat_link SET unionid = ${unionid} WHERE customer_id = ${found.id}`)
  return Number(found.id)
}

interface Target {
  customerId: number
  /** For the audit log. */
  name: string
  /** See WechatChange. */
  before?: string | undefined
}

/** Throws `wechat_taken` when the WeChat account is another customer's, `wechat_other` when the customer has another one. */
export const linkPerson = async (
  { clock, tellWechat }: LinkDeps,
  tx: Queryable,
  caller: Caller,
  { customerId, name, before }: Target,
  person: WechatPerson,
): Promise<void> => {
  const owner = await linkedCustomer(tx, person)
  if (owner === customerId) return
  if (owner !== undefined) throw new AppError('wechat_taken')
  const { appid, openid, unionid, nickname } = person
  const at = new Date(clock.now()).toISOString()
  const made = await tx.execute(sql`INSERT INTO wechat_link (customer_id, appid, openid, unionid, nickname, created_at)
    VALUES (${customerId}, ${appid}, ${openid}, ${unionid}, ${nickname}, ${at}) ON CONFLICT DO NOTHING`)
  if (made.rowCount !== 1)
    throw new AppError((await linkOf(tx, customerId)) === undefined ? 'wechat_taken' : 'wechat_other')
  const who: Caller = { ...caller, kind: 'user', id: customerId, name }
  const noted = { ...(before !== undefined && { before: { nickname: before } }), after: { nickname } }
  await audit(tx, who, { action: 'wechat.linkFinish', target: `customer ${customerId}`, ...noted })
  await tellWechat(tx, { customerId, linked: true, nickname, before, ip: caller.ip })
}

/** The same by the ticket of `wechat_unbound`, which is used up; throws `ticket_expired`. */
export const linkByTicket = async (
  deps: LinkDeps & { tickets: Tickets },
  tx: Queryable,
  caller: Caller,
  target: Target,
  ticket: string,
): Promise<void> => {
  const found = await deps.tickets.take(tx, 'wechat-bind', ticket)
  if (!found) throw new AppError('ticket_expired')
  const { appid, openid, unionid, nickname } = found.data as unknown as WechatPerson
  await linkPerson(deps, tx, caller, target, { appid, openid, unionid, nickname })
}

/** Answers what was linked. */
export const unlink = (tx: Queryable, customerId: number): Promise<{ nickname: string } | undefined> =>
  row<{ nickname: string }>(tx, sql`DELETE FROM wechat_link WHERE customer_id = ${customerId} RETURNING nickname`)

interface Unlinking {
  customerId: number
  /** For the audit log. */
  action: string
  target: string
}

/** Unlinks what is linked, notes who did it and tells the customer; throws `not_found` when nothing is linked. */
export const unlinkTold = async (
  { tellWechat }: LinkDeps,
  tx: Queryable,
  caller: Caller,
  { customerId, action, target }: Unlinking,
): Promise<void> => {
  const before = await unlink(tx, customerId)
  if (!before) throw new AppError('not_found')
  await audit(tx, caller, { action, target, before })
  const ip = caller.kind === 'user' ? caller.ip : ''
  await tellWechat(tx, { customerId, linked: false, nickname: before.nickname, ip })
}
