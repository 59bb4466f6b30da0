/**
 * What an operator may tune on nodes while they run. It travels with a group's settings; what is left out has its default, so that nothing
 * travels where nothing was tuned.
 */
import { z } from 'zod'

/** Default and bounds; all are whole numbers. */
export const NODE_TUNABLES = {
  /** Seconds that a visitor's idle connection stays open. */
  keepaliveSeconds: { default: 75, min: 1, max: 3_600 },
  /** Seconds that an idle http connection to an origin stays open for the next request. */
  originIdleSeconds: { default: 60, min: 1, max: 600 },
  /** Seconds for which an origin that failed is passed over while another one lives. */
  originRestSeconds: { default: 10, min: 1, max: 600 },
  /** MiB of a request's body; more is answered with 413. */
  maxBodyMb: { default: 1_024, min: 1, max: 10_240 },
  /** Of 1 to 9: more costs processor time and saves traffic. */
  gzipLevel: { default: 4, min: 1, max: 9 },
  /** Of 100 requests, for how many the whole line of the log is kept; counters count all of them. */
  logPercent: { default: 100, min: 0, max: 100 },
} as const
export type NodeTunable = keyof typeof NODE_TUNABLES
export type NodeTunables = Readonly<Record<NodeTunable, number>>

const names = Object.keys(NODE_TUNABLES) as NodeTunable[]
const bounded = ({ min, max }: { min: number; max: number }) => z.int().min(min).max(max).optional()

export const nodeTunables = z.object({
  keepaliveSeconds: bounded(NODE_TUNABLES.keepaliveSeconds),
  originIdleSeconds: bounded(NODE_TUNABLES.originIdleSeconds),
  originRestSeconds: bounded(NODE_TUNABLES.originRestSeconds),
  maxBodyMb: bounded(NODE_TUNABLES.maxBodyMb),
  gzipLevel: bounded(NODE_TUNABLES.gzipLevel),
  logPercent: bounded(NODE_TUNABLES.logPercent),
})

/** What holds on a node: what was set, else the default. */
export const tunablesOf = (set: z.output<typeof nodeTunables> | undefined): NodeTunables =>
  Object.fromEntries(names.map((name) => [name, set?.[name] ?? NODE_TUNABLES[name].default])) as NodeTunables
