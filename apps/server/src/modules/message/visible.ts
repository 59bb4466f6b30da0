/** Which messages a reader sees, and which of them are unread. */
import { BELL_MAX } from '@tidegate/contract/limits'
import { type SQL, sql } from 'drizzle-orm'
import type { Caller } from '../../platform/caller.ts'
import type { Queryable } from '../../platform/db.ts'
import { row } from '../../platform/query.ts'

export interface Reader {
  kind: 'admin' | 'user'
  id: number
}
export const readerOf = (caller: Caller): Reader => ({ kind: caller.kind === 'user' ? 'user' : 'admin', id: caller.id })

/** `m` is out and meant for the reader. Administrators read announcements alone. */
export const visibleTo = ({ kind, id }: Reader, now: Date): SQL => {
  const out = sql`m.status = 1 AND m.publish_at <= ${now.toISOString()}::timestamptz
    AND (m.expire_at IS NULL OR m.expire_at > ${now.toISOString()}::timestamptz)`
  return kind === 'admin'
    ? sql`(${out} AND m.type = 2 AND m.target IN ('all', 'admins'))`
    : sql`(${out} AND (m.target IN ('all', 'users') OR (m.target = 'chosen' AND EXISTS (
        SELECT FROM message_target t WHERE t.customer_id = ${id} AND t.message_id = m.id))))`
}

/** 1 when read; what was out before the account was made counts as read. */
export const readStatus = ({ kind, id }: Reader): SQL => sql`(CASE WHEN EXISTS (
    SELECT FROM message_read r WHERE r.reader_kind = ${kind} AND r.reader_id = ${id} AND r.message_id = m.id)
  OR m.publish_at < ${born({ kind, id })} THEN 1 ELSE 0 END)`

const born = ({ kind, id }: Reader): SQL =>
  kind === 'admin'
    ? sql`(SELECT a.created_at FROM admin a WHERE a.id = ${id})`
    : sql`(SELECT c.created_at FROM customer c WHERE c.id = ${id})`

/**
 * Messages a customer may see are the few for many and those that name him: two index reads instead of a walk over what names others.
 */
export const candidates = ({ kind, id }: Reader): SQL =>
  kind === 'admin'
    ? sql`message m`
    : sql`(SELECT * FROM message b WHERE b.target <> 'chosen' UNION ALL
        SELECT c.* FROM message_target t JOIN message c ON c.id = t.message_id AND c.target = 'chosen'
        WHERE t.customer_id = ${id}) m`

/** Unread messages, counted from the rows themselves, up to one more than the bell shows. */
export const countUnread = async (on: Queryable, reader: Reader, now: Date): Promise<number> => {
  const found = await row<{ n: number }>(
    on,
    sql`SELECT count(*) AS n FROM (
      SELECT FROM ${candidates(reader)} WHERE ${visibleTo(reader, now)} AND ${readStatus(reader)} = 0
      LIMIT ${BELL_MAX + 1}) x`,
  )
  return found?.n ?? 0
}
