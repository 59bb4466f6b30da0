/** A customer's own web server, as far as the edge can tell: says who it is and counts what it was asked. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface OriginOptions {
  /** Sent as Cache-Control, by path (with query); cacheable for ten minutes unless said otherwise. */
  cacheControl?: (path: string) => string
}

export interface Origin {
  /** What its answers carry in `x-origin` and in the body. */
  marker: string
  host: string
  port: number
  /** Requests answered so far, all of them or those of one path (with query). */
  served(path?: string): number
  close(): Promise<void>
}

/** Listens on a free loopback port. */
export async function startOrigin(marker: string, options: OriginOptions = {}): Promise<Origin> {
  const counts = new Map<string, number>()
  let total = 0
  const server: Server = createServer((request: IncomingMessage, response) => {
    const path = request.url ?? '/'
    total++
    counts.set(path, (counts.get(path) ?? 0) + 1)
    response.writeHead(200, {
      'content-type': 'text/plain',
      'cache-control': options.cacheControl?.(path) ?? 'public, max-age=600',
      'x-origin': marker,
    })
    response.end(`${marker} ${request.headers.host} ${path}\n`)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    marker,
    host: '127.0.0.1',
    port: (server.address() as AddressInfo).port,
    served: (path) => (path === undefined ? total : (counts.get(path) ?? 0)),
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close').catch(() => {})
    },
  }
}
