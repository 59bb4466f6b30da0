/**
 * Many nodes in one process, for nodes.bench.ts. Each has its certificate, and the connections of a real agent: one for its stream, one for
 * its pulls, acknowledgements and status reports, one after the other.
 */
import { readFileSync } from 'node:fs'
import { createSecureContext, type TLSSocket } from 'node:tls'
import { gunzipSync } from 'node:zlib'
import type { ConfigDelta } from '@tidegate/contract/node/config'
import { type AckReport, AGENT_PATHS, AGENT_PROTOCOL, type StatusReport } from '@tidegate/contract/node/protocol'
import { createWire, openSocket, readStream } from './wire.ts'

export interface Plan {
  port: number
  ca: string
  keyPem: string
  certificates: string[]
}

/** What this process says. `times`: Unix ms (with fraction) at which each node had the revision. `cpuMs`, `sockets`: since its start. */
export interface Said {
  type: 'ready' | 'reached' | 'failed'
  revision: number
  times: number[]
  cpuMs: number
  sockets: number
  error?: string
}

const plan = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Plan
/** New nodes at a time: what a node's own jitter would spread. */
const AT_ONCE = 50
/** The rhythm of a node's reports. They also keep its second connection open, as in life. */
const STATUS_MS = 10_000
let sockets = 0
const reached = new Map<number, number[]>()
const now = () => performance.timeOrigin + performance.now()

const say = (type: Said['type'], revision = 0, times: number[] = [], error?: string) => {
  if (!process.connected) return
  const { user, system } = process.cpuUsage()
  process.send?.({ type, revision, times, cpuMs: (user + system) / 1_000, sockets, error } satisfies Said)
}
const fail = (error: unknown) => say('failed', 0, [], String(error))

const note = (from: number, to: number) => {
  for (let revision = from + 1; revision <= to; revision++) {
    const times = reached.get(revision) ?? []
    reached.set(revision, times)
    times.push(now())
    if (times.length < plan.certificates.length) continue
    say('reached', revision, times)
    reached.delete(revision)
  }
}

/** Nodes that ask the same get the same bytes: they are unpacked and read once. */
let last: { body: Buffer; delta: Pick<ConfigDelta, 'scope' | 'revision'> } | undefined
const read = (body: Buffer) => {
  if (last?.body.equals(body)) return last.delta
  const { scope, revision } = JSON.parse(gunzipSync(body).toString()) as ConfigDelta
  last = { body: Buffer.from(body), delta: { scope, revision } }
  return last.delta
}

const ackOf = (scope: string, revision: number): AckReport => ({
  scope,
  revision,
  ok: true,
  tried: revision,
  error: '',
  refused: [],
  refusedNow: [],
  totalMs: 5,
  applyMs: 1,
  probed: true,
})

const statusOf = (revision: number): StatusReport => ({
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

const open = (context: ReturnType<typeof createSecureContext>): Promise<TLSSocket> => {
  sockets++
  return openSocket(plan.port, context)
}

/** Resolves when the node runs what was published when it came; goes on following its stream. */
const run = async (certificate: string): Promise<void> => {
  const context = createSecureContext({ ca: plan.ca, key: plan.keyPem, cert: certificate, minVersion: 'TLSv1.3' })
  const stream = await open(context)
  const { call } = createWire(await open(context), fail)
  stream.on('error', fail)
  stream.on('close', () => fail('the server closed a stream'))
  let revision = 0
  let told = 0
  let pulling = false
  const pull = async () => {
    const { status, body } = await call('GET', `${AGENT_PATHS.config}?since=${revision}`)
    if (status !== 200) throw new Error(`pull: ${status}`)
    const delta = read(body)
    note(revision, delta.revision)
    revision = delta.revision
    const answer = await call('POST', AGENT_PATHS.ack, ackOf(delta.scope, revision))
    if (answer.status !== 200) throw new Error(`acknowledgement: ${answer.status}`)
  }
  const report = () => void call('POST', AGENT_PATHS.status, statusOf(revision)).catch(fail)
  setTimeout(() => setInterval(report, STATUS_MS), Math.random() * STATUS_MS)
  await new Promise<void>((ready, reject) => {
    const catchUp = async () => {
      if (pulling) return
      pulling = true
      while (told > revision) await pull()
      pulling = false
      ready()
    }
    readStream(stream, AGENT_PATHS.stream, (text) => {
      told = Math.max(told, Number(/"revision":(\d+)/.exec(text)?.[1] ?? 0))
      if (told > revision) catchUp().catch(reject)
    })
  }).catch((error: unknown) => {
    fail(error)
    throw error
  })
}

const queue = [...plan.certificates]
const worker = async () => {
  for (let next = queue.pop(); next; next = queue.pop()) await run(next)
}
Promise.all(Array.from({ length: AT_ONCE }, worker)).then(() => say('ready'), fail)
