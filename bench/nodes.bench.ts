/**
 * How long a revision takes to reach 2,000 nodes of one server process: real TLS 1.3 connections with client certificates, the real
 * protocol, nodes in a process of their own, whose processor time is told apart. Says what memory the server takes, and whether it levels off.
 * Run: node --import tsx bench/nodes.bench.ts [nodes] [revisions] [sites]
 */
import { fork } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PerformanceObserver } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { siteSettings } from '@tidegate/contract/operations/site'
import { openDatabase } from '../apps/server/src/platform/db.ts'
import { testDatabase } from '../apps/server/src/testing/database.ts'
import { openPlane } from '../apps/server/src/testing/plane.ts'
import { newRequest } from '../apps/server/src/testing/sim-node.ts'
import type { Plan, Said } from './lib/many-nodes.ts'
import { heading, insertSites, line, percentile, startCluster, vacuum } from './lib/plane.ts'

const NODES = Number(process.argv[2] ?? 2_000)
const REVISIONS = Number(process.argv[3] ?? 30)
const SITES = Number(process.argv[4] ?? 1_000)
const GOAL_MS = 2_000
const LIMIT_MS = 180_000
/** It is asked whether everything is acknowledged at each notice of it, and now and then: the asking is the server's work, too. */
const LOOK_MS = 500
/** Of /proc/stat. */
const TICK_MS = 10
const [IDLE, IOWAIT] = [3, 4]
const MEMORY_EVERY = 10
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
const certificates: string[] = []
for (let i = 1; i <= NODES; i++) {
  const issued = await ca.issueNode(i, csr)
  certificates.push(issued.certificate)
  await plane.query('INSERT INTO node (name, group_id, enrolled_at, cert_serials) VALUES ($1, 1, now(), $2)', [
    `n${i}`,
    [issued.serial],
  ])
}
await plane.query("INSERT INTO node_push (node_id, scope) SELECT id, 'group:1' FROM node")
const dir = mkdtempSync(join(tmpdir(), 'tgnodes-'))
const file = join(dir, 'nodes.json')
writeFileSync(file, JSON.stringify({ port: plane.port, ca: ca.certPem, keyPem, certificates } satisfies Plan), {
  mode: 0o600,
})

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void
/** One line: resident memory as it is, and what is kept of the heap and outside it once garbage is collected. */
const sayMemory = (when: string) => {
  const { rss } = process.memoryUsage()
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  process.stdout.write(`${when.padEnd(32)}${[rss, heapUsed, external].map((b) => mb(b).padStart(10)).join('')}\n`)
}
process.stdout.write(
  `\n${'server memory'.padEnd(32)}${['resident', 'heap', 'external'].map((t) => t.padStart(10)).join('')}\n`,
)
sayMemory('without nodes')

const child = fork(join(import.meta.dirname, 'lib/many-nodes.ts'), [file], { execArgv: ['--import', 'tsx'] })
/** Resolves with what the nodes say of a revision (0: that all are there). */
const heard = new Map<number, (said: Said) => void>()
let broke: (error: Error) => void = () => {}
const broken = new Promise<never>((_, reject) => {
  broke = reject
})
broken.catch(() => {})
child.on('message', (message) => {
  const said = message as Said
  if (said.type === 'failed') return broke(new Error(said.error))
  heard.get(said.revision)?.(said)
})
const next = (revision: number) => {
  const limit = delay(LIMIT_MS, undefined, { ref: false }).then(() => {
    throw new Error(`not all nodes had revision ${revision} in time`)
  })
  return Promise.race([new Promise<Said>((resolve) => heard.set(revision, resolve)), broken, limit])
}
const acknowledgedAll = async () => {
  let wake = () => {}
  const undo = plane.bus.on('push_feedback', () => wake())
  for (;;) {
    const news = new Promise<void>((resolve) => {
      wake = resolve
    })
    if ((await plane.run('push.status', { type: 1 })).task_size === 0) break
    await Promise.race([news, delay(LOOK_MS), broken])
  }
  undo()
}

