/** A control plane for tests: the whole node protocol on a real TLS 1.3 server, with the configuration and what nodes said in memory. */

import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import type { TLSSocket } from 'node:tls'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { ConfigDelta, Resource, ResourceKind } from '@tidegate/contract/node/config'
import { resourceHash } from '@tidegate/contract/node/hash'
import { type LogBatch, logBatch, type MinuteCounter } from '@tidegate/contract/node/log'
import {
  type AckReport,
  AGENT_PATHS,
  ackReport,
  enrollRequest,
  type ProbeReply,
  type ProbeReport,
  probeReport,
  renewRequest,
  type StatusReport,
  statusReport,
} from '@tidegate/contract/node/protocol'
import { type AnswerBody, questionAnswer } from '@tidegate/contract/node/questions'
import { type Authority, createAuthority } from './authority.ts'

const DAY_MS = 86_400_000
export const SCOPE = 'group-1'

export type Put = Readonly<{ kind: ResourceKind | 'future'; key: string; body: unknown; hash?: string }>

export class ControlPlane {
  readonly authority: Authority
  readonly tokens = new Set<string>()
  readonly revoked = new Set<number>()
  readonly acks: AckReport[] = []
  readonly reports: StatusReport[] = []
  /** What the agents are told to probe. */
  probePlan: ProbeReply = { frequency: 60, ports: [], targets: [] }
  readonly probes: ProbeReport['results'] = []
  /** Answers to come in place of a plan, as statuses. */
  readonly probeRefusals: number[] = []
  readonly batches = new Map<string, LogBatch>()
  /** Ids of batches in the order in which they came, duplicates too. */
  readonly deliveries: string[] = []
  /** Answers of `logs` to be lost after the batch was stored. */
  loseReplies = 0
  /** Life of the certificates that are issued from now on. */
  certificateLifeMs = 90 * DAY_MS
  renewals = 0
  clockOffsetMs = 0
  /** Files that anyone may download, by name. */
  readonly files = new Map<string, Buffer>()
  revision = 0
  port = 0
  private nextNode = 1
  private readonly resources = new Map<string, Resource>()
  private readonly asked = new Map<string, (body: AnswerBody) => void>()
  private readonly streams = new Set<ServerResponse>()
  private readonly sockets = new Set<Duplex>()
  private server: Server | undefined

  private constructor(authority: Authority) {
    this.authority = authority
  }

  static async start(): Promise<ControlPlane> {
    const plane = new ControlPlane(await createAuthority())
    await plane.listen()
    return plane
  }

  get url(): string {
    return `https://127.0.0.1:${this.port}`
  }

  /** Listens, on the same port again after `stop`. */
  async listen(): Promise<void> {
    const server = createServer(
      {
        ...this.authority.server,
        ca: this.authority.caPem,
        requestCert: true,
        rejectUnauthorized: false,
        minVersion: 'TLSv1.3',
      },
      (request, response) => {
        this.serve(request, response).catch((error: unknown) => {
          if (!response.headersSent) response.writeHead(500)
          response.end(String(error))
        })
      },
    )
    server.on('connection', (socket) => {
      this.sockets.add(socket)
      socket.on('close', () => this.sockets.delete(socket))
    })
    this.server = server
    await new Promise<void>((resolve) => server.listen(this.port, '127.0.0.1', resolve))
    this.port = (server.address() as AddressInfo).port
  }

  /** Away: no listener, every connection cut. */
  async stop(): Promise<void> {
    const server = this.server
    this.server = undefined
    if (server === undefined) return
    const closed = new Promise((resolve) => server.close(resolve))
    for (const socket of this.sockets) socket.destroy()
    await closed
  }

  issueToken(): string {
    const token = randomBytes(16).toString('hex')
    this.tokens.add(token)
    return token
  }

  /** A new revision with these changes; tells every stream. */
  put(changes: readonly Put[]): number {
    this.revision++
    for (const { kind, key, body, hash } of changes) {
      const resource = { kind, key, hash: hash ?? resourceHash(body), revision: this.revision, body }
      this.resources.set(`${kind} ${key}`, resource)
    }
    const event = JSON.stringify({ type: 'revision', scope: SCOPE, revision: this.revision })
    for (const stream of this.streams) stream.write(`${event}\n`)
    return this.revision
  }

  /** Whether a node's stream is open. */
  listening(): boolean {
    return this.streams.size > 0
  }

  /** Asks every node on its stream; resolves with the first answer. */
  ask(kind: string, input: unknown): Promise<AnswerBody> {
    const id = randomBytes(8).toString('hex')
    const answered = new Promise<AnswerBody>((resolve) => this.asked.set(id, resolve))
    for (const stream of this.streams) stream.write(`${JSON.stringify({ type: 'question', id, kind, input })}\n`)
    return answered
  }

  /** Open connections of all nodes. */
  connections(): number {
    return this.sockets.size
  }

  lastAck(): AckReport | undefined {
    return this.acks.at(-1)
  }

