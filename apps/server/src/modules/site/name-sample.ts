/**
 * A random sample of the sites' names, in memory: which parts of a search are rare. PostgreSQL looks up every trigram of a pattern, and
 * those that most names have (".example") take a hundred times as long as the rare ones, which alone lead to nearly the same rows.
 */
import { sql } from 'drizzle-orm'
import type { Db } from '../../platform/db.ts'
import { row, rows } from '../../platform/query.ts'

const SIZE = 2_000
/** The sample is spread over so many pages: neighbours are often alike. */
const PAGES = 1_000
const MAX_AGE_MS = 600_000
/** Long lists of domains: their beginning will do. */
const MAX_LENGTH = 500
const WINDOW = 4
const PARTS = 3

export interface NameSample {
  /** Share of the sites (0..1) whose names contain the text. */
  share(text: string): number
  /** Rare parts of the text that the trigram index can look up; none when it has nothing of the kind. */
  rareParts(text: string): string[]
}

/** Answers the sample; an old one is answered while it is being renewed. */
export const createNameSample = (db: Db, now: () => number = Date.now): (() => Promise<NameSample>) => {
  let sample: NameSample | undefined
  let renewing: Promise<NameSample> | undefined
  let due = 0
  const renew = () => {
    renewing ??= readNames(db)
      .then((names) => {
        due = now() + (names.length < SIZE / 2 ? MAX_AGE_MS / 60 : MAX_AGE_MS)
        sample = sampleOf(names)
        return sample
      })
      .finally(() => {
        renewing = undefined
      })
    return renewing
  }
  return async () => {
    if (!sample) return renew()
    // A failure is the next search's to see: the old sample serves as long.
    if (now() >= due) renew().catch(() => {})
    return sample
  }
}

const readNames = async (db: Db): Promise<string[]> => {
  const size = await row<{ pages: number; tuples: number }>(
    db,
    sql`SELECT relpages AS pages, reltuples AS tuples FROM pg_class WHERE oid = 'site_search'::regclass`,
  )
  const percent = Math.min(100, (100 * PAGES) / Math.max(1, size?.pages ?? 0))
  const seen = Math.max(1, ((size?.tuples ?? 0) * percent) / 100)
  const found = await rows<{ names: string }>(
    db,
    sql`SELECT left(names, ${MAX_LENGTH}) AS names FROM site_search TABLESAMPLE SYSTEM (${percent}::real)
        WHERE random() < ${(1.2 * SIZE) / seen}::float8 LIMIT ${SIZE}`,
  )
  return found.map((f) => f.names)
}

/** `names`: as they stand in site_search. */
export const sampleOf = (names: readonly string[]): NameSample => {
  const matches = (text: string) => names.reduce((n, name) => n + (name.includes(text) ? 1 : 0), 0)
  return {
    share: (text) => (names.length === 0 ? 0 : matches(text) / names.length),
    rareParts: (text) => {
      const windows = new Set<string>()
      for (let i = 0; i === 0 || i + WINDOW <= text.length; i++) windows.add(text.slice(i, i + WINDOW))
      return [...windows]
        .filter(hasTrigram)
        .map((part) => ({ part, n: matches(part) }))
        .sort((a, b) => a.n - b.n)
        .slice(0, PARTS)
        .map(({ part }) => part)
    },
  }
}

/** pg_trgm pads words in front with two blanks, but knows of a word's beginning only when the character before it is there. */
const hasTrigram = (part: string) => /[a-z0-9]{3}|[^a-z0-9][a-z0-9]/.test(part)
