/** The rendered nginx.conf of this node. */
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { NodeTunables } from '@tidegate/contract/node/tunables'
import type { EnginePaths } from '@tidegate/engine-files/engine-root'
import { renderNginxConf } from '@tidegate/engine-files/nginx'
import type { EngineLayout } from './layout.ts'
import type { Ports } from './material.ts'

/** Where Debian, Red Hat and Alpine keep the bundle of public CAs. */
const CA_BUNDLES = ['/etc/ssl/certs/ca-certificates.crt', '/etc/pki/tls/certs/ca-bundle.crt', '/etc/ssl/cert.pem']
const DEFAULT_CACHE_MB = 1024

export type ConfInput = Readonly<{
  engine: EnginePaths
  layout: EngineLayout
  edgeDir: string
  ports: Ports
  bind: readonly string[]
  /** Limits of the group and of the node; the smaller counts. */
  groupCacheMb: number | undefined
  nodeCacheMb: number | undefined
  tunables: NodeTunables
}>

/** Addresses to listen on: those wanted, and always loopback, where the node's own probe comes from. */
export function listenAddresses(bind: readonly string[]): string[] {
  const loopback = bind.some((address) => address === '0.0.0.0' || address === '127.0.0.1')
  return [...new Set(loopback ? bind : [...bind, '127.0.0.1'])]
}

export function renderConf(input: ConfInput): string {
  const { layout, ports } = input
  const limits = [input.groupCacheMb, input.nodeCacheMb].filter((limit) => limit !== undefined)
  return renderNginxConf({
    engine: input.engine,
    luaDir: join(input.edgeDir, 'lua'),
    runtimeDir: layout.runtimeDir,
    stateDir: layout.stateDir,
    cacheDir: layout.cacheDir,
    tempDir: layout.tempDir,
    errorLog: layout.errorLog,
    cacheMaxMb: limits.length === 0 ? DEFAULT_CACHE_MB : Math.min(...limits),
    bind: listenAddresses(input.bind),
    httpPorts: [ports.httpPort],
    httpsPorts: [ports.httpsPort],
    defaultCert: layout.defaultCert,
    defaultKey: layout.defaultKey,
    probeSecretFile: layout.probeSecretFile,
    workers: availableParallelism(),
    workerUser: layout.workerUser,
    workerShutdownTimeout: 60,
    workerConnections: 8192,
    tunables: input.tunables,
    trustedCa: CA_BUNDLES.find((path) => existsSync(path)) ?? null,
  })
}
