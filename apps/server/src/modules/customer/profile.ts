/** What a customer sees and changes of the own account; what the installation asks for first. */
import type { CodeChannel } from '@tidegate/contract/enums'
import type { InputOf, OutputOf } from '@tidegate/contract/operations/index'
import { sql } from 'drizzle-orm'
import type { Caller } from '../../platform/caller.ts'
import type { Queryable } from '../../platform/db.ts'
import { AppError, fieldError } from '../../platform/errors.ts'
import { iso, row } from '../../platform/query.ts'
import { audit } from '../audit/index.ts'
import type { CustomerDeps } from './index.ts'
import { customerState, idCardAad, maskedIdCard } from './read.ts'
import { uniquely } from './unique.ts'

/** The account's column for a channel. */
export const COLUMN: Record<CodeChannel, 'email' | 'mobile'> = { mail: 'email', sms: 'mobile' }

/** `张*`: the first character and how many more. */
const maskedName = (name: string) => [...name].map((letter, i) => (i === 0 ? letter : '*')).join('')

export const profileOf = async (deps: CustomerDeps, caller: Caller): Promise<OutputOf<'profile.info'>> => {
  const [c, rules] = await Promise.all([customerState(deps.db, caller.id), deps.rules()])
  if (!c) throw new AppError('unauthenticated')
  return {
    data: {
      id: c.id,
      username: c.username,
      mobile: c.mobile,
      email: c.email,
      wechat: c.wechat,
      balance: c.balance,
      verifyStatus: c.verifyStatus,
      realName: maskedName(c.realName),
      idCard: maskedIdCard(deps.secrets, c.id, c.idCard),
      verifyAsked: iso(c.verifyAsked),
      verifyTime: iso(c.verifyTime),
      verifyReason: c.verifyReason,
      lastLogin: iso(c.lastLogin),
      lastLoginIp: c.lastLoginIp,
      createTime: iso(c.createTime),
      force: { realName: rules.forceRealName, phone: rules.forcePhone },
    },
  }
}

/** What the customer has, and what the installation asks for before domains are added. */
export const standingOf = async (deps: CustomerDeps, on: Queryable, customerId: number) => {
  const [rules, c] = await Promise.all([
    deps.rules(),
    row<{ realName: boolean; phone: boolean }>(
      on,
      sql`SELECT verify_status = 'verified' AS "realName", mobile IS NOT NULL AS phone FROM customer WHERE id = ${customerId}`,
    ),
  ])
  return {
    realName: c?.realName === true,
    phone: c?.phone === true,
    asked: { realName: rules.forceRealName, phone: rules.forcePhone },
  }
}

/** Throws `real_name_required` or `phone_required` while the customer lacks what the installation asks for. */
export const mayAddDomains = async (deps: CustomerDeps, on: Queryable, customerId: number): Promise<void> => {
  const { realName, phone, asked } = await standingOf(deps, on, customerId)
  if (asked.realName && !realName) throw new AppError('real_name_required')
  if (asked.phone && !phone) throw new AppError('phone_required')
}

/** What a verdict makes of a name that was handed in; without one, or where the API cannot tell, an administrator reviews it. */
const STATUS = { match: 'verified', mismatch: 'rejected', unknown: 'pending', failed: 'pending' } as const
const MISMATCH = { zh: '姓名与身份证号不一致', en: 'The name and the number do not belong together' } as const

/** A name that was verified stays as it is. The identity API is asked outside of any transaction: it takes seconds. */
export const handInRealName = async (deps: CustomerDeps, input: InputOf<'profile.realName'>, caller: Caller) => {
  const { realName, idCard } = input
  const present = await customerState(deps.db, caller.id)
  if (!present) throw new AppError('unauthenticated')
  if (present.verifyStatus === 'verified') throw new AppError('conflict')
  const verdict = await deps.realNames.check(caller.id, { realName, idCard })
  const verifyStatus = verdict === null ? 'pending' : STATUS[verdict]
  const verifyReason = verifyStatus === 'rejected' ? MISMATCH[caller.lang] : ''
  await deps.db.transaction(async (tx) => {
    const before = await customerState(tx, caller.id, true)
    if (!before) throw new AppError('unauthenticated')
    if (before.verifyStatus === 'verified') throw new AppError('conflict')
    const now = new Date(deps.clock.now()).toISOString()
    const sealed = deps.secrets.seal(idCard, idCardAad(caller.id))
    await tx.execute(sql`UPDATE customer SET verify_status = ${verifyStatus}, real_name = ${realName}, id_card = ${sealed},
      verify_asked_at = ${now}, verified_at = ${verifyStatus === 'pending' ? null : now}, verify_reason = ${verifyReason}
      WHERE id = ${caller.id}`)
    await audit(tx, caller, {
      action: 'profile.realName',
      target: `customer ${caller.id}`,
      before: { verifyStatus: before.verifyStatus, realName: before.realName },
      after: { verifyStatus, realName, consent: true, ...(verdict !== null && { verdict }) },
    })
  })
  return { verifyStatus }
}

export const sendBindCode = async (deps: CustomerDeps, input: InputOf<'profile.code'>, caller: Caller) => {
  await notTaken(deps.db, input, 'address', caller.id)
  await deps.codes.send({ ...input, purpose: 'bind' }, caller)
  await audit(deps.db, caller, { action: 'profile.code', target: `customer ${caller.id}` })
  return {}
}

/** Throws when another account has the address. */
export const notTaken = async (
  on: Queryable,
  { channel, address }: { channel: CodeChannel; address: string },
  field: string,
  except = 0,
): Promise<void> => {
  const same = channel === 'mail' ? sql`lower(email) = ${address.toLowerCase()}` : sql`mobile = ${address}`
  const other = await row(on, sql`SELECT 1 AS n FROM customer WHERE ${same} AND id <> ${except}`)
  if (other) throw fieldError(field, 'taken', { value: address })
}

/** Whoever found an open login must not make it his own: the password is asked for. */
export const bind = async (deps: CustomerDeps, input: InputOf<'profile.bind'>, caller: Caller) => {
  const { channel, address, code } = input
  await deps.identity.confirm(caller, input.password)
  const column = COLUMN[channel]
  await uniquely(
    { [column]: address },
    () =>
      deps.db.transaction(async (tx) => {
        const before = await customerState(tx, caller.id, true)
        if (!before) throw new AppError('unauthenticated')
        if (!(await deps.codes.check({ channel, address, purpose: 'bind' }, code)))
          throw fieldError('code', 'code_wrong')
        await tx.execute(sql`UPDATE customer SET ${sql.raw(column)} = ${address} WHERE id = ${caller.id}`)
        await audit(tx, caller, {
          action: 'profile.bind',
          target: `customer ${caller.id}`,
          before: { [column]: before[column] },
          after: { [column]: address },
        })
      }),
    { [column]: 'address' },
  )
  return {}
}
