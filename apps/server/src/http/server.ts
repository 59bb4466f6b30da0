/** The console's HTTP server: mounts the table of operations, the consoles' pages and the health endpoints. No business rule. */
import { Socket } from 'node:net'
import { API_BASES, type Lang } from '@tidegate/contract/enums'
import { MAX_BODY_BYTES } from '@tidegate/contract/limits'
import type { Operation } from '@tidegate/contract/operation'
import { operations } from '@tidegate/contract/operations/index'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import { AppError } from '../platform/errors.ts'
import type { Log } from '../platform/log.ts'
import { histogram } from '../platform/metrics.ts'
import { mountConsoles } from './consoles.ts'
import { type DispatchDeps, dispatcher } from './dispatch.ts'
import { failureOf, InputError } from './failure.ts'
import { type HealthDeps, mountHealth } from './health.ts'
import { parseJson } from './input.ts'
import { addForms } from './multipart.ts'
import { openApi } from './openapi.ts'
import { clientIp, newRequestId, requestLang } from './request-meta.ts'
import { DATA_CSP, SECURITY_HEADERS } from './security-headers.ts'
import { mountUploads, type ReadUpload } from './uploads.ts'

export interface AppDeps extends DispatchDeps, HealthDeps {
  log: Log
  version: string
  /** Folder of the built console; absent: no pages (API only). */
  consoleDir?: string | undefined
  /** Addresses and CIDRs whose X-Forwarded-For counts. */
  trustedProxies: readonly string[]
  tls?: { cert: string; key: string } | undefined
  /** Gives an uploaded file by its name; absent: none are served. */
  readUpload?: ReadUpload | undefined
  /** Rows to mount; the whole table but in tests. */
  operations?: readonly Operation[]
  /** Milliseconds for the request head; tests shorten it. */
  headersTimeout?: number
  /** The same for the body. */
  bodyTimeout?: number
}

export interface App {
  server: FastifyInstance
  /** Ends streams, lets running requests finish for up to 10 s, then cuts. */
  stop(): Promise<void>
}

const DRAIN_MS = 10_000
const SWEEP_MS = 100
const HEADERS_TIMEOUT_MS = 10_000
const BODY_TIMEOUT_MS = 60_000
/** Bound of the whole of a request, for files that are handed on while they come. */
const STREAM_TIMEOUT_MS = 6 * 3_600_000
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

const build = (deps: AppDeps): FastifyInstance => {
  const headersTimeout = deps.headersTimeout ?? HEADERS_TIMEOUT_MS
  const loggerInstance: FastifyBaseLogger = deps.log
  return Fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: newRequestId,
    requestIdHeader: false,
    trustProxy: deps.trustedProxies.length > 0 ? [...deps.trustedProxies] : false,
    bodyLimit: MAX_BODY_BYTES,
    requestTimeout: STREAM_TIMEOUT_MS,
    keepAliveTimeout: 72_000,
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 200 },
    http: { headersTimeout, connectionsCheckingInterval: Math.min(2_000, headersTimeout), maxHeaderSize: 16_384 },
    ...(deps.tls && {
      https: { ...deps.tls, headersTimeout, connectionsCheckingInterval: 2_000, minVersion: 'TLSv1.2' },
    }),
  })
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** Paths whose names of parameters alone differ are one path. */
const samePath = (url: string) => url.replace(/:\w+/g, ':')

/** A path that is there, asked in a way that it does not take: 405, and which ways there are (RFC 9110, 15.5.6). */
const mountOtherMethods = (app: FastifyInstance, taken: Map<string, { url: string; methods: Set<string> }>) => {
  for (const { url, methods } of taken.values())
    app.route({
      method: METHODS.filter((method) => !methods.has(method)),
      url,
      handler: async (_request, reply) => {
        reply.header('allow', [...methods].sort().join(', '))
        throw new AppError('method_not_allowed')
      },
    })
}

const mountOperations = (app: FastifyInstance, deps: AppDeps, stopping: AbortSignal) => {
  const taken = new Map<string, { url: string; methods: Set<string> }>()
  for (const op of deps.operations ?? operations)
    for (const base of API_BASES) {
      const handler = dispatcher(op, base, deps, stopping)
      for (const path of [op.path, ...(op.aliases ?? [])]) {
        const url = base + path.replace(/\{(\w+)\}/g, ':$1')
        const method = [...new Set([op.method, ...(op.alsoMethods ?? [])])]
        app.route({ method, url, config: { op: op.id, effect: op.effect, streams: op.body === 'stream' }, handler })
        const here = taken.get(samePath(url)) ?? { url, methods: new Set() }
        taken.set(samePath(url), here)
        for (const one of method) here.methods.add(one)
      }
    }
  mountOtherMethods(app, taken)
}

