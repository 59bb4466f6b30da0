/** What somebody should look at, the worst first. */
import { CERT_SOON_DAYS } from '@tidegate/contract/limits'
import type { Facts, NodeSummary, State } from './state.ts'

type Attention = State['attention'][number]

/** A screen shows no more; the counts beside it tell the rest. */
const LIMIT = 50
/** A push is on its way for some time: only an old one is worth a line. */
const PUSH_PENDING_MS = 30_000
/** The node serves nobody, or says what is not so. */
const BAD_ALERTS = new Set(['engine_down', 'lying_ack'])
const RANK = { bad: 0, warn: 1, good: 2 } as const

const PATHS = {
  nodes: '/cdn/node/list',
  pushes: '/cdn/tools/push',
  health: '/cdn/dispatch/status?health=failing',
  certs: `/cdn/site/list?certDays=${CERT_SOON_DAYS}`,
  system: '/home/overview',
  reports: '/system/schedule/log?kind=usage.reconcile',
} as const

/** `skewMs`: a clock that is off by more is worth a line. */
export const attentionOf = (facts: Facts, skewMs: number): Attention[] => {
  const nowText = new Date(facts.now).toISOString()
  const found = [...facts.nodes.flatMap((node) => ofNode(node, skewMs, nowText)), ...ofInstallation(facts, nowText)]
  return found.sort((a, b) => RANK[a.level] - RANK[b.level] || a.time.localeCompare(b.time)).slice(0, LIMIT)
}

const ofNode = (node: NodeSummary, skewMs: number, nowText: string): Attention[] => {
  const who = { id: node.id, node: node.name }
  const time = node.lastSeen || nowText
  const path = PATHS.nodes
  if (node.state === 'offline') return [{ level: 'bad', key: 'node_offline', params: who, path, time }]
  if (node.state !== 'online') return []
  // A clock that is off has a line of its own, with how far.
  const alerts = node.alerts.filter((alert) => alert !== 'clock_skew')
  const found: Attention[] = alerts.map((alert) => ({
    level: BAD_ALERTS.has(alert) ? 'bad' : 'warn',
    key: 'node_alert',
    params: { ...who, alert },
    path,
    time,
  }))
  if (node.refusedNow > 0) {
    found.push({
      level: 'bad',
      key: 'node_refuses',
      params: { ...who, count: node.refusedNow },
      path: PATHS.pushes,
      time,
    })
  }
  if (Math.abs(node.clockSkew) > skewMs) {
    found.push({ level: 'warn', key: 'clock_skew', params: { ...who, ms: node.clockSkew }, path, time })
  }
  return found
}

const ofInstallation = (facts: Facts, nowText: string): Attention[] => {
  const { now, failing, pending, certs, ingest, figures, disk } = facts
  const found: Attention[] = failing.map(({ id, name, since }) => ({
    level: 'bad',
    key: 'node_failing',
    params: { id, node: name },
    path: PATHS.health,
    time: since,
  }))
  const { count, since } = pending
  if (since && now - since.getTime() > PUSH_PENDING_MS) {
    const params = { count }
    found.push({ level: 'warn', key: 'push_pending', params, path: PATHS.pushes, time: since.toISOString() })
  }
  if (disk.short || disk.low) {
    const params = { free: disk.free, total: disk.total }
    found.push({ level: disk.low ? 'bad' : 'warn', key: 'low_disk', params, path: PATHS.system, time: nowText })
  }
  const { expired } = certs
  if (expired > 0) {
    found.push({ level: 'bad', key: 'cert_expired', params: { count: expired }, path: PATHS.certs, time: nowText })
  }
  if (certs.expiring > expired) {
    const params = { count: certs.expiring - expired }
    found.push({ level: 'warn', key: 'cert_expiring', params, path: PATHS.certs, time: nowText })
  }
  if (ingest.analyticsDownSince) {
    const time = ingest.analyticsDownSince.toISOString()
    found.push({ level: 'bad', key: 'analytics_down', params: {}, path: PATHS.system, time })
  }
  if (figures !== null && figures.open > 0) {
    const path = `${PATHS.reports}&report=${figures.report}`
    const time = figures.at.toISOString()
    found.push({ level: 'bad', key: 'figures_differ', params: { count: figures.open }, path, time })
  }
  return found
}
