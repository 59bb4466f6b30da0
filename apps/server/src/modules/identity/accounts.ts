/** What logging in needs of an account, the same for administrators and customers. */
import { type SQL, sql } from 'drizzle-orm'
import type { Queryable } from '../../platform/db.ts'
import { row } from '../../platform/query.ts'
import { accountTable } from './owned.ts'
import type { Owner } from './sessions.ts'

export interface Account extends Owner {
  username: string
  passwordHash: string
  enabled: boolean
  /** All that may be typed as the account's name. */
  names: string[]
}

const SELECT: Record<Owner['kind'], SQL> = {
  admin: sql`SELECT 'admin' AS kind, a.id, a.username, a.password_hash AS "passwordHash", a.enabled, ARRAY[a.username] AS names
    FROM admin a`,
  user: sql`SELECT 'user' AS kind, a.id, a.username, a.password_hash AS "passwordHash", a.enabled,
      array_remove(ARRAY[a.username, a.mobile, a.email], NULL) AS names
    FROM customer a`,
}

/**
 * Customers may type their bound mobile or mail in the name's place. What is bound goes before what is only called so: whoever registers
 * with another's number as a name must not stand in that other's way.
 */
const NAMED: Record<Owner['kind'], (name: string) => SQL> = {
  admin: (name) => sql`WHERE lower(a.username) = ${name}`,
  user: (name) =>
    sql`WHERE lower(a.username) = ${name} OR lower(a.email) = ${name} OR a.mobile = ${name}
      ORDER BY (lower(a.email) = ${name}) IS TRUE OR (a.mobile = ${name}) IS TRUE DESC LIMIT 1`,
}

/** Letters' case does not count. */
export const accountNamed = (on: Queryable, kind: Owner['kind'], name: string): Promise<Account | undefined> =>
  row<Account>(on, sql`${SELECT[kind]} ${NAMED[kind](name.toLowerCase())}`)

export const accountOf = (on: Queryable, { kind, id }: Owner): Promise<Account | undefined> =>
  row<Account>(on, sql`${SELECT[kind]} WHERE a.id = ${id}`)

export const noteLogin = async (on: Queryable, { kind, id }: Owner, at: number, ip: string): Promise<void> =>
  void (await on.execute(
    sql`UPDATE ${accountTable(kind)} SET last_login_at = ${new Date(at).toISOString()}, last_login_ip = ${ip} WHERE id = ${id}`,
  ))

export const storePassword = async (
  on: Queryable,
  { kind, id }: Owner,
  passwordHash: string,
  at: number,
): Promise<void> =>
  void (await on.execute(
    sql`UPDATE ${accountTable(kind)} SET password_hash = ${passwordHash}, password_at = ${new Date(at).toISOString()} WHERE id = ${id}`,
  ))

/** The same password hashed anew; nothing when it was changed meanwhile. */
export const storeRehash = async (
  on: Queryable,
  { kind, id }: Owner,
  was: string,
  passwordHash: string,
): Promise<void> =>
  void (await on.execute(
    sql`UPDATE ${accountTable(kind)} SET password_hash = ${passwordHash} WHERE id = ${id} AND password_hash = ${was}`,
  ))

/** `admin 3`, `customer 7`: what the audit log calls an account. */
export const targetOf = ({ kind, id }: Owner): string => `${kind === 'admin' ? 'admin' : 'customer'} ${id}`
