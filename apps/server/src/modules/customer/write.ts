/** What the operator does to customers' accounts. */
import type { InputOf } from '@tidegate/contract/operations/index'
import { sql } from 'drizzle-orm'
import type { Caller } from '../../platform/caller.ts'
import type { Queryable, Tx } from '../../platform/db.ts'
import { AppError, fieldError } from '../../platform/errors.ts'
import { row, sqlState } from '../../platform/query.ts'
import { audit } from '../audit/index.ts'
import type { CustomerDeps } from './index.ts'
import { type CustomerState, customerState } from './read.ts'
import { uniquely } from './unique.ts'

type Fields = InputOf<'customer.update'>

/** For the audit log: nothing sealed, no password. */
const noted = (c: CustomerState) => ({
  username: c.username,
  enabled: c.enabled,
  mobile: c.mobile,
  email: c.email,
  wechat: c.wechat,
  note: c.note,
  lang: c.lang,
  unvalidModel: c.unvalidModel,
  whiteIpStatus: c.whiteIpStatus,
  whiteIps: c.whiteIps,
})

/** Locks the account; throws `not_found`. */
const target = async (tx: Tx, id: number): Promise<CustomerState> => {
  const customer = await customerState(tx, id, true)
  if (!customer) throw new AppError('not_found')
  return customer
}

const namesOf = (c: CustomerState) => [c.username, c.mobile, c.email].filter((name) => name !== '')

const checkScreens = async (on: Queryable, before: readonly string[], after: readonly string[]) => {
  for (const [i, url] of after.entries())
    if (!before.includes(url) && !(await row(on, sql`SELECT 1 AS n FROM menu WHERE url = ${url} LIMIT 1`)))
      throw fieldError(`unvalidModel.${i}`, 'invalid')
}

const columns = (
  f: Omit<Fields, 'id'>,
) => sql`username = ${f.username}, enabled = ${f.enabled}, mobile = nullif(${f.mobile}, ''),
  email = nullif(${f.email}, ''), wechat = nullif(${f.wechat}, ''), note = ${f.note}, lang = ${f.lang},
  unvalid_model = ${sql.param(f.unvalidModel)}::text[], white_ip_status = ${f.whiteIpStatus}, white_ips = ${sql.param(f.whiteIps)}::text[]`

/** Ends the account's logins, and those in its place. */
const endLogins = ({ identity }: CustomerDeps, tx: Tx, id: number) => identity.revokeAll(tx, { kind: 'user', id })

/** What follows from the account's being disabled; told once, when it was enabled before. */
const disabled = async (deps: CustomerDeps, tx: Tx, before: CustomerState) => {
  await endLogins(deps, tx, before.id)
  if (before.enabled) await deps.tellDisabled(tx, before.id)
}

export const createCustomer = async (deps: CustomerDeps, input: InputOf<'customer.save'>, caller: Caller) => {
  await deps.identity.checkPassword('password', input.password)
  // Not within the transaction: it takes long.
  const passwordHash = await deps.identity.hash(input.password)
  const id = await uniquely(input, () =>
    deps.db.transaction(async (tx) => {
      await checkScreens(tx, [], input.unvalidModel)
      const now = new Date(deps.clock.now()).toISOString()
      const made = await row<{ id: number }>(
        tx,
        sql`INSERT INTO customer (username, password_hash, created_at, password_at)
            VALUES (${input.username}, ${passwordHash}, ${now}, ${now}) RETURNING id`,
      )
      if (!made) throw new AppError('internal')
      await tx.execute(sql`UPDATE customer SET ${columns(input)} WHERE id = ${made.id}`)
      const after = await target(tx, made.id)
      await audit(tx, caller, { action: 'customer.save', target: `customer ${made.id}`, after: noted(after) })
      return made.id
    }),
  )
  return { id }
}

export const updateCustomer = async (deps: CustomerDeps, input: Fields, caller: Caller) => {
  await uniquely(input, () =>
    deps.db.transaction(async (tx) => {
      const before = await target(tx, input.id)
      await checkScreens(tx, before.unvalidModel, input.unvalidModel)
      await tx.execute(sql`UPDATE customer SET ${columns(input)} WHERE id = ${input.id}`)
      if (!input.enabled) await disabled(deps, tx, before)
      const after = await target(tx, input.id)
      await audit(tx, caller, {
        action: 'customer.update',
        target: `customer ${input.id}`,
        before: noted(before),
        after: noted(after),
      })
    }),
  )
  return { id: input.id }
}

