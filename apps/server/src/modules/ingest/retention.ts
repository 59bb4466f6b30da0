/** How long figures are kept. Days are kept for ever; raw lines leave first when the disk runs short. */
import type pg from 'pg'
import type { Analytics } from '../../platform/clickhouse.ts'
import { RAW_RETENTION_DAYS } from './schema.ts'

const DAY = 86_400
/** Days that each is kept. Figures of everything in minutes are few: the overview compares a span with the one before. */
export interface KeepDays {
  minute: number
  hour: number
  total: number
  batch: number
}
export const KEEP_DAYS = { minute: 35, hour: 400, total: 400, batch: 30 } as const satisfies KeepDays
/**
 * The least that may be kept: charts go back 30 days and compare with those before, the reconciliation goes back 30 days, and a batch may
 * come again after 7.
 */
export const LEAST_DAYS = { minute: 32, hour: 62, total: 62, batch: 8 } as const satisfies KeepDays
/** Rows a statement, so that no transaction is long. */
const CHUNK = 20_000

const RULES: { table: string; column: string; keep: keyof KeepDays; time: boolean }[] = [
  { table: 'rollup_minute', column: 't', keep: 'minute', time: false },
  { table: 'rollup_node', column: 't', keep: 'minute', time: false },
  { table: 'rollup_hour', column: 't', keep: 'hour', time: false },
  { table: 'rollup_total', column: 't', keep: 'total', time: false },
  { table: 'stats_loss', column: 't', keep: 'total', time: false },
  { table: 'ingest_batch', column: 'at', keep: 'batch', time: true },
]

/** Deletes what is older than its rule says; answers the rows deleted by table. `now`: Unix milliseconds. */
export const statsRetention = async (
  pool: pg.Pool,
  now: number,
  keepDays: KeepDays = KEEP_DAYS,
): Promise<Record<string, number>> => {
  const deleted: Record<string, number> = {}
  for (const { table, column, keep, time } of RULES) {
    const limit = Math.floor(now / 1000) - keepDays[keep] * DAY
    const before = time ? 'to_timestamp($1::bigint)' : '$1::bigint'
    let count = 0
    for (;;) {
      const { rowCount } = await pool.query(
        `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${table} WHERE ${column} < ${before} LIMIT ${CHUNK}))`,
        [limit],
      )
      count += rowCount ?? 0
      if ((rowCount ?? 0) < CHUNK) break
    }
    deleted[table] = count
  }
  return deleted
}

/**
 * Drops whole days of raw lines: those older than the retention and, while the disk is low, also the oldest of the rest, one a call; today and
 * yesterday stay. Answers the days dropped (YYYYMMDD, UTC). `keepDays`: at most RAW_RETENTION_DAYS, after which the store drops them itself.
 */
export const rawRetention = async (
  store: Analytics,
  now: number,
  lowDisk: boolean,
  keepDays: number = RAW_RETENTION_DAYS,
): Promise<string[]> => {
  const rows = await store.query<{ day: string }>(
    `SELECT DISTINCT partition AS day FROM system.parts
     WHERE database = currentDatabase() AND table = 'request_log' AND active ORDER BY day`,
  )
  const dayBefore = (days: number) => new Date(now - days * DAY * 1000).toISOString().slice(0, 10).replaceAll('-', '')
  const days = rows.map((r) => r.day).filter((day) => /^\d{8}$/.test(day))
  const old = days.filter((day) => day < dayBefore(keepDays))
  const next = days.find((day) => day >= dayBefore(keepDays) && day < dayBefore(1))
  const drop = lowDisk && next ? [...old, next] : old
  for (const day of drop) await store.command(`ALTER TABLE request_log DROP PARTITION ${day}`)
  return drop
}

/** Notes that raw lines of these days (YYYYMMDD, UTC) and before are gone on purpose. */
export const noteRawDropped = async (pool: pg.Pool, days: readonly string[]): Promise<void> => {
  const [last] = [...days].sort().reverse()
  if (last === undefined) return
  const end = Date.parse(last.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3')) / 1000 + DAY
  await pool.query('UPDATE stats_state SET raw_since = greatest(raw_since, $1::bigint)', [end])
}
