/** Runs of the reconciliation: how far each is, so that the next process goes on where one was killed, and what it found. */
import type { GapKind, GapState, RawState } from '@tidegate/contract/enums'
import { drizzle } from 'drizzle-orm/node-postgres'
import type pg from 'pg'
import type { Queryable } from '../../platform/db.ts'
import type { Day, Sums } from './tiers.ts'

export interface Params {
  /** Whole days before today. */
  days: number
  /** Requests by which a site's raw lines of an hour may differ. */
  tolerance: number
  /** Differences that are kept, the greatest. */
  worst: number
  repair: boolean
}

/** What is to be done next: a day of the run, an hour of the day, the sites after this one. */
export interface At {
  day: number
  hour: number
  after: number
}

export interface Run {
  id: number
  params: Params
  zone: string
  firstDay: string
  /** End of the last hour, Unix seconds. */
  until: number
  at: At
}

export interface Gap {
  kind: GapKind
  /** Unix seconds. */
  at: number
  site: number | null
  wanted: Sums
  found: Sums
  difference: number
  state: GapState
}

/** What one step found; `gaps` are the greatest, `count` counts all. */
export interface Found {
  compared: number
  count: number
  repaired: number
  /** Sites and hours with fewer raw lines than requests, and how many lines these are. */
  short: number
  missing: number
  skipped: number
  gaps: readonly Gap[]
}
export const NOTHING: Found = { compared: 0, count: 0, repaired: 0, short: 0, missing: 0, skipped: 0, gaps: [] }

/** Another process goes on with the run: this one was taken for dead. */
export class Elsewhere extends Error {}

/** One transaction, for statements with `$n` and for typed ones. */
export const inTransaction = async <T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient, tx: Queryable) => Promise<T>,
): Promise<T> => {
  const client = await pool.connect()
  let broken = true
  try {
    await client.query('BEGIN')
    const done = await work(client, drizzle(client))
    await client.query('COMMIT')
    broken = false
    return done
  } finally {
    // A connection in the middle of a transaction is closed, not given back.
    client.release(broken)
  }
}

const BEGIN_LOCK = 7_413_403
const HOUR_S = 3_600
/** Lines of a full hour are with the store after this: a node seals its batches within seconds, blocks go each second. */
const LAG_S = 900
const DAY_S = 86_400

const COLUMNS = `id, params, zone, first_day::text AS "firstDay", until, at`

/** The run of these parameters that a killed process left, else a new one. `now`: Unix ms. */
export const beginRun = (pool: pg.Pool, params: Params, timeZone: string, now: number): Promise<Run> =>
  inTransaction(pool, async (client) => {
    const at = new Date(now)
    await client.query('SELECT pg_advisory_xact_lock($1)', [BEGIN_LOCK])
    await client.query(
      `UPDATE reconcile_run SET state = 'lost', finished_at = $1 WHERE state = 'running' AND started_at < $1::timestamptz - interval '1 day'`,
      [at],
    )
    const { rows } = await client.query<Run>(
      `SELECT ${COLUMNS} FROM reconcile_run WHERE state = 'running' AND params = $1::jsonb ORDER BY id DESC LIMIT 1`,
      [JSON.stringify(params)],
    )
    if (rows[0]) return rows[0]
    const until = Math.floor((now / 1000 - LAG_S) / HOUR_S) * HOUR_S
    // The zone in which the days were folded: a new setting counts from the next batch on.
    const made = await client.query<Run>(
      `INSERT INTO reconcile_run (state, params, started_at, zone, first_day, until, at)
       SELECT 'running', $1::jsonb, $2::timestamptz, z.zone, ($2::timestamptz AT TIME ZONE z.zone)::date - $3::int, $4::bigint, $5::jsonb
       FROM (SELECT coalesce((SELECT time_zone FROM stats_state), $6::text) AS zone) z RETURNING ${COLUMNS}`,
      [JSON.stringify(params), at, params.days, until, JSON.stringify({ day: 0, hour: 0, after: -1 }), timeZone],
    )
    return made.rows[0] as Run
  })

