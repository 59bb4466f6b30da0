/** Failed logins per account name and per address. Kept in PostgreSQL: several processes serve logins. Administrators and customers of the same name are two. */
import { LOGIN_MAX_FAILURES, LOGIN_WINDOW } from '@tidegate/contract/limits'
import { and, eq, gt, inArray, sql } from 'drizzle-orm'
import ipaddr from 'ipaddr.js'
import type { Clock } from '../../platform/clock.ts'
import type { Db, Queryable, Tx } from '../../platform/db.ts'
import { AppError } from '../../platform/errors.ts'
import { loginFailures } from './schema.ts'

type Kind = 'account' | 'address'
const KINDS: readonly Kind[] = ['account', 'address']
const LOCK_SPACE = 7_413_003

export interface Subject {
  account: string
  address: string
}

/** One customer of an access provider has a whole IPv6 /64 to choose from. */
export const addressKey = (ip: string): string => {
  if (!ipaddr.isValid(ip)) return ip
  const address = ipaddr.process(ip)
  return address.kind() === 'ipv4' ? address.toString() : ipaddr.IPv6.networkAddressFromCIDR(`${ip}/64`).toString()
}

/** Names hold no colon, so that no account's key is another's. */
const accountKey = (kind: 'admin' | 'user', username: string) => `${kind}:${username.toLowerCase()}`

export const subjectOf = (kind: 'admin' | 'user', username: string, ip: string): Subject => ({
  account: accountKey(kind, username),
  address: addressKey(ip),
})

/** An account, and all that may be typed as its name. */
export interface Named {
  kind: 'admin' | 'user'
  names: readonly string[]
}

export interface Attempt {
  /** Failures before this attempt, the greater of account's and address's. */
  failures: number
  /** The login is complete: this attempt and the account's earlier failures, under all of `names`, no longer count. */
  succeeded(tx: Queryable, account: Named): Promise<void>
  /** The password was right and more is asked for: only this attempt no longer counts. */
  voided(tx: Queryable): Promise<void>
}

export interface Throttle {
  /** Failures of the subject within the window, the greater of both kinds; throws `too_many` when there are too many. */
  check(subject: Subject): Promise<number>
  /**
   * Counts an attempt as failed before its password is verified, so that many at once cannot slip through; throws `too_many`.
   */
  begin(subject: Subject): Promise<Attempt>
}

interface Count {
  count: number
  oldest: Date
}

export const createThrottle = (db: Db, clock: Clock): Throttle => {
  const since = () => new Date(clock.now() - LOGIN_WINDOW * 1000)

  const count = async (tx: Queryable, kind: Kind, key: string): Promise<Count | undefined> => {
    const rows = await tx
      .select({
        count: sql<number>`count(*)`,
        oldest: sql<Date>`min(${loginFailures.failedAt})`.mapWith(loginFailures.failedAt),
      })
      .from(loginFailures)
      .where(and(eq(loginFailures.kind, kind), eq(loginFailures.key, key), gt(loginFailures.failedAt, since())))
    return rows[0]
  }
  const checkIn = async (tx: Queryable, subject: Subject): Promise<number> => {
    let most = 0
    for (const kind of KINDS) {
      const found = await count(tx, kind, subject[kind])
      if (!found || found.count === 0) continue
      if (found.count >= LOGIN_MAX_FAILURES[kind]) {
        const seconds = Math.ceil((found.oldest.getTime() + LOGIN_WINDOW * 1000 - clock.now()) / 1000)
        throw new AppError('too_many', { params: { seconds: Math.max(1, seconds) } })
      }
      most = Math.max(most, found.count)
    }
    return most
  }
  const lock = async (tx: Tx, subject: Subject) => {
    // Always in the same order: two attempts must not wait for each other.
    for (const kind of KINDS)
      await tx.execute(sql`SELECT pg_advisory_xact_lock(${LOCK_SPACE}, hashtext(${`${kind} ${subject[kind]}`}))`)
  }
  return {
    check: (subject) => checkIn(db, subject),
    begin: (subject) =>
      db.transaction(async (tx) => {
        await lock(tx, subject)
        const failures = await checkIn(tx, subject)
        const rows = await tx
          .insert(loginFailures)
          .values(KINDS.map((kind) => ({ kind, key: subject[kind], failedAt: new Date(clock.now()) })))
          .returning({ id: loginFailures.id })
        const own = rows.map((row) => row.id)
        const voided = async (inTx: Queryable) =>
          void (await inTx.delete(loginFailures).where(inArray(loginFailures.id, own)))
        const succeeded = async (inTx: Queryable, account: Named) => {
          await voided(inTx)
          await forgetAccount(inTx, account)
        }
        return { failures, succeeded, voided }
      }),
  }
}

/** The account's failures no longer count; those of addresses do. */
export const forgetAccount = async (tx: Queryable, { kind, names }: Named): Promise<void> => {
  const keys = names.map((name) => accountKey(kind, name))
  await tx.delete(loginFailures).where(and(eq(loginFailures.kind, 'account'), inArray(loginFailures.key, keys)))
}
