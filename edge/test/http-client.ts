/** A plain HTTP client that sends what it is told, to an address that has nothing to do with the Host it names. */
import http from 'node:http'
import https from 'node:https'
import type { TLSSocket } from 'node:tls'

export interface Answer {
  status: number
  headers: http.IncomingHttpHeaders
  body: string
  /** Common name of the server's certificate; '' without TLS. */
  certificate: string
}

export interface Question {
  port?: number
  socketPath?: string
  tls?: boolean
  method?: string
  headers?: Record<string, string>
  body?: string
  /** Name asked for in the TLS handshake. */
  servername?: string
}

/** Sends one request on a connection of its own. Rejects when the connection breaks. */
export function ask(path: string, question: Question): Promise<Answer> {
  const { port, socketPath, tls = false, method = 'GET', headers = {}, body, servername } = question
  const options = { host: '127.0.0.1', port, socketPath, path, method, headers, agent: false as const }
  return new Promise((resolve, reject) => {
    const receive = (response: http.IncomingMessage) => {
      const chunks: Buffer[] = []
      const peer = tls ? (response.socket as TLSSocket).getPeerCertificate() : null
      const name = peer?.subject?.CN
      const certificate = typeof name === 'string' ? name : ''
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8')
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text, certificate })
      })
    }
    const request = tls
      ? https.request({ ...options, servername, rejectUnauthorized: false }, receive)
      : http.request(options, receive)
    request.on('error', reject)
    request.end(body)
  })
}