declare module 'fastify' {
  interface FastifyContextConfig {
    op?: string
    effect?: 'read' | 'write'
    streams?: boolean
  }
}

const addErrors = (app: FastifyInstance, deps: AppDeps) => {
  const lang = async (request: FastifyRequest): Promise<Lang> =>
    requestLang(request, await deps.defaultLang().catch((): Lang => 'en'))
  const send = async (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const found = error instanceof InputError ? error.found : []
    const { status, body, unexpected } = failureOf(error, await lang(request), request.id, found)
    if (unexpected) deps.log.error({ err: error, requestId: request.id }, 'request failed')
    return reply.code(status).header('cache-control', 'no-store').type('application/json; charset=utf-8').send(body)
  }
  app.setErrorHandler((error: FastifyError, request, reply) => send(error, request, reply))
  app.setNotFoundHandler((request, reply) => send(new AppError('operation_unknown'), request, reply))
}

const TIMED_OUT = 'HTTP/1.1 408 Request Timeout\r\nconnection: close\r\n\r\n'

/** Ends a request whose body does not come: a file that is handed on may take its time as long as it comes, everything else has a minute in all. */
const mindBody = ({ raw, routeOptions }: FastifyRequest, ms: number) => {
  const { headers } = raw
  const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
  // What a test injects has no connection.
  if (!hasBody || !(raw.socket instanceof Socket)) return
  let seen = -1
  const look = () => {
    const { bytesRead } = raw.socket
    const comes = routeOptions.config.streams === true && bytesRead !== seen
    seen = bytesRead
    if (!comes && !raw.complete && !raw.socket.destroyed) raw.socket.end(TIMED_OUT)
  }
  const timer = setInterval(look, ms)
  timer.unref()
  raw.once('close', () => clearInterval(timer))
}

const addHooks = (app: FastifyInstance, deps: AppDeps) => {
  const seconds = histogram('tidegate_http_request_seconds', 'Time to answer, by operation and status.', BOUNDS)
  deps.metrics.add(seconds)
  app.addHook('onRequest', async (request, reply) => {
    mindBody(request, deps.bodyTimeout ?? BODY_TIMEOUT_MS)
    reply.headers({ ...SECURITY_HEADERS, 'content-security-policy': DATA_CSP, 'x-request-id': request.id })
    if (deps.tls) reply.header('strict-transport-security', 'max-age=31536000')
  })
  app.addHook('onResponse', async (request, reply) => {
    const { op, effect } = request.routeOptions.config
    const ms = Math.round(reply.elapsedTime * 10) / 10
    seconds.observe({ op: op ?? 'other', status: String(reply.statusCode) }, reply.elapsedTime / 1000)
    const level = effect === 'write' || reply.statusCode >= 400 ? 'info' : 'debug'
    // Neither query nor body: they may carry secrets.
    const path = request.routeOptions.url ?? 'unknown'
    deps.log[level](
      { requestId: request.id, method: request.method, path, op, status: reply.statusCode, ms, ip: clientIp(request) },
      'request',
    )
  })
}

const addParser = (app: FastifyInstance) => {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string' }, async (request: FastifyRequest, text: string) =>
    parseJson(text, request.headers['content-type']),
  )
}

/** Builds the server; it does not listen yet. `server.inject()` works at once. */
export const createApp = async (deps: AppDeps): Promise<App> => {
  const stopping = new AbortController()
  const server = build(deps)
  addParser(server)
  await addForms(server)
  addErrors(server, deps)
  addHooks(server, deps)
  mountOperations(server, deps, stopping.signal)
  mountHealth(server, deps, stopping.signal)
  const document = JSON.stringify(openApi(deps.operations ?? operations, deps.version))
  server.get('/openapi.json', (_request, reply) => reply.type('application/json; charset=utf-8').send(document))
  if (deps.readUpload) mountUploads(server, deps.readUpload)
  if (deps.consoleDir) await mountConsoles(server, deps.consoleDir)
  const stop = async () => {
    stopping.abort()
    // A connection whose last answer ended after the stop began is idle only then.
    const sweep = setInterval(() => server.server.closeIdleConnections(), SWEEP_MS)
    const cut = setTimeout(() => server.server.closeAllConnections(), DRAIN_MS)
    await server.close()
    clearInterval(sweep)
    clearTimeout(cut)
  }
  return { server, stop }
}
