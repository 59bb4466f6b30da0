/** Customers' login by WeChat: out to the page with the code, back with WeChat's answer, and what is linked with an account. */
import { randomBytes } from 'node:crypto'
import type { WechatConfig } from '@tidegate/contract/config/wechat'
import { sql } from 'drizzle-orm'
import type { Caller, Handlers } from '../../platform/caller.ts'
import { AppError } from '../../platform/errors.ts'
import type { Log } from '../../platform/log.ts'
import { iso, row } from '../../platform/query.ts'
import { audit } from '../audit/index.ts'
import { provePassword } from './account.ts'
import { accountOf } from './accounts.ts'
import { enter } from './enter.ts'
import { askForMore, type LoginDeps } from './login.ts'
import { consoleAddress, consolePaths } from './outside.ts'
import type { Owner } from './sessions.ts'
import { addressKey, type Subject } from './throttle.ts'
import { qrPage, WechatError, type WechatFault, type WechatRoots, wechatUser } from './wechat-api.ts'
import { linkedCustomer, linkOf, linkPerson, unlink, unlinkTold, type WechatPerson } from './wechat-links.ts'

export interface WechatDeps extends LoginDeps {
  log: Log
  /** null: not offered. */
  wechatConfig(): Promise<WechatConfig | null>
  wechatRoots: WechatRoots
  /** The installation's own address; undefined: that of the request. */
  publicUrl(): string | undefined
  /** Whether customers can make accounts by themselves. */
  registrationOpen(): Promise<boolean>
}

/** Whose account it is stands firm only at the end: until then tries count against the address. */
const subjectAt = (ip: string): Subject => ({ account: `wechat:${addressKey(ip)}`, address: addressKey(ip) })

const mustBeOffered = async (deps: WechatDeps): Promise<WechatConfig> => {
  const config = await deps.wechatConfig()
  if (config === null) throw new AppError('wechat_off')
  return config
}

/** `owner`: the account that is to be linked. */
const begin = async (deps: WechatDeps, caller: Caller, owner: Owner | null) => {
  const config = await mustBeOffered(deps)
  await deps.throttle.check(subjectAt(caller.ip))
  const state = randomBytes(24).toString('base64url')
  const redirect = consoleAddress(deps.publicUrl(), caller, 'user')
  const ticket = await deps.tickets.issue(deps.db, 'wechat', owner, { state })
  return { url: qrPage(deps.wechatRoots, config, { redirect, state, lang: caller.lang }), ticket }
}

const ERRORS = {
  refused: 'wechat_failed',
  nonsense: 'wechat_failed',
  settings: 'wechat_unreachable',
  silent: 'wechat_unreachable',
} as const satisfies Record<WechatFault, string>

/** What is not a person's doing is noted for the operator. */
const failed = async (deps: WechatDeps, caller: Caller, cause: unknown): Promise<AppError> => {
  if (!(cause instanceof WechatError)) throw cause
  const { fault, code, message } = cause
  if (fault !== 'refused') deps.log.warn({ fault, errcode: code, errmsg: message }, 'login by WeChat')
  const after = { fault, errcode: code, errmsg: message }
  await audit(deps.db, caller, { action: 'auth.wechatFinish.failed', target: 'customer unknown', after })
  return new AppError(ERRORS[fault], { cause })
}

interface Back {
  ticket: string
  query: string
}

/** Who has scanned, by what WeChat added to the address. The ticket is used up; `owner` must be the one it was given to. */
const personOf = async (deps: WechatDeps, { ticket, query }: Back, caller: Caller, owner: Owner | null) => {
  const found = await deps.tickets.take(deps.db, 'wechat', ticket)
  if (!found || found.owner?.id !== owner?.id || found.owner?.kind !== owner?.kind) throw new AppError('ticket_expired')
  const config = await mustBeOffered(deps)
  const answer = new URLSearchParams(query)
  if (answer.get('state') !== found.data.state) throw new AppError('wechat_failed')
  const code = answer.get('code') ?? ''
  // Who declines is sent back with the state alone.
  if (code === '' || code === 'authdeny') throw new AppError('wechat_declined')
  const attempt = await deps.throttle.begin(subjectAt(caller.ip))
  try {
    const person: WechatPerson = { appid: config.appid, ...(await wechatUser(deps.wechatRoots, config, code)) }
    await attempt.voided(deps.db)
    return person
  } catch (cause) {
    throw await failed(deps, caller, cause)
  }
}