const connecting = Date.now()
let nodesBefore = await next(0)
await acknowledgedAll()
const seconds = ((Date.now() - connecting) / 1000).toFixed(1)
sayMemory(`with ${NODES} nodes`)

/** Time on a processor so far, in milliseconds: this process (the server and its part of the bench), its database sessions, the whole machine. */
const ofSession = new Map<number, number>()
const spent = async () => {
  const pids = await plane.query<{ pid: number }>(
    "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'",
  )
  for (const { pid } of pids)
    ofSession.set(pid, Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6)
  const { user, system } = process.cpuUsage()
  const machine = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0]?.trim().split(/ +/).slice(1, 9).map(Number) ?? []
  const busy = machine.reduce((sum, ticks, i) => sum + (i === IDLE || i === IOWAIT ? 0 : ticks), 0) * TICK_MS
  return { server: (user + system) / 1_000, database: [...ofSession.values()].reduce((a, b) => a + b, 0), busy }
}
let collecting = 0
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) collecting += entry.duration
}).observe({ entryTypes: ['gc'] })

const costs: string[] = []
const spentOn = { server: [] as number[], database: [] as number[], nodes: [] as number[] }
const all: number[] = []
const last: number[] = []
const acknowledged: number[] = []
for (let i = 0; i < REVISIONS; i++) {
  const before = await spent()
  collecting = 0
  const at = performance.timeOrigin + performance.now()
  const saved = await plane.save({ id: 1 + i, domains: [`www.site-${1 + i}.example`], settings: { readTimeout: 7 } })
  const said = await next(saved.push.revision)
  all.push(...said.times.map((t) => t - at))
  last.push(Math.max(...said.times) - at)
  await acknowledgedAll()
  acknowledged.push(performance.timeOrigin + performance.now() - at)
  const now = await spent()
  const figures = [
    now.server - before.server,
    collecting,
    now.database - before.database,
    said.cpuMs - nodesBefore.cpuMs,
  ]
  const [server = 0, , ofDatabase = 0, nodes = 0] = figures
  const others = now.busy - before.busy - server - ofDatabase - nodes
  const cells = [last.at(-1) ?? 0, ...figures, others, acknowledged.at(-1) ?? 0, said.sockets - nodesBefore.sockets]
  costs.push(`${i + 1}`.padStart(8) + cells.map((ms) => ms.toFixed(0).padStart(10)).join(''))
  spentOn.server.push(server)
  spentOn.database.push(ofDatabase)
  spentOn.nodes.push(nodes)
  nodesBefore = said
  if ((i + 1) % MEMORY_EVERY === 0) sayMemory(`after ${i + 1} revisions`)
}
const titles = ['last node', 'server', 'of it GC', 'database', 'nodes', 'others', 'all acked', 'new conns']
process.stdout.write(
  `\n${NODES} nodes connected, configured (${SITES} sites) and acknowledged in ${seconds} s\n\nms of each revision: the last node has it; processor time of the server, of its database sessions, of the nodes since the revision before, of everything else on the machine\n${'revision'.padStart(8)}${titles.map((t) => t.padStart(10)).join('')}\n${costs.join('\n')}\n`,
)
heading(`${REVISIONS} revisions to ${NODES} nodes`)
line('a node has it', all)
line('the last node has it', last)
line('every acknowledgement is stored', acknowledged)
line('processor time: server', spentOn.server)
line('processor time: database', spentOn.database)
line('processor time: all nodes', spentOn.nodes)
child.kill()
await plane.close()
await end()
rmSync(dir, { recursive: true })
const ok = percentile(last, 1) <= GOAL_MS
process.stdout.write(`\ngoal: the last node <= ${GOAL_MS} ms in every revision: ${ok ? 'met' : 'MISSED'}\n`)
process.exit(ok ? 0 : 1)
