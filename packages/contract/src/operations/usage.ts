/** Figures that bills are made from: what the reconciliation found. */
import { z } from 'zod'
import { GAP_KINDS, GAP_STATES, RAW_STATES } from '../enums.ts'
import { id, idIn, operation, pageIn, pageOut } from '../operation.ts'

const sums = z.record(z.string(), z.number())

const gapRow = z.object({
  id: z.int(),
  kind: z.enum(GAP_KINDS),
  /** ISO time of the begin of the hour or day. */
  time: z.string(),
  /** null: of all sites; 0: requests for no site. */
  siteId: z.int().nullable(),
  /** First domain of the site; '' when it is gone or there is none. */
  domain: z.string(),
  /** By figure: what it adds up to, and what stands there. */
  wanted: sums,
  found: sums,
  /** Requests. */
  difference: z.int(),
  state: z.enum(GAP_STATES),
})
export type GapRow = z.infer<typeof gapRow>

const report = z.object({
  id: z.int(),
  state: z.enum(['running', 'done', 'lost']),
  startTime: z.string(),
  finishTime: z.string(),
  /** First day, a date in the zone, and the ISO time of the end. */
  firstDay: z.string(),
  until: z.string(),
  zone: z.string(),
  repair: z.boolean(),
  /** Requests. */
  tolerance: z.int(),
  compared: z.int(),
  gaps: z.int(),
  repaired: z.int(),
  /** Those that nothing explains. */
  open: z.int(),
  /** Whole days that were not compared because the installation's zone was changed meanwhile. */
  skipped: z.int(),
  raw: z.enum(RAW_STATES),
  /** Requests without a raw line; lines that are known to be lost or on their way. */
  missing: z.int(),
  known: z.int(),
})
export type ReconcileReport = z.infer<typeof report>

const reads = { audience: 'admin', permission: 'system:schedule:log', effect: 'read' } as const

export const usageOperations = [
  operation({
    ...reads,
    id: 'usage.reconcileInfo',
    method: 'GET',
    path: 'sys/usage/reconcile/info/{id}',
    input: idIn,
    output: z.object({ data: report }),
  }),
  operation({
    /** The greatest differences of a run; sums that differ from each other before raw lines that are missing. */
    ...reads,
    id: 'usage.gapList',
    method: 'POST',
    path: 'sys/usage/reconcile/gap/list',
    input: pageIn.extend({ report: id }),
    output: pageOut(gapRow),
  }),
]
