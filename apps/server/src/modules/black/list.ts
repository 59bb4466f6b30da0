/** Reading: the list, what decides on a name, how much there is. */
import { type BlackScope, blackDecision, blackKey, namesUpward, readBlackName } from '@tidegate/contract/black'
import { type BlackConfig, blackExceptions } from '@tidegate/contract/config/black'
import { COUNT_CAP } from '@tidegate/contract/limits'
import type { BlackRow } from '@tidegate/contract/operations/black'
import type { InputOf, OutputOf } from '@tidegate/contract/operations/index'
import { inArray, type SQL, sql } from 'drizzle-orm'
import type { Queryable } from '../../platform/db.ts'
import { columnOf, page } from '../../platform/page.ts'
import { iso, row, rows } from '../../platform/query.ts'
import { type Entry, entries, listState } from './schema.ts'

type Filters = InputOf<'black.clear'>

export const present = (entry: Entry): BlackRow => ({
  id: entry.id,
  domain: entry.name,
  scope: entry.scope,
  enabled: entry.enabled,
  category: entry.category,
  remark: entry.remark,
  createTime: iso(entry.createdAt),
  updateTime: iso(entry.updatedAt),
})

/** Behind every text that begins with `text`: names hold no such character. */
const pastAll = (text: string) => `${text}\u007f`
const begins = (column: SQL, text: string) => sql`(${column} >= ${text} AND ${column} < ${pastAll(text)})`

/** Names that begin with what was typed, and it with all that is below it; `*.` or `.` before it: only the latter. Ranges, so that indexes serve. */
const searched = (key: string): SQL => {
  const typed = key.trim().toLowerCase()
  const below = /^\*?\./.test(typed)
  const bare = typed.replace(/^\*?\./, '').replace(/\.$/, '')
  const name = readBlackName(bare)?.name ?? bare
  const under = begins(sql`sort_key`, blackKey(name))
  return below ? under : sql`(${begins(sql`name`, name)} OR ${under})`
}

/** What the filters mean; `true` without any. */
export const conditionOf = ({ key, scope, enabled, category }: Filters): SQL => {
  const parts: SQL[] = []
  if (key?.trim()) parts.push(searched(key))
  if (scope !== undefined) parts.push(sql`scope = ${scope}`)
  if (enabled !== undefined) parts.push(enabled ? sql`enabled` : sql`NOT enabled`)
  if (category) parts.push(sql`category = ${category} AND category <> ''`)
  return parts.length === 0 ? sql`true` : sql.join(parts, sql` AND `)
}

/** By name means by its labels from the top: what belongs together stands together. */
const SORTS: Readonly<Record<string, SQL>> = { createTime: sql`id`, domain: sql`sort_key` }

export const listEntries = async (on: Queryable, input: InputOf<'black.list'>): Promise<OutputOf<'black.list'>> => {
  const where = conditionOf(input)
  const fallback = input.key?.trim() ? sql`sort_key` : sql`id`
  const by = columnOf(SORTS, input.sidx, fallback)
  const way = (input.order ?? (input.key?.trim() && !input.sidx ? 'asc' : 'desc')) === 'asc' ? sql`ASC` : sql`DESC`
  const found = await on
    .select()
    .from(entries)
    .where(where)
    .orderBy(sql`${by} ${way}`)
    .limit(input.limit)
    .offset((input.page - 1) * input.limit)
  const counted = await row<{ n: number }>(
    on,
    sql`SELECT count(*) AS n FROM (SELECT FROM dns_black WHERE ${where} LIMIT ${COUNT_CAP}) x`,
  )
  return page(input, counted?.n ?? 0, found.map(present))
}

/** What decides on a name: the present entries and setting, by the same rule as the servers'. */
export const checkName = async (on: Queryable, domain: string, config: BlackConfig) => {
  const found = await on
    .select()
    .from(entries)
    .where(inArray(entries.name, namesUpward(domain)))
  const active = new Map<string, BlackScope>(found.filter((one) => one.enabled).map((one) => [one.name, one.scope]))
  const exceptions = new Set(blackExceptions(config))
  const decision = blackDecision(
    domain,
    (name) => active.get(name),
    (name) => exceptions.has(name),
  )
  const entry = decision?.by === 'entry' ? found.find((one) => one.name === decision.name) : undefined
  return {
    data: {
      domain,
      blocked: config.enabled && decision?.by === 'entry',
      by: decision?.by ?? ('' as const),
      match: decision?.name ?? '',
      entry: entry === undefined ? null : present(entry),
      enabled: config.enabled,
    },
  }
}

const MAX_CATEGORIES = 100

/** Hops from one category to the next: their number decides, not that of the entries. */
export const categoriesInUse = async (on: Queryable): Promise<string[]> => {
  const found = await rows<{ category: string }>(
    on,
    sql`WITH RECURSIVE c AS (
          (SELECT category FROM dns_black WHERE category <> '' ORDER BY category LIMIT 1)
          UNION ALL
          SELECT (SELECT d.category FROM dns_black d WHERE d.category <> '' AND d.category > c.category ORDER BY d.category LIMIT 1)
          FROM c WHERE c.category IS NOT NULL)
        SELECT category FROM c WHERE category IS NOT NULL LIMIT ${MAX_CATEGORIES}`,
  )
  return found.map((one) => one.category)
}

export const readState = async (on: Queryable) => {
  const [state] = await on.select().from(listState)
  if (state === undefined) throw new Error('dns_black_state has no row')
  return state
}
