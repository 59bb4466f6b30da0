/**
 * Puts right what can be put right from the finer sums. Nothing is written from sums that are themselves in doubt: the minutes of all sites
 * must agree with what was counted by node or in all, the hours of a day with the total of the day.
 */
import type { GapKind, GapState } from '@tidegate/contract/enums'
import type pg from 'pg'
import type { Queryable } from '../../platform/db.ts'
import { audit } from '../audit/index.ts'
import { FOLD_LOCK } from '../ingest/index.ts'
import type { Gap } from './runs.ts'
import {
  type Compared,
  compareDay,
  compareHour,
  type Day,
  dayWitness,
  equal,
  type Range,
  rewriteDay,
  rewriteHour,
  rewriteTotal,
  type SiteGap,
  type Sums,
} from './tiers.ts'

export interface Step {
  compared: number
  count: number
  repaired: number
  gaps: Gap[]
}

const gapOf = (kind: GapKind, at: number, state: GapState, { site, wanted, found, difference }: SiteGap): Gap => ({
  ...{ kind, at, site, wanted, found, difference, state },
})

const ofAll = (kind: GapKind, at: number, wanted: Sums, found: Sums, state: GapState): Gap => ({
  ...{ kind, at, site: null, wanted, found, state },
  difference: Math.abs((wanted.requests ?? 0) - (found.requests ?? 0)),
})

interface Verdict {
  sites: GapState
  total: GapState
  nodes: GapState
}

/** Pure. What becomes of the gaps of an hour when it may be repaired. Nodes have nothing finer that they could be summed from. */
export const verdictOf = ({ sites, total, nodes }: Pick<Compared, 'sites' | 'total' | 'nodes'>): Verdict => {
  const byNodes = equal(sites, nodes)
  const trusted = byNodes || equal(sites, total)
  return {
    sites: trusted ? 'repaired' : 'doubtful',
    total: byNodes ? 'repaired' : 'doubtful',
    nodes: trusted ? 'open' : 'doubtful',
  }
}

const OPEN: Verdict = { sites: 'open', total: 'open', nodes: 'open' }

/** What was found of an hour, as rows of the report. */
const stepOf = (hour: number, found: Compared, verdict: Verdict): Step => {
  const { sites, total, nodes } = found
  const gaps = found.worst.map((gap) => gapOf('hour', hour, verdict.sites, gap))
  if (!equal(sites, total)) gaps.unshift(ofAll('total', hour, sites, total, verdict.total))
  if (!equal(sites, nodes)) gaps.unshift(ofAll('node', hour, sites, nodes, verdict.nodes))
  const apart = gaps.length - found.worst.length
  const repaired =
    (verdict.sites === 'repaired' ? found.gaps : 0) +
    gaps.filter((gap) => gap.site === null && gap.state === 'repaired').length
  return { compared: found.compared, count: found.gaps + apart, repaired, gaps }
}

/** Rows named in the log. */
const NAMED = 20
const few = (gaps: readonly Gap[], side: 'wanted' | 'found') =>
  Object.fromEntries(gaps.slice(0, NAMED).map((gap) => [gap.site === null ? gap.kind : `site ${gap.site}`, gap[side]]))

const trace = async (tx: Queryable, target: string, rows: number, gaps: readonly Gap[]) => {
  const repaired = gaps.filter((gap) => gap.state === 'repaired')
  await audit(tx, null, {
    action: 'usage.repair',
    target,
    before: { rows, ...few(repaired, 'found') },
    after: { rows, ...few(repaired, 'wanted') },
  })
}

/** Without repairs. */
export const lookAtHour = async (pool: pg.Pool, hour: number, worst: number): Promise<Step> =>
  stepOf(hour, await compareHour(pool, hour, worst), OPEN)

/** In the step's transaction; nobody folds until it ends. */
export const repairHour = async (client: pg.PoolClient, tx: Queryable, hour: number, worst: number): Promise<Step> => {
  await client.query('SELECT pg_advisory_xact_lock($1)', [FOLD_LOCK])
  const found = await compareHour(client, hour, worst)
  const step = stepOf(hour, found, verdictOf(found))
  if (step.repaired === 0) return step
  let rows = await rewriteHour(client, hour)
  if (step.gaps.some((gap) => gap.kind === 'total' && gap.state === 'repaired'))
    rows += await rewriteTotal(client, hour)
  await trace(tx, `usage hour ${new Date(hour * 1000).toISOString()}`, rows, step.gaps)
  return step
}

const dayStep = (day: Day, found: Pick<Compared, 'compared' | 'gaps' | 'worst'>, state: GapState): Step => ({
  compared: found.compared,
  count: found.gaps,
  repaired: state === 'repaired' ? found.gaps : 0,
  gaps: found.worst.map((gap) => gapOf('day', day.from, state, gap)),
})

/** Without repairs. */
export const lookAtDay = async (pool: pg.Pool, day: Day, range: Range, worst: number): Promise<Step> =>
  dayStep(day, await compareDay(pool, day, range, worst), 'open')

/** In the step's transaction; nobody folds until it ends. */
export const repairDay = async (
  client: pg.PoolClient,
  tx: Queryable,
  day: Day,
  { range, worst }: { range: Range; worst: number },
): Promise<Step> => {
  await client.query('SELECT pg_advisory_xact_lock($1)', [FOLD_LOCK])
  const { sites, total } = await dayWitness(client, day)
  const found = await compareDay(client, day, range, worst)
  const step = dayStep(day, found, equal(sites, total) ? 'repaired' : 'doubtful')
  if (step.repaired === 0) return step
  const rows = await rewriteDay(client, day, range)
  await trace(tx, `usage day ${day.date}`, rows, step.gaps)
  return step
}
