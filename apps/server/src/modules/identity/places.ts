/** Where an account was used from: a login from elsewhere is told to the account's owner. */
import { sql } from 'drizzle-orm'
import type { Caller } from '../../platform/caller.ts'
import type { Queryable } from '../../platform/db.ts'
import { row } from '../../platform/query.ts'
import { agentFamily, networkOf } from './addresses.ts'
import { ownedBy, ownerValues } from './owned.ts'
import type { Owner } from './sessions.ts'

/** What an account's owner is told. The notifier puts it into words. */
export interface SecurityEvent {
  kind: 'new_place' | 'password_changed' | 'factor_added' | 'factor_removed'
  owner: Owner
  username: string
  ip: string
  userAgent: string
  /** Milliseconds. */
  at: number
}

/** Notes a login's place. True: the account was used before, but never from this network with this kind of browser. */
export const noteNewPlace = async (tx: Queryable, owner: Owner, caller: Caller, at: number): Promise<boolean> => {
  const known = await row<{ n: number }>(tx, sql`SELECT 1 AS n FROM login_place WHERE ${ownedBy(owner)} LIMIT 1`)
  const column = owner.kind === 'admin' ? sql`admin_id` : sql`customer_id`
  const made = await row<{ fresh: boolean }>(
    tx,
    sql`INSERT INTO login_place (admin_id, customer_id, network, agent, seen_at)
      VALUES (${ownerValues(owner)}, ${networkOf(caller.ip)}, ${agentFamily(caller.userAgent)}, ${new Date(at).toISOString()})
      ON CONFLICT (${column}, network, agent) WHERE ${column} IS NOT NULL DO UPDATE SET seen_at = excluded.seen_at
      RETURNING xmax = 0 AS fresh`,
  )
  return known !== undefined && made?.fresh === true
}
