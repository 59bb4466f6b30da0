/** `overview.state`: what is to be done and how the installation is. Texts are the console's; here are keys and parameters. */
import type { NodeState } from '@tidegate/contract/enums'
import { CLOCK_SKEW_WARN_MS } from '@tidegate/contract/limits'
import type { OutputOf } from '@tidegate/contract/operations/index'
import type { Handler } from '../../platform/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import { attentionOf } from './attention.ts'

export interface NodeSummary {
  id: number
  name: string
  state: NodeState
  /** When it was last heard of; null = never. */
  lastSeen: Date | null
  /** Resources it refuses at present. */
  refusedNow: number
  /** Milliseconds, node minus server. */
  clockSkew: number
  /** Words of its status report: low_disk, spool_full, engine_down, config_from_disk. */
  alerts: string[]
}

/** What the overview asks of other modules; main.ts puts them in. */
export interface StateDeps {
  clock: Clock
  /** Every node that is not revoked. */
  nodeSummaries: () => Promise<NodeSummary[]>
  siteCounts: () => Promise<{ enabled: number; total: number }>
  /** Pushes that some node has neither acknowledged nor refused, and since when the oldest is; pushes with refusals. */
  pushCounts: () => Promise<{ pending: number; refused: number; pendingSince: Date | null }>
  /** Uploaded certificates, those that end soon, and when the first of them does. */
  certCounts: () => Promise<{ total: number; expiring: number; firstEnd: Date | null }>
  ingestState: () => Promise<{ newestAt: Date | null; analyticsDownSince: Date | null }>
  /** Of the data directory, bytes. */
  disk: () => Promise<{ total: number; free: number; low: boolean }>
}

export interface Facts {
  now: number
  nodes: NodeSummary[]
  pushes: Awaited<ReturnType<StateDeps['pushCounts']>>
  certs: Awaited<ReturnType<StateDeps['certCounts']>>
  ingest: Awaited<ReturnType<StateDeps['ingestState']>>
  disk: Awaited<ReturnType<StateDeps['disk']>>
}

export type State = OutputOf<'overview.state'>['data']

export const stateHandler =
  (deps: StateDeps): Handler<'overview.state'> =>
  async () => {
    const now = deps.clock.now()
    const [nodes, sites, pushes, certs, ingest, disk] = await Promise.all([
      deps.nodeSummaries(),
      deps.siteCounts(),
      deps.pushCounts(),
      deps.certCounts(),
      deps.ingestState(),
      deps.disk(),
    ])
    const online = nodes.filter((n) => n.state === 'online').length
    const data: State = {
      nodes: { online, total: nodes.length },
      sites,
      pushes: { pending: pushes.pending, refused: pushes.refused },
      certificatesExpiring: certs.expiring,
      dataAge: ingest.newestAt ? Math.max(0, (now - ingest.newestAt.getTime()) / 1000) : -1,
      disk,
      checklist: [
        { key: 'node', done: nodes.some((n) => n.state === 'online' || n.state === 'offline') },
        { key: 'site', done: sites.total > 0 },
        { key: 'traffic', done: ingest.newestAt !== null },
        { key: 'certificate', done: certs.total > 0 },
      ],
      attention: attentionOf({ now, nodes, pushes, certs, ingest, disk }, CLOCK_SKEW_WARN_MS),
    }
    return { data }
  }
