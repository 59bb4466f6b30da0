import { spawn } from 'node:child_process'
import { closeSync, fchownSync, fstatSync, openSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { totalmem } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import type { Binaries } from './binaries.ts'
import { ClusterError } from './errors.ts'
import { clearStalePidFile, type Postmaster, runningPostmaster } from './postmaster.ts'
import type { Runner } from './runner.ts'

export interface StartContext {
  binaries: Binaries
  runner: Runner
  env: NodeJS.ProcessEnv
  pgdata: string
  logFile: string
  fsync: boolean
}

const ATTEMPTS = 40

/**
 * Starts the postmaster and resolves once its pid file stands. A port that was merely remembered is given up when
 * somebody else has it; backends that outlive a killed postmaster for a moment are waited for.
 */
export async function startPostmaster(
  context: StartContext,
  ports: { fixed: number | undefined; remembered: number | undefined },
): Promise<Postmaster> {
  let port = ports.fixed ?? ports.remembered ?? (await freePort())
  for (let attempt = 1; ; attempt++) {
    clearStalePidFile(context.pgdata)
    const outcome = await spawnPostmaster(context, port)
    if (typeof outcome !== 'string') return outcome
    const problem = diagnose(outcome)
    if (problem === 'port-in-use' && ports.fixed) {
      throw new ClusterError('port-in-use', `port ${port} on 127.0.0.1 is in use`)
    }
    if (problem === 'disk-full') throw new ClusterError('disk-full', `no space left for ${context.pgdata}`)
    if (attempt >= ATTEMPTS || problem === 'start-failed') {
      throw new ClusterError('start-failed', `PostgreSQL did not start on ${context.pgdata}: ${outcome.trim()}`)
    }
    if (problem === 'port-in-use') port = await freePort()
    else await delay(250)
  }
}

function diagnose(log: string): 'port-in-use' | 'busy' | 'disk-full' | 'start-failed' {
  if (/could not (bind|create any TCP)/.test(log)) return 'port-in-use'
  if (/pre-existing shared memory block|lock file .* already exists/.test(log)) return 'busy'
  if (/No space left on device/.test(log)) return 'disk-full'
  return 'start-failed'
}

/** The running postmaster, or what it logged before it gave up. */
async function spawnPostmaster(context: StartContext, port: number): Promise<Postmaster | string> {
  const { runner, binaries, pgdata, env, logFile } = context
  const log = openSync(logFile, 'a', 0o600)
  const logStart = fstatSync(log).size
  if (runner.uid !== process.getuid?.()) fchownSync(log, runner.uid, -1)
  const [program = '', ...args] = [...runner.prefix, binaries.postgres, '-D', pgdata, ...settings(context, port)]
  // Its own session, its log a plain file: the server survives this process and the next one adopts it.
  const child = spawn(program, args, { env, cwd: pgdata, detached: true, stdio: ['ignore', log, log] })
  child.unref()
  closeSync(log)
  let over: string | undefined
  child.on('error', (error) => {
    over = error.message
  })
  const onExit = (status: number | null, signal: NodeJS.Signals | null) => {
    over ??= logSince(logFile, logStart) || `exit code ${status ?? signal}`
  }
  child.on('exit', onExit)
  const deadline = Date.now() + 60_000
  while (over === undefined) {
    const server = runningPostmaster(pgdata)
    if (server && server.pid === child.pid && server.status !== '') {
      // Its end is told by its pid from here on, and its log may be gone by then.
      child.off('exit', onExit)
      return server
    }
    if (Date.now() > deadline) {
      child.kill('SIGKILL')
      return 'it did not write its pid file within 60 s'
    }
    await delay(10)
  }
  return over
}

function logSince(file: string, start: number): string {
  try {
    return readFileSync(file).subarray(start).toString('utf8').slice(-2_000)
  } catch {
    return ''
  }
}

/** Bytes that this process may use: the machine's, or less where a control group says so. */
function memory(): number {
  const limit = process.constrainedMemory()
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem()
}

/**
 * PostgreSQL's own page cache, MiB: an eighth of the memory, since other stores live beside it, within 128 MiB (PostgreSQL's default) and 1 GiB.
 * A page that is not in it costs some 12 us even when the kernel has it: a search through a million sites reads a thousand.
 */
export function sharedBuffersMiB(bytes: number): number {
  return Math.min(1024, Math.max(128, Math.floor(bytes / 8 / 1024 ** 2)))
}

function settings({ fsync }: StartContext, port: number): string[] {
  const values: Record<string, string | number> = {
    listen_addresses: '127.0.0.1',
    port,
    // Socket paths are cut off at 107 bytes, and data folders may be long: TCP only.
    unix_socket_directories: '',
    password_encryption: 'scram-sha-256',
    max_connections: 100,
    shared_buffers: `${fsync ? sharedBuffersMiB(memory()) : 128}MB`,
    max_wal_size: '1GB',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_line_prefix: '%m [%p] %q%u@%d ',
    log_parameter_max_length: 0,
    log_parameter_max_length_on_error: 0,
    ...(fsync ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  }
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

/** A TCP port on 127.0.0.1 that was free a moment ago. */
export async function freePort(): Promise<number> {
  return await new Promise((resolve, reject) => {
    const server = createServer()
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
