/** Sums out of the rollups. Times are Unix seconds, ends exclusive. */
import type pg from 'pg'

export interface Figures {
  requests: number
  hits: number
  bytesOut: number
  bytesOrigin: number
  s2xx: number
  s3xx: number
  s4xx: number
  s5xx: number
  blocked: number
}

export const NO_FIGURES: Figures = {
  requests: 0,
  hits: 0,
  bytesOut: 0,
  bytesOrigin: 0,
  s2xx: 0,
  s3xx: 0,
  s4xx: 0,
  s5xx: 0,
  blocked: 0,
}

const sum = (column: string, name = column) =>
  `least(coalesce(sum(${column}), 0), ${Number.MAX_SAFE_INTEGER})::bigint AS "${name}"`
const SUMS = [
  sum('requests'),
  sum('hits'),
  sum('bytes_out', 'bytesOut'),
  sum('bytes_origin', 'bytesOrigin'),
  sum('s2xx'),
  sum('s3xx'),
  sum('s4xx'),
  sum('s5xx'),
  sum('blocked'),
].join(', ')

/** What the sums are of: everything that passed the edge, or these sites alone. */
export type Whose = readonly number[] | null

/** The table to sum up, and the condition on it; `$n` is the parameter of the sites. */
const source = (whose: Whose, n: number) =>
  whose === null
    ? { from: 'rollup_total', and: '', values: [] }
    : { from: 'rollup_minute', and: `AND site = ANY ($${n}::bigint[])`, values: [whose] }

/** Minutes up to this length, hours beyond: a month of minutes of many sites is too much to read. */
const MINUTES_UP_TO = 2 * 86_400

/** Sums by bucket of `step` seconds from `from` on, keyed by the bucket's begin; buckets without traffic are missing. */
export const sumsByBucket = async (
  pool: pg.Pool,
  { from, to, step }: { from: number; to: number; step: number },
  whose: Whose = null,
): Promise<Map<number, Figures>> => {
  const of = source(whose, 4)
  const { rows } = await pool.query<Figures & { t: number }>(
    `SELECT ($1::bigint + (t - $1::bigint) / $3::bigint * $3::bigint) AS t, ${SUMS} FROM ${of.from}
     WHERE t >= $1::bigint AND t < $2::bigint ${of.and} GROUP BY 1`,
    [from, to, step, ...of.values],
  )
  return new Map(rows.map(({ t, ...figures }) => [t, figures]))
}

/**
 * The sum of a span. Of single sites the whole hours of a long span come from the hours: minutes are kept for little more than a month,
 * and what a month is compared with lies before that.
 */
export const sumOf = async (pool: pg.Pool, from: number, to: number, whose: Whose = null): Promise<Figures> => {
  const within = 't >= $1::bigint AND t < $2::bigint'
  const [rows, values] =
    whose === null
      ? [`SELECT * FROM rollup_total WHERE ${within}`, [from, to]]
      : [
          `SELECT * FROM rollup_hour WHERE t >= $3::bigint AND t < $4::bigint AND site = ANY ($5::bigint[]) UNION ALL
           SELECT * FROM rollup_minute WHERE ${within} AND NOT (t >= $3::bigint AND t < $4::bigint) AND site = ANY ($5::bigint[])`,
          [from, to, ...wholeHours(from, to), whose],
        ]
  const found = await pool.query<Figures>(`SELECT ${SUMS} FROM (${rows}) r`, values)
  return found.rows[0] ?? NO_FIGURES
}

/** The whole hours within a long span; nothing of a short one. */
const wholeHours = (from: number, to: number): [number, number] =>
  to - from <= MINUTES_UP_TO ? [from, from] : [Math.ceil(from / 3_600) * 3_600, Math.floor(to / 3_600) * 3_600]

/** Bytes sent by bucket of `step` seconds that begins at a multiple of it; buckets without traffic are missing. */
export const bytesByBucket = async (
  pool: pg.Pool,
  from: number,
  to: number,
  step: number,
  whose: Whose = null,
): Promise<Map<number, number>> => {
  const of = source(whose, 4)
  const { rows } = await pool.query<{ t: number; bytes: number }>(
    `SELECT t / $3::bigint * $3::bigint AS t, ${sum('bytes_out', 'bytes')} FROM ${of.from}
     WHERE t >= $1::bigint AND t < $2::bigint ${of.and} GROUP BY 1`,
    [from, to, step, ...of.values],
  )
  return new Map(rows.map((row) => [row.t, row.bytes]))
}

export interface SiteFigures {
  siteId: number
  requests: number
  bytesOut: number
  hits: number
}

/** The sites with the most requests. Requests for no site are left out. */
export const topSites = async (
  pool: pg.Pool,
  from: number,
  to: number,
  limit: number,
  whose: Whose = null,
): Promise<SiteFigures[]> => {
  const fine = to - from <= MINUTES_UP_TO
  // Zones half an hour off begin their buckets within an hour.
  const begin = fine ? from : from - (from % 3_600)
  const { rows } = await pool.query<SiteFigures>(
    `SELECT site AS "siteId", ${sum('requests')}, ${sum('bytes_out', 'bytesOut')}, ${sum('hits')}
     FROM ${fine ? 'rollup_minute' : 'rollup_hour'} WHERE t >= $1::bigint AND t < $2::bigint AND ${whose === null ? 'site > 0' : 'site = ANY ($4::bigint[])'}
     GROUP BY site ORDER BY sum(requests) DESC, site LIMIT $3`,
    [begin, to, limit, ...(whose === null ? [] : [whose])],
  )
  return rows
}
