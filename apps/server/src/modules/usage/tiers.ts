/**
 * Compares the tiers of the sums with each other. Minute, hour, day, node and total of a batch are written in one transaction, so within
 * one statement they are equal to the last request, also while batches come in; a difference is a fault.
 */
import { CAP, FIGURES } from '../ingest/index.ts'

/** Sums by figure. */
export type Sums = Readonly<Record<string, number>>

export interface SiteGap {
  site: number
  wanted: Sums
  found: Sums
  difference: number
}

/** Runs a statement with `$n`; a pool or a client in a transaction. */
export interface Sql {
  query<Row extends object>(text: string, values: unknown[]): Promise<{ rows: Row[]; rowCount: number | null }>
}

export interface Compared {
  /** Sites that were compared, and how many differ. */
  compared: number
  gaps: number
  /** Those with the most requests between them. */
  worst: SiteGap[]
  /** All sites by the finer sums. */
  sites: Sums
  /** Everything, counted apart. */
  total: Sums
  /** Everything by node; the same as `total` where nodes are not compared. */
  nodes: Sums
}

const NAMES = FIGURES.join(', ')
/** Stopping where the folder stops; up to there floating point is exact, and much quicker than the type of PostgreSQL's sums of bigint. */
const SUMS = FIGURES.map((name) => `least(coalesce(sum(${name}::float8), 0), ${CAP})::bigint AS ${name}`).join(', ')
const of = (alias: string) => FIGURES.map((name) => `coalesce(${alias}.${name}, 0)`).join(', ')
const json = (alias: string) =>
  `jsonb_build_object(${FIGURES.map((name) => `'${name}', coalesce(${alias}.${name}, 0)`).join(', ')})`

/** `fine`: FROM … WHERE … of the finer tier, `coarse` of the coarser; both are grouped by site. `$1`: worst ones wanted. */
const compared = (fine: string, coarse: string, rest: string) => `WITH fine AS MATERIALIZED (
    SELECT site, ${SUMS} FROM ${fine} GROUP BY site
  ), gap AS MATERIALIZED (
    SELECT coalesce(f.site, c.site) AS site, ${json('f')} AS wanted, ${json('c')} AS found,
      abs(coalesce(f.requests, 0) - coalesce(c.requests, 0)) AS difference
    FROM fine f FULL JOIN (SELECT site, ${NAMES} FROM ${coarse}) c USING (site)
    WHERE (${of('f')}) IS DISTINCT FROM (${of('c')})
  )${rest}
  SELECT (SELECT count(*) FROM fine)::bigint AS compared, (SELECT count(*) FROM gap)::bigint AS gaps,
    coalesce((SELECT jsonb_agg(to_jsonb(w)) FROM (SELECT * FROM gap ORDER BY difference DESC, site LIMIT $1) w), '[]') AS worst`

const HOUR_FINE = 'rollup_minute WHERE t >= $2::bigint AND t < $2::bigint + 3600'
const HOUR = `${compared(
  HOUR_FINE,
  'rollup_hour WHERE t = $2::bigint',
  `, sites AS (SELECT ${SUMS} FROM fine),
   total AS (SELECT ${SUMS} FROM rollup_total WHERE t >= $2::bigint AND t < $2::bigint + 3600),
   nodes AS (SELECT ${SUMS} FROM rollup_node WHERE t >= $2::bigint AND t < $2::bigint + 3600)`,
)}, (SELECT to_jsonb(sites) FROM sites) AS sites, (SELECT to_jsonb(total) FROM total) AS total, (SELECT to_jsonb(nodes) FROM nodes) AS nodes`

/** Minutes of each site with its hour, and both with what was counted by node and in all. `hour`: its begin, Unix seconds. */
export const compareHour = async (sql: Sql, hour: number, worst: number): Promise<Compared> => {
  const { rows } = await sql.query<Compared>(HOUR, [worst, hour])
  return rows[0] as Compared
}

/** A day of the installation's zone: its date, its begin and end (Unix seconds). */
export interface Day {
  date: string
  from: number
  to: number
}

/** Sites after the first number and up to the second. */
export interface Range {
  after: number
  /** null: to the end. */
  upTo: number | null
}

const HOUR_S = 3_600
/**
 * Hours lie on whole hours of UTC, days may begin between them: then the first and last part of a day come from the minutes.
 * `$2`..`$6`: day's begin, its first whole hour, end of its last whole hour, day's end, date; `$7`, `$8`: sites.
 */
const inRange = 'site > $7::bigint AND site <= coalesce($8::bigint, 9223372036854775807)'
const DAY_FINE = `(
    SELECT site, ${NAMES} FROM rollup_hour
    WHERE t = ANY (ARRAY(SELECT generate_series($3::bigint, $4::bigint - 1, 3600))) AND ${inRange}
    UNION ALL SELECT site, ${NAMES} FROM rollup_minute
    WHERE (t >= $2::bigint AND t < $3::bigint OR t >= $4::bigint AND t < $5::bigint) AND ${inRange}
  ) d`
