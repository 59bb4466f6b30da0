/** How ingest is: for the overview, metrics and the doctor. */
import type pg from 'pg'

export interface IngestState {
  /** When the newest counters arrived; null = never. */
  newestAt: Date | null
  /** Counters and lines whose time was put to a bound. */
  clamped: number
  /** Raw lines lost on nodes, here, and refused by the store. */
  droppedNode: number
  droppedHere: number
  refused: number
  /** Since when the analytics store takes no lines; null = it does. */
  analyticsDownSince: Date | null
  analyticsError: string
}

export const readIngestState = async (pool: pg.Pool): Promise<IngestState> => {
  const { rows } = await pool.query<IngestState>(
    `SELECT greatest(newest_at, (SELECT max(at) FROM ingest_counter WHERE counters <> '[]')) AS "newestAt", clamped,
       dropped_node AS "droppedNode", dropped_here AS "droppedHere", refused, analytics_down_since AS "analyticsDownSince",
       analytics_error AS "analyticsError"
     FROM stats_state`,
  )
  const row = rows[0]
  if (!row) throw new Error('stats_state has no row')
  return row
}
