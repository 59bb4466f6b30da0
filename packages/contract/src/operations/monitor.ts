/** Monitoring of nodes: what outside monitors fetch and bring, and what the console shows of it. */
import { z } from 'zod'
import { MAX_PROBE_MS, MAX_PROBE_RESULTS, MONITOR_KINDS, NODE_HEALTH, PROBE_ERRORS } from '../monitor.ts'
import { id, idIn, none, operation, pageIn, pageOut } from '../operation.ts'
import { port } from '../validators.ts'

const whole = (max: number) =>
  z
    // The bounds have texts of their own.
    .int({ error: ({ code }) => (code === 'invalid_type' ? 'invalid' : undefined) })
    .min(0)
    .max(max)

/** One probe. `ms`: until it was answered or given up; `at`: Unix milliseconds of its begin. */
export const probeResult = z.object({
  node: id,
  port,
  ok: z.boolean({ error: 'invalid' }),
  ms: whole(MAX_PROBE_MS),
  /** Counts where `ok` is false. */
  error: z.enum(PROBE_ERRORS).default('other'),
  at: whole(Number.MAX_SAFE_INTEGER),
})
export type ProbeResult = z.output<typeof probeResult>

/** A monitor's own name for itself. */
const monitorName = z
  .string()
  .trim()
  .min(1, { error: 'required' })
  .max(64)
  .regex(/^[^\p{Cc}]*$/u, { error: 'one_line' })

/** Percent of checks that failed; null = nothing to say. */
const rate = z.number().nullable()

const monitorVote = z.object({
  id: z.int(),
  name: z.string(),
  kind: z.enum(MONITOR_KINDS),
  failPercent: rate,
  /** Whether it counts at present, and whether it says that the node fails. */
  counts: z.boolean(),
  fails: z.boolean(),
  /** ISO time of its newest result. */
  lastAt: z.string(),
})
export type MonitorVote = z.output<typeof monitorVote>

export const stableRow = z.object({
  nodeId: z.int(),
  name: z.string(),
  groupId: z.int(),
  groupName: z.string(),
  address: z.string(),
  /** Whether anybody can probe it: it has an address that is one. */
  probed: z.boolean(),
  health: z.enum(NODE_HEALTH),
  /** ISO time since when; empty = never judged. */
  since: z.string(),
  /** Whether it would be taken out of the answers: it fails, and its group has a node that does not. */
  leaves: z.boolean(),
  failPercent: rate,
  /** Monitors that say it fails, of those that count. */
  votes: z.object({ fails: z.int(), total: z.int() }),
  monitors: z.array(monitorVote),
  /** Checks by round, oldest first; `t` Unix ms of its begin. */
  points: z.array(z.object({ t: z.int(), checks: z.int(), fails: z.int() })),
})
export type StableRow = z.output<typeof stableRow>

const groupStanding = z.object({
  id: z.int(),
  name: z.string(),
  nodes: z.int(),
  ok: z.int(),
  failing: z.int(),
  unknown: z.int(),
})
export type GroupStanding = z.output<typeof groupStanding>

const { data: stablePage } = pageOut(stableRow).shape

export const monitorOperations = [
  operation({
    /** What a monitor should probe, how often. Node addresses that only their own machine can reach are left out. */
    id: 'monitor.targets',
    method: 'GET',
    path: 'monitor/import',
    audience: 'monitor',
    permission: null,
    effect: 'read',
    input: none,
    output: z.object({
      data: z.object({
        /** Seconds between two checks. */
        frequency: z.int(),
        targets: z.array(z.object({ node: z.int(), address: z.string(), ports: z.array(z.int()) })),
      }),
    }),
  }),
  operation({
    /**
     * Results of a monitor; one that was brought before changes nothing. All are taken, or none. Measurements are no change of settings, so
     * they leave no trace in the audit log.
     */
    id: 'monitor.results',
    method: 'POST',
    path: 'monitor/import',
    audience: 'monitor',
    permission: null,
    effect: 'read',
    input: z.object({ monitor: monitorName, results: z.array(probeResult).max(MAX_PROBE_RESULTS) }),
    output: z.object({ data: z.object({ taken: z.int() }) }),
  }),
  operation({
    /** How each node of the service groups is seen by the monitors. */
    id: 'dispatch.stable',
    method: 'POST',
    path: 'sys/cdnsys/auth/group/node/stable/infos',
    audience: 'admin',
    permission: 'cdn:dispatch:status',
    effect: 'read',
    input: pageIn.extend({ groupId: id.optional(), health: z.enum(NODE_HEALTH).optional() }),
    output: z.object({
      data: stablePage.extend({
        groups: z.array(groupStanding),
        monitors: z.array(
          z.object({
            id: z.int(),
            name: z.string(),
            kind: z.enum(MONITOR_KINDS),
            /** ISO. */
            lastAt: z.string(),
            reports: z.boolean(),
            /** Nodes of which it brought results lately. */
            nodes: z.int(),
          }),
        ),
        rule: z.object({ ports: z.array(z.int()), frequency: z.int(), failPercent: z.int() }),
      }),
    }),
  }),
  operation({
    /** The newest results of one node, and when it began to fail and came back. */
    id: 'dispatch.history',
    method: 'POST',
    path: 'sys/cdnsys/auth/group/node/stable/history',
    audience: 'admin',
    permission: 'cdn:dispatch:status',
    effect: 'read',
    input: idIn,
    output: z.object({
      data: z.object({
        nodeId: z.int(),
        name: z.string(),
        address: z.string(),
        /** Newest first. `at` ISO; `error` empty when it was answered. */
        results: z.array(
          z.object({
            monitor: z.string(),
            port: z.int(),
            at: z.string(),
            ms: z.int(),
            error: z.enum(['', ...PROBE_ERRORS]),
          }),
        ),
        changes: z.array(
          z.object({
            at: z.string(),
            failing: z.boolean(),
            failPercent: z.number(),
            votes: z.object({ fails: z.int(), total: z.int() }),
            monitors: z.array(z.string()),
          }),
        ),
      }),
    }),
  }),
] as const
