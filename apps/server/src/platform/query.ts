/** Short forms for hand-written SQL. */
import type { SQL } from 'drizzle-orm'
import type { Queryable } from './db.ts'

/** The rows of a query; `T` is what the query selects. Timestamps come as PostgreSQL writes them: see `iso`. */
export const rows = async <T>(on: Queryable, query: SQL): Promise<T[]> => (await on.execute(query)).rows as T[]

/** The first row, or undefined. */
export const row = async <T>(on: Queryable, query: SQL): Promise<T | undefined> => (await rows<T>(on, query))[0]

/** A timestamp of the database as ISO 8601; empty for null. */
export const iso = (value: string | Date | null | undefined): string =>
  value === null || value === undefined ? '' : new Date(value).toISOString()

/** SQLSTATE of a failed query, also where the query layer wrapped it. */
export const sqlState = (error: unknown): string | undefined => {
  for (let e = error; e instanceof Error; e = e.cause) {
    const code = (e as { code?: unknown }).code
    if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code)) return code
  }
  return undefined
}