  /** Whether a node has acknowledged a revision, or a later one. */
  acknowledged(revision: number): boolean {
    return this.acks.some((ack) => ack.ok && ack.revision >= revision)
  }

  /** Counters of all batches, each counted once, added up by site. */
  totals(site: number): Pick<MinuteCounter, 'requests' | 'hits'> & { lines: number } {
    const sum = { requests: 0, hits: 0, lines: 0 }
    for (const batch of this.batches.values()) {
      sum.lines += batch.lines.filter((line) => line.site === site).length
      for (const counter of batch.counters) {
        if (counter.site !== site) continue
        sum.requests += counter.requests
        sum.hits += counter.hits
      }
    }
    return sum
  }

  private delta(since: number): ConfigDelta {
    const all = [...this.resources.values()]
    const whole = since === 0 || since > this.revision
    return {
      version: 1,
      scope: SCOPE,
      base: whole ? 0 : since,
      revision: this.revision,
      resources: whole ? all.filter(({ body }) => body !== null) : all.filter(({ revision }) => revision > since),
    }
  }

  private nodeOf(request: IncomingMessage): number | undefined {
    const socket = request.socket as TLSSocket
    if (!socket.authorized) return undefined
    const name = /^node-(\d+)$/.exec(String(socket.getPeerCertificate().subject.CN))
    return name === null ? undefined : Number(name[1])
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.url)
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const raw = Buffer.concat(chunks)
    const text = (request.headers['content-encoding'] === 'gzip' ? gunzipSync(raw) : raw).toString()
    if (url.pathname === AGENT_PATHS.enroll) return this.enroll(text, response)
    if (url.pathname.startsWith(`${AGENT_PATHS.download}/`)) {
      const file = this.files.get(url.pathname.slice(AGENT_PATHS.download.length + 1))
      if (file === undefined) return refuse(response, 404, 'not_found')
      response.writeHead(200, { 'content-type': 'application/octet-stream' })
      response.end(file)
      return
    }
    const node = this.nodeOf(request)
    if (node === undefined || this.revoked.has(node)) return refuse(response, 403, 'forbidden')
    await this.serveNode(node, url, text, response)
  }

  private async enroll(text: string, response: ServerResponse): Promise<void> {
    const body = enrollRequest.parse(JSON.parse(text))
    if (!this.tokens.delete(body.token)) return refuse(response, 401, 'unauthorized')
    const nodeId = this.nextNode++
    const certificate = await this.authority.certify(body.csr, nodeId, this.certificateLifeMs)
    answer(response, { nodeId, nodeName: `node ${nodeId}`, scope: SCOPE, certificate, ca: this.authority.caPem })
  }

  private async serveNode(node: number, url: URL, text: string, response: ServerResponse): Promise<void> {
    switch (url.pathname) {
      case AGENT_PATHS.renew: {
        const { csr } = renewRequest.parse(JSON.parse(text))
        this.renewals++
        const certificate = await this.authority.certify(csr, node, this.certificateLifeMs)
        return answer(response, { certificate, ca: this.authority.caPem })
      }
      case AGENT_PATHS.stream:
        response.writeHead(200, { 'content-type': 'application/x-ndjson' })
        response.write(`${JSON.stringify({ type: 'ping', time: Date.now() })}\n`)
        this.streams.add(response)
        response.on('close', () => this.streams.delete(response))
        return
      case AGENT_PATHS.config: {
        const body = gzipSync(JSON.stringify(this.delta(Number(url.searchParams.get('since')))), { level: 1 })
        response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
        response.end(body)
        return
      }
      case AGENT_PATHS.ack:
        this.acks.push(ackReport.parse(JSON.parse(text)))
        return answer(response, {})
      case AGENT_PATHS.status:
        this.reports.push(statusReport.parse(JSON.parse(text)))
        return answer(response, { time: Date.now() + this.clockOffsetMs, revision: this.revision })
      case AGENT_PATHS.probes: {
        const status = this.probeRefusals.shift()
        if (status !== undefined) return refuse(response, status, 'unavailable')
        this.probes.push(...probeReport.parse(JSON.parse(text)).results)
        return answer(response, this.probePlan)
      }
      case AGENT_PATHS.answer: {
        const body = questionAnswer.parse(JSON.parse(text))
        this.asked.get(body.id)?.(body)
        return answer(response, {})
      }
      case AGENT_PATHS.logs:
        return this.takeLogs(text, response)
      default:
        return refuse(response, 404, 'not_found')
    }
  }

  private takeLogs(text: string, response: ServerResponse): void {
    const batch = logBatch.parse(JSON.parse(text))
    const duplicate = this.batches.has(batch.id)
    this.deliveries.push(batch.id)
    this.batches.set(batch.id, batch)
    if (this.loseReplies > 0) {
      this.loseReplies--
      response.destroy()
      return
    }
    answer(response, { duplicate })
  }
}

function answer(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

function refuse(response: ServerResponse, status: number, error: string): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ code: status, msg: error, error }))
}
