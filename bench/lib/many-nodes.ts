/** Many nodes in one process, for nodes.bench.ts: each with its certificate, its stream, its pulls, its acknowledgements and its status. */
import { subscribe } from 'node:diagnostics_channel'
import { readFileSync } from 'node:fs'
import { AGENT_PATHS, AGENT_PROTOCOL, type StatusReport } from '@tidegate/contract/node/protocol'
import { type SimNode, simNode } from '../../apps/server/src/testing/sim-node.ts'

interface Plan {
  port: number
  ca: string
  keyPem: string
  nodes: { id: number; certificate: string }[]
}

const plan = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Plan
/** New connections at a time: what a node's own jitter would spread. */
const AT_ONCE = 50
/** The rhythm of a node's reports. They also keep its second connection open, as in life. */
const STATUS_MS = 10_000
let sockets = 0
subscribe('net.client.socket', () => {
  sockets++
})
const reached = new Map<number, number[]>()
const send = (message: object) => void process.send?.(message)
const now = () => performance.timeOrigin + performance.now()

const note = (from: number, to: number) => {
  for (let revision = from + 1; revision <= to; revision++) {
    const times = reached.get(revision) ?? []
    reached.set(revision, times)
    times.push(now())
    if (times.length < plan.nodes.length) continue
    const { user, system } = process.cpuUsage()
    send({ type: 'reached', revision, times, cpuMs: (user + system) / 1_000, sockets })
  }
}

const status = (revision: number): StatusReport => ({
  protocol: AGENT_PROTOCOL,
  agentVersion: '0.1.0',
  engineVersion: 'nginx/1.22.1',
  time: Date.now(),
  revision,
  engineUp: true,
  sites: 1_000,
  certs: 0,
  load1: 0.5,
  cpus: 2,
  memTotal: 8e9,
  memFree: 4e9,
  diskTotal: 1e11,
  diskFree: 5e10,
  cacheBytes: 1e9,
  spoolBytes: 0,
  droppedLines: 0,
  httpPort: 80,
  httpsPort: 443,
  alerts: [],
})

/** Resolves when the node runs what was published when it came; goes on following its stream. */
const run = (node: SimNode) =>
  new Promise<void>((ready, reject) => {
    const follow = async () => {
      let revision = 0
      const report = () => void node.call('POST', AGENT_PATHS.status, status(revision)).catch(reject)
      setTimeout(() => setInterval(report, STATUS_MS), Math.random() * STATUS_MS)
      for await (const event of node.stream()) {
        if (event.type !== 'revision' || event.revision <= revision) continue
        const delta = await node.pull(revision)
        note(revision, delta.revision)
        revision = delta.revision
        const { status } = await node.ack({ scope: delta.scope, revision })
        if (status !== 200) throw new Error(`acknowledgement: ${status}`)
        ready()
      }
    }
    follow().catch((error: unknown) => {
      reject(error)
      send({ type: 'failed', revision: 0, times: [], error: String(error) })
    })
  })

const queue = [...plan.nodes]
const worker = async () => {
  for (let next = queue.pop(); next; next = queue.pop()) {
    await run(simNode(plan.port, plan.ca, { keyPem: plan.keyPem, certificate: next.certificate }))
  }
}
Promise.all(Array.from({ length: AT_ONCE }, worker)).then(
  () => send({ type: 'ready', revision: 0, times: [] }),
  (error: unknown) => send({ type: 'failed', revision: 0, times: [], error: String(error) }),
)
