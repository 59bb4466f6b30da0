import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { LockHeldError, takeLock } from '@tidegate/embedded/lock'
import { openEngine } from './engine.ts'
import { makeServer } from './http.ts'
import { loadNative } from './native.ts'

// The engine's calls block threads of this pool, beside those that files and compression need.
process.env.UV_THREADPOOL_SIZE ??= '12'

/** Reads one setting of the environment; throws with its name when it is needed and missing. */
function setting(name: string, fallback?: string): string {
  const value = process.env[name] ?? fallback
  if (value === undefined) throw new Error(`${name} is not set`)
  return value
}

function main(): void {
  const dir = setting('TIDEGATE_CHDB_DIR')
  const credentials = { user: setting('TIDEGATE_CHDB_USER', 'tidegate'), key: setting('TIDEGATE_CHDB_KEY') }
  const memoryBytes = Number(setting('TIDEGATE_CHDB_MEMORY', String(1536 * 1024 * 1024)))
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  const release = takeLock(join(dir, 'store.lock'))
  const engine = openEngine(loadNative(), { dir, memoryBytes, connections: 4 })
  const server = makeServer(engine, credentials)
  server.on('error', (error) => fail(error.message))
  server.listen(Number(setting('TIDEGATE_CHDB_PORT', '0')), '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo
    announce(join(dir, 'store.json'), port)
    process.stdout.write(`${new Date().toISOString()} analytics store ready on 127.0.0.1:${port}\n`)
  })
  let stopping = false
  const stop = async () => {
    if (stopping) return
    stopping = true
    server.close()
    server.closeIdleConnections()
    await engine.close()
    release()
    process.exit(0)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}

/** Tells the starter where the store listens; complete or absent, never half. */
function announce(file: string, port: number): void {
  writeFileSync(`${file}.new`, JSON.stringify({ pid: process.pid, port }), { mode: 0o600 })
  renameSync(`${file}.new`, file)
}

function fail(reason: string): never {
  process.stderr.write(`analytics store: ${reason}\n`)
  process.exit(1)
}

try {
  main()
} catch (error) {
  if (error instanceof LockHeldError)
    fail(`another process (${error.holder?.pid}) has this folder open: ${error.message}`)
  fail(error instanceof Error ? error.message : String(error))
}
