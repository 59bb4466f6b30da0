/** Opaque tokens of 256 bits; only their SHA-256 is stored. */
import { createHash, randomBytes } from 'node:crypto'
import { CONSOLES, type ConsoleId } from '@tidegate/contract/enums'
import { TOKEN_ABSOLUTE, TOKEN_IDLE } from '@tidegate/contract/limits'
import { and, eq, lt, or, sql } from 'drizzle-orm'
import type { Caller } from '../../platform/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db, Queryable } from '../../platform/db.ts'
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
}

export interface Sessions {
  /** The new token, and for how many seconds it is good without being used. */
  create(tx: Queryable, owner: Owner, caller: Caller): Promise<{ token: string; expire: number }>
  /** null: forged, expired, revoked, or of a disabled account. `looking`: does not count as a use. */
  authenticate(token: string, looking?: boolean): Promise<Session | null>
  revoke(tx: Queryable, sessionId: number): Promise<void>
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
}

const find = async (db: Db, tokenHash: Buffer): Promise<Row | undefined> => {
  const { rows } = await db.execute<Row>(sql`
    SELECT s.id, s.console, s.created_at, s.used_at, 'admin' AS kind, a.id AS owner_id, a.username, a.unvalid_model,
      sup.is_super, ARRAY(
        SELECT p.value FROM permission p JOIN menu m ON m.id = p.menu_id
        WHERE NOT m.url = ANY (a.unvalid_model) AND (sup.is_super OR EXISTS (
          SELECT FROM role_permission rp JOIN admin_role ar ON ar.role_id = rp.role_id
          WHERE ar.admin_id = a.id AND rp.permission = p.value))
        ORDER BY p.value
      ) AS permissions
    FROM session s
    JOIN admin a ON a.id = s.admin_id AND a.enabled
    CROSS JOIN LATERAL (SELECT EXISTS (
      SELECT FROM admin_role ar JOIN role r ON r.id = ar.role_id WHERE ar.admin_id = a.id AND r.is_super) AS is_super) sup
    WHERE s.token_hash = ${tokenHash}
    UNION ALL
    SELECT s.id, s.console, s.created_at, s.used_at, 'user', c.id, c.username, c.unvalid_model, false, ARRAY(
      SELECT p.value FROM customer_permission p JOIN menu m ON m.id = p.menu_id
      WHERE NOT m.url = ANY (c.unvalid_model) ORDER BY p.value)
    FROM session s JOIN customer c ON c.id = s.customer_id AND c.enabled
    WHERE s.token_hash = ${tokenHash}`)
  return rows[0]
}

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
    create: async (tx, owner, { console, ip, userAgent }) => {
      const token = randomBytes(32).toString('base64url')
      const now = new Date(clock.now())
      const values = {
        ...ownerColumns(owner),
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
      }
    },
    revoke: async (tx, sessionId) => void (await tx.delete(sessions).where(eq(sessions.id, sessionId))),
    revokeAll: async (tx, { kind, id }) =>
      void (await tx.delete(sessions).where(eq(kind === 'admin' ? sessions.adminId : sessions.customerId, id))),
    removeExpired: async () => {
      const idle = lt(sessions.usedAt, new Date(clock.now() - TOKEN_IDLE * 1000))
      const old = lt(sessions.createdAt, new Date(clock.now() - TOKEN_ABSOLUTE * 1000))
      await db.delete(sessions).where(and(or(idle, old)))
    },
  }
}
