/** Categories and quick replies. */
import { MAX_QUICK_REPLIES } from '@tidegate/contract/limits'
import type { InputOf, OutputOf } from '@tidegate/contract/operations/index'
import { asc, eq, inArray, sql } from 'drizzle-orm'
import type { Caller } from '../../platform/caller.ts'
import type { Db, Queryable } from '../../platform/db.ts'
import { AppError, fieldError } from '../../platform/errors.ts'
import { rows, sqlState } from '../../platform/query.ts'
import { audit } from '../audit/index.ts'
import { categories, replies } from './schema.ts'

const UNIQUE = '23505'
const REFERENCED = '23503'

/** Runs a write; the database's refusal becomes the error. */
const unless = async <T>(state: string, error: AppError, write: Promise<T>): Promise<T> => {
  try {
    return await write
  } catch (cause) {
    throw sqlState(cause) === state ? error : cause
  }
}

export const listCategories = (on: Queryable, staff: boolean): Promise<OutputOf<'workCategory.list'>['list']> =>
  rows(
    on,
    staff
      ? sql`SELECT k.id, k.title, k.sort, k.enabled, (SELECT count(*) FROM work_order o WHERE o.category_id = k.id) AS orders
          FROM work_order_category k ORDER BY k.sort, k.id`
      : sql`SELECT k.id, k.title, k.sort, k.enabled, 0 AS orders FROM work_order_category k WHERE k.enabled ORDER BY k.sort, k.id`,
  )

export const saveCategory = ({ id, ...values }: InputOf<'workCategory.save'>, caller: Caller, db: Db) => {
  const write = db.transaction(async (tx) => {
    const [before] =
      id === undefined ? [] : await tx.select().from(categories).where(eq(categories.id, id)).for('update')
    if (id !== undefined && !before) throw new AppError('not_found')
    const [after] = before
      ? await tx.update(categories).set(values).where(eq(categories.id, before.id)).returning()
      : await tx.insert(categories).values(values).returning()
    if (!after) throw new AppError('internal')
    const target = `work order category ${after.id}`
    await audit(tx, caller, { action: 'workCategory.save', target, ...(before && { before }), after })
    return after.id
  })
  return unless(UNIQUE, fieldError('title', 'taken', { value: values.title }), write)
}

export const deleteCategory = (id: number, caller: Caller, db: Db) => {
  const write = db.transaction(async (tx) => {
    const [before] = await tx.delete(categories).where(eq(categories.id, id)).returning()
    if (!before) throw new AppError('not_found')
    await audit(tx, caller, { action: 'workCategory.delete', target: `work order category ${id}`, before })
  })
  return unless(REFERENCED, new AppError('in_use'), write)
}

export const listReplies = (on: Queryable) => on.select().from(replies).orderBy(asc(replies.sort), asc(replies.id))

export const saveReply = ({ id, ...values }: InputOf<'workReply.save'>, caller: Caller, db: Db) => {
  const write = db.transaction(async (tx) => {
    const [before] = id === undefined ? [] : await tx.select().from(replies).where(eq(replies.id, id)).for('update')
    if (id !== undefined && !before) throw new AppError('not_found')
    if (!before && (await tx.$count(replies)) >= MAX_QUICK_REPLIES)
      throw new AppError('too_many_replies', { params: { max: MAX_QUICK_REPLIES } })
    const [after] = before
      ? await tx.update(replies).set(values).where(eq(replies.id, before.id)).returning()
      : await tx.insert(replies).values(values).returning()
    if (!after) throw new AppError('internal')
    const target = `work order reply ${after.id}`
    await audit(tx, caller, { action: 'workReply.save', target, ...(before && { before }), after })
    return after.id
  })
  return unless(UNIQUE, fieldError('shortcut', 'taken', { value: values.shortcut }), write)
}

export const deleteReplies = async (ids: readonly number[], caller: Caller, db: Db) => {
  await db.transaction(async (tx) => {
    const gone = await tx
      .delete(replies)
      .where(inArray(replies.id, [...ids]))
      .returning()
    if (gone.length < new Set(ids).size) throw new AppError('not_found')
    for (const before of gone)
      await audit(tx, caller, { action: 'workReply.delete', target: `work order reply ${before.id}`, before })
  })
}