/** WeChat stands in the password's place: a second factor is asked for as after one. */
const finish = async (deps: WechatDeps, input: Back, caller: Caller) => {
  const person = await personOf(deps, input, caller, null)
  const id = await linkedCustomer(deps.db, person)
  const account = id === undefined ? undefined : await accountOf(deps.db, { kind: 'user', id })
  if (!account) {
    const ticket = await deps.tickets.issue(deps.db, 'wechat-bind', null, { ...person })
    const { nickname } = person
    throw new AppError('wechat_unbound', { extra: { ticket, nickname, register: await deps.registrationOpen() } })
  }
  if (!account.enabled) throw new AppError('account_disabled')
  await deps.mustAllowAddress(account, caller.ip)
  const methods = await deps.factors.methods(account)
  if (methods.length > 0) return askForMore(deps, account, caller, methods)
  return enter(deps, account, caller, { action: 'auth.wechatFinish', strong: false })
}

const customer = ({ id }: Caller): Owner => ({ kind: 'user', id })

const linkFinish = async (deps: WechatDeps, input: Back, caller: Caller) => {
  const person = await personOf(deps, input, caller, customer(caller))
  await deps.db.transaction(async (tx) => {
    const other = (await linkedCustomer(tx, person)) !== caller.id
    const before = other ? (await unlink(tx, caller.id))?.nickname : undefined
    await linkPerson(deps, tx, caller, { customerId: caller.id, name: caller.name, before }, person)
  })
  return {}
}

const removeLink = async (deps: WechatDeps, password: string, caller: Caller) => {
  const { account, attempt } = await provePassword(deps, caller, password)
  await deps.db.transaction(async (tx) => {
    await attempt.voided(tx)
    const what = { customerId: account.id, action: 'wechat.unlink', target: `customer ${account.id}` }
    await unlinkTold(deps, tx, caller, what)
  })
  return {}
}

/** For the operator: what is registered at WeChat. */
const setup = async (deps: WechatDeps, caller: Caller) => {
  const base = deps.publicUrl() ?? caller.origin ?? ''
  const counted = await row<{ n: number }>(deps.db, sql`SELECT count(*) AS n FROM wechat_link`)
  return {
    data: {
      // WeChat registers no port.
      domain: new URL(base).hostname,
      callbacks: consolePaths('user').map((path) => new URL(path, base).href),
      linked: Number(counted?.n ?? 0),
    },
  }
}

type Ids =
  | 'auth.wechatStart'
  | 'auth.wechatFinish'
  | 'wechat.info'
  | 'wechat.link'
  | 'wechat.linkFinish'
  | 'wechat.unlink'
  | 'wechat.setup'

export const createWechat = (deps: WechatDeps): Handlers<Ids> => ({
  'auth.wechatStart': (_input, caller) => begin(deps, caller, null),
  'auth.wechatFinish': (input, caller) => finish(deps, input, caller),
  'wechat.info': async (_input, caller) => {
    const [config, link] = await Promise.all([deps.wechatConfig(), linkOf(deps.db, caller.id)])
    const linked = link ? { nickname: link.nickname, time: iso(link.createdAt) } : null
    return { data: { offered: config !== null, linked } }
  },
  'wechat.link': async ({ password }, caller) => {
    const { attempt } = await provePassword(deps, caller, password)
    await attempt.voided(deps.db)
    return begin(deps, caller, customer(caller))
  },
  'wechat.linkFinish': (input, caller) => linkFinish(deps, input, caller),
  'wechat.unlink': ({ password }, caller) => removeLink(deps, password, caller),
  'wechat.setup': (_input, caller) => setup(deps, caller),
})
