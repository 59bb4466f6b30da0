/** Figures of the overview, from the nodes' counters and logs only. */
import { z } from 'zod'
import { CHART_RANGES } from '../enums.ts'
import { none, operation } from '../operation.ts'

const figures = z.object({
  requests: z.number(),
  hits: z.number(),
  bytesOut: z.number(),
  bytesOrigin: z.number(),
  s2xx: z.number(),
  s3xx: z.number(),
  s4xx: z.number(),
  s5xx: z.number(),
  blocked: z.number(),
})

export const overviewOperations = [
  operation({
    id: 'overview.chart',
    method: 'GET',
    path: 'sys/cdnsys/auth/GetIndexChartData',
    audience: 'any',
    permission: 'home:overview',
    effect: 'read',
    input: z.object({ range: z.enum(CHART_RANGES).default('today') }),
    output: z.object({
      data: z.object({
        range: z.enum(CHART_RANGES),
        /** ISO; the end is exclusive. */
        from: z.string(),
        to: z.string(),
        /** Seconds of a bucket. */
        step: z.int(),
        total: figures,
        /** The same span just before, for comparison. */
        previous: figures,
        /** Bits a second: now (last full minute), peak and 95th percentile of 5-minute samples in the span. */
        bandwidth: z.object({ now: z.number(), peak: z.number(), p95: z.number() }),
        /** One point a bucket, zero-filled; `t` Unix seconds of its begin. */
        points: z.array(figures.extend({ t: z.int() })),
        topSites: z.array(
          z.object({
            siteId: z.int(),
            domain: z.string(),
            requests: z.number(),
            bytesOut: z.number(),
            hits: z.number(),
          }),
        ),
      }),
    }),
  }),
  operation({
    /** What is to be done and how the installation is. */
    id: 'overview.state',
    method: 'GET',
    path: 'sys/home/state',
    audience: 'admin',
    permission: 'home:overview',
    effect: 'read',
    input: none,
    output: z.object({
      data: z.object({
        nodes: z.object({ online: z.int(), total: z.int() }),
        sites: z.object({ enabled: z.int(), total: z.int() }),
        pushes: z.object({ pending: z.int(), refused: z.int() }),
        certificatesExpiring: z.int(),
        /** Seconds since the newest counter arrived; -1 = none yet. */
        dataAge: z.number(),
        /** Bytes of the data directory's file system. `short`: nearly full; `low`: so full that writes are refused. */
        disk: z.object({ total: z.number(), free: z.number(), short: z.boolean(), low: z.boolean() }),
        checklist: z.array(z.object({ key: z.enum(['node', 'site', 'traffic', 'certificate']), done: z.boolean() })),
        attention: z.array(
          z.object({
            level: z.enum(['bad', 'warn', 'good']),
            key: z.enum([
              'node_offline',
              'node_refuses',
              'node_failing',
              'push_pending',
              'clock_skew',
              'low_disk',
              'node_alert',
              'cert_expired',
              'cert_expiring',
              'analytics_down',
              'figures_differ',
            ]),
            params: z.record(z.string(), z.union([z.string(), z.number()])),
            path: z.string(),
            time: z.string(),
          }),
        ),
      }),
    }),
  }),
  operation({
    /** A customer's own state, and the first steps. */
    id: 'overview.own',
    method: 'GET',
    path: 'app/home/state',
    audience: 'user',
    permission: 'home:overview',
    effect: 'read',
    input: none,
    output: z.object({
      data: z.object({
        sites: z.object({ enabled: z.int(), total: z.int() }),
        /** All; those in use that end soon; how many of these have ended. */
        certificates: z.object({ total: z.int(), expiring: z.int(), expired: z.int() }),
        /** The newest site without traffic yet, whose name has to be pointed here; null = there is none. */
        point: z.object({ siteId: z.int(), domain: z.string(), cname: z.string() }).nullable(),
        checklist: z.array(
          z.object({ key: z.enum(['phone', 'realName', 'site', 'cname', 'certificate']), done: z.boolean() }),
        ),
      }),
    }),
  }),
]
