import { operationById } from '@tidegate/contract/operations/index'
import { expect, it } from 'vitest'
import { diskState } from '../../platform/disk.ts'
import { attentionOf } from './attention.ts'
import { type NodeSummary, type StateDeps, stateHandler } from './state.ts'

const NOW = Date.UTC(2026, 10, 21, 6)
const ago = (seconds: number) => new Date(NOW - seconds * 1000)
const node = (id: number, values: Partial<NodeSummary> = {}): NodeSummary => ({
  id,
  name: `edge-${id}`,
  state: 'online',
  lastSeen: ago(5).toISOString(),
  refusedNow: 0,
  clockSkew: 0,
  alerts: [],
  ...values,
})
const calm: StateDeps = {
  clock: { now: () => NOW },
  nodeSummaries: async () => [],
  failingNodes: async () => [],
  siteCounts: async () => ({ enabled: 0, total: 0 }),
  pushCounts: async () => ({ task_size: 0, refused_size: 0 }),
  pendingSince: async () => null,
  certCounts: async () => ({ total: 0, expiring: 0, expired: 0 }),
  ingestState: async () => ({ newestAt: null, analyticsDownSince: null }),
  figures: async () => null,
  disk: async () => ({ total: 100, free: 50, short: false, low: false }),
}
const state = async (deps: Partial<StateDeps> = {}) => {
  const handler = stateHandler({ ...calm, ...deps })
  const answer = await handler({}, {} as Parameters<typeof handler>[1], AbortSignal.timeout(1_000))
  operationById('overview.state').output.parse(answer)
  return answer.data
}
const done = (data: Awaited<ReturnType<typeof state>>) => data.checklist.filter((c) => c.done).map((c) => c.key)

it('leaves everything of a new installation to be done and complains about nothing', async () => {
  const data = await state({ nodeSummaries: async () => [node(1, { state: 'never', lastSeen: '' })] })
  expect(done(data)).toEqual([])
  expect(data).toMatchObject({ nodes: { online: 0, total: 1 }, dataAge: -1, attention: [] })
})

it('ticks off node, site, traffic and certificate', async () => {
  const data = await state({
    nodeSummaries: async () => [node(1), node(2, { state: 'offline' })],
    siteCounts: async () => ({ enabled: 1, total: 2 }),
    certCounts: async () => ({ total: 1, expiring: 0, expired: 0 }),
    ingestState: async () => ({ newestAt: ago(2.5), analyticsDownSince: null }),
  })
  expect(done(data)).toEqual(['node', 'site', 'traffic', 'certificate'])
  expect(data).toMatchObject({ nodes: { online: 1, total: 2 }, sites: { enabled: 1, total: 2 }, dataAge: 2.5 })
})

it('says what is wrong, the worst and oldest first', async () => {
  const data = await state({
    nodeSummaries: async () => [
      node(1, { clockSkew: -2_500, alerts: ['low_disk', 'engine_down', 'clock_skew'] }),
      node(2, { state: 'offline', lastSeen: ago(600).toISOString(), refusedNow: 3 }),
      node(3, { refusedNow: 2, clockSkew: 2_000 }),
    ],
    pushCounts: async () => ({ task_size: 4, refused_size: 1 }),
    pendingSince: async () => ago(31),
    certCounts: async () => ({ total: 4, expiring: 3, expired: 1 }),
    ingestState: async () => ({ newestAt: ago(1), analyticsDownSince: ago(300) }),
    disk: async () => ({ total: 100, free: 2, short: true, low: true }),
  })
  expect(data.attention.map((a) => [a.level, a.key, a.params.node ?? ''])).toEqual([
    ['bad', 'node_offline', 'edge-2'],
    ['bad', 'analytics_down', ''],
    ['bad', 'node_alert', 'edge-1'],
    ['bad', 'node_refuses', 'edge-3'],
    ['bad', 'low_disk', ''],
    ['bad', 'cert_expired', ''],
    ['warn', 'push_pending', ''],
    ['warn', 'node_alert', 'edge-1'],
    ['warn', 'clock_skew', 'edge-1'],
    ['warn', 'cert_expiring', ''],
  ])
  // Both lead to the sites that they are about, and each is counted once.
  expect(data.attention.filter((a) => a.key.startsWith('cert_')).map((a) => [a.params.count, a.path])).toEqual([
    [1, '/cdn/site/list?certDays=14'],
    [2, '/cdn/site/list?certDays=14'],
  ])
})

it('shows nodes that fail by what the monitors say, with the way to the evidence', async () => {
  const failingNodes = async () => [{ id: 4, name: 'edge-4', since: ago(90).toISOString() }]
  expect((await state({ failingNodes })).attention).toEqual([
    {
      level: 'bad',
      key: 'node_failing',
      params: { id: 4, node: 'edge-4' },
      path: '/cdn/dispatch/status?health=failing',
      time: ago(90).toISOString(),
    },
  ])
})

it('does not complain about a push that is just on its way', async () => {
  const pushCounts = async () => ({ task_size: 1, refused_size: 0 })
  const data = await state({ pushCounts, pendingSince: async () => ago(3) })
  expect(data).toMatchObject({ pushes: { pending: 1, refused: 0 }, attention: [] })
})

it('shows at most 50 of 2,000 nodes that are offline', () => {
  const nodes = Array.from({ length: 2_000 }, (_, i) => node(i + 1, { state: 'offline' }))
  const facts = {
    now: NOW,
    nodes,
    failing: [],
    pending: { count: 0, since: null },
    certs: { total: 0, expiring: 0, expired: 0 },
    ingest: { newestAt: null, analyticsDownSince: null },
    figures: null,
    disk: { total: 1, free: 1, short: false, low: false },
  }
  expect(attentionOf(facts, 2_000)).toHaveLength(50)
})

it('names figures that differ and leads to the report; a reconciliation that left nothing open says nothing', async () => {
  const attention = async (open: number) =>
    (await state({ figures: async () => ({ report: 12, open, at: ago(60) }) })).attention
  expect(await attention(0)).toEqual([])
  expect(await attention(3)).toEqual([
    {
      level: 'bad',
      key: 'figures_differ',
      params: { count: 3 },
      path: '/system/schedule/log?kind=usage.reconcile&report=12',
      time: ago(60).toISOString(),
    },
  ])
})

it('warns of a disk that gets short before writes are refused, and calls it bad when they are', async () => {
  const attention = async (share: number) => {
    const disk = diskState(1_000 * 1024 ** 3, share * 1024 ** 3)
    return (await state({ disk: async () => disk })).attention.map((a) => [a.level, a.key, a.params.free])
  }
  expect(await attention(100)).toEqual([])
  expect(await attention(99)).toEqual([['warn', 'low_disk', 99 * 1024 ** 3]])
  expect(await attention(49)).toEqual([['bad', 'low_disk', 49 * 1024 ** 3]])
})
