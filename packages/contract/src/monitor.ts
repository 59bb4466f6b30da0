/** Monitoring of nodes: what monitors bring, and how many of them it takes to say that a node fails. */

/** Why a probe failed. */
export const PROBE_ERRORS = ['timeout', 'refused', 'unreachable', 'reset', 'name', 'other'] as const
export type ProbeError = (typeof PROBE_ERRORS)[number]

/** Results in one request, of a monitor or of a node's agent. */
export const MAX_PROBE_RESULTS = 2_000
/** Outside monitors that an installation listens to. */
export const MAX_MONITORS = 50
/** Longest time of a probe, ms. */
export const MAX_PROBE_MS = 60_000
/** A result may be brought this much later, or bear a time this much ahead of the server's, in seconds. */
export const MAX_PROBE_AGE = 3_600
export const MAX_PROBE_AHEAD = 60

/** Results that are kept of each monitor, node and port. */
export const PROBE_KEEP = 60
/** Rounds of checks that the failure rate is made of. */
export const PROBE_ROUNDS = 10
/** Rounds that a monitor must have seen before it counts. */
export const PROBE_MIN_ROUNDS = 3
/** Agents that probe one node. */
export const PROBERS_PER_NODE = 5

/** `agent`: on a node of this installation; `outside`: somebody else's program with the monitoring token. */
export const MONITOR_KINDS = ['agent', 'outside'] as const
export type MonitorKind = (typeof MONITOR_KINDS)[number]

/** What the monitors together say of a node; `unknown`: none of them has looked long enough or lately. */
export const NODE_HEALTH = ['ok', 'failing', 'unknown'] as const
export type NodeHealth = (typeof NODE_HEALTH)[number]
