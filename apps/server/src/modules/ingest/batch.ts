/** A batch as it came from a node -> what is stored: counters and lines within bounds, columns of the analytics store. */
import { MAX_LOG_BATCH_LINES } from '@tidegate/contract/limits'
import { type LogBatch, type LogLine, logBatch, type MinuteCounter } from '@tidegate/contract/node/log'
import { z } from 'zod'
import { AppError } from '../../platform/errors.ts'

/** A node's clock may be wrong: what it dates before or after is put to the bound and counted. Seconds. */
export const PAST_BOUND = 7 * 86_400
export const FUTURE_BOUND = 120

/** Sites with traffic in the minutes of one batch. */
const MAX_COUNTERS = 200_000

const natural = z.int().min(0)
const received = logBatch.extend({
  counters: z
    .array(
      logBatch.shape.counters.element.extend({
        minute: natural,
        site: natural,
        requests: natural,
        hits: natural,
        bytesOut: natural,
        bytesIn: natural,
        bytesOrigin: natural,
        s2xx: natural,
        s3xx: natural,
        s4xx: natural,
        s5xx: natural,
        blocked: natural,
      }),
    )
    .max(MAX_COUNTERS),
  lines: logBatch.shape.lines.max(MAX_LOG_BATCH_LINES),
  dropped: natural,
})

/** Checks a batch; throws `invalid_input` that names what is wrong. Nothing of a wrong batch is stored. */
export const parseBatch = (body: unknown): LogBatch => {
  const parsed = received.safeParse(body)
  if (parsed.success) return parsed.data
  const fields = parsed.error.issues.slice(0, 20).map((i) => ({ path: i.path.join('.'), key: 'invalid' as const }))
  throw new AppError('invalid_input', { fields })
}

/** The batch without what it says of other sites. */
export const onlyServed = (batch: LogBatch, served: ReadonlySet<number>): LogBatch => ({
  ...batch,
  counters: batch.counters.filter((c) => served.has(c.site)),
  lines: batch.lines.filter((l) => served.has(l.site)),
})

/** Keys are short: thousands of them wait in the queue. */
export interface QueuedCounter {
  m: number
  s: number
  r: number
  h: number
  o: number
  i: number
  g: number
  c2: number
  c3: number
  c4: number
  c5: number
  b: number
}

export interface Prepared {
  counters: QueuedCounter[]
  /** Newline-delimited JSON with the columns of `request_log`; empty when there are no lines. */
  ndjson: string
  /** Counters and lines whose time was out of bounds. */
  clamped: number
}

/** `now`: Unix milliseconds. */
export const prepareBatch = (nodeId: number, batch: LogBatch, now: number): Prepared => {
  const seconds = Math.floor(now / 1000)
  const low = seconds - PAST_BOUND
  const high = seconds + FUTURE_BOUND
  let clamped = 0
  const within = (value: number, unit: number) => {
    const kept = Math.min(Math.max(value, low * unit), high * unit)
    if (kept !== value) clamped += 1
    return kept
  }
  const counters = batch.counters.map((c) => queued(c, Math.floor(within(c.minute, 1) / 60) * 60))
  let ndjson = ''
  for (const line of batch.lines) ndjson += `${JSON.stringify(row(nodeId, line, within(line.ts, 1000)))}\n`
  return { counters, ndjson, clamped }
}

const queued = (c: MinuteCounter, minute: number): QueuedCounter => ({
  m: minute,
  s: c.site,
  r: c.requests,
  h: c.hits,
  o: c.bytesOut,
  i: c.bytesIn,
  g: c.bytesOrigin,
  c2: c.s2xx,
  c3: c.s3xx,
  c4: c.s4xx,
  c5: c.s5xx,
  b: c.blocked,
})

const between = (value: number, low: number, high: number) => Math.min(Math.max(value, low), high)
const UINT32 = 4_294_967_295

/** One value that does not fit its column would make the store refuse the whole block: numbers are put to the column's bounds. */
const row = (node: number, line: LogLine, ts: number) => ({
  ts,
  site: between(line.site, 0, UINT32),
  node,
  rid: line.rid,
  host: line.host,
  ip: line.ip,
  method: line.method,
  scheme: line.scheme,
  uri: line.uri,
  proto: line.proto,
  status: between(line.status, 0, 65_535),
  out: between(line.out, 0, Number.MAX_SAFE_INTEGER),
  in: between(line.in, 0, Number.MAX_SAFE_INTEGER),
  org: between(line.org, 0, Number.MAX_SAFE_INTEGER),
  cache: line.cache,
  ms: between(line.ms, 0, UINT32),
  oms: between(line.oms, -1, 2_147_483_647),
  up: line.up,
  ua: line.ua,
  ref: line.ref,
  why: line.why,
})
