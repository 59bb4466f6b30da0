/** The chart's data -> figures, shares and changes. Pure. */
import type { ChartData } from './api.ts'

type Figures = ChartData['total']

const share = (part: number, whole: number) => (whole === 0 ? 0 : part / whole)

export const hitRatio = (f: Figures) => share(f.hits, f.requests)
export const errorShare = (f: Figures, which: 's4xx' | 's5xx') => share(f[which], f.requests)

/** Change against the span before; undefined when that span had nothing. */
export const change = (now: number, before: number): number | undefined =>
  before === 0 ? undefined : (now - before) / before

/** Bits a second of a bucket. */
export const rate = (bytes: number, step: number) => (step === 0 ? 0 : (bytes * 8) / step)

/** Fewer points for a sparkline: sums of neighbouring buckets, at most `most` of them. */
export const thinned = (values: readonly number[], most = 40): number[] => {
  const width = Math.max(1, Math.ceil(values.length / most))
  const out: number[] = []
  for (let i = 0; i < values.length; i += width) {
    const part = values.slice(i, i + width)
    out.push(part.reduce((a, b) => a + b, 0) / part.length)
  }
  return out
}
