/** What a search for sites means, and the cheapest way to what it finds. */
import { normalizeDomain } from '@tidegate/contract/validators'
import { type SQL, sql } from 'drizzle-orm'
import type { Queryable } from '../../platform/db.ts'
import { contains, escapeLike } from '../../platform/page.ts'
import { rows } from '../../platform/query.ts'
import type { NameSample } from './name-sample.ts'

export interface Search {
  /** Sites that are exactly what was typed: domain, CNAME target (with or without its zone), id. */
  exact: number[]
  /** So many match that a walk along any order finds a page at once. */
  common: boolean
  /** Condition on site_search x that uses its indexes. */
  indexed: SQL
  /** The same condition, which no index is tempted by. */
  plain: SQL
  /** The same condition, for the planner to judge. */
  pattern: SQL
}

/** Above this share of the sites a page is found by walking. */
const COMMON = 0.02
/** Shorter than a trigram: only names that begin so are meant. */
const MIN_TRIGRAM = 3

/** null = everything. `key`: as typed. */
export const readSearch = async (
  db: Queryable,
  sample: () => Promise<NameSample>,
  key: string | undefined,
): Promise<Search | null> => {
  const typed = key?.trim().toLowerCase() ?? ''
  if (typed === '') return null
  const text = /[^ -~]/.test(typed) ? (normalizeDomain(typed) ?? typed) : typed
  const [exact, names] = await Promise.all([findExact(db, text), sample()])
  return { exact, ...conditions(names, text) }
}

const conditions = (names: NameSample, text: string): Omit<Search, 'exact'> => {
  const short = text.length < MIN_TRIGRAM
  const literal = short ? `\n${text}` : text
  const common = names.share(literal) > COMMON
  const plain = sql`x.names || '' LIKE ${contains(literal)}`
  const pattern = sql`x.names LIKE ${contains(literal)}`
  if (short) {
    const prefix = sql`x.site_id IN (SELECT d.site_id FROM site_domain d WHERE d.domain LIKE ${`${escapeLike(text)}%`})`
    return { common, indexed: prefix, plain, pattern }
  }
  const parts = names.rareParts(literal).map((part) => sql`x.names LIKE ${contains(part)}`)
  return { common, indexed: sql.join([...parts, plain], sql` AND `), plain, pattern }
}

const findExact = async (db: Queryable, text: string): Promise<number[]> => {
  const id = /^\d{1,15}$/.test(text) ? Number(text) : 0
  const slug = text.split('.', 1)[0] ?? ''
  const zone = text.slice(slug.length + 1)
  const found = await rows<{ id: number }>(
    db,
    sql`SELECT site_id AS id FROM site_domain WHERE domain = ${text}
        UNION SELECT id FROM site WHERE id = ${id}
        UNION SELECT s.id FROM site s JOIN node_group g ON g.id = s.group_id
          WHERE s.slug = ${slug} AND (${zone} = '' OR ${zone} = g.cname_zone)`,
  )
  return found.map((f) => f.id)
}
