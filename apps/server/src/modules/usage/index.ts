/** Usage: the reconciliation of the figures that bills are made from, and its reports. */
import type { GapKind, GapState } from '@tidegate/contract/enums'
import type { InputOf, OutputOf } from '@tidegate/contract/operations/index'
import type { ReconcileReport } from '@tidegate/contract/operations/usage'
import { sql } from 'drizzle-orm'
import type { Handlers } from '../../platform/caller.ts'
import type { Db } from '../../platform/db.ts'
import { AppError } from '../../platform/errors.ts'
import { page } from '../../platform/page.ts'
import type { Part } from '../../platform/part.ts'
import { iso, row, rows } from '../../platform/query.ts'
import { type ReconcileDeps, reconcileTask } from './reconcile.ts'

export interface UsageDeps extends ReconcileDeps {
  db: Db
  /** First domain of each site that exists still. */
  siteNames: (ids: number[]) => Promise<Map<number, string>>
}

export interface UsageModule extends Part {
  handlers: Handlers<'usage.reconcileInfo' | 'usage.gapList'>
  /** What the last reconciliation left open; null: none was done. */
  figures(): Promise<{ report: number; open: number; at: Date } | null>
}

const reportOf = async (db: Db, id: number): Promise<OutputOf<'usage.reconcileInfo'>> => {
  const found = await row<Omit<ReconcileReport, 'until'> & { until: number }>(
    db,
    sql`SELECT id, state, started_at AS "startTime", finished_at AS "finishTime", first_day::text AS "firstDay", until, zone,
          (params->>'repair')::boolean AS repair, (params->>'tolerance')::bigint AS tolerance,
          compared, gaps, repaired, open, skipped, raw, missing, known
        FROM reconcile_run WHERE id = ${id}`,
  )
  if (!found) throw new AppError('not_found')
  const { startTime, finishTime, until, ...rest } = found
  const times = { startTime: iso(startTime), finishTime: iso(finishTime), until: new Date(until * 1000).toISOString() }
  return { data: { ...rest, ...times } }
}

interface FoundGap {
  id: number
  kind: GapKind
  at: string
  siteId: number | null
  wanted: Record<string, number>
  found: Record<string, number>
  difference: number
  state: GapState
}

const listGaps = async ({ db, siteNames }: UsageDeps, input: InputOf<'usage.gapList'>) => {
  const offset = (input.page - 1) * input.limit
  const [count, found] = await Promise.all([
    row<{ n: number }>(db, sql`SELECT count(*) AS n FROM reconcile_gap WHERE run_id = ${input.report}`),
    rows<FoundGap>(
      db,
      sql`SELECT id, kind, at, site AS "siteId", wanted, found, difference, state FROM reconcile_gap WHERE run_id = ${input.report}
          ORDER BY kind = 'raw', difference DESC, id LIMIT ${input.limit} OFFSET ${offset}`,
    ),
  ])
  const names = await siteNames([...new Set(found.flatMap(({ siteId }) => (siteId ? [siteId] : [])))])
  const list = found.map(({ at, ...gap }) => ({ ...gap, time: iso(at), domain: names.get(gap.siteId ?? 0) ?? '' }))
  return page(input, count?.n ?? 0, list)
}

export const createUsageModule = (deps: UsageDeps): UsageModule => ({
  name: 'usage',
  handlers: {
    'usage.reconcileInfo': ({ id }) => reportOf(deps.db, id),
    'usage.gapList': (input) => listGaps(deps, input),
  },
  tasks: [reconcileTask(deps)],
  figures: async () => {
    const last = await row<{ report: number; open: number; at: string }>(
      deps.db,
      sql`SELECT id AS report, open, finished_at AS at FROM reconcile_run WHERE state = 'done' ORDER BY id DESC LIMIT 1`,
    )
    return last ? { ...last, at: new Date(last.at) } : null
  },
})
