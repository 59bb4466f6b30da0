/** A node as the console sees it. */
import type { NodeState } from '@tidegate/contract/enums'
import { CLOCK_SKEW_WARN_MS, NODE_OFFLINE_AFTER } from '@tidegate/contract/limits'
import type { StatusReport } from '@tidegate/contract/node/protocol'
import type { NodeRow } from '@tidegate/contract/operations/node'
import { type SQL, sql } from 'drizzle-orm'
import { iso } from '../../platform/query.ts'

export const STATE: SQL = sql`CASE WHEN n.revoked_at IS NOT NULL THEN 'revoked' WHEN n.enrolled_at IS NULL THEN 'never'
  WHEN n.last_seen > now() - make_interval(secs => ${NODE_OFFLINE_AFTER}) THEN 'online' ELSE 'offline' END`

export interface NodeRecord {
  id: number
  name: string
  groupId: number
  groupName: string
  state: NodeState
  address: string
  remark: string
  hostname: string
  agentVersion: string
  engineVersion: string
  desired: number
  sent: number
  applied: number
  refusedNow: number
  lastSeen: string | null
  ackAt: string | null
  certNotAfter: string | null
  clockSkew: number
  status: StatusReport | null
  lied: boolean
}

export const SELECT_NODE = sql`SELECT n.id, n.name, n.group_id AS "groupId", g.name AS "groupName", ${STATE} AS state, n.address, n.remark,
  n.hostname, n.agent_version AS "agentVersion", n.engine_version AS "engineVersion", COALESCE(s.head, 0) AS desired,
  COALESCE(p.sent, 0) AS sent, COALESCE(p.applied, 0) AS applied, COALESCE(jsonb_array_length(p.refused_now), 0) AS "refusedNow",
  n.last_seen AS "lastSeen", p.ack_at AS "ackAt", n.cert_not_after AS "certNotAfter", n.clock_skew AS "clockSkew", n.status,
  COALESCE(n.lied_at > now() - interval '1 day', false) AS lied
  FROM node n JOIN node_group g ON g.id = n.group_id
  LEFT JOIN node_push p ON p.node_id = n.id LEFT JOIN config_scope s ON s.scope = 'group:' || n.group_id`

/** The node's own alerts, and what only the control plane can see: `clock_skew`, `lying_ack` (within the last day). */
const alertsOf = (n: NodeRecord): string[] => [
  ...(n.status?.alerts ?? []),
  ...(Math.abs(n.clockSkew) > CLOCK_SKEW_WARN_MS ? ['clock_skew'] : []),
  ...(n.lied ? ['lying_ack'] : []),
]

export const presentNode = (n: NodeRecord): NodeRow => ({
  id: n.id,
  name: n.name,
  groupId: n.groupId,
  groupName: n.groupName,
  state: n.state,
  address: n.address,
  hostname: n.hostname,
  agentVersion: n.agentVersion,
  engineVersion: n.engineVersion,
  desiredRevision: n.desired,
  sentRevision: n.sent,
  appliedRevision: n.applied,
  refusedNow: n.refusedNow,
  lastSeen: iso(n.lastSeen),
  lastAck: iso(n.ackAt),
  certExpires: iso(n.certNotAfter),
  clockSkew: n.clockSkew,
  engineUp: n.status?.engineUp ?? false,
  load1: n.status?.load1 ?? 0,
  cpus: n.status?.cpus ?? 0,
  memTotal: n.status?.memTotal ?? 0,
  memFree: n.status?.memFree ?? 0,
  diskTotal: n.status?.diskTotal ?? 0,
  diskFree: n.status?.diskFree ?? 0,
  cacheBytes: n.status?.cacheBytes ?? 0,
  spoolBytes: n.status?.spoolBytes ?? 0,
  droppedLines: n.status?.droppedLines ?? 0,
  sites: n.status?.sites ?? 0,
  httpPort: n.status?.httpPort ?? 0,
  httpsPort: n.status?.httpsPort ?? 0,
  alerts: alertsOf(n),
  remark: n.remark,
})
