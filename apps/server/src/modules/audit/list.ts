/** Reads the log at a million rows: every order is an index, counts are capped, words are found by trigrams. */
import { COUNT_CAP } from '@tidegate/contract/limits'
import type { InputOf, OutputOf } from '@tidegate/contract/operations/index'
import { type SQL, sql } from 'drizzle-orm'
import type { Caller } from '../../platform/caller.ts'
import type { Queryable } from '../../platform/db.ts'
import { AppError } from '../../platform/errors.ts'
import { contains, page } from '../../platform/page.ts'
import { iso, row, rows } from '../../platform/query.ts'
import { asSeenBy } from './own.ts'

type Row = Omit<OutputOf<'audit.list'>['data']['list'][number], 'time'> & { time: Date }
type Query = InputOf<'audit.list'>

const COLUMNS = sql`l.id, l.created_at AS time, l.actor_kind AS "actorKind", l.actor_id AS "actorId", l.actor_name AS "actorName",
  l.ip, l.request_id AS "requestId", l.action, l.target, (l.before IS NOT NULL OR l.after IS NOT NULL) AS changed,
  l.acting_id IS NOT NULL AS acting, l.acting_name AS "actingName"`
const WORDS = sql`lower(l.actor_name || ' ' || l.target || ' ' || l.ip || ' ' || l.request_id)`

/** Whose log it is: one reader for all of them. */
export const SCOPES = {
  /** What administrators, the system and strangers did. */
  admins: sql`l.actor_kind <> 'user'`,
  /** What customers did, or was done in their place. */
  users: sql`l.actor_kind = 'user'`,
} as const
/** What one customer did, and what was done to the account. */
export const ofCustomer = (id: number): SQL =>
  sql`((l.actor_kind = 'user' AND l.actor_id = ${id}) OR l.target = ${`customer ${id}`})`
/** Logins, good and bad, by the names that the operations of logging in have. */
const LOGINS = sql`l.action ~ '^(auth\\.user(Login|Second|Logout)|acting|register\\.save)'`

/** Few matches: their ids. Too many: the pattern, to be tested along the order's index, which then finds a page at once. */
const search = async (on: Queryable, key: string): Promise<SQL | null> => {
  const text = key.trim().toLowerCase()
  if (text === '') return null
  const pattern = contains(text)
  const hits = await rows<{ id: number }>(
    on,
    sql`SELECT l.id FROM audit_log l WHERE ${WORDS} LIKE ${pattern} LIMIT ${COUNT_CAP}`,
  )
  if (hits.length >= COUNT_CAP) return sql`${WORDS} LIKE ${pattern}`
  return sql`l.id = ANY (${sql.param(hits.map((h) => h.id))}::bigint[])`
}

const conditions = async (on: Queryable, input: Query, scope: SQL): Promise<SQL> => {
  const parts: SQL[] = [scope]
  if (input.action !== undefined) parts.push(sql`l.action = ${input.action}`)
  if (input.actorId !== undefined) parts.push(sql`l.actor_id = ${input.actorId}`)
  if (input.from !== undefined) parts.push(sql`l.created_at >= ${input.from}::timestamptz`)
  if (input.to !== undefined) parts.push(sql`l.created_at < ${input.to}::timestamptz`)
  const found = input.key === undefined ? null : await search(on, input.key)
  if (found) parts.push(found)
  return sql.join(parts, sql` AND `)
}

const shown = <R extends Row>({ time, ...rest }: R) => ({ ...rest, time: iso(time) })

/** Newest first, or oldest first when asked for. */
export const listAudit = async (on: Queryable, input: Query, scope: SQL) => {
  const where = await conditions(on, input, scope)
  const direction = input.order === 'asc' ? sql`ASC` : sql`DESC`
  const [count, list] = await Promise.all([
    row<{ n: number }>(
      on,
      sql`SELECT count(*) AS n FROM (SELECT FROM audit_log l WHERE ${where} LIMIT ${COUNT_CAP}) x`,
    ),
    rows<Row>(
      on,
      sql`SELECT ${COLUMNS} FROM audit_log l WHERE ${where} ORDER BY l.created_at ${direction}, l.id ${direction}
          LIMIT ${input.limit} OFFSET ${(input.page - 1) * input.limit}`,
    ),
  ])
  return page(input, count?.n ?? 0, list.map(shown))
}

