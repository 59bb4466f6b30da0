/** From rates of failure to what is said of a node: one vote a monitor, and more than half of the votes. */
import { type NodeHealth, PROBE_MIN_ROUNDS } from '@tidegate/contract/monitor'

/** What one monitor saw of one node lately, on all check ports together. */
export interface Sight {
  checks: number
  fails: number
  /** Of the port that was looked at most often. */
  rounds: number
}

/** A node that fails comes back once the rate is below this share of `failPercent`: one on the edge does not go to and fro. */
const BACK_SHARE = 0.5

export const percentOf = ({ checks, fails }: Pick<Sight, 'checks' | 'fails'>): number | null =>
  checks === 0 ? null : Math.round((fails / checks) * 1000) / 10

export interface Vote {
  counts: boolean
  fails: boolean
}

/** `failing`: what was said of the node before. */
export const voteOf = (sight: Sight, failPercent: number, failing: boolean): Vote => {
  const counts = sight.rounds >= PROBE_MIN_ROUNDS
  const limit = failing ? failPercent * BACK_SHARE : failPercent
  return { counts, fails: counts && (percentOf(sight) ?? 0) >= limit }
}

/** A tie leaves the node in. */
export const healthOf = (votes: readonly Vote[]): { health: NodeHealth; fails: number; total: number } => {
  const total = votes.filter((vote) => vote.counts).length
  const fails = votes.filter((vote) => vote.fails).length
  const health = total === 0 ? 'unknown' : fails * 2 > total ? 'failing' : 'ok'
  return { health, fails, total }
}
