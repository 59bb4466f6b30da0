/** One request as the edge logs it: one JSON object a line, from Lua to the agent's datagram socket and on to the control plane. */
import { z } from 'zod'

export const CACHE_STATES = ['HIT', 'MISS', 'EXPIRED', 'STALE', 'BYPASS', 'UPDATING', 'REVALIDATED', 'NONE'] as const

export const logLine = z.object({
  /** Unix milliseconds at the end of the request. */
  ts: z.int(),
  /** Request id, as in X-Request-Id and on error pages: 32 lower-case hex digits. */
  rid: z.string(),
  /** 0 = no site (unknown host). */
  site: z.int(),
  host: z.string(),
  ip: z.string(),
  method: z.string(),
  scheme: z.enum(['http', 'https']),
  /** Path with query, at most 2,048 bytes. */
  uri: z.string(),
  /** HTTP/1.0, HTTP/1.1, HTTP/2.0 */
  proto: z.string(),
  status: z.int(),
  /** Bytes sent to the client, headers included. */
  out: z.int(),
  /** Bytes received from the client, headers included. */
  in: z.int(),
  /** Bytes received from the origin. */
  org: z.int(),
  cache: z.enum(CACHE_STATES),
  /** Milliseconds for the whole request; for the origin (-1 = not asked). */
  ms: z.int(),
  oms: z.int(),
  /** Address and port of the origin that answered, or empty. */
  up: z.string(),
  ua: z.string(),
  ref: z.string(),
  /** Why the platform itself answered (no_site, disabled, origin_refused, ...), or empty. */
  why: z.string(),
})
export type LogLine = z.infer<typeof logLine>

/** Exact counters of one site in one minute on one node, as the agent counts them from every line, sampled or not. */
export const minuteCounter = z.object({
  /** Unix seconds of the minute's begin. */
  minute: z.int(),
  site: z.int(),
  requests: z.int(),
  hits: z.int(),
  bytesOut: z.int(),
  bytesIn: z.int(),
  bytesOrigin: z.int(),
  s2xx: z.int(),
  s3xx: z.int(),
  s4xx: z.int(),
  s5xx: z.int(),
  blocked: z.int(),
})
export type MinuteCounter = z.infer<typeof minuteCounter>

/**
 * A batch on its way from a node. `id` is made once, when the batch is sealed into the spool, and never again: the receiver
 * counts a batch once however often it comes. Counters and lines of a batch are sealed together.
 */
export const logBatch = z.object({
  /** 26 characters, Crockford base 32 (ULID), unique for ever. */
  id: z.string().regex(/^[0-9A-HJKMNP-TV-Z]{26}$/),
  counters: z.array(minuteCounter),
  lines: z.array(logLine),
  /** Lines that the node had to drop because its spool was full, since the last batch. Counters are never dropped. */
  dropped: z.int(),
})
export type LogBatch = z.infer<typeof logBatch>
