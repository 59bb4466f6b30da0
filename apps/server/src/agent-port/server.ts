/** The agents' port: TLS 1.3 with client certificates of our own CA. Nodes talk to nothing else, and nothing else talks here. */
import { constants } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { createLimiter } from '../platform/limiter.ts'
import type { AgentPortDeps } from './deps.ts'
import { handleRequest } from './router.ts'
import { createStreams } from './streams.ts'

const DAY_MS = 86_400_000
/** The server's certificate lives a year; a process that runs for months gets new ones on the way. */
const RENEW_MS = 30 * DAY_MS
/** setInterval takes no more than 2^31 ms. */
const RENEW_STEP_MS = DAY_MS

export interface AgentPort {
  port: number
  /** Open node streams. */
  streams(): number
  /** Ends streams and connections. */
  close(): Promise<void>
}

export interface AgentPortOptions {
  /** Address to listen on; 0 = a free port. */
  bind: string
  port: number
  /** Names and addresses that nodes may know the control plane by, beside localhost. */
  names: string[]
}

/** Opens the port. Rejects when it is taken. */
export const openAgentPort = async (deps: AgentPortDeps, options: AgentPortOptions): Promise<AgentPort> => {
  const names = ['localhost', '127.0.0.1', '::1', ...options.names].filter((n) => n !== '0.0.0.0' && n !== '::')
  const credentials = async () => {
    const issued = await deps.ca.issueServer(names)
    // Nodes find the CA by its hash in the chain that is presented.
    return { key: issued.keyPem, cert: issued.certificate + deps.ca.certPem, ca: deps.ca.certPem }
  }
  const streams = createStreams(deps)
  const limiter = createLimiter(deps.clock)
  const server = createServer(
    {
      ...(await credentials()),
      minVersion: 'TLSv1.3',
      requestCert: true,
      // Enrolment comes without a certificate; everything else is refused by the router.
      rejectUnauthorized: false,
      // No session tickets: each connection shows its certificate anew.
      secureOptions: constants.SSL_OP_NO_TICKET,
      handshakeTimeout: 10_000,
      maxHeaderSize: 16_384,
      keepAliveTimeout: 75_000,
      headersTimeout: 30_000,
      requestTimeout: 120_000,
    },
    (request: IncomingMessage, response: ServerResponse) => {
      void handleRequest({ ...deps, streams, limiter }, request, response)
    },
  )
  let age = 0
  const renewal = setInterval(() => {
    age += RENEW_STEP_MS
    if (age < RENEW_MS) return
    age = 0
    credentials().then(
      (fresh) => server.setSecureContext({ ...fresh, minVersion: 'TLSv1.3' }),
      (error: unknown) => deps.log.error({ err: error }, 'the certificate of the agent port could not be renewed'),
    )
  }, RENEW_STEP_MS)
  // Scanners and nodes with wrong certificates: the handshake's own alert says it.
  server.on('tlsClientError', (error) => deps.log.debug({ err: error.message }, 'agent port: handshake failed'))
  await listen(server, options)
  return {
    port: (server.address() as AddressInfo).port,
    streams: streams.size,
    close: async () => {
      clearInterval(renewal)
      streams.close()
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeIdleConnections()
      const hard = setTimeout(() => server.closeAllConnections(), 2_000)
      await closed
      clearTimeout(hard)
    },
  }
}

const listen = (server: Server, { bind, port }: AgentPortOptions) =>
  new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    // A burst of two thousand nodes that reconnect at once.
    server.listen({ host: bind, port, backlog: 4_096 }, () => {
      server.off('error', reject)
      resolve()
    })
  })