/** In the order of the ids, so that two at once cannot wait for each other. */
const ordered = (ids: readonly number[]) => [...new Set(ids)].sort((a, b) => a - b)

export const enableCustomers = async (deps: CustomerDeps, ids: readonly number[], enabled: boolean, caller: Caller) => {
  await deps.db.transaction(async (tx) => {
    for (const id of ordered(ids)) {
      const before = await target(tx, id)
      if (before.enabled === enabled) continue
      await tx.execute(sql`UPDATE customer SET enabled = ${enabled} WHERE id = ${id}`)
      if (!enabled) await disabled(deps, tx, before)
      await audit(tx, caller, {
        action: 'customer.enable',
        target: `customer ${id}`,
        before: { enabled: before.enabled },
        after: { enabled },
      })
    }
  })
  return {}
}

export const noteCustomer = async (deps: CustomerDeps, id: number, note: string, caller: Caller) => {
  await deps.db.transaction(async (tx) => {
    const before = await target(tx, id)
    await tx.execute(sql`UPDATE customer SET note = ${note} WHERE id = ${id}`)
    await audit(tx, caller, {
      action: 'customer.note',
      target: `customer ${id}`,
      before: { note: before.note },
      after: { note },
    })
  })
  return {}
}

/** Throws `in_use` while one of them owns sites. */
export const deleteCustomers = async (deps: CustomerDeps, ids: readonly number[], caller: Caller) => {
  const all = deps.db.transaction(async (tx) => {
    for (const id of ordered(ids)) {
      const before = await target(tx, id)
      if (before.sites > 0) throw new AppError('in_use')
      await audit(tx, caller, { action: 'customer.delete', target: `customer ${id}`, before: noted(before) })
      // Logins go with the account.
      await tx.execute(sql`DELETE FROM customer WHERE id = ${id}`)
    }
  })
  try {
    await all
  } catch (error) {
    // A site that came between the look and the deletion.
    throw sqlState(error) === '23503' ? new AppError('in_use', { cause: error }) : error
  }
  return {}
}

export const resetPassword = async (deps: CustomerDeps, id: number, typed: string | undefined, caller: Caller) => {
  if (typed !== undefined) await deps.identity.checkPassword('newPassword', typed)
  const password = typed ?? deps.identity.newPassword()
  const passwordHash = await deps.identity.hash(password)
  await deps.db.transaction(async (tx) => {
    const customer = await target(tx, id)
    await storePassword(deps, tx, customer, passwordHash)
    await audit(tx, caller, { action: 'customer.password', target: `customer ${id}` })
  })
  return typed === undefined ? { password } : {}
}

/** Puts it in the place of the present one, lifts the account's throttling and ends its logins. */
export const storePassword = async (deps: CustomerDeps, tx: Tx, customer: CustomerState, passwordHash: string) => {
  const now = new Date(deps.clock.now()).toISOString()
  await tx.execute(
    sql`UPDATE customer SET password_hash = ${passwordHash}, password_at = ${now} WHERE id = ${customer.id}`,
  )
  await deps.identity.forget(tx, namesOf(customer))
  await endLogins(deps, tx, customer.id)
}

/** Decides on the real name that waits; throws `not_pending` when none does (any more). */
export const verifyCustomer = async (deps: CustomerDeps, input: InputOf<'customer.verify'>, caller: Caller) => {
  await deps.db.transaction(async (tx) => {
    const before = await target(tx, input.id)
    if (before.verifyStatus !== 'pending') throw new AppError('not_pending')
    const verifyStatus = input.approve ? 'verified' : 'rejected'
    const verifyReason = input.approve ? '' : input.reason
    const now = new Date(deps.clock.now()).toISOString()
    await tx.execute(sql`UPDATE customer SET verify_status = ${verifyStatus}, verify_reason = ${verifyReason}, verified_at = ${now}
      WHERE id = ${input.id}`)
    await audit(tx, caller, {
      action: 'customer.verify',
      target: `customer ${input.id}`,
      before: { verifyStatus: before.verifyStatus, realName: before.realName },
      after: { verifyStatus, verifyReason },
    })
  })
  return {}
}
