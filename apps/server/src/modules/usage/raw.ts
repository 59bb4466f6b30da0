/** Compares the sums of each site and hour with the raw lines that stand behind them in the analytics store. */
import type { Analytics } from '../../platform/clickhouse.ts'
import type { Range, SiteGap, Sql } from './tiers.ts'

export interface RawGap extends SiteGap {
  /** Begin, Unix seconds. */
  hour: number
}

/** The analytics store does not answer: nothing can be said of raw lines now. */
export class StoreAway extends Error {}

interface Cell {
  site: number
  hour: number
  requests: number
  bytes: number
}

type Cells = Map<number, Cell>

/** Raw lines have 32 bits for a site. */
const LAST_SITE = 4_294_967_295

const rollups = async (sql: Sql, hours: readonly number[], { after, upTo }: Range): Promise<Cell[]> =>
  (
    await sql.query<Cell>(
      `SELECT site, t AS hour, requests, bytes_out AS bytes FROM rollup_hour
       WHERE t = ANY ($1::bigint[]) AND site > $2::bigint AND site <= coalesce($3::bigint, 9223372036854775807)`,
      [hours, after, upTo],
    )
  ).rows

/** One row a site: rows cost more than what stands in them. */
const LINES = `SELECT site, groupArray(hour) AS hours, groupArray(requests) AS requests, groupArray(bytes) AS bytes FROM (
    SELECT site, toFloat64(intDiv(toUnixTimestamp(ts), 3600) * 3600) AS hour, toFloat64(count()) AS requests, toFloat64(sum(out)) AS bytes
    FROM request_log
    WHERE ts >= toDateTime64({from:Int64}, 3, 'UTC') AND ts < toDateTime64({to:Int64}, 3, 'UTC') AND site >= {low:UInt32} AND site <= {high:UInt32}
    GROUP BY site, hour)
  GROUP BY site`

interface SiteLines {
  site: number
  hours: number[]
  requests: number[]
  bytes: number[]
}

const lines = async (store: Analytics, hours: readonly number[], { after, upTo }: Range): Promise<Cell[]> => {
  const from = Math.min(...hours)
  const to = Math.max(...hours) + HOUR_S
  const params = { from, to, low: after + 1, high: Math.min(upTo ?? LAST_SITE, LAST_SITE) }
  const found = await store
    .query<SiteLines>(LINES, params)
    .catch((cause: Error) => Promise.reject(new StoreAway(cause.message, { cause })))
  const asked = new Set(hours)
  return found
    .flatMap((of) => of.hours.map((hour, i) => cellOf(of.site, hour, of.requests[i], of.bytes[i])))
    .filter((cell) => asked.has(cell.hour))
}

const cellOf = (site: number, hour: number, requests = 0, bytes = 0): Cell => ({ site, hour, requests, bytes })

/** One number for a site's hour: both together stay below 2^53. */
const HOUR_S = 3_600
const SPAN_HOURS = 1_048_576
const keyOf = ({ site, hour }: Cell) => site * SPAN_HOURS + ((hour / HOUR_S) % SPAN_HOURS)

const keyed = (cells: readonly Cell[]): Cells => new Map(cells.map((cell) => [keyOf(cell), cell]))
const sums = (cell: Cell | undefined) => ({ requests: cell?.requests ?? 0, bytes_out: cell?.bytes ?? 0 })

/** Cells that differ by more requests than tolerated, or in bytes for the same requests. Pure. */
export const differing = (counted: Cells, raw: Cells, tolerance: number): RawGap[] => {
  const gaps: RawGap[] = []
  for (const key of new Set([...counted.keys(), ...raw.keys()])) {
    const cell = counted.get(key) ?? raw.get(key)
    const wanted = sums(counted.get(key))
    const found = sums(raw.get(key))
    const difference = Math.abs(wanted.requests - found.requests)
    const differs = difference > tolerance || (difference === 0 && wanted.bytes_out !== found.bytes_out)
    if (cell && differs) gaps.push({ site: cell.site, hour: cell.hour, wanted, found, difference })
  }
  return gaps
}

export interface RawDeps {
  sql: Sql
  store: Analytics
  hours: readonly number[]
  range: Range
  tolerance: number
}

/**
 * Reads both sides, and both again where they differ: what is on its way between the two readings is no gap. Answers how many cells
 * there are and those that differed in the same way twice.
 */
export const compareRaw = async (deps: RawDeps): Promise<{ compared: number; gaps: RawGap[] }> => {
  const { sql, store, hours, range, tolerance } = deps
  if (hours.length === 0) return { compared: 0, gaps: [] }
  const read = async () => {
    const counted = keyed(await rollups(sql, hours, range))
    const gaps = differing(counted, keyed(await lines(store, hours, range)), tolerance)
    return { compared: counted.size, gaps }
  }
  const first = await read()
  if (first.gaps.length === 0) return first
  const again = await read()
  const same = new Set(first.gaps.map((gap) => JSON.stringify(gap)))
  return { compared: again.compared, gaps: again.gaps.filter((gap) => same.has(JSON.stringify(gap))) }
}
