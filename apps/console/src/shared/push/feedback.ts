/** What the nodes' answers to a push come to. Pure. */
import type { FeedbackRow } from '@tidegate/contract/operations/push'

export interface PushSummary {
  nodes: number
  live: number
  refused: number
  pending: number
  /** Milliseconds until the last node that answered; -1 = none yet. */
  slowestMs: number
}

export const summarize = (feedback: readonly FeedbackRow[]): PushSummary => ({
  nodes: feedback.length,
  live: feedback.filter((f) => f.state === 'done').length,
  refused: feedback.filter((f) => f.state === 'refused').length,
  pending: feedback.filter((f) => f.state === 'pending').length,
  slowestMs: feedback.reduce((max, f) => Math.max(max, f.state === 'done' ? f.totalMs : -1), -1),
})
