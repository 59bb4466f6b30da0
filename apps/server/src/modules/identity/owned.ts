/** SQL for rows that belong to an administrator or a customer. */
import { type SQL, sql } from 'drizzle-orm'
import type { Owner } from './sessions.ts'

/** Condition: the row is this account's. */
export const ownedBy = ({ kind, id }: Owner): SQL =>
  kind === 'admin' ? sql`admin_id = ${id}` : sql`customer_id = ${id}`

/** Values of the columns admin_id, customer_id. */
export const ownerValues = ({ kind, id }: Owner): SQL => (kind === 'admin' ? sql`${id}, NULL` : sql`NULL, ${id}`)

/** The table of the account itself. */
export const accountTable = (kind: Owner['kind']): SQL => (kind === 'admin' ? sql`admin` : sql`customer`)
