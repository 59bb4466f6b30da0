/** Writing: what the staff publishes, and what is read. */
import type { InputOf } from '@tidegate/contract/operations/index'
import { eq, inArray, sql } from 'drizzle-orm'
import type { Caller } from '../../platform/caller.ts'
import type { Queryable, Tx } from '../../platform/db.ts'
import { AppError, fieldError } from '../../platform/errors.ts'
import { rows } from '../../platform/query.ts'
import { audit } from '../audit/index.ts'
import { cleanHtml, isBlank } from './clean.ts'
import { messages, messageTargets } from './schema.ts'
import { candidates, type Reader, visibleTo } from './visible.ts'

type SaveIn = InputOf<'message.save'>

/** Ids of customers by account name; a field error for one that nobody has. */
const customersOf = async (tx: Tx, { target, users }: SaveIn): Promise<number[]> => {
  if (target !== 'chosen') return []
  if (users.length === 0) throw fieldError('users', 'required')
  const wanted = users.map((name) => name.toLowerCase())
  const found = await rows<{ id: number; name: string }>(
    tx,
    sql`SELECT id, lower(username) AS name FROM customer WHERE lower(username) = ANY (${sql.param(wanted)}::text[])`,
  )
  const known = new Map(found.map((c) => [c.name, c.id]))
  const missing = wanted.findIndex((name) => !known.has(name))
  if (missing >= 0) throw fieldError(`users.${missing}`, 'user_unknown', { value: users[missing] ?? '' })
  return [...new Set(known.values())]
}

const load = async (tx: Tx, id: number) => {
  const [found] = await tx.select().from(messages).where(eq(messages.id, id)).for('update')
  if (!found?.managed) throw new AppError('not_found')
  return found
}

/** What the log keeps of a message: not its text, which may be long; that it changed is told by its length and title. */
const trace = (m: { title: string; type: number; status: number; target: string; content: string }) => ({
  ...{ title: m.title, type: m.type, status: m.status, target: m.target },
  length: m.content.length,
})

/** Adds or changes a message; answers its id. */
export const saveMessage = async (tx: Tx, input: SaveIn, caller: Caller, now: Date): Promise<number> => {
  const content = cleanHtml(input.content)
  if (isBlank(content)) throw fieldError('content', 'required')
  const chosen = await customersOf(tx, input)
  const before = input.id === undefined ? null : await load(tx, input.id)
  const publishAt = input.createtime ? new Date(input.createtime) : (before?.publishAt ?? now)
  const expireAt = input.expireTime === '' ? null : new Date(input.expireTime)
  if (expireAt !== null && expireAt <= publishAt) throw fieldError('expireTime', 'expire_before')
  const { title, type, status, target } = input
  const values = { title, content, type, status, target, publishAt, expireAt }
  const id = before === null ? await insert(tx, values, now) : before.id
  if (before !== null) {
    await tx.update(messages).set(values).where(eq(messages.id, id))
    await tx.delete(messageTargets).where(eq(messageTargets.messageId, id))
  }
  if (chosen.length > 0)
    await tx.insert(messageTargets).values(chosen.map((customerId) => ({ customerId, messageId: id })))
  await audit(tx, caller, {
    action: 'message.save',
    target: `message ${id}`,
    ...(before && { before: trace(before) }),
    after: trace(values),
  })
  return id
}

const insert = async (tx: Tx, values: Omit<typeof messages.$inferInsert, 'managed' | 'createdAt'>, now: Date) => {
  const [made] = await tx
    .insert(messages)
    .values({ ...values, managed: true, createdAt: now })
    .returning({ id: messages.id })
  if (!made) throw new AppError('internal')
  return made.id
}

export const deleteMessages = async (tx: Tx, ids: readonly number[], caller: Caller): Promise<void> => {
  for (const id of new Set(ids)) {
    const found = await load(tx, id)
    await audit(tx, caller, { action: 'message.delete', target: `message ${id}`, before: trace(found) })
  }
  await tx.delete(messages).where(inArray(messages.id, [...ids]))
}

/** Marks what the reader sees of these, or everything; what is read already stays as it is. */
export const markRead = async (
  on: Queryable,
  reader: Reader,
  ids: readonly number[] | null,
  now: Date,
): Promise<void> => {
  await on.execute(sql`
    INSERT INTO message_read (reader_kind, reader_id, message_id, read_at)
    SELECT ${reader.kind}, ${reader.id}, m.id, ${now.toISOString()} FROM ${candidates(reader)}
    WHERE ${visibleTo(reader, now)} ${ids === null ? sql`` : sql`AND m.id = ANY (${sql.param([...ids])}::bigint[])`}
    ON CONFLICT DO NOTHING`)
}

/** A message of the system to one customer, in the writer's own transaction. */
export interface Delivery {
  customerId: number
  title: string
  /** HTML; cleaned like everything else. */
  content: string
  /** 1 in-site, 3 work order */
  type: 1 | 3
  /** Path of the screen that it is about. */
  link?: string
}

export const deliver = async (tx: Queryable, { customerId, title, content, type, link = '' }: Delivery, now: Date) => {
  const values = { title, content: cleanHtml(content), type, link, status: 1, target: 'chosen' as const }
  const [made] = await tx
    .insert(messages)
    .values({ ...values, publishAt: now, managed: false, createdAt: now })
    .returning({ id: messages.id })
  if (made) await tx.insert(messageTargets).values({ customerId, messageId: made.id })
}
