/** Reading: the staff's list, the reader's list, one message. */
import { COUNT_CAP } from '@tidegate/contract/limits'
import type { InputOf, OutputOf } from '@tidegate/contract/operations/index'
import type { ManagedMessage, MessageRow } from '@tidegate/contract/operations/message'
import { type SQL, sql } from 'drizzle-orm'
import type { Queryable } from '../../platform/db.ts'
import { AppError } from '../../platform/errors.ts'
import { columnOf, contains, page } from '../../platform/page.ts'
import { iso, row, rows } from '../../platform/query.ts'
import { candidates, type Reader, readStatus, visibleTo } from './visible.ts'

interface Selected extends Omit<ManagedMessage, 'createtime' | 'expireTime'> {
  publish_at: Date
  expire_at: Date | null
}

const columns = (
  reader: Reader,
  now: Date,
): SQL => sql`m.id, m.title, m.type, m.status, m.link, m.target, m.publish_at, m.expire_at,
  ${readStatus(reader)} AS "readStatus",
  CASE WHEN m.publish_at > ${now.toISOString()}::timestamptz THEN 'scheduled'
    WHEN m.expire_at <= ${now.toISOString()}::timestamptz THEN 'over' ELSE 'out' END AS state`
const READS = sql`(SELECT count(*) FROM message_read r WHERE r.message_id = m.id) AS reads`

const reader = ({ id, title, type, status, link, readStatus: read, publish_at }: Selected): MessageRow => ({
  ...{ id, title, type, status, link, readStatus: read },
  createtime: iso(publish_at),
})
const managed = (found: Selected): ManagedMessage => ({
  ...reader(found),
  target: found.target,
  expireTime: iso(found.expire_at),
  state: found.state,
  reads: found.reads,
})

const counted = async (on: Queryable, from: SQL, where: SQL): Promise<number> => {
  const found = await row<{ n: number }>(
    on,
    sql`SELECT count(*) AS n FROM (SELECT FROM ${from} WHERE ${where} LIMIT ${COUNT_CAP}) x`,
  )
  return found?.n ?? 0
}

const SORTS: Readonly<Record<string, SQL>> = {
  id: sql`m.id`,
  createtime: sql`m.publish_at`,
  title: sql`m.title`,
  type: sql`m.type`,
  status: sql`m.status`,
}
const orderOf = (input: { sidx?: string | undefined; order?: 'asc' | 'desc' | undefined }): SQL => {
  const way = input.order === 'asc' ? sql`ASC` : sql`DESC`
  return sql`${columnOf(SORTS, input.sidx, SORTS.createtime as SQL)} ${way}, m.id ${way}`
}

/** What the staff wrote; with `whole` false the announcements that are out for this reader. */
export const listManaged = async (
  on: Queryable,
  input: InputOf<'message.list'>,
  who: Reader,
  now: Date,
  whole: boolean,
) => {
  const parts = [whole ? sql`m.managed` : visibleTo(who, now)]
  if (input.type !== undefined) parts.push(sql`m.type = ${input.type}`)
  if (input.status !== undefined) parts.push(sql`m.status = ${input.status}`)
  if (input.key?.trim()) parts.push(sql`m.title ILIKE ${contains(input.key.trim())}`)
  const where = sql.join(parts, sql` AND `)
  const list = await rows<Selected>(
    on,
    sql`SELECT ${columns(who, now)}, ${READS} FROM message m WHERE ${where} ORDER BY ${orderOf(input)}
        LIMIT ${input.limit} OFFSET ${(input.page - 1) * input.limit}`,
  )
  return page(input, await counted(on, sql`message m`, where), list.map(managed))
}

/** A customer's messages, newest first. */
export const listNotices = async (on: Queryable, input: InputOf<'message.notices'>, who: Reader, now: Date) => {
  const parts = [visibleTo(who, now)]
  if (input.type !== undefined) parts.push(sql`m.type = ${input.type}`)
  if (input.readStatus !== undefined) parts.push(sql`${readStatus(who)} = ${input.readStatus}`)
  if (input.key?.trim()) parts.push(sql`m.title ILIKE ${contains(input.key.trim())}`)
  const where = sql.join(parts, sql` AND `)
  const from = candidates(who)
  const list = await rows<Selected>(
    on,
    sql`SELECT ${columns(who, now)}, 0 AS reads FROM ${from} WHERE ${where} ORDER BY ${orderOf(input)}
        LIMIT ${input.limit} OFFSET ${(input.page - 1) * input.limit}`,
  )
  return page(input, await counted(on, from, where), list.map(reader))
}

/** One message; throws `not_found` for what the reader does not see. `whole`: as the staff sees it. */
export const messageInfo = async (
  on: Queryable,
  id: number,
  who: Reader,
  now: Date,
  whole: boolean,
): Promise<OutputOf<'message.info'>> => {
  const found = await row<Selected & { content: string }>(
    on,
    sql`SELECT ${columns(who, now)}, ${whole ? READS : sql`0 AS reads`}, m.content FROM message m
        WHERE m.id = ${id} AND (${visibleTo(who, now)} ${whole ? sql`OR m.managed` : sql``})`,
  )
  if (!found) throw new AppError('not_found')
  const users =
    whole && found.target === 'chosen'
      ? await rows<{ username: string }>(
          on,
          sql`SELECT c.username FROM message_target t JOIN customer c ON c.id = t.customer_id
              WHERE t.message_id = ${id} ORDER BY lower(c.username)`,
        )
      : []
  return { data: { ...managed(found), content: found.content, users: users.map((u) => u.username) } }
}

export const uploadsInUse = async (on: Queryable, names: readonly string[]): Promise<ReadonlySet<string>> => {
  if (names.length === 0) return new Set()
  const found = await rows<{ name: string }>(
    on,
    sql`SELECT n AS name FROM unnest(${sql.param([...names])}::text[]) AS n
      WHERE EXISTS (SELECT FROM message WHERE strpos(content, n) > 0)`,
  )
  return new Set(found.map((row) => row.name))
}
