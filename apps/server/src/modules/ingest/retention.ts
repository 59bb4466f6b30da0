/** How long figures are kept. Days are kept for ever; raw lines leave first when the disk runs short. */
import type pg from 'pg'
import type { Analytics } from '../../platform/clickhouse.ts'
import { RAW_RETENTION_DAYS } from './schema.ts'

const DAY = 86_400
/** Days. Figures of everything in minutes are few: the overview compares a span with the one before. */
export const KEEP_DAYS = { minute: 35, hour: 400, total: 400, batch: 30 } as const
/** Rows a statement, so that no transaction is long. */
const CHUNK = 20_000

const RULES: { table: string; column: string; days: number; time: boolean }[] = [
  { table: 'rollup_minute', column: 't', days: KEEP_DAYS.minute, time: false },
  { table: 'rollup_node', column: 't', days: KEEP_DAYS.minute, time: false },
  { table: 'rollup_hour', column: 't', days: KEEP_DAYS.hour, time: false },
  { table: 'rollup_total', column: 't', days: KEEP_DAYS.total, time: false },
  { table: 'ingest_batch', column: 'at', days: KEEP_DAYS.batch, time: true },
]

/** Deletes what is older than its rule says; answers the rows deleted by table. `now`: Unix milliseconds. */
export const statsRetention = async (pool: pg.Pool, now: number): Promise<Record<string, number>> => {
  const deleted: Record<string, number> = {}
  for (const { table, column, days, time } of RULES) {
    const limit = Math.floor(now / 1000) - days * DAY
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
 * yesterday stay. Answers the days dropped (YYYYMMDD, UTC).
 */
export const rawRetention = async (store: Analytics, now: number, lowDisk: boolean): Promise<string[]> => {
  const rows = await store.query<{ day: string }>(
    `SELECT DISTINCT partition AS day FROM system.parts
     WHERE database = currentDatabase() AND table = 'request_log' AND active ORDER BY day`,
  )
  const dayBefore = (days: number) => new Date(now - days * DAY * 1000).toISOString().slice(0, 10).replaceAll('-', '')
  const days = rows.map((r) => r.day).filter((day) => /^\d{8}$/.test(day))
  const old = days.filter((day) => day < dayBefore(RAW_RETENTION_DAYS))
  const next = days.find((day) => day >= dayBefore(RAW_RETENTION_DAYS) && day < dayBefore(1))
  const drop = lowDisk && next ? [...old, next] : old
  for (const day of drop) await store.command(`ALTER TABLE request_log DROP PARTITION ${day}`)
  return drop
}
