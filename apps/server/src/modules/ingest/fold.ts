/**
 * Adds the queued counters to the rollups: minute, hour and day by site, minute by node, minute of everything. What was queued goes in
 * the same transaction that adds it, so each counter is added once whatever breaks; what comes late is added where it belongs.
 * One folder works at a time, so no two transactions wait for each other's rows.
 */
import type pg from 'pg'

/** Who holds it in a transaction folds alone, or changes the rollups while nobody folds. */
export const FOLD_LOCK = 7_413_401
/** Queue rows of one transaction. */
export const FOLD_BATCHES = 2_000

const COLUMNS = [
  ['requests', 'r'],
  ['hits', 'h'],
  ['bytes_out', 'o'],
  ['bytes_in', 'i'],
  ['bytes_origin', 'g'],
  ['s2xx', 'c2'],
  ['s3xx', 'c3'],
  ['s4xx', 'c4'],
  ['s5xx', 'c5'],
  ['blocked', 'b'],
] as const

/** Sums stop here, where numbers are exact still: figures that a node made up must not stop the folding of all others. */
export const CAP = Number.MAX_SAFE_INTEGER

/** The sums that every rollup holds. */
export const FIGURES = COLUMNS.map(([name]) => name)

const names = COLUMNS.map(([name]) => name).join(', ')
const sums = COLUMNS.map(([name, key]) => `least(sum(${key}), ${CAP})::bigint AS ${name}`).join(', ')
const siteSums = COLUMNS.map(([, key]) => `least(sum(${key}), ${CAP})::bigint AS ${key}`).join(', ')
const added = (table: string) =>
  COLUMNS.map(([name]) => `${name} = least(${table}.${name} + excluded.${name}, ${CAP})`).join(', ')

/** Table, what it is summed from, and its keys as `column: expression`. `$2` is the time zone. */
const ROLLUPS: { table: string; from: 'counter' | 'site_minute'; keys: Record<string, string> }[] = [
  { table: 'rollup_minute', from: 'site_minute', keys: { t: 'm', site: 's' } },
  { table: 'rollup_hour', from: 'site_minute', keys: { t: 'm - m % 3600', site: 's' } },
  { table: 'rollup_day', from: 'site_minute', keys: { day: '(to_timestamp(m) AT TIME ZONE $2)::date', site: 's' } },
  { table: 'rollup_node', from: 'counter', keys: { t: 'm', node_id: 'node_id' } },
  { table: 'rollup_total', from: 'site_minute', keys: { t: 'm' } },
]

const upsert = ({ table, from, keys }: (typeof ROLLUPS)[number]) => {
  const columns = Object.keys(keys).join(', ')
  const values = Object.entries(keys).map(([column, expression]) => `${expression} AS ${column}`)
  const ordinals = values.map((_, i) => i + 1).join(', ')
  return `up_${table} AS (
    INSERT INTO ${table} (${columns}, ${names})
    SELECT ${values.join(', ')}, ${sums} FROM ${from} GROUP BY ${ordinals} ORDER BY ${ordinals}
    ON CONFLICT (${columns}) DO UPDATE SET ${added(table)})`
}

const fields = ['m', 's', ...COLUMNS.map(([, key]) => key)].map((key) => `${key} bigint`).join(', ')
const FOLD = `WITH q AS (
    DELETE FROM ingest_counter WHERE seq IN (SELECT seq FROM ingest_counter ORDER BY seq LIMIT $1)
    RETURNING node_id, at, counters, clamped, dropped
  ), counter AS MATERIALIZED (
    SELECT q.node_id, x.* FROM q, jsonb_to_recordset(q.counters) AS x(${fields})
  ), site_minute AS MATERIALIZED (
    SELECT m, s, ${siteSums} FROM counter GROUP BY m, s
  ), ${ROLLUPS.map(upsert).join(', ')}, state AS (
    UPDATE stats_state SET
      newest_at = greatest(newest_at, (SELECT max(at) FROM q WHERE counters <> '[]')),
      clamped = least(clamped + (SELECT coalesce(sum(q.clamped), 0) FROM q), ${CAP}),
      dropped_node = least(dropped_node + (SELECT coalesce(sum(dropped), 0) FROM q), ${CAP}),
      time_zone = $2::text,
      time_zone_since = CASE WHEN time_zone <> $2 THEN (SELECT min(at) FROM q) ELSE time_zone_since END
    WHERE EXISTS (SELECT FROM q)
  ), loss AS (
    INSERT INTO stats_loss AS l (t, clamped, dropped_node)
    SELECT floor(extract(epoch FROM at) / 3600)::bigint * 3600, least(sum(q.clamped), ${CAP}), least(sum(dropped), ${CAP})
    FROM q WHERE q.clamped > 0 OR dropped > 0 GROUP BY 1
    ON CONFLICT (t) DO UPDATE SET clamped = least(l.clamped + excluded.clamped, ${CAP}),
      dropped_node = least(l.dropped_node + excluded.dropped_node, ${CAP})
  )
  SELECT count(*)::integer AS folded FROM q`

/**
 * Folds until the queue is empty; answers how many batches it folded. Answers 0 at once when another process is at it.
 * `timeZone`: the installation's (IANA name); it decides what a day is. `batches`: of one transaction.
 */
export const foldCounters = async (pool: pg.Pool, timeZone: string, batches = FOLD_BATCHES): Promise<number> => {
  let total = 0
  for (;;) {
    const folded = await foldSome(pool, timeZone, batches)
    total += folded
    if (folded < batches) return total
  }
}

const foldSome = async (pool: pg.Pool, timeZone: string, batches: number): Promise<number> => {
  const client = await pool.connect()
  let broken = true
  try {
    await client.query('BEGIN')
    const { rows: lock } = await client.query<{ got: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS got', [
      FOLD_LOCK,
    ])
    const folded = lock[0]?.got
      ? (await client.query<{ folded: number }>(FOLD, [batches, timeZone])).rows[0]?.folded
      : 0
    await client.query('COMMIT')
    broken = false
    return folded ?? 0
  } finally {
    // A connection in the middle of a transaction is closed, not given back; PostgreSQL then undoes it.
    client.release(broken)
  }
}
