/** Opaque tokens of 256 bits; only their SHA-256 is stored. */
import { createHash, randomBytes } from 'node:crypto'
import { CONSOLES, type ConsoleId } from '@tidegate/contract/enums'
import { TOKEN_ABSOLUTE, TOKEN_IDLE } from '@tidegate/contract/limits'
import { and, eq, lt, or, sql } from 'drizzle-orm'
import type { ActingBy, Caller } from '../../platform/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db, Queryable } from '../../platform/db.ts'
import { ownedBy } from './owned.ts'
import { sessions } from './schema.ts'

/** Whose session it is. */
export interface Owner {
  kind: 'admin' | 'user'
  id: number
}

/** What a valid token stands for. */
export interface Session extends Owner {
  name: string
  superAdmin: boolean
  /** Without those of screens in `unvalidModel`. */
  permissions: ReadonlySet<string>
  unvalidModel: readonly string[]
  sessionId: number
  console: ConsoleId
  /** A key in a login's place: neither passwords, nor keys, nor money. */
  apiKey?: boolean
  /** null: the account's own login. */
  acting: ActingBy | null
}

/** A login that an administrator holds in another's place; it ends with his own, `parentId`. */
export interface ActingFor {
  parentId: number
  adminId: number
  /** The role whose rights alone it has; null: a customer's. */
  roleId: number | null
  reason: string
}

export interface Sessions {
  /** The new token, and for how many seconds it is good without being used. */
  create(tx: Queryable, owner: Owner, caller: Caller, acting?: ActingFor): Promise<{ token: string; expire: number }>
  /** null: forged, expired, revoked, or of a disabled account. `looking`: does not count as a use. */
  authenticate(token: string, looking?: boolean): Promise<Session | null>
  /** Notes that the login was with more than a password. */
  strengthen(tx: Queryable, token: string): Promise<void>
  revoke(tx: Queryable, sessionId: number): Promise<void>
  /** Half-finished logins end too. */
  revokeAll(tx: Queryable, owner: Owner): Promise<void>
  removeExpired(): Promise<void>
}

/** base64url of 32 bytes. */
const TOKEN = /^[\w-]{43}$/
/** `used_at` is written at most this often: a read should not cost a write. */
const TOUCH_MS = 30_000

const hashOf = (token: string) => createHash('sha256').update(token).digest()

interface Row extends Record<string, unknown> {
  id: number
  console: string
  created_at: Date
  used_at: Date
  kind: 'admin' | 'user'
  owner_id: number
  username: string
  unvalid_model: string[]
  is_super: boolean
  permissions: string[]
  acting_by: number | null
  acting_name: string | null
  /** The login that it hangs on. */
  parent_created_at: Date | null
  parent_used_at: Date | null
}

const ACTING = sql`s.acting_by, b.username AS acting_name, p.created_at AS parent_created_at, p.used_at AS parent_used_at`
const ACTING_FROM = sql`LEFT JOIN session p ON p.id = s.parent_id LEFT JOIN admin b ON b.id = s.acting_by`

const find = async (db: Db, tokenHash: Buffer): Promise<Row | undefined> => {
  // A preview has one role's rights alone.
  const { rows } = await db.execute<Row>(sql`
    WITH held AS (
      SELECT s.acting_role AS role_id FROM session s WHERE s.token_hash = ${tokenHash} AND s.acting_role IS NOT NULL
      UNION ALL
      SELECT ar.role_id FROM session s JOIN admin_role ar ON ar.admin_id = s.admin_id
      WHERE s.token_hash = ${tokenHash} AND s.acting_role IS NULL)
    SELECT s.id, s.console, s.created_at, s.used_at, 'admin' AS kind, a.id AS owner_id, a.username, a.unvalid_model,
      sup.is_super, ARRAY(
        SELECT v.value FROM permission v JOIN menu m ON m.id = v.menu_id
        WHERE NOT m.url = ANY (a.unvalid_model) AND (sup.is_super OR EXISTS (
          SELECT FROM role_permission rp JOIN held h ON h.role_id = rp.role_id WHERE rp.permission = v.value))
        ORDER BY v.value
      ) AS permissions, ${ACTING}
    FROM session s
    JOIN admin a ON a.id = s.admin_id AND a.enabled ${ACTING_FROM}
    CROSS JOIN LATERAL (SELECT EXISTS (SELECT FROM held h JOIN role r ON r.id = h.role_id WHERE r.is_super) AS is_super) sup
    WHERE s.token_hash = ${tokenHash}
    UNION ALL
    SELECT s.id, s.console, s.created_at, s.used_at, 'user', c.id, c.username, c.unvalid_model, false, ARRAY(
      SELECT v.value FROM customer_permission v JOIN menu m ON m.id = v.menu_id
      WHERE NOT m.url = ANY (c.unvalid_model) ORDER BY v.value), ${ACTING}
    FROM session s JOIN customer c ON c.id = s.customer_id AND c.enabled ${ACTING_FROM}
    WHERE s.token_hash = ${tokenHash}`)
  return rows[0]
}

