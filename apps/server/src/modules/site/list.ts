/** Lists of sites at a million rows: every order is an index, counts are capped, names are found by their rare parts. */
import { COUNT_CAP } from '@tidegate/contract/limits'
import { type SQL, sql } from 'drizzle-orm'
import type { Queryable } from '../../platform/db.ts'
import { columnOf, page } from '../../platform/page.ts'
import { row, rows } from '../../platform/query.ts'
import type { NameSample } from './name-sample.ts'
import { present, SELECT_SITE, type SiteListRow } from './present.ts'
import { readSearch, type Search } from './search.ts'

export interface SiteQuery {
  page: number
  limit: number
  sidx?: string | undefined
  order?: 'asc' | 'desc' | undefined
  key?: string | undefined
  groupId?: number | undefined
  enabled?: boolean | undefined
  /** Of this customer only. */
  userId?: number | undefined
  /** Whose certificate ends before this moment (ISO). */
  certBefore?: string | undefined
}

const BY_ID: SQL = sql`s.id`
/** Columns that have an index with the id behind. */
const ORDERS: Record<string, SQL> = {
  id: BY_ID,
  createTime: sql`s.created_at`,
  updateTime: sql`s.updated_at`,
}

interface Found {
  total: number
  ids: number[]
}

/** A search without an order of its own begins with what is exactly the text that was typed. */
export const listSites = async (db: Queryable, sample: () => Promise<NameSample>, query: SiteQuery) => {
  const search = await readSearch(db, sample, query.key)
  const few = search && (query.userId !== undefined || !search.common) ? await collect(db, query, search) : null
  const { total, ids } = few ?? (await walk(db, query, search))
  return page(query, total, await loadSites(db, ids))
}

/** Rows of the list in the order of `ids`. */
const loadSites = async (db: Queryable, ids: number[]) => {
  if (ids.length === 0) return []
  const list = await rows<SiteListRow>(
    db,
    sql`${SELECT_SITE} WHERE s.id = ANY (${sql.param(ids)}::bigint[]) ORDER BY array_position(${sql.param(ids)}::bigint[], s.id)`,
  )
  return present(db, list)
}

/** Conditions beside the search, on whatever has a site's columns. */
const filters = (query: SiteQuery, on: SQL): SQL[] => [
  sql`true`,
  ...(query.groupId === undefined ? [] : [sql`${on}.group_id = ${query.groupId}`]),
  ...(query.enabled === undefined ? [] : [sql`${on}.enabled = ${query.enabled}`]),
  ...(query.userId === undefined ? [] : [sql`${on}.user_id = ${query.userId}`]),
  ...(query.certBefore === undefined ? [] : [sql`${on}.id IN (${endingSites(query.certBefore)})`]),
]

/** Certificates that end are few, and so are their sites: both are found by an index. */
const endingSites = (before: string): SQL =>
  sql`SELECT z.id FROM cert c JOIN site z ON z.cert_id = c.id WHERE c.not_after < ${before}::timestamptz`

const exactFirst = (query: SiteQuery) => query.sidx === undefined && query.order === undefined

const orderBy = (query: SiteQuery): SQL => {
  const column = columnOf(ORDERS, query.sidx, BY_ID)
  const direction = query.order === 'asc' ? sql`ASC` : sql`DESC`
  return column === BY_ID ? sql`s.id ${direction}` : sql`${column} ${direction}, s.id ${direction}`
}

/** A customer's sites are few beside all: they are read whole rather than by what their names have in common with others. */
const matching = ({ userId }: SiteQuery, search: Search): SQL =>
  userId === undefined ? search.indexed : sql`x.user_id = ${userId} AND ${search.plain}`

const isFiltered = ({ groupId, enabled, userId, certBefore }: SiteQuery) =>
  [groupId, enabled, userId, certBefore].some((one) => one !== undefined)

