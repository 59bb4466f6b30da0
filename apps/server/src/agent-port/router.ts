/** Paths of the agents' port: who may ask what, and where it goes. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { TLSSocket } from 'node:tls'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { ERRORS, errorText, fieldText } from '@tidegate/contract/errors'
import { MAX_BODY_BYTES, MAX_LOG_BATCH_BYTES } from '@tidegate/contract/limits'
import {
  AGENT_PATHS,
  ackReport,
  enrollRequest,
  probeReport,
  renewRequest,
  statusReport,
} from '@tidegate/contract/node/protocol'
import { questionAnswer } from '@tidegate/contract/node/questions'
import { z } from 'zod'
import { AppError } from '../platform/errors.ts'
import type { Limiter } from '../platform/limiter.ts'
import { readBody } from './body.ts'
import type { AgentNode, AgentPortDeps } from './deps.ts'
import type { Streams } from './streams.ts'

const inflate = promisify(gunzip)

export interface RouterDeps extends AgentPortDeps {
  streams: Streams
  limiter: Limiter
}

const SMALL = 65_536
/** A node asks a few times a second at its busiest; the burst lets it catch up. */
const NODE_RATE = { perSecond: 50, burst: 300 }
/** Peers without a certificate: many new nodes may stand behind one address. */
const STRANGER_RATE = { perSecond: 2, burst: 120 }

interface Context {
  deps: RouterDeps
  request: IncomingMessage
  response: ServerResponse
  url: URL
  ip: string
}
interface NodeContext extends Context {
  node: AgentNode
  serial: string
}
type NodeRoute = (context: NodeContext) => Promise<void>

/** Answers one request; never rejects. */
export const handleRequest = async (deps: RouterDeps, request: IncomingMessage, response: ServerResponse) => {
  const ip = request.socket.remoteAddress ?? ''
  try {
    const url = urlOf(request)
    await route({ deps, request, response, url, ip })
  } catch (error) {
    fail(deps, request, response, error)
  }
}

/** Throws `operation_unknown` for a target that is none. */
const urlOf = (request: IncomingMessage): URL => {
  try {
    const url = new URL(request.url ?? '/', 'https://agent.invalid')
    decodeURIComponent(url.pathname)
    return url
  } catch {
    throw new AppError('operation_unknown')
  }
}

const route = async (context: Context): Promise<void> => {
  const { deps, request, url, ip } = context
  const isEnroll = url.pathname === AGENT_PATHS.enroll && request.method === 'POST'
  const isDownload = url.pathname.startsWith(`${AGENT_PATHS.download}/`) && request.method === 'GET'
  if (isEnroll || isDownload) {
    if (!deps.limiter.allow(`ip ${ip}`, STRANGER_RATE.perSecond, STRANGER_RATE.burst)) throw tooMany()
    return isEnroll ? enroll(context) : download(context)
  }
  const node = await authenticate(context)
  if (!deps.limiter.allow(`node ${node.node.id}`, NODE_RATE.perSecond, NODE_RATE.burst)) throw tooMany()
  const handler = NODE_ROUTES[`${request.method} ${url.pathname}`]
  if (!handler) throw new AppError('operation_unknown')
  const scope = url.searchParams.get('scope')
  if (scope !== null && scope !== node.node.scope) throw new AppError('forbidden')
  await handler({ ...context, ...node })
}

const tooMany = () => new AppError('too_many', { params: { seconds: 1 } })

interface Peer {
  nodeId: number
  serial: string
}
/** A connection's certificate does not change: it is read once. */
const peers = new WeakMap<object, Peer | null>()

const peerOf = (socket: TLSSocket): Peer | null => {
  const known = peers.get(socket)
  if (known !== undefined) return known
  // Not getPeerCertificate: that takes the whole certificate apart, key and extensions, for each of thousands of connections.
  const certificate = socket.authorized ? socket.getPeerX509Certificate() : undefined
  const id = /^CN=node:([1-9]\d{0,14})$/.exec(certificate?.subject ?? '')?.[1]
  const peer =
    id === undefined || !certificate ? null : { nodeId: Number(id), serial: certificate.serialNumber.toLowerCase() }
  peers.set(socket, peer)
  return peer
}

/** The node of the certificate; the error `forbidden` tells an agent that its certificate is not taken (any more). */
const authenticate = async ({ deps, request }: Context) => {
  const peer = peerOf(request.socket as TLSSocket)
  const node = peer && (await deps.auth.check(peer.nodeId, peer.serial))
  if (!node) throw new AppError('forbidden')
  return { node, serial: peer.serial }
}

