/** Writing, one change at a time: the row of the list's state is locked first, and every change counts there. */
import { type BlackLine, type BlackScope, blackKey } from '@tidegate/contract/black'
import { MAX_BLACK_ENTRIES } from '@tidegate/contract/limits'
import type { InputOf } from '@tidegate/contract/operations/index'
import { and, eq, inArray, ne, sql } from 'drizzle-orm'
import type { Caller } from '../../platform/caller.ts'
import type { Tx } from '../../platform/db.ts'
import { AppError } from '../../platform/errors.ts'
import { row } from '../../platform/query.ts'
import { audit } from '../audit/index.ts'
import { conditionOf } from './list.ts'
import { type Entry, entries, listState } from './schema.ts'

const TARGET = 'dns blacklist'
/** Names that a trace holds; the rest is told by the count. */
const TRACED = 50

/** Waits for the change before this one to end; gives what it left. */
export const lockList = async (tx: Tx) => {
  const [state] = await tx.select().from(listState).for('update')
  if (state === undefined) throw new Error('dns_black_state has no row')
  return state
}

/** Counts a change of the list. Throws `black_full`. */
export const countChange = async (tx: Tx, now: Date, { total, active }: { total: number; active: number }) => {
  const [state] = await tx
    .update(listState)
    .set({
      total: sql`total + ${total}`,
      active: sql`active + ${active}`,
      revision: sql`revision + 1`,
      changedAt: now,
    })
    .returning()
  if (total > 0 && (state?.total ?? 0) > MAX_BLACK_ENTRIES)
    throw new AppError('black_full', { params: { max: MAX_BLACK_ENTRIES } })
}

const trace = ({ name, scope, enabled, category, remark }: Entry) => ({
  domain: name,
  scope,
  enabled,
  ...(category && { category }),
  ...(remark && { remark }),
})

const shown = (names: readonly string[]) => ({
  count: names.length,
  domains: names.slice(0, TRACED),
})

interface Common {
  scope: BlackScope
  enabled: boolean
  category: string
  remark: string
}

const add = async (tx: Tx, domains: readonly BlackLine[], common: Common, caller: Caller, now: Date) => {
  const names = domains.map(({ name }) => name)
  const there = await tx.select({ name: entries.name }).from(entries).where(inArray(entries.name, names))
  if (there.length > 0) throw taken(domains, new Set(there.map(({ name }) => name)))
  await tx.insert(entries).values(
    domains.map(({ name, scope }) => ({
      ...common,
      name,
      sortKey: blackKey(name),
      scope: scope ?? common.scope,
      createdAt: now,
      updatedAt: now,
    })),
  )
  await countChange(tx, now, { total: names.length, active: common.enabled ? names.length : 0 })
  await audit(tx, caller, { action: 'black.save', target: TARGET, after: { ...common, ...shown(names) } })
  return names.length
}

const taken = (domains: readonly BlackLine[], there: ReadonlySet<string>) =>
  new AppError('invalid_input', {
    fields: domains
      .filter(({ name }) => there.has(name))
      .map(({ line, name }) => ({ path: 'domains', key: 'line_taken' as const, params: { line, value: name } })),
  })

const change = async (tx: Tx, id: number, domain: BlackLine, common: Common, caller: Caller, now: Date) => {
  const [before] = await tx.select().from(entries).where(eq(entries.id, id))
  if (before === undefined) throw new AppError('not_found')
  const { name } = domain
  const [other] = await tx
    .select({ id: entries.id })
    .from(entries)
    .where(and(eq(entries.name, name), ne(entries.id, id)))
  if (other !== undefined) throw taken([domain], new Set([name]))
  const scope = domain.scope ?? common.scope
  const [after] = await tx
    .update(entries)
    .set({ ...common, name, sortKey: blackKey(name), scope, updatedAt: now })
    .where(eq(entries.id, id))
    .returning()
  if (after === undefined) throw new AppError('not_found')
  await countChange(tx, now, { total: 0, active: Number(after.enabled) - Number(before.enabled) })
  const target = `dns blacklist ${id}`
  await audit(tx, caller, { action: 'black.save', target, before: trace(before), after: trace(after) })
  return 1
}

/** Adds names, or changes the one entry; answers how many. */
export const saveEntries = async (tx: Tx, input: InputOf<'black.save'>, caller: Caller, now: Date): Promise<number> => {
  const { id, domains, ...common } = input
  await lockList(tx)
  const [first] = domains
  if (id !== undefined && first !== undefined) return await change(tx, id, first, common, caller, now)
  return await add(tx, domains, common, caller, now)
}

/** All of these, or `not_found`. */
const found = (rows: readonly Entry[], ids: readonly number[]) => {
  if (rows.length < new Set(ids).size) throw new AppError('not_found')
}

export const enableEntries = async (tx: Tx, input: InputOf<'black.enable'>, caller: Caller, now: Date) => {
  const { ids, enabled } = input
  await lockList(tx)
  const before = await tx.select().from(entries).where(inArray(entries.id, ids))
  found(before, ids)
  const changed = before.filter((one) => one.enabled !== enabled)
  if (changed.length === 0) return 0
  const which = changed.map(({ id }) => id)
  await tx.update(entries).set({ enabled, updatedAt: now }).where(inArray(entries.id, which))
  await countChange(tx, now, { total: 0, active: enabled ? changed.length : -changed.length })
  const names = changed.map(({ name }) => name)
  await audit(tx, caller, {
    action: 'black.enable',
    target: `dns blacklist ${which.join(', ')}`,
    before: { enabled: !enabled, ...shown(names) },
    after: { enabled, ...shown(names) },
  })
  return changed.length
}

export const deleteEntries = async (tx: Tx, ids: readonly number[], caller: Caller, now: Date) => {
  await lockList(tx)
  const gone = await tx
    .delete(entries)
    .where(inArray(entries.id, [...ids]))
    .returning()
  found(gone, ids)
  await countChange(tx, now, { total: -gone.length, active: -gone.filter((one) => one.enabled).length })
  await audit(tx, caller, {
    action: 'black.delete',
    target: `dns blacklist ${gone.map(({ id }) => id).join(', ')}`,
    before: { entries: gone.map(trace) },
  })
}

/** Deletes what the filters show; answers how many. */
export const clearEntries = async (tx: Tx, input: InputOf<'black.clear'>, caller: Caller, now: Date) => {
  await lockList(tx)
  const gone = await row<{ total: number; active: number }>(
    tx,
    sql`WITH gone AS (DELETE FROM dns_black WHERE ${conditionOf(input)} RETURNING enabled)
        SELECT count(*) AS total, count(*) FILTER (WHERE enabled) AS active FROM gone`,
  )
  const { total, active } = gone ?? { total: 0, active: 0 }
  if (total > 0) await countChange(tx, now, { total: -total, active: -active })
  await audit(tx, caller, { action: 'black.clear', target: TARGET, before: { count: total, filters: input } })
  return total
}
