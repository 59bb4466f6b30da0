/** What nodes reported of sites that they do not serve, for whoever watches the metrics: a node that does it is wrong, or somebody else's. */
import { counter, type Metrics } from '../../platform/metrics.ts'

/** Registers the counter; gives what ingest tells. */
export const foreignRequests = (metrics: Metrics): ((nodeId: number, sites: number, requests: number) => void) => {
  const total = counter(
    'tidegate_ingest_foreign_requests_total',
    'Requests that nodes reported for sites they do not serve; not counted.',
  )
  metrics.add(total)
  return (nodeId, _sites, requests) => total.inc({ node: String(nodeId) }, requests)
}