/** The days of a run, as the folder cuts them, with those of 23 and 25 hours; the last one may still run. */
export const daysOf = async (pool: pg.Pool, { zone, firstDay, until }: Run): Promise<Day[]> => {
  const { rows } = await pool.query<Day>(
    `SELECT date, min(m)::bigint AS "from", max(m)::bigint + 60 AS "to" FROM (
       SELECT m, (to_timestamp(m) AT TIME ZONE $1)::date::text AS date FROM generate_series(
         extract(epoch FROM $2::text::timestamp AT TIME ZONE $1)::bigint / 60 * 60 - ${DAY_S}, $3::bigint + 2 * ${DAY_S}, 60) m) x
     WHERE date >= $2::text GROUP BY date ORDER BY date`,
    [zone, firstDay, until],
  )
  return rows.filter((day) => day.from < until)
}

/** Begins of the day's whole hours that have passed. */
export const hoursOf = (day: Day, until: number): number[] => {
  const hours: number[] = []
  for (let t = Math.ceil(day.from / HOUR_S) * HOUR_S; t < day.to && t + HOUR_S <= until; t += HOUR_S) hours.push(t)
  return hours
}

const INSERT = `INSERT INTO reconcile_gap (run_id, kind, at, site, wanted, found, difference, state)
  SELECT $1, g->>'kind', to_timestamp((g->>'at')::bigint), (g->>'site')::bigint, g->'wanted', g->'found', (g->>'difference')::bigint, g->>'state'
  FROM jsonb_array_elements($2::jsonb) WITH ORDINALITY AS x (g, place) ORDER BY place`
/** Sums that differ from each other come before raw lines that are missing. */
const TRIM = `DELETE FROM reconcile_gap WHERE run_id = $1 AND id NOT IN (
  SELECT id FROM reconcile_gap WHERE run_id = $1 ORDER BY kind = 'raw', difference DESC, id LIMIT $2)`

const MOVE = `UPDATE reconcile_run SET at = $3::jsonb, compared = compared + $4, gaps = gaps + $5, repaired = repaired + $6,
    short = short + $7, missing = missing + $8, skipped = skipped + $9
  WHERE id = $1 AND state = 'running' AND at = $2::jsonb`

/** Writes what a step found and what comes next, in the step's transaction. Throws `Elsewhere` when another process did the step. */
export const pass = async (client: pg.PoolClient, run: Run, next: At, found: Found): Promise<void> => {
  const { compared, count, repaired, short, missing, skipped, gaps } = found
  const { rowCount } = await client.query(MOVE, [
    run.id,
    JSON.stringify(run.at),
    JSON.stringify(next),
    ...[compared, count, repaired, short, missing, skipped],
  ])
  if (rowCount !== 1) throw new Elsewhere('another process goes on with this run')
  if (gaps.length === 0) return
  await client.query(INSERT, [run.id, JSON.stringify(gaps)])
  await client.query(TRIM, [run.id, run.params.worst])
}

export interface Ended {
  compared: number
  skipped: number
  gaps: number
  repaired: number
  open: number
  missing: number
  known: number
}

const KEEP_RUNS = '90 days'

/**
 * Ends the run. Raw lines that are missing are explained when at least as many are known to be lost, or wait on their way, since the first
 * hour of the run: which sites they were of nobody knows.
 */
export const endRun = async (
  client: pg.PoolClient,
  run: Run,
  raw: RawState,
  from: number,
  now: number,
): Promise<Ended> => {
  const { rows } = await client.query<Ended>(
    `WITH lost AS (
       SELECT (SELECT coalesce(sum(dropped_node + dropped_here + refused), 0) FROM stats_loss WHERE t >= $4::bigint)
         + (SELECT coalesce(sum(lines), 0) FROM ingest_raw) AS lines)
     UPDATE reconcile_run SET state = 'done', finished_at = $5, raw = $3, known = lost.lines,
       open = gaps - repaired - CASE WHEN missing - lost.lines <= $6::bigint THEN short ELSE 0 END
     FROM lost WHERE id = $1 AND state = 'running' AND at = $2::jsonb RETURNING compared, gaps, repaired, open, missing, known, skipped`,
    [run.id, JSON.stringify(run.at), raw, from, new Date(now), run.params.tolerance],
  )
  const [ended] = rows
  if (!ended) throw new Elsewhere('another process ended this run')
  if (ended.missing - ended.known <= run.params.tolerance)
    await client.query(
      `UPDATE reconcile_gap SET state = 'known' WHERE run_id = $1 AND kind = 'raw' AND (found->>'requests')::bigint < (wanted->>'requests')::bigint`,
      [run.id],
    )
  await client.query(`DELETE FROM reconcile_run WHERE started_at < $1::timestamptz - interval '${KEEP_RUNS}'`, [
    new Date(now),
  ])
  return ended
}
