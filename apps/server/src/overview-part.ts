/** The overview asks every other module for a figure or two; this is where it gets them. */
import type { Context } from './context.ts'
import { readIngestState } from './modules/ingest/index.ts'
import { type OverviewDeps, overviewHandlers } from './modules/overview/index.ts'
import type { Plane } from './plane.ts'
import type { Part } from './platform/part.ts'

export const overviewPart = (
  { clock, database, disk }: Context,
  plane: Plane,
  {
    timeZone,
    standing,
    failingNodes,
    figures,
  }: Pick<OverviewDeps, 'timeZone' | 'standing' | 'failingNodes' | 'figures'>,
): Part => ({
  name: 'overview',
  handlers: overviewHandlers({
    pool: database.pool,
    clock,
    timeZone,
    siteNames: plane.site.firstDomains,
    siteCounts: plane.site.counts,
    sitesOf: plane.site.idsOf,
    newestSite: plane.site.newest,
    standing,
    nodeSummaries: plane.node.summaries,
    failingNodes,
    pushCounts: plane.publish.pushCounts,
    pendingSince: plane.publish.pendingSince,
    certCounts: plane.cert.counts,
    ingestState: () => readIngestState(database.pool),
    figures,
    disk: async () => disk.state(),
  }),
})
