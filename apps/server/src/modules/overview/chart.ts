/** `overview.chart`: exact figures out of the nodes' counters. */
import type { OutputOf } from '@tidegate/contract/operations/index'
import type pg from 'pg'
import type { Handler } from '../../platform/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import { ownerOf } from '../../platform/owner.ts'
import { bitsPerSecond, percentile95, SAMPLE_SECONDS, sampleTimes } from './bandwidth.ts'
import { bytesByBucket, type Figures, NO_FIGURES, sumOf, sumsByBucket, topSites, type Whose } from './queries.ts'
import { type Span, spanOf } from './span.ts'

export interface ChartDeps {
  pool: pg.Pool
  clock: Clock
  /** IANA name of the installation's time zone. */
  timeZone: () => string
  /** First domain of each site that exists still. */
  siteNames: (ids: number[]) => Promise<Map<number, string>>
  /** Every site of a customer. */
  sitesOf: (customerId: number) => Promise<number[]>
}

const TOP = 10

export const chartHandler =
  (deps: ChartDeps): Handler<'overview.chart'> =>
  async ({ range }, caller) => {
    const { pool, clock, timeZone } = deps
    const owner = ownerOf(caller)
    const whose = owner === null ? null : await deps.sitesOf(owner)
    const now = clock.now()
    const span = spanOf(range, now, timeZone())
    const { from, to, step, shift } = span
    // Like with like: the running bucket of the span before ends at the same minute as ours does.
    const minuteEnd = (Math.floor(now / 60_000) + 1) * 60
    const [sums, previous, bandwidth, top] = await Promise.all([
      sumsByBucket(pool, span, whose),
      sumOf(pool, from - shift, Math.min(to, minuteEnd) - shift, whose),
      bandwidthOf(pool, span, Math.floor(now / 1000), whose),
      namedTop(deps, span, whose),
    ])
    const points = filled(span, sums)
    const data = {
      range,
      from: new Date(from * 1000).toISOString(),
      to: new Date(to * 1000).toISOString(),
      step,
      total: points.reduce(plus, NO_FIGURES),
      previous,
      bandwidth,
      points,
      topSites: top,
    }
    return { data }
  }

const filled = ({ from, to, step }: Span, sums: Map<number, Figures>): (Figures & { t: number })[] => {
  const points = []
  for (let t = from; t < to; t += step) points.push({ t, ...(sums.get(t) ?? NO_FIGURES) })
  return points
}

const plus = (a: Figures, b: Figures): Figures => ({
  requests: a.requests + b.requests,
  hits: a.hits + b.hits,
  bytesOut: a.bytesOut + b.bytesOut,
  bytesOrigin: a.bytesOrigin + b.bytesOrigin,
  s2xx: a.s2xx + b.s2xx,
  s3xx: a.s3xx + b.s3xx,
  s4xx: a.s4xx + b.s4xx,
  s5xx: a.s5xx + b.s5xx,
  blocked: a.blocked + b.blocked,
})

/** `now` is the last minute that has passed wholly; peak and 95th percentile are of the span's samples. Bits a second. */
const bandwidthOf = async (pool: pg.Pool, { from, to }: Span, now: number, whose: Whose) => {
  const minute = now - (now % 60)
  const [bytes, last] = await Promise.all([
    bytesByBucket(pool, from, to, SAMPLE_SECONDS, whose),
    sumOf(pool, minute - 60, minute, whose),
  ])
  const samples = sampleTimes(from, to, now).map((t) => bitsPerSecond(bytes.get(t) ?? 0, SAMPLE_SECONDS))
  return {
    now: bitsPerSecond(last.bytesOut, 60),
    peak: samples.reduce((a, b) => Math.max(a, b), 0),
    p95: percentile95(samples),
  }
}

type TopSites = OutputOf<'overview.chart'>['data']['topSites']

const namedTop = async ({ pool, siteNames }: ChartDeps, { from, to }: Span, whose: Whose): Promise<TopSites> => {
  const top = await topSites(pool, from, to, TOP, whose)
  const names = top.length > 0 ? await siteNames(top.map((s) => s.siteId)) : new Map<number, string>()
  return top.map((site) => ({ ...site, domain: names.get(site.siteId) ?? `#${site.siteId}` }))
}
