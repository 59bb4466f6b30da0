/** Lists of sites at a million rows: every order is an index, counts are capped, names are found by trigrams. */
import { COUNT_CAP } from '@tidegate/contract/limits'
import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../platform/db.ts'
import { contains, escapeLike, page } from '../../platform/page.ts'
import { row, rows } from '../../platform/query.ts'
import { present, SELECT_SITE, type SiteListRow } from './present.ts'

export interface SiteQuery {
  page: number
  limit: number
  sidx?: string | undefined
  order?: 'asc' | 'desc' | undefined
  key?: string | undefined
  groupId?: number | undefined
  enabled?: boolean | undefined
}

/** Columns that have an index with the id behind. */
const ORDERS: Record<string, SQL> = {
  id: sql`s.id`,
  createTime: sql`s.created_at`,
  updateTime: sql`s.updated_at`,
}

export const listSites = async (db: Db, query: SiteQuery) => {
  const found = query.key === undefined ? null : await search(db, query.key.trim().toLowerCase())
  const where = conditions(query, found)
  const column = ORDERS[query.sidx ?? 'id'] ?? sql`s.id`
  const direction = query.order === 'asc' ? sql`ASC` : sql`DESC`
  const order = column === ORDERS.id ? sql`s.id ${direction}` : sql`${column} ${direction}, s.id ${direction}`
  const [count, ids] = await Promise.all([
    row<{ n: number }>(db, sql`SELECT count(*) AS n FROM (SELECT FROM site s WHERE ${where} LIMIT ${COUNT_CAP}) x`),
    rows<{ id: number }>(
      db,
      sql`SELECT s.id FROM site s WHERE ${where} ORDER BY ${order} LIMIT ${query.limit} OFFSET ${(query.page - 1) * query.limit}`,
    ),
  ])
  return page(
    query,
    count?.n ?? 0,
    await loadSites(
      db,
      ids.map((r) => r.id),
    ),
  )
}

/** Rows of the list in the order of `ids`. */
export const loadSites = async (db: Db, ids: number[]) => {
  if (ids.length === 0) return []
  const list = await rows<SiteListRow>(
    db,
    sql`${SELECT_SITE} WHERE s.id = ANY (${sql.param(ids)}::bigint[]) ORDER BY array_position(${sql.param(ids)}::bigint[], s.id)`,
  )
  return present(db, list)
}

/** Few matches: their ids. Too many (or everything): the pattern, to be tested along the order's index, which then finds a page at once. */
type Found = { ids: number[] } | { pattern: string } | null

const search = async (db: Db, key: string): Promise<Found> => {
  if (key === '') return null
  // Shorter than a trigram: names that begin so, by the primary key.
  const pattern = key.length < 3 ? `${escapeLike(key)}%` : contains(key)
  const hits = await rows<{ id: number }>(
    db,
    sql`SELECT site_id AS id FROM site_domain WHERE domain LIKE ${pattern} LIMIT ${COUNT_CAP}`,
  )
  if (hits.length >= COUNT_CAP) return { pattern }
  const ids = new Set(hits.map((h) => h.id))
  if (/^\d{1,15}$/.test(key)) ids.add(Number(key))
  return { ids: [...ids] }
}

const conditions = (query: SiteQuery, found: Found): SQL => {
  const parts: SQL[] = [sql`true`]
  if (query.groupId !== undefined) parts.push(sql`s.group_id = ${query.groupId}`)
  if (query.enabled !== undefined) parts.push(sql`s.enabled = ${query.enabled}`)
  if (found && 'ids' in found) parts.push(sql`s.id = ANY (${sql.param(found.ids)}::bigint[])`)
  if (found && 'pattern' in found)
    parts.push(
      sql`EXISTS (SELECT FROM site_domain d WHERE d.site_id = s.id AND d.domain LIKE ${found.pattern} OFFSET 0)`,
    )
  return sql.join(parts, sql` AND `)
}