const enroll = async ({ deps, request, response, ip }: Context) => {
  json(response, await deps.enrolment.enroll(await readBody(request, enrollRequest, SMALL), ip))
}

const download = async ({ deps, response, url }: Context) => {
  const file = await deps.files.read(decodeURIComponent(url.pathname.slice(AGENT_PATHS.download.length + 1)))
  if (!file) throw new AppError('not_found')
  response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': file.body.length })
  response.end(file.body)
}

const renew: NodeRoute = async ({ deps, request, response, node, serial }) => {
  const { csr } = await readBody(request, renewRequest, SMALL)
  json(response, await deps.enrolment.renew({ id: node.id, serial }, csr))
}

const stream: NodeRoute = ({ deps, response, node }) => deps.streams.open(node, response)

const config: NodeRoute = async ({ deps, request, response, url, node }) => {
  const text = url.searchParams.get('since') ?? '0'
  if (!/^\d{1,15}$/.test(text)) {
    throw new AppError('invalid_input', { fields: [{ path: 'since', key: 'invalid' }] })
  }
  const { revision, body } = await deps.deltas.delta(node.scope, Number(text))
  deps.acks.sent(node.id, revision)
  const packed = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))
  const bytes = packed ? body : await inflate(body)
  response.writeHead(200, {
    'content-type': 'application/json',
    'content-length': bytes.length,
    'cache-control': 'no-store',
    ...(packed && { 'content-encoding': 'gzip' }),
  })
  response.end(bytes)
}

const ack: NodeRoute = async ({ deps, request, response, node, ip }) => {
  const report = await readBody(request, ackReport, MAX_BODY_BYTES)
  if (report.scope !== node.scope) throw new AppError('forbidden')
  if ((await deps.acks.ack(node, report)) === 'never_sent') {
    await deps.reportLie(node.id, report, ip)
    throw new AppError('conflict')
  }
  json(response, {})
}

const logs: NodeRoute = async ({ deps, request, response, node }) => {
  // The receiver checks the batch itself.
  json(response, await deps.ingest(node.id, await readBody(request, z.unknown(), MAX_LOG_BATCH_BYTES)))
}

const status: NodeRoute = async ({ deps, request, response, node }) => {
  deps.statuses.report(node.id, await readBody(request, statusReport, SMALL))
  json(response, { time: deps.clock.now(), revision: await deps.deltas.latest(node.scope) })
}

const probes: NodeRoute = async ({ deps, request, response, node }) => {
  json(response, await deps.exchangeProbes(node.id, await readBody(request, probeReport, MAX_BODY_BYTES)))
}

const answer: NodeRoute = async ({ deps, request, response, node }) => {
  await deps.questions.answered(node.id, await readBody(request, questionAnswer, MAX_BODY_BYTES))
  json(response, {})
}

const NODE_ROUTES: Record<string, NodeRoute> = {
  [`POST ${AGENT_PATHS.renew}`]: renew,
  [`GET ${AGENT_PATHS.stream}`]: stream,
  [`GET ${AGENT_PATHS.config}`]: config,
  [`POST ${AGENT_PATHS.ack}`]: ack,
  [`POST ${AGENT_PATHS.logs}`]: logs,
  [`POST ${AGENT_PATHS.status}`]: status,
  [`POST ${AGENT_PATHS.probes}`]: probes,
  [`POST ${AGENT_PATHS.answer}`]: answer,
}

const json = (response: ServerResponse, value: object, statusCode = 200) => {
  const body = Buffer.from(JSON.stringify(value))
  response.writeHead(statusCode, {
    'content-type': 'application/json',
    'content-length': body.length,
    'cache-control': 'no-store',
  })
  response.end(body)
}

/** The envelope of errors, in English: programs read it. */
const fail = (deps: RouterDeps, request: IncomingMessage, response: ServerResponse, error: unknown) => {
  const known = error instanceof AppError ? error : new AppError('internal', { cause: error })
  const { status: code } = ERRORS[known.key]
  if (known.key === 'internal') deps.log.error({ err: error, path: request.url }, 'agent port: request failed')
  if (response.headersSent) return void response.destroy()
  // What is left of a body that was not read to its end would be taken for the next request.
  if (!request.complete) response.setHeader('connection', 'close')
  const { params, fields } = known.details
  const errors = fields?.map((f) => ({ path: f.path, msg: fieldText(f.key, 'en', f.params) }))
  json(response, { code, error: known.key, msg: errorText(known.key, 'en', params), ...(errors && { errors }) }, code)
}