const DAY = compared(DAY_FINE, `rollup_day WHERE day = $6::date AND ${inRange}`, '')

const dayValues = (day: Day, { after, upTo }: Range) => [
  day.from,
  Math.ceil(day.from / HOUR_S) * HOUR_S,
  Math.floor(day.to / HOUR_S) * HOUR_S,
  day.to,
  day.date,
  after,
  upTo,
]

/** Hours of each site with its day. */
export const compareDay = async (
  sql: Sql,
  day: Day,
  range: Range,
  worst: number,
): Promise<Pick<Compared, 'compared' | 'gaps' | 'worst'>> => {
  const { rows } = await sql.query<Compared>(DAY, [worst, ...dayValues(day, range)])
  return rows[0] as Compared
}

/** Sums of one day's hours of all sites, and of what was counted in all. */
export const dayWitness = async (sql: Sql, day: Day): Promise<{ sites: Sums; total: Sums }> => {
  const { rows } = await sql.query<{ sites: Sums; total: Sums }>(
    `WITH sites AS (SELECT ${SUMS} FROM ${DAY_FINE}), total AS (SELECT ${SUMS} FROM rollup_total WHERE t >= $2::bigint AND t < $5::bigint)
     SELECT (SELECT to_jsonb(sites) FROM sites) AS sites, (SELECT to_jsonb(total) FROM total) AS total WHERE $1::int = 0 AND $6::date IS NOT NULL`,
    [0, ...dayValues(day, { after: -1, upTo: null })],
  )
  return rows[0] as { sites: Sums; total: Sums }
}

export const equal = (a: Sums, b: Sums): boolean => FIGURES.every((name) => a[name] === b[name])

const CHANGED = (table: string) =>
  `(${FIGURES.map((name) => `${table}.${name}`).join(', ')}) IS DISTINCT FROM (${FIGURES.map((name) => `excluded.${name}`).join(', ')})`
const SET = FIGURES.map((name) => `${name} = excluded.${name}`).join(', ')

/** Puts the sums of the minutes in place of those of the hour. Answers the rows changed. */
export const rewriteHour = async (sql: Sql, hour: number): Promise<number> => {
  const { rowCount } = await sql.query(
    `INSERT INTO rollup_hour (t, site, ${NAMES}) SELECT $1::bigint, site, ${SUMS} FROM rollup_minute
     WHERE t >= $1::bigint AND t < $1::bigint + 3600 GROUP BY site
     ON CONFLICT (t, site) DO UPDATE SET ${SET} WHERE ${CHANGED('rollup_hour')}`,
    [hour],
  )
  const gone = await sql.query(
    `DELETE FROM rollup_hour h WHERE h.t = $1::bigint AND NOT EXISTS (
       SELECT FROM rollup_minute m WHERE m.site = h.site AND m.t >= $1::bigint AND m.t < $1::bigint + 3600)`,
    [hour],
  )
  return (rowCount ?? 0) + (gone.rowCount ?? 0)
}

/** Puts the sums of the sites' minutes in place of the totals of the hour. Answers the rows changed. */
export const rewriteTotal = async (sql: Sql, hour: number): Promise<number> => {
  const { rowCount } = await sql.query(
    `INSERT INTO rollup_total (t, ${NAMES}) SELECT t, ${SUMS} FROM rollup_minute
     WHERE t >= $1::bigint AND t < $1::bigint + 3600 GROUP BY t
     ON CONFLICT (t) DO UPDATE SET ${SET} WHERE ${CHANGED('rollup_total')}`,
    [hour],
  )
  const gone = await sql.query(
    `DELETE FROM rollup_total x WHERE x.t >= $1::bigint AND x.t < $1::bigint + 3600
       AND NOT EXISTS (SELECT FROM rollup_minute m WHERE m.t = x.t)`,
    [hour],
  )
  return (rowCount ?? 0) + (gone.rowCount ?? 0)
}

/** Puts the sums of the hours in place of those of the day, for these sites. Answers the rows changed. */
export const rewriteDay = async (sql: Sql, day: Day, range: Range): Promise<number> => {
  const values = [0, ...dayValues(day, range)]
  const { rowCount } = await sql.query(
    `INSERT INTO rollup_day (day, site, ${NAMES}) SELECT $6::date, site, ${SUMS} FROM ${DAY_FINE} WHERE $1::int = 0 GROUP BY site
     ON CONFLICT (day, site) DO UPDATE SET ${SET} WHERE ${CHANGED('rollup_day')}`,
    values,
  )
  const gone = await sql.query(
    `DELETE FROM rollup_day x WHERE x.day = $6::date AND ${inRange} AND $1::int = 0
       AND x.site NOT IN (SELECT site FROM ${DAY_FINE})`,
    values,
  )
  return (rowCount ?? 0) + (gone.rowCount ?? 0)
}
