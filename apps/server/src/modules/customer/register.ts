/** New customers by themselves, and the way back in without a password. What answers say does not tell who has an account. */
import type { CodeChannel } from '@tidegate/contract/enums'
import type { InputOf } from '@tidegate/contract/operations/index'
import { isMail } from '@tidegate/contract/validators'
import { sql } from 'drizzle-orm'
import type { Caller } from '../../platform/caller.ts'
import type { Queryable, Tx } from '../../platform/db.ts'
import { AppError, fieldError } from '../../platform/errors.ts'
import { row } from '../../platform/query.ts'
import { audit } from '../audit/index.ts'
import type { CustomerDeps } from './index.ts'
import { COLUMN, notTaken } from './profile.ts'
import { customerState } from './read.ts'
import { uniquely } from './unique.ts'
import { storePassword } from './write.ts'

interface Proof {
  uuid?: string | undefined
  captcha?: string | undefined
}

const checkCaptcha = async ({ identity }: CustomerDeps, { uuid, captcha }: Proof) => {
  if (!uuid || !captcha) throw new AppError('captcha_required', { extra: { captchaRequired: true } })
  if (!(await identity.redeemCaptcha(uuid, captcha)))
    throw new AppError('captcha_wrong', { extra: { captchaRequired: true } })
}

/** Throws `registration_closed`, or `forbidden` for a channel that is not offered. */
const opened = async (deps: CustomerDeps, channel: CodeChannel | undefined) => {
  const rules = await deps.rules()
  if (rules.closed) throw new AppError('registration_closed')
  const offered = { mail: rules.byMail, sms: rules.byMobile }
  const needed = offered.mail || offered.sms
  if (channel === undefined ? needed : !offered[channel]) throw fieldError('channel', 'required')
}

export const sendRegisterCode = async (deps: CustomerDeps, input: InputOf<'register.code'>, caller: Caller) => {
  await opened(deps, input.channel)
  await checkCaptcha(deps, input)
  const { channel, address } = input
  await notTaken(deps.db, input, 'address')
  await deps.codes.send({ channel, address, purpose: 'register' }, caller)
  await audit(deps.db, caller, { action: 'register.code', target: 'customer unknown' })
  return {}
}

const insert = async (deps: CustomerDeps, tx: Tx, input: InputOf<'register.save'>, passwordHash: string) => {
  const { channel, address = '', code = '' } = input
  if (channel && !(await deps.codes.check({ channel, address, purpose: 'register' }, code)))
    throw fieldError('code', 'code_wrong')
  const now = new Date(deps.clock.now()).toISOString()
  const made = await row<{ id: number }>(
    tx,
    sql`INSERT INTO customer (username, password_hash, email, mobile, created_at, password_at)
        VALUES (${input.username}, ${passwordHash}, ${channel === 'mail' ? address : null}, ${channel === 'sms' ? address : null},
          ${now}, ${now}) RETURNING id`,
  )
  if (!made) throw new AppError('internal')
  return made.id
}

/** Makes the account and logs it in. Without a channel the captcha stands for the code. */
export const register = async (deps: CustomerDeps, input: InputOf<'register.save'>, caller: Caller) => {
  const { username, channel, address } = input
  await opened(deps, channel)
  // Before the captcha and the code, which are good for one try.
  if (input.wechat !== undefined) await deps.identity.checkWechat(input.wechat)
  await deps.identity.checkPassword('password', input.password)
  if (channel === undefined) await checkCaptcha(deps, input)
  await nameFree(deps.db, username)
  const passwordHash = await deps.identity.hash(input.password)
  const names = channel === undefined ? {} : { [COLUMN[channel]]: 'address' }
  return uniquely(
    { username, ...(channel && { [COLUMN[channel]]: address ?? '' }) },
    () =>
      deps.db.transaction(async (tx) => {
        const id = await insert(deps, tx, input, passwordHash)
        const who: Caller = { ...caller, kind: 'user', id, name: username }
        const after = { username, ...(channel && { [COLUMN[channel]]: address }) }
        await audit(tx, who, { action: 'register.save', target: `customer ${id}`, after })
        const { wechat } = input
        if (wechat !== undefined) await deps.identity.linkWechat(tx, caller, { customerId: id, name: username }, wechat)
        return deps.identity.login(tx, id, caller)
      }),
    names,
  )
}

const nameFree = async (on: Queryable, username: string) => {
  if (await row(on, sql`SELECT 1 AS n FROM customer WHERE lower(username) = ${username.toLowerCase()}`))
    throw fieldError('username', 'taken', { value: username })
}

const channelOf = (address: string): CodeChannel => (isMail(address) ? 'mail' : 'sms')

/** The enabled account with the address. */
const accountAt = (on: Queryable, address: string) =>
  row<{ id: number }>(
    on,
    sql`SELECT id FROM customer WHERE enabled AND (lower(email) = ${address.toLowerCase()} OR mobile = ${address})`,
  )

export const sendForgotCode = async (deps: CustomerDeps, input: InputOf<'forgot.send'>, caller: Caller) => {
  await checkCaptcha(deps, input)
  const { address } = input
  const account = await accountAt(deps.db, address)
  const { lang, ip } = caller
  // Refusals are the same for every address: that one was asked for too often must not tell that the account exists.
  const order = { lang, ip, deliver: account !== undefined }
  await deps.codes.send({ channel: channelOf(address), address, purpose: 'forgot' }, order)
  const target = account ? `customer ${account.id}` : 'customer unknown'
  await audit(deps.db, caller, { action: 'forgot.send', target })
  return {}
}

export const resetForgotten = async (deps: CustomerDeps, input: InputOf<'forgot.reset'>, caller: Caller) => {
  const { address, code, newPassword } = input
  await deps.identity.checkPassword('newPassword', newPassword)
  const passwordHash = await deps.identity.hash(newPassword)
  await deps.db.transaction(async (tx) => {
    const account = await accountAt(tx, address)
    const right =
      account !== undefined &&
      (await deps.codes.check({ channel: channelOf(address), address, purpose: 'forgot' }, code))
    const customer = right ? await customerState(tx, account.id, true) : undefined
    if (!customer) throw fieldError('code', 'code_wrong')
    await storePassword(deps, tx, customer, passwordHash)
    const who: Caller = { ...caller, kind: 'user', id: customer.id, name: customer.username }
    await audit(tx, who, { action: 'forgot.reset', target: `customer ${customer.id}` })
    await deps.tellPassword(tx, who)
  })
  return {}
}
