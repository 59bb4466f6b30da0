/** Checks by round, laid out for drawing. */
import { PROBE_KEEP } from '@tidegate/contract/monitor'
import type { StableRow } from '@tidegate/contract/operations/monitor'

type Point = StableRow['points'][number]

/** One round: its place from the left, and how it went; a round without checks has none. */
export interface Bar {
  at: number
  /** 0 to 1. */
  share: number
  tone: 'good' | 'warn' | 'bad'
}

/** Newest round of all rows, so that they stand one above the other. */
export const newestOf = (rows: readonly StableRow[]): number => Math.max(0, ...rows.map((r) => r.points.at(-1)?.t ?? 0))

/** `step`: ms of a round; `end`: begin of the last one. */
export const barsOf = (points: readonly Point[], step: number, end: number): Bar[] =>
  points.flatMap(({ t, checks, fails }) => {
    const at = PROBE_KEEP - 1 - Math.round((end - t) / step)
    if (at < 0 || at >= PROBE_KEEP || checks === 0) return []
    return [{ at, share: fails / checks, tone: fails === 0 ? 'good' : fails === checks ? 'bad' : 'warn' }]
  })
