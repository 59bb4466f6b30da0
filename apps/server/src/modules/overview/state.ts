/** `overview.state`: what is to be done and how the installation is. Texts are the console's; here are keys and parameters. */
import { CLOCK_SKEW_WARN_MS } from '@tidegate/contract/limits'
import type { OutputOf } from '@tidegate/contract/operations/index'
import type { NodeRow } from '@tidegate/contract/operations/node'
import type { Handler } from '../../platform/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import type { DiskState } from '../../platform/disk.ts'
import { attentionOf } from './attention.ts'

/** The members of a node's row that the overview looks at. */
export type NodeSummary = Pick<NodeRow, 'id' | 'name' | 'state' | 'lastSeen' | 'refusedNow' | 'clockSkew' | 'alerts'>

/** What the overview asks of other modules; main.ts puts them in. */
export interface StateDeps {
  clock: Clock
  /** Every node that is not revoked. */
  nodeSummaries: () => Promise<NodeSummary[]>
  /** Those that the monitors say fail at present; `since` ISO. */
  failingNodes: () => Promise<{ id: number; name: string; since: string }[]>
  siteCounts: (owner: number | null) => Promise<{ enabled: number; total: number }>
  /** Pushes that some node has neither acknowledged nor refused; what is refused at present. As `push.status`. */
  pushCounts: () => Promise<{ task_size: number; refused_size: number }>
  /** When the oldest push that waits was made; null = none waits. Asked only when some wait. */
  pendingSince: () => Promise<Date | null>
  /** Uploaded certificates, those in use that end soon, and how many of these have ended. */
  certCounts: (owner: number | null) => Promise<{ total: number; expiring: number; expired: number }>
  ingestState: () => Promise<{ newestAt: Date | null; analyticsDownSince: Date | null }>
  /** Differences that the last reconciliation of the figures left open; null: it was never done. */
  figures: () => Promise<{ report: number; open: number; at: Date } | null>
  /** Of the data directory. */
  disk: () => Promise<DiskState>
}

export interface Facts {
  now: number
  nodes: NodeSummary[]
  failing: Awaited<ReturnType<StateDeps['failingNodes']>>
  /** Pushes that wait, and since when the oldest does. */
  pending: { count: number; since: Date | null }
  certs: Awaited<ReturnType<StateDeps['certCounts']>>
  ingest: Awaited<ReturnType<StateDeps['ingestState']>>
  figures: Awaited<ReturnType<StateDeps['figures']>>
  disk: Awaited<ReturnType<StateDeps['disk']>>
}

export type State = OutputOf<'overview.state'>['data']

export const stateHandler =
  (deps: StateDeps): Handler<'overview.state'> =>
  async () => {
    const now = deps.clock.now()
    const [nodes, failing, sites, pushes, certs, ingest, figures, disk] = await Promise.all([
      deps.nodeSummaries(),
      deps.failingNodes(),
      deps.siteCounts(null),
      deps.pushCounts(),
      deps.certCounts(null),
      deps.ingestState(),
      deps.figures(),
      deps.disk(),
    ])
    const pending = { count: pushes.task_size, since: pushes.task_size > 0 ? await deps.pendingSince() : null }
    const online = nodes.filter((n) => n.state === 'online').length
    const data: State = {
      nodes: { online, total: nodes.length },
      sites,
      pushes: { pending: pushes.task_size, refused: pushes.refused_size },
      certificatesExpiring: certs.expiring,
      dataAge: ingest.newestAt ? Math.max(0, (now - ingest.newestAt.getTime()) / 1000) : -1,
      disk,
      checklist: [
        { key: 'node', done: nodes.some((n) => n.state === 'online' || n.state === 'offline') },
        { key: 'site', done: sites.total > 0 },
        { key: 'traffic', done: ingest.newestAt !== null },
        { key: 'certificate', done: certs.total > 0 },
      ],
      attention: attentionOf({ now, nodes, failing, pending, certs, ingest, figures, disk }, CLOCK_SKEW_WARN_MS),
    }
    return { data }
  }
