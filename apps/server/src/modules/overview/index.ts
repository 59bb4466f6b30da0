/** Handlers of the overview, and the one definition of bandwidth. */
import type { Handlers } from '../../platform/caller.ts'
import { type ChartDeps, chartHandler } from './chart.ts'
import { type OwnDeps, ownHandler } from './own.ts'
import { type StateDeps, stateHandler } from './state.ts'

export type OverviewDeps = ChartDeps & StateDeps & OwnDeps
export type { NodeSummary } from './state.ts'

export const overviewHandlers = (
  deps: OverviewDeps,
): Handlers<'overview.chart' | 'overview.state' | 'overview.own'> => ({
  'overview.chart': chartHandler(deps),
  'overview.state': stateHandler(deps),
  'overview.own': ownHandler(deps),
})