/** What customers did; of one alone with what was done to the account. */
export const listUserLog = (on: Queryable, { userId, logins, ...input }: InputOf<'userLog.list'>) => {
  const whose = userId === undefined ? SCOPES.users : ofCustomer(userId)
  return listAudit(on, input, logins === true ? sql`${whose} AND ${LOGINS}` : whose)
}

/** What the caller did, and what was done to the caller's account, as the caller may read it. */
export const listOwnLog = async (on: Queryable, input: InputOf<'ownLog.list'>, caller: Caller) => {
  const { data } = await listAudit(on, input, ofCustomer(caller.id))
  return { data: { ...data, list: data.list.map((entry) => asSeenBy(caller, entry)) } }
}

/** One row with what was before and after; throws `not_found`. */
export const auditInfo = async (on: Queryable, id: number, scope: SQL) => {
  const found = await row<Row & { userAgent: string; before: unknown; after: unknown }>(
    on,
    sql`SELECT ${COLUMNS}, l.user_agent AS "userAgent", l.before, l.after FROM audit_log l
        WHERE l.id = ${id} AND ${scope}`,
  )
  if (!found) throw new AppError('not_found')
  return { data: shown(found) }
}

/** The actions and actors that occur, each found by one step in its index. The newest name of an actor counts. */
export const auditFilters = async (on: Queryable) => {
  const actions = await rows<{ action: string }>(
    on,
    sql`WITH RECURSIVE a AS (
        (SELECT action FROM audit_log ORDER BY action LIMIT 1)
        UNION ALL
        SELECT (SELECT l.action FROM audit_log l WHERE l.action > a.action ORDER BY l.action LIMIT 1) FROM a WHERE a.action IS NOT NULL)
      SELECT action FROM a WHERE action IS NOT NULL AND EXISTS (
        SELECT FROM audit_log l WHERE l.action = a.action AND ${SCOPES.admins})`,
  )
  const actors = await rows<{ id: number; name: string }>(
    on,
    sql`WITH RECURSIVE a AS (
        (SELECT actor_id FROM audit_log WHERE actor_id > 0 ORDER BY actor_id LIMIT 1)
        UNION ALL
        SELECT (SELECT l.actor_id FROM audit_log l WHERE l.actor_id > a.actor_id ORDER BY l.actor_id LIMIT 1) FROM a
        WHERE a.actor_id IS NOT NULL)
      SELECT a.actor_id AS id, n.name FROM a CROSS JOIN LATERAL (
        SELECT l.actor_name AS name FROM audit_log l WHERE l.actor_id = a.actor_id AND l.actor_kind = 'admin'
        ORDER BY l.created_at DESC, l.id DESC LIMIT 1) n
      WHERE a.actor_id IS NOT NULL ORDER BY n.name`,
  )
  return { data: { actions: actions.map((a) => a.action), actors } }
}

/** The actions of customers that occur, each found by one step in the index. */
export const userActions = async (on: Queryable): Promise<string[]> => {
  const found = await rows<{ action: string }>(
    on,
    sql`WITH RECURSIVE a AS (
        (SELECT action FROM audit_log WHERE actor_kind = 'user' ORDER BY action LIMIT 1)
        UNION ALL
        SELECT (SELECT l.action FROM audit_log l WHERE l.actor_kind = 'user' AND l.action > a.action ORDER BY l.action LIMIT 1) FROM a
        WHERE a.action IS NOT NULL)
      SELECT action FROM a WHERE action IS NOT NULL`,
  )
  return found.map((a) => a.action)
}

const LOOKED_AT = 5_000

/** The actions among the newest entries of one customer's log. */
export const ownActions = async (on: Queryable, id: number): Promise<string[]> => {
  const found = await rows<{ action: string }>(
    on,
    sql`SELECT DISTINCT x.action FROM (
          SELECT l.action FROM audit_log l WHERE ${ofCustomer(id)} ORDER BY l.created_at DESC, l.id DESC LIMIT ${LOOKED_AT}) x
        ORDER BY x.action`,
  )
  return found.map((a) => a.action)
}