const actingOf = ({ kind, acting_by, acting_name }: Row): ActingBy | null =>
  acting_by === null
    ? null
    : { kind: kind === 'admin' ? 'preview' : 'impersonation', id: Number(acting_by), name: acting_name ?? '' }

/** The column that names the owner, with the id. */
const ownerColumns = ({ kind, id }: Owner) => (kind === 'admin' ? { adminId: id } : { customerId: id })

export const createSessions = (db: Db, clock: Clock): Sessions => {
  const dead = (row: { created_at: Date; used_at: Date }) =>
    clock.now() >= new Date(row.used_at).getTime() + TOKEN_IDLE * 1000 ||
    clock.now() >= new Date(row.created_at).getTime() + TOKEN_ABSOLUTE * 1000

  const touch = async (row: Row) => {
    if (clock.now() - new Date(row.used_at).getTime() < TOUCH_MS) return
    await db
      .update(sessions)
      .set({ usedAt: new Date(clock.now()) })
      .where(eq(sessions.id, row.id))
  }
  return {
    create: async (tx, owner, { console, ip, userAgent }, acting) => {
      const token = randomBytes(32).toString('base64url')
      const now = new Date(clock.now())
      const values = {
        ...ownerColumns(owner),
        ...(acting && {
          parentId: acting.parentId,
          actingBy: acting.adminId,
          actingRole: acting.roleId,
          actingReason: acting.reason,
        }),
        console,
        ip,
        userAgent,
        tokenHash: hashOf(token),
        createdAt: now,
        usedAt: now,
      }
      await tx.insert(sessions).values(values)
      return { token, expire: TOKEN_IDLE }
    },
    authenticate: async (token, looking = false) => {
      if (!TOKEN.test(token)) return null
      const row = await find(db, hashOf(token))
      if (!row || dead(row)) return null
      const { parent_created_at, parent_used_at } = row
      if (parent_created_at && parent_used_at && dead({ created_at: parent_created_at, used_at: parent_used_at }))
        return null
      if (!looking) await touch(row)
      return {
        kind: row.kind,
        id: row.owner_id,
        name: row.username,
        superAdmin: row.is_super,
        permissions: new Set(row.permissions),
        unvalidModel: row.unvalid_model,
        sessionId: row.id,
        console: CONSOLES.find((c) => c === row.console) ?? (row.kind === 'admin' ? 'admin' : 'user'),
        acting: actingOf(row),
      }
    },
    strengthen: async (tx, token) =>
      void (await tx
        .update(sessions)
        .set({ strong: true })
        .where(eq(sessions.tokenHash, hashOf(token)))),
    revoke: async (tx, sessionId) => void (await tx.delete(sessions).where(eq(sessions.id, sessionId))),
    revokeAll: async (tx, owner) => {
      await tx.execute(sql`DELETE FROM session WHERE ${ownedBy(owner)}`)
      await tx.execute(sql`DELETE FROM login_ticket WHERE ${ownedBy(owner)}`)
    },
    removeExpired: async () => {
      const idle = lt(sessions.usedAt, new Date(clock.now() - TOKEN_IDLE * 1000))
      const old = lt(sessions.createdAt, new Date(clock.now() - TOKEN_ABSOLUTE * 1000))
      await db.delete(sessions).where(and(or(idle, old)))
    },
  }
}
