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
  /** Those of them whose names do not contain it: found by id, or by CNAME target with its zone. */
  unnamed: number[]
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
  const literal = literalOf(text)
  const [found, names] = await Promise.all([findExact(db, text, literal), sample()])
  const exact = found.map((f) => f.id)
  const unnamed = found.filter((f) => !f.named).map((f) => f.id)
  return { exact, unnamed, ...conditions(names, text, literal) }
}

const isShort = (text: string) => text.length < MIN_TRIGRAM
/** What a site's names must contain. */
const literalOf = (text: string) => (isShort(text) ? `\n${text}` : text)

const conditions = (names: NameSample, text: string, literal: string): Omit<Search, 'exact' | 'unnamed'> => {
  const common = names.share(literal) > COMMON
  const plain = sql`x.names || '' LIKE ${contains(literal)}`
  const pattern = sql`x.names LIKE ${contains(literal)}`
  if (isShort(text)) {
    const prefix = sql`x.site_id IN (SELECT d.site_id FROM site_domain d WHERE d.domain LIKE ${`${escapeLike(text)}%`})`
    return { common, indexed: prefix, plain, pattern }
  }
  const parts = names.rareParts(literal)
  const looked = parts.map((part) => sql`x.names LIKE ${contains(part)}`)
  // A part that is the whole text has said it all: the condition again would cost as much as all the rest.
  const whole = parts.includes(literal) ? [] : [plain]
  return { common, indexed: sql.join([...looked, ...whole], sql` AND `), plain, pattern }
}

const findExact = async (db: Queryable, text: string, literal: string): Promise<{ id: number; named: boolean }[]> => {
  const id = /^\d{1,15}$/.test(text) ? Number(text) : 0
  const slug = text.split('.', 1)[0] ?? ''
  const zone = text.slice(slug.length + 1)
  return rows<{ id: number; named: boolean }>(
    db,
    sql`SELECT f.id, x.names LIKE ${contains(literal)} AS named FROM (
          SELECT site_id AS id FROM site_domain WHERE domain = ${text}
          UNION SELECT id FROM site WHERE id = ${id}
          UNION SELECT s.id FROM site s JOIN node_group g ON g.id = s.group_id
            WHERE s.slug = ${slug} AND (${zone} = '' OR ${zone} = g.cname_zone)) f
        JOIN site_search x ON x.site_id = f.id`,
  )
}
