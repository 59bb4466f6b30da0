/** Logins in another's place: acting for a customer, looking with one role's rights. Each ends with the administrator's own login. */
import { createHash, randomBytes } from 'node:crypto'
import { HANDOVER_TTL } from '@tidegate/contract/limits'
import type { OutputOf } from '@tidegate/contract/operations/index'
import { sql } from 'drizzle-orm'
import type { Caller, Handlers } from '../../platform/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/db.ts'
import { AppError } from '../../platform/errors.ts'
import { row } from '../../platform/query.ts'
import { audit } from '../audit/index.ts'
import { holdingOf, mustReach } from './rights.ts'
import type { Sessions } from './sessions.ts'

interface Deps {
  db: Db
  clock: Clock
  sessions: Sessions
}

interface Handover {
  sessionId: number
  adminId: number
  adminName: string
  customerId: number | null
  customerName: string | null
  roleId: number | null
  roleName: string | null
  reason: string
}

const hashOf = (code: string) => createHash('sha256').update(code).digest()

/** Writes the code down and answers it; it opens the other console by a POST, so that no token stands in an address. */
const hand = async (
  deps: Deps,
  tx: Tx,
  caller: Caller,
  to: { customerId?: number; roleId?: number; reason: string },
) => {
  const code = randomBytes(24).toString('base64url')
  const until = new Date(deps.clock.now() + HANDOVER_TTL * 1000).toISOString()
  await tx.execute(sql`INSERT INTO handover (code_hash, session_id, admin_id, customer_id, role_id, reason, expires_at)
    VALUES (${hashOf(code)}, ${caller.sessionId}, ${caller.id}, ${to.customerId ?? null}, ${to.roleId ?? null}, ${to.reason}, ${until}::timestamptz)`)
  return { handover: code }
}

const impersonate = async (deps: Deps, tx: Tx, id: number, reason: string, caller: Caller) => {
  const customer = await row<{ enabled: boolean }>(tx, sql`SELECT enabled FROM customer WHERE id = ${id}`)
  if (!customer) throw new AppError('not_found')
  if (!customer.enabled) throw new AppError('account_disabled')
  await audit(tx, caller, { action: 'customer.impersonate', target: `customer ${id}`, after: { reason } })
  return hand(deps, tx, caller, { customerId: id, reason })
}

const preview = async (deps: Deps, tx: Tx, id: number, caller: Caller) => {
  const role = await row<{ name: string }>(tx, sql`SELECT name FROM role WHERE id = ${id}`)
  if (!role) throw new AppError('not_found')
  mustReach(caller, await holdingOf(tx, [id]))
  await audit(tx, caller, { action: 'role.preview', target: `role ${id}` })
  return hand(deps, tx, caller, { roleId: id, reason: '' })
}

/** The handover, used up; undefined: unknown, too old, or of a login that is over. */
const redeem = async ({ clock }: Deps, tx: Tx, code: string): Promise<Handover | undefined> => {
  const now = new Date(clock.now()).toISOString()
  await tx.execute(sql`DELETE FROM handover WHERE expires_at <= ${now}::timestamptz`)
  return row<Handover>(
    tx,
    sql`WITH h AS (DELETE FROM handover WHERE code_hash = ${hashOf(code)} RETURNING *)
        SELECT h.session_id AS "sessionId", a.id AS "adminId", a.username AS "adminName", c.id AS "customerId",
          c.username AS "customerName", r.id AS "roleId", r.name AS "roleName", h.reason
        FROM h JOIN admin a ON a.id = h.admin_id AND a.enabled JOIN session s ON s.id = h.session_id
        LEFT JOIN customer c ON c.id = h.customer_id LEFT JOIN role r ON r.id = h.role_id`,
  )
}

const enter = async (deps: Deps, tx: Tx, code: string, caller: Caller): Promise<OutputOf<'acting.enter'>> => {
  const found = await redeem(deps, tx, code)
  if (!found) throw new AppError('code_expired')
  const { adminId, adminName, customerId, roleId, reason } = found
  const [kind, owner, name] =
    customerId === null
      ? (['preview', { kind: 'admin', id: adminId }, found.roleName ?? ''] as const)
      : (['impersonation', { kind: 'user', id: customerId }, found.customerName ?? ''] as const)
  const acting = { parentId: found.sessionId, adminId, roleId, reason }
  const login = await deps.sessions.create(tx, owner, caller, acting)
  const who: Caller = {
    ...caller,
    ...owner,
    name: kind === 'preview' ? adminName : name,
    acting: { kind, id: adminId, name: adminName },
  }
  const target = customerId === null ? `role ${roleId}` : `customer ${customerId}`
  await audit(tx, who, { action: 'acting.enter', target, after: { reason } })
  return { ...login, acting: { kind, name, by: adminName, reason } }
}

type Ids = 'customer.impersonate' | 'role.preview' | 'acting.enter' | 'acting.leave'

export const createActing = (deps: Deps): Handlers<Ids> => ({
  'customer.impersonate': ({ id, reason }, caller) =>
    deps.db.transaction((tx) => impersonate(deps, tx, id, reason, caller)),
  'role.preview': ({ id }, caller) => deps.db.transaction((tx) => preview(deps, tx, id, caller)),
  'acting.enter': ({ code }, caller) => deps.db.transaction((tx) => enter(deps, tx, code, caller)),
  'acting.leave': async (_input, caller) => {
    if (caller.acting === null) throw new AppError('forbidden')
    await deps.db.transaction(async (tx) => {
      await deps.sessions.revoke(tx, caller.sessionId)
      await audit(tx, caller, {
        action: 'acting.leave',
        target: `${caller.kind === 'user' ? 'customer' : 'admin'} ${caller.id}`,
      })
    })
    return {}
  },
})
