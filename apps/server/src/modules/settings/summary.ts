/** What others ask about all records at once. */
import { sql } from 'drizzle-orm'
import type { Caller } from '../../platform/caller.ts'
import type { Db } from '../../platform/db.ts'
import { rows } from '../../platform/query.ts'
import { allRecords, mayRead, presentRecord, shownValue } from './records.ts'

export interface RecordSummary {
  paramKey: string
  paramClass: string
  remark: string
  /** Whether someone has set it. */
  set: boolean
  status: number
}

export const summaryOf = async (db: Db, caller: Caller): Promise<RecordSummary[]> =>
  (await allRecords(db))
    .filter((record) => mayRead(caller, record))
    .map((record) => {
      const { paramKey, paramClass, remark, status, version } = presentRecord(record, caller)
      return { paramKey, paramClass, remark, status, set: version > 0 && shownValue(record) !== null }
    })

/** Versions count too: one can go back to them. */
export const uploadsInUse = async (db: Db, names: readonly string[]): Promise<ReadonlySet<string>> => {
  if (names.length === 0) return new Set()
  const found = await rows<{ name: string }>(
    db,
    sql`SELECT n AS name FROM unnest(${sql.param([...names])}::text[]) AS n
      WHERE EXISTS (SELECT FROM setting WHERE strpos(value::text, n) > 0)
         OR EXISTS (SELECT FROM setting_history WHERE strpos(value::text, n) > 0)`,
  )
  return new Set(found.map((row) => row.name))
}
