/** Tickets between two steps of a login: 256 bits, stored hashed, good for minutes, for one use and a few wrong tries. */
import { createHash, randomBytes } from 'node:crypto'
import { TICKET_TRIES, TICKET_TTL } from '@tidegate/contract/limits'
import { sql } from 'drizzle-orm'
import type { Clock } from '../../platform/clock.ts'
import type { Db, Queryable } from '../../platform/db.ts'
import { row } from '../../platform/query.ts'
import type { Owner } from './sessions.ts'

export type TicketPurpose = 'second' | 'passkey' | 'oidc' | 'wechat' | 'wechat-bind' | 'confirm' | 'proof' | 'export'

export interface Ticket {
  owner: Owner | null
  data: Record<string, unknown>
}

export interface Tickets {
  issue(on: Queryable, purpose: TicketPurpose, owner: Owner | null, data?: Record<string, unknown>): Promise<string>
  /** Counts a try; null: unknown, too old, tried too often, or of another purpose. */
  attempt(purpose: TicketPurpose, ticket: string): Promise<Ticket | null>
  /** Uses the ticket up; null as above, or used already. */
  take(on: Queryable, purpose: TicketPurpose, ticket: string): Promise<Ticket | null>
  removeExpired(): Promise<void>
}

interface Row {
  adminId: number | null
  customerId: number | null
  data: Record<string, unknown>
}

const hashOf = (ticket: string) => createHash('sha256').update(ticket).digest()
const RETURNING = sql`RETURNING admin_id AS "adminId", customer_id AS "customerId", data`

const present = (found: Row | undefined): Ticket | null => {
  if (!found) return null
  const { adminId, customerId, data } = found
  if (adminId !== null) return { owner: { kind: 'admin', id: Number(adminId) }, data }
  return { owner: customerId === null ? null : { kind: 'user', id: Number(customerId) }, data }
}

export const createTickets = (db: Db, clock: Clock): Tickets => {
  const now = () => new Date(clock.now()).toISOString()
  return {
    issue: async (on, purpose, owner, data = {}) => {
      const ticket = randomBytes(32).toString('base64url')
      const expires = new Date(clock.now() + TICKET_TTL * 1000).toISOString()
      await on.execute(sql`
        INSERT INTO login_ticket (ticket_hash, purpose, admin_id, customer_id, data, expires_at)
        VALUES (${hashOf(ticket)}, ${purpose}, ${owner?.kind === 'admin' ? owner.id : null},
          ${owner?.kind === 'user' ? owner.id : null}, ${JSON.stringify(data)}::jsonb, ${expires})`)
      return ticket
    },
    attempt: async (purpose, ticket) =>
      present(
        await row<Row>(
          db,
          sql`UPDATE login_ticket SET tries = tries + 1 WHERE ticket_hash = ${hashOf(ticket)} AND purpose = ${purpose}
            AND expires_at > ${now()} AND tries < ${TICKET_TRIES} ${RETURNING}`,
        ),
      ),
    take: async (on, purpose, ticket) =>
      present(
        await row<Row>(
          on,
          sql`DELETE FROM login_ticket WHERE ticket_hash = ${hashOf(ticket)} AND purpose = ${purpose}
            AND expires_at > ${now()} ${RETURNING}`,
        ),
      ),
    removeExpired: async () => void (await db.execute(sql`DELETE FROM login_ticket WHERE expires_at <= ${now()}`)),
  }
}
