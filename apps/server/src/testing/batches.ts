/** Batches as nodes make them, for tests and benchmarks. */
import { randomBytes } from 'node:crypto'
import type { LogBatch, LogLine, MinuteCounter } from '@tidegate/contract/node/log'

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** 26 random characters of the ids' alphabet. */
export const batchId = (): string => [...randomBytes(26)].map((byte) => CROCKFORD[byte % 32]).join('')

/** `minute`: Unix seconds. */
export const counter = (minute: number, site: number, values: Partial<MinuteCounter> = {}): MinuteCounter => ({
  minute,
  site,
  requests: 0,
  hits: 0,
  bytesOut: 0,
  bytesIn: 0,
  bytesOrigin: 0,
  s2xx: 0,
  s3xx: 0,
  s4xx: 0,
  s5xx: 0,
  blocked: 0,
  ...values,
})

/** `ts`: Unix milliseconds. */
export const line = (ts: number, site: number, values: Partial<LogLine> = {}): LogLine => ({
  ts,
  rid: randomBytes(16).toString('hex'),
  site,
  host: `www.site-${site}.example`,
  ip: `192.0.2.${ts % 256}`,
  method: 'GET',
  scheme: 'https',
  uri: `/articles/${ts % 9973}/index.html?page=${ts % 7}`,
  proto: 'HTTP/2.0',
  status: 200,
  out: 18_231 + (ts % 4096),
  in: 412,
  org: 0,
  cache: 'HIT',
  ms: ts % 40,
  oms: -1,
  up: '',
  ua: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
  ref: '',
  why: '',
  ...values,
})

export const batch = (values: Partial<LogBatch> = {}): LogBatch => ({
  id: batchId(),
  counters: [],
  lines: [],
  dropped: 0,
  ...values,
})

/** For tests of something else than who serves what. */
export const servesEverything = {
  log: { warn: () => {} },
  servedSites: async (_node: number, sites: readonly number[]): Promise<ReadonlySet<number>> => new Set(sites),
}
