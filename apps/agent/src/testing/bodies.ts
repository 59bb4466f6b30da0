/** Bodies of resources for tests. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { SiteConfig } from '@tidegate/contract/node/config'
import type { Put } from './control-plane.ts'

export const settings = (allowedPrivateOrigins: string[] = ['*']): Put => ({
  kind: 'settings',
  key: 'group',
  body: { allowedPrivateOrigins, cacheMaxMb: 64, brand: 'Tidegate' },
})

export function siteBody(id: number, host: string, origin: { host: string; port: number }): SiteConfig {
  return {
    id,
    hosts: [host],
    enabled: true,
    origin: {
      protocol: 'http',
      balance: 'polling',
      servers: [{ host: origin.host, httpPort: origin.port, httpsPort: 443, line: 'main', weight: 1 }],
      hostHeader: '',
      sni: '',
      verifyTls: false,
      connectTimeout: 5,
      readTimeout: 30,
      retries: 0,
    },
    cache: {
      enabled: true,
      rules: [{ type: 'all', match: '', ttl: 60 }],
      noCache: [],
      ignoreQuery: false,
      staleWhileRevalidate: 0,
      staleIfError: 0,
    },
    https: { cert: '', redirect: false, redirectStatus: 301, hstsMaxAge: 0 },
  }
}

export const site = (id: number, host: string, port: number): Put => ({
  kind: 'site',
  key: String(id),
  body: siteBody(id, host, { host: '127.0.0.1', port }),
})

export const purge = (siteId: number, generation: number): Put => ({
  kind: 'purge',
  key: String(siteId),
  body: { siteId, kind: 'site', value: '', generation },
})

/** An origin that answers with its name and the path. */
export async function startOrigin(name: string): Promise<{ port: number; stop: () => Promise<void>; server: Server }> {
  const server = createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'text/plain' })
    response.end(`${name} ${request.url}`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    server,
    port: (server.address() as AddressInfo).port,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
