/**
 * How long a revision takes to reach 2,000 nodes of one server process: real TLS 1.3 connections with client certificates, the real
 * protocol, nodes in a process of their own. Says what memory the server takes for them.
 * Run: node --import tsx bench/nodes.bench.ts [nodes] [revisions] [sites]
 */
import { fork } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PerformanceObserver } from 'node:perf_hooks'
import { siteSettings } from '@tidegate/contract/operations/site'
import { openDatabase } from '../apps/server/src/platform/db.ts'
import { testDatabase } from '../apps/server/src/testing/database.ts'
import { openPlane, until } from '../apps/server/src/testing/plane.ts'
import { newRequest } from '../apps/server/src/testing/sim-node.ts'
import { heading, insertSites, line, percentile, startCluster, vacuum } from './lib/plane.ts'

const NODES = Number(process.argv[2] ?? 2_000)
const REVISIONS = Number(process.argv[3] ?? 10)
const SITES = Number(process.argv[4] ?? 1_000)
const GOAL_MS = 2_000
const mb = (bytes: number) => `${(bytes / 1_048_576).toFixed(0)} MiB`

const end = await startCluster()
const database = await testDatabase()
const loader = openDatabase(database.appUrl, () => {})
await insertSites(loader.pool, SITES, siteSettings.parse({}))
await loader.close()
await vacuum(database.ownerUrl)
const plane = await openPlane({ database })
const ca = await plane.plane.node.ca()
const { keyPem, csr } = await newRequest()
const nodes: { id: number; certificate: string }[] = []
for (let i = 1; i <= NODES; i++) {
  const issued = await ca.issueNode(i, csr)
  nodes.push({ id: i, certificate: issued.certificate })
  await plane.query('INSERT INTO node (name, group_id, enrolled_at, cert_serials) VALUES ($1, 1, now(), $2)', [
    `n${i}`,
    [issued.serial],
  ])
}
await plane.query("INSERT INTO node_push (node_id, scope) SELECT id, 'group:1' FROM node")
const dir = mkdtempSync(join(tmpdir(), 'tgnodes-'))
const file = join(dir, 'nodes.json')
writeFileSync(file, JSON.stringify({ port: plane.port, ca: ca.certPem, keyPem, nodes }), { mode: 0o600 })
const before = process.memoryUsage()

interface Message {
  type: 'ready' | 'reached' | 'failed'
  revision: number
  /** Unix ms (with fraction) at which each node had the revision. */
  times: number[]
  /** Processor time of the nodes' process and the connections it has opened, since its start. */
  cpuMs: number
  sockets: number
  error?: string
}
const child = fork(join(import.meta.dirname, 'lib/many-nodes.ts'), [file], { execArgv: ['--import', 'tsx'] })
const messages: Message[] = []
child.on('message', (message) => messages.push(message as Message))
const next = (type: Message['type'], revision: number) =>
  until(async () => {
    const failed = messages.find((m) => m.type === 'failed')
    if (failed) throw new Error(failed.error)
    return messages.find((m) => m.type === type && m.revision >= revision)
  }, 180_000)

const connecting = Date.now()
await next('ready', 0)
const done = () =>
  until(async () => {
    const failed = messages.find((m) => m.type === 'failed')
    if (failed) throw new Error(failed.error)
    return (await plane.run('push.status', { type: 1 })).task_size === 0
  }, 60_000)
await done()
process.stdout.write(
  `${NODES} nodes connected, configured (${SITES} sites) and acknowledged in ${((Date.now() - connecting) / 1000).toFixed(1)} s\n`,
)
globalThis.gc?.()
const after = process.memoryUsage()
process.stdout.write(
  `server memory: ${mb(before.rss)} before, ${mb(after.rss)} with ${NODES} nodes (heap ${mb(after.heapUsed)})\n`,
)

/** Time on a processor so far, in milliseconds: this process (the server and its part of the bench), its database sessions. */
const spent = async () => {
  const pids = await plane.query<{ pid: number }>(
    "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'",
  )
  const database = pids.map(({ pid }) => Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6)
  const { user, system } = process.cpuUsage()
  return { server: (user + system) / 1_000, database: database.reduce((a, b) => a + b, 0) }
}
let collecting = 0
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) collecting += entry.duration
}).observe({ entryTypes: ['gc'] })
const costs: string[] = []
let nodesBefore = { cpuMs: 0, sockets: 0 }

const all: number[] = []
const last: number[] = []
const acknowledged: number[] = []
for (let i = 0; i < REVISIONS; i++) {
  const before = await spent()
  collecting = 0
  const at = performance.timeOrigin + performance.now()
  const saved = await plane.save({ id: 1 + i, domains: [`www.site-${1 + i}.example`], settings: { readTimeout: 7 } })
  const { times, ...nodesNow } = await next('reached', saved.push.revision)
  all.push(...times.map((t) => t - at))
  last.push(Math.max(...times) - at)
  await done()
  acknowledged.push(performance.timeOrigin + performance.now() - at)
  const now = await spent()
  const figures = [
    now.server - before.server,
    collecting,
    now.database - before.database,
    nodesNow.cpuMs - nodesBefore.cpuMs,
  ]
  costs.push(
    [...figures.map((ms) => ms.toFixed(0)), nodesNow.sockets - nodesBefore.sockets]
      .map((t) => `${t}`.padStart(10))
      .join(''),
  )
  nodesBefore = nodesNow
}
process.stdout.write(
  `processor time of each revision, ms (the nodes' since the revision before, the first one's since their start):\n${['server', 'of it GC', 'database', 'nodes', 'new conns'].map((t) => t.padStart(10)).join('')}\n${costs.join('\n')}\n`,
)
process.stdout.write(`last node, revision by revision: ${last.map((t) => t.toFixed(0)).join(' ')} ms\n`)
heading(`${REVISIONS} revisions to ${NODES} nodes`)
line('a node has it', all)
line('the last node has it', last)
line('every acknowledgement is stored', acknowledged)
process.stdout.write(`server memory at the end: ${mb(process.memoryUsage().rss)}\n`)
child.kill()
await plane.close()
await end()
rmSync(dir, { recursive: true })
const ok = percentile(last, 1) <= GOAL_MS
process.stdout.write(`\ngoal <= ${GOAL_MS} ms: ${ok ? 'met' : 'MISSED'}\n`)
process.exit(ok ? 0 : 1)
