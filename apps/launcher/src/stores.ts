import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openCluster } from '@tidegate/embedded/cluster'
import { identify } from '@tidegate/embedded/process'
import { INSTANCE_VARIABLE, PART_VARIABLE, startChild } from './child.ts'
import { keptSecret } from './secrets.ts'
import type { Settings } from './settings.ts'
import type { Part } from './supervisor.ts'
import type { Say } from './texts.ts'

export interface Addresses {
  databaseUrl?: string
  databaseOwnerUrl?: string
  clickhouseUrl?: string
}

/** The embedded PostgreSQL. It outlives a killed launcher and is adopted by the next one. */
export function databasePart(settings: Settings, logDir: string, addresses: Addresses, say: Say): Part {
  let port: number | undefined
  return {
    name: 'database',
    readyWithinMs: 150_000,
    stopSignal: 'SIGINT',
    stopWithinMs: 30_000,
    async start() {
      const cluster = await openCluster({
        dir: join(settings.dataDir, 'postgres'),
        runDir: settings.runDir,
        logFile: join(logDir, 'postgres.log'),
        // After a death the address must stay: the server has it.
        ...(port ? { port } : {}),
      })
      port = cluster.port
      addresses.databaseUrl = cluster.appUrl
      addresses.databaseOwnerUrl = cluster.ownerUrl
      if (cluster.adopted) say('adopted', { part: 'database' })
      const identity = identify(cluster.pid) ?? { pid: cluster.pid, startTicks: 0 }
      return { identity, ended: cluster.ended().then(() => 'process is gone') }
    },
    isReady: async () => true,
  }
}

/** The embedded analytics store, chdb behind ClickHouse's HTTP interface. */
export function storePart(settings: Settings, logDir: string, instance: string, addresses: Addresses): Part {
  const dir = join(settings.dataDir, 'chdb')
  const key = keptSecret(settings.dataDir, 'chdb.key')
  let port = 0
  let pid = 0
  return {
    name: 'store',
    readyWithinMs: 60_000,
    stopSignal: 'SIGTERM',
    stopWithinMs: 20_000,
    async start() {
      const child = await startChild({
        program: process.execPath,
        args: [join(settings.root, 'dist', 'chdb.mjs')],
        logFile: join(logDir, 'chdb.log'),
        env: {
          PATH: settings.env.PATH,
          UV_THREADPOOL_SIZE: '12',
          TIDEGATE_CHDB_DIR: dir,
          TIDEGATE_CHDB_KEY: key,
          TIDEGATE_CHDB_PORT: String(port),
          ...(settings.env.TIDEGATE_CHDB_MEMORY ? { TIDEGATE_CHDB_MEMORY: settings.env.TIDEGATE_CHDB_MEMORY } : {}),
          [INSTANCE_VARIABLE]: instance,
          [PART_VARIABLE]: 'store',
        },
      })
      pid = child.identity.pid
      return child
    },
    async isReady() {
      const announced = readJson<{ pid: number; port: number }>(join(dir, 'store.json'))
      if (announced?.pid !== pid) return false
      port = announced.port
      addresses.clickhouseUrl = `http://tidegate:${key}@127.0.0.1:${port}/`
      return true
    },
  }
}

/** A file of JSON, or undefined while there is none. */
export function readJson<T>(file: string): T | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as T
  } catch {
    return undefined
  }
}
