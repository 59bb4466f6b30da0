/** A visitor of the edge: plain or TLS, one connection a request, bounded in time. */
import { request as httpRequest, type IncomingHttpHeaders, type RequestOptions } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { TLSSocket } from 'node:tls'

export interface EdgePorts {
  httpPort: number
  httpsPort: number
}

export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  body: string
  /** The certificate shown, SHA-256 of its DER with colons; TLS only. */
  fingerprint: string
}

export interface Visit {
  path?: string
  method?: string
  tls?: boolean
  headers?: Record<string, string>
}

const PATIENCE_MS = 15_000

/** One request for a host through the edge. Rejects with the connection's error, or after 15 s. */
export function visit(ports: EdgePorts, host: string, options: Visit = {}): Promise<Answer> {
  const common: RequestOptions = {
    host: '127.0.0.1',
    path: options.path ?? '/',
    method: options.method ?? 'GET',
    headers: { host, ...options.headers },
    agent: false,
    timeout: PATIENCE_MS,
  }
  return new Promise((resolve, reject) => {
    const call = options.tls
      ? // The certificate is looked at by the test itself, by its fingerprint.
        httpsRequest({ ...common, port: ports.httpsPort, servername: host, rejectUnauthorized: false })
      : httpRequest({ ...common, port: ports.httpPort })
    call.on('response', (response) => {
      const fingerprint = options.tls ? (response.socket as TLSSocket).getPeerCertificate().fingerprint256 : ''
      let body = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        body += chunk
      })
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body, fingerprint }),
      )
      response.on('error', reject)
    })
    call.on('timeout', () => call.destroy(new Error(`no answer within ${PATIENCE_MS} ms`)))
    call.on('error', reject)
    call.end()
  })
}
