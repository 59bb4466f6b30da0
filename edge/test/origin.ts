/** An origin server of a test: a real HTTP server on loopback that counts what reaches it. */
import http from 'node:http'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import type { TLSSocket } from 'node:tls'

export interface Seen {
  method: string
  path: string
  headers: http.IncomingHttpHeaders
  body: string
  /** Server name of the TLS handshake, '' without TLS. */
  servername: string
}
export type Handler = (seen: Seen, response: http.ServerResponse) => void

export class Origin {
  readonly seen: Seen[] = []
  private server: http.Server | null = null
  port = 0

  constructor(
    public handler: Handler,
    private readonly tls: { cert: string; key: string } | null = null,
  ) {}

  /** Listens; on the same port again after a stop. */
  async start(): Promise<this> {
    const listener = (request: http.IncomingMessage, response: http.ServerResponse) => this.receive(request, response)
    const server = this.tls === null ? http.createServer(listener) : https.createServer(this.tls, listener)
    this.server = server
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(this.port, '127.0.0.1', resolve)
    })
    this.port = (server.address() as AddressInfo).port
    return this
  }

  async stop(): Promise<void> {
    const server = this.server
    this.server = null
    if (server === null) return
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }

  /** How many requests for the path came. */
  count(path: string): number {
    return this.seen.filter((seen) => seen.path === path).length
  }

  get http(): http.Server {
    return this.server!
  }

  private receive(request: http.IncomingMessage, response: http.ServerResponse): void {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const name = this.tls === null ? '' : (request.socket as TLSSocket & { servername?: string }).servername
      const seen: Seen = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
        servername: typeof name === 'string' ? name : '',
      }
      this.seen.push(seen)
      this.handler(seen, response)
    })
  }
}
