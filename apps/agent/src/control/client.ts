/** Requests to the control plane over TLS 1.3 with the node's certificate, trusting the pinned CA only. */
import type { Readable } from 'node:stream'
import { gunzipSync } from 'node:zlib'
import { Agent, type Dispatcher, request } from 'undici'
import type { z } from 'zod'
import type { Link } from './link.ts'

const CONNECT_TIMEOUT_MS = 5_000
const ANSWER_TIMEOUT_MS = 15_000

/** The control plane answered, but not with what was asked for. `key` is the `error` member of its envelope. */
export class ControlError extends Error {
  readonly status: number
  readonly key: string
  constructor(status: number, key: string) {
    super(`control plane answered ${status}${key === '' ? '' : ` ${key}`}`)
    this.name = 'ControlError'
    this.status = status
    this.key = key
  }
}

export type Credentials = Readonly<{ ca: string; certificate?: string; keyPem?: string }>

export type Call = Readonly<{
  method: 'GET' | 'POST'
  path: string
  query?: Readonly<Record<string, string | number>>
  json?: unknown
  /** Already gzipped JSON. */
  gzip?: Uint8Array
}>

export type ControlClient = Readonly<{
  /** Sends and checks the answer against the schema. Throws ControlError, ZodError or a connection error. */
  call: <T>(call: Call, reply: z.ZodType<T>) => Promise<T>
  /** Opens a long answer; its body is ended by `signal`. */
  open: (path: string, signal: AbortSignal) => Promise<Readable>
  /** Later requests use these credentials. */
  use: (credentials: Credentials) => void
  close: () => Promise<void>
}>

function oneConnection(credentials: Credentials): Agent {
  return new Agent({
    connections: 1,
    connect: {
      ca: credentials.ca,
      cert: credentials.certificate,
      key: credentials.keyPem,
      minVersion: 'TLSv1.3',
      timeout: CONNECT_TIMEOUT_MS,
    },
    headersTimeout: ANSWER_TIMEOUT_MS,
    bodyTimeout: ANSWER_TIMEOUT_MS,
  })
}

/**
 * A node's connections, each for one thing at a time. A request that finds its connection busy waits rather than open another: what thousands
 * of nodes open in the moment of a revision costs the control plane more (a handshake each, and memory for as long as it is kept) than the
 * revision itself.
 */
type Lanes = Readonly<{
  /** The long answer. */
  stream: Agent
  /** Pulls, acknowledgements, status. */
  calls: Agent
  /** Log batches: megabytes on a slow line must not hold up a pull. */
  bulk: Agent
}>

const LANES = ['stream', 'calls', 'bulk'] as const

const lanesFor = (credentials: Credentials): Lanes => ({
  stream: oneConnection(credentials),
  calls: oneConnection(credentials),
  bulk: oneConnection(credentials),
})

function errorKey(text: string): string {
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' && body !== null && 'error' in body && typeof body.error === 'string'
      ? body.error
      : ''
  } catch {
    return ''
  }
}

/** Whether an error means that the control plane does not take this node's certificate (any more). */
export function isRevoked(error: unknown): boolean {
  if (error instanceof ControlError) {
    return (error.status === 403 || error.status === 401) && error.key === 'forbidden'
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return code.startsWith('ERR_SSL') && code.includes('ALERT')
}

async function readBody(answer: Dispatcher.ResponseData): Promise<string> {
  if (answer.headers['content-encoding'] !== 'gzip') return answer.body.text()
  return gunzipSync(Buffer.from(await answer.body.arrayBuffer())).toString('utf8')
}

/** Makes a client for `baseUrl`; `link` is told how each request went. */
export function createControlClient(baseUrl: string, credentials: Credentials, link: Link): ControlClient {
  let lanes = lanesFor(credentials)

  async function noted<T>(work: () => Promise<T>): Promise<T> {
    try {
      const result = await work()
      link.state = 'connected'
      link.lastOk = Date.now()
      return result
    } catch (error) {
      if (isRevoked(error)) link.state = 'revoked'
      // An answer, even one that refuses, means that the control plane is there.
      else if (!(error instanceof ControlError)) link.state = 'away'
      throw error
    }
  }

  async function send(call: Call): Promise<string> {
    const url = new URL(baseUrl + call.path)
    for (const [name, value] of Object.entries(call.query ?? {})) url.searchParams.set(name, String(value))
    const headers: Record<string, string> = { accept: 'application/json', 'accept-encoding': 'gzip' }
    const body = call.gzip ?? (call.json === undefined ? undefined : JSON.stringify(call.json))
    if (body !== undefined) headers['content-type'] = 'application/json'
    if (call.gzip !== undefined) headers['content-encoding'] = 'gzip'
    const dispatcher = call.gzip === undefined ? lanes.calls : lanes.bulk
    const answer = await request(url, { dispatcher, method: call.method, headers, body })
    const text = await readBody(answer)
    if (answer.statusCode !== 200) throw new ControlError(answer.statusCode, errorKey(text))
    return text
  }

  return {
    call: (call, reply) => noted(async () => reply.parse(JSON.parse(await send(call)))),
    open: (path, signal) =>
      noted(async () => {
        const answer = await request(new URL(baseUrl + path), {
          dispatcher: lanes.stream,
          method: 'GET',
          headers: { accept: 'application/x-ndjson' },
          bodyTimeout: 0,
          signal,
        })
        if (answer.statusCode === 200) return answer.body
        throw new ControlError(answer.statusCode, errorKey(await answer.body.text()))
      }),
    use: (next) => {
      const old = lanes
      lanes = lanesFor(next)
      // Requests under way end on the old connections.
      for (const name of LANES) old[name].close().catch(() => undefined)
    },
    close: async () => {
      await Promise.all(LANES.map((name) => lanes[name].destroy()))
    },
  }
}