/** Reads all that match, once, counts them and cuts the page out: every row and column less counts, for there are thousands. null = too many for that. */
const collect = async (db: Queryable, query: SiteQuery, search: Search): Promise<Found | null> => {
  const head = exactFirst(query) ? await keep(db, query, search.exact) : []
  const also = exactFirst(query) ? [] : search.unnamed
  const offset = (query.page - 1) * query.limit
  const leading = head.slice(offset, offset + query.limit)
  const where = sql.join(filters(query, sql`s`), sql` AND `)
  const bare = !isFiltered(query) && columnOf(ORDERS, query.sidx, BY_ID) === BY_ID
  const columns = bare
    ? sql`x.site_id AS id`
    : sql`x.site_id AS id, x.user_id, x.group_id, x.enabled, x.created_at, x.updated_at`
  const others = sql`UNION ALL SELECT ${columns} FROM site_search x WHERE x.site_id = ANY (${sql.param(also)}::bigint[])`
  const source = also.length === 0 ? sql`hit s` : sql`(SELECT * FROM hit ${others}) s`
  const found = await row<{ hits: number; total: number; ids: string[] }>(
    db,
    sql`WITH hit AS MATERIALIZED (SELECT ${columns} FROM site_search x WHERE ${matching(query, search)} LIMIT ${COUNT_CAP})
        SELECT (SELECT count(*) FROM hit) AS hits, (SELECT count(*) FROM ${source} WHERE ${where}) AS total,
          ARRAY(SELECT s.id FROM ${source} WHERE ${where} AND s.id <> ALL (${sql.param(head)}::bigint[]) ORDER BY ${orderBy(query)}
            LIMIT ${query.limit - leading.length} OFFSET ${Math.max(0, offset - head.length)}) AS ids`,
  )
  if (!found || found.hits >= COUNT_CAP) return null
  const unnamed = head.filter((id) => search.unnamed.includes(id)).length
  return { total: found.total + unnamed, ids: [...leading, ...found.ids.map(Number)] }
}

/** Walks along the order's index until the page is full; counts apart, up to the cap. */
const walk = async (db: Queryable, query: SiteQuery, search: Search | null): Promise<Found> => {
  const exact = search?.exact ?? []
  const head = exactFirst(query) ? await keep(db, query, exact) : []
  const also = exactFirst(query) ? [] : exact
  const offset = (query.page - 1) * query.limit
  const leading = head.slice(offset, offset + query.limit)
  const where = conditions(query, search, head, also)
  // Without filters the narrow table alone tells the number; in no order, so that it stops as soon as there are enough.
  const alone = search && !isFiltered(query) && also.length === 0
  const counted = alone
    ? sql`site_search x WHERE ${search.pattern} AND x.site_id <> ALL (${sql.param(head)}::bigint[])`
    : sql`site s WHERE ${where}`
  const [count, rest] = await Promise.all([
    row<{ n: number }>(db, sql`SELECT count(*) AS n FROM (SELECT FROM ${counted} LIMIT ${COUNT_CAP}) c`),
    rows<{ id: number }>(
      db,
      sql`SELECT s.id FROM site s WHERE ${where} ORDER BY ${orderBy(query)}
          LIMIT ${query.limit - leading.length} OFFSET ${Math.max(0, offset - head.length)}`,
    ),
  ])
  return { total: (count?.n ?? 0) + head.length, ids: [...leading, ...rest.map((r) => r.id)] }
}

/** Those of the ids that the filters let through, newest first. */
const keep = async (db: Queryable, query: SiteQuery, ids: number[]): Promise<number[]> => {
  if (ids.length === 0) return []
  const where = sql.join([sql`s.id = ANY (${sql.param(ids)}::bigint[])`, ...filters(query, sql`s`)], sql` AND `)
  const kept = await rows<{ id: number }>(db, sql`SELECT s.id FROM site s WHERE ${where} ORDER BY s.id DESC`)
  return kept.map((k) => k.id)
}

/** `without`: not these; `also`: these too, though their names do not match. */
const conditions = (query: SiteQuery, search: Search | null, without: number[], also: number[]): SQL => {
  const parts = filters(query, sql`s`)
  if (without.length > 0) parts.push(sql`s.id <> ALL (${sql.param(without)}::bigint[])`)
  if (search) {
    const matches = sql`EXISTS (SELECT FROM site_search x WHERE x.site_id = s.id AND ${search.plain} OFFSET 0)`
    parts.push(also.length === 0 ? matches : sql`(${matches} OR s.id = ANY (${sql.param(also)}::bigint[]))`)
  }
  return sql.join(parts, sql` AND `)
}
