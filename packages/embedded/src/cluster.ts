import { spawnSync } from 'node:child_process'
import { mkdirSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { findBinaries } from './binaries.ts'
import { ClusterError } from './errors.ts'
import { initCluster, isInitialised } from './init.ts'
import { LockHeldError, takeLock } from './lock.ts'
import { type Postmaster, runningPostmaster } from './postmaster.ts'
import { endProcess, waitForEnd } from './process.ts'
import { asSuperuser, ensureRoles, roleUrl } from './roles.ts'
import { chooseRunner, type Runner, runnersFor } from './runner.ts'
import { type StartContext, startPostmaster } from './start.ts'
import { type ClusterState, loadState, prepareFolder, saveState } from './state.ts'

export interface ClusterOptions {
  /** Holds `pgdata`, `cluster.json` (passwords, 0600) and `postgres.log`. Made when missing. */
  dir: string
  /** Short folder for things that may vanish with a reboot. Made when missing. */
  runDir: string
  /** Fixed TCP port; without it last time's port, or a free one. */
  port?: number
  /** False only in tests: a power cut may then destroy the cluster. */
  fsync?: boolean
  /** Where the server logs to; default `<dir>/postgres.log`. Opened for appending, may be truncated by others. */
  logFile?: string
  /** Ways to run the programs, best first; default: those that fit this user. */
  runners?: Runner[]
}

export interface Cluster {
  superUrl: string
  ownerUrl: string
  appUrl: string
  port: number
  pid: number
  /** True when the server was running already and was taken over. */
  adopted: boolean
  /** Resolves when the server has ended, whoever ended it. */
  ended(): Promise<void>
  /** Fast shutdown, bounded: after `limitMs` (default 30 s) the server is ended the hard way (it recovers at the next start). */
  stop(limitMs?: number): Promise<void>
}

/**
 * Opens PostgreSQL on a folder: makes the cluster when it is new, adopts a running server, starts one otherwise.
 * Listens on 127.0.0.1 only. Throws ClusterError. Calls on one folder take turns.
 */
export async function openCluster(options: ClusterOptions): Promise<Cluster> {
  const isNew = !isInitialised(join(options.dir, 'pgdata'))
  prepareFolder(options.dir, isNew)
  mkdirSync(options.runDir, { recursive: true, mode: 0o700 })
  const dir = realpathSync(options.dir)
  const release = await waitForTurn(join(dir, 'open.lock'))
  try {
    return await openLocked({ ...options, dir })
  } finally {
    release()
  }
}

async function openLocked(options: ClusterOptions): Promise<Cluster> {
  const { dir } = options
  const pgdata = join(dir, 'pgdata')
  const state = loadState(dir)
  const running = await adoptable(pgdata)
  const server = running ?? (await startFresh(options, state))
  if (options.port && options.port !== server.port) {
    throw new ClusterError('port-in-use', `the database in ${dir} is running on port ${server.port}: stop it first`)
  }
  const superUrl = roleUrl('postgres', state.passwords.super, server.port, 'postgres')
  await waitUntilReady(superUrl, server)
  if (!state.rolesReady) await ensureRoles(superUrl, state.passwords)
  if (!state.rolesReady || state.port !== server.port) {
    saveState(dir, { ...state, port: server.port, rolesReady: true })
  }
  return {
    superUrl,
    ownerUrl: roleUrl('tidegate_owner', state.passwords.owner, server.port, 'tidegate'),
    appUrl: roleUrl('tidegate_app', state.passwords.app, server.port, 'tidegate'),
    port: server.port,
    pid: server.pid,
    adopted: running !== undefined,
    ended: async () => void (await waitForEnd(server, Number.POSITIVE_INFINITY, 200)),
    stop: (limitMs) => stopPostmaster(server, limitMs),
  }
}

/** A postmaster that is shutting down is not taken over but waited for. */
async function adoptable(pgdata: string): Promise<Postmaster | undefined> {
  const found = runningPostmaster(pgdata)
  if (found?.status !== 'stopping') return found
  if (!(await waitForEnd(found, 30_000))) throw new ClusterError('busy', `process ${found.pid} does not stop`)
  return undefined
}

async function startFresh(options: ClusterOptions, state: ClusterState): Promise<Postmaster> {
  const { dir, runDir, fsync = true } = options
  const binaries = findBinaries(realpathSync(runDir))
  const env = childEnvironment(binaries.libraryPath)
  const runner = chooseRunner(options.runners ?? runnersFor(process.getuid?.() ?? 0), binaries.postgres, dir, env)
  const pgdata = join(dir, 'pgdata')
  if (!isInitialised(pgdata)) {
    await initCluster({ binaries, runner, env, dir, password: state.passwords.super, fsync })
  }
  giveTo(runner, dir, pgdata)
  const logFile = options.logFile ?? join(dir, 'postgres.log')
  const context: StartContext = { binaries, runner, env, pgdata, logFile, fsync }
  return await startPostmaster(context, { fixed: options.port, remembered: state.port })
}

/** The folder must belong to whom the server runs as; that changes when user namespaces come or go. */
function giveTo(runner: Runner, dir: string, pgdata: string): void {
  const owner = statSync(pgdata).uid
  if (owner === runner.uid) return
  const done = spawnSync('chown', ['-R', `${runner.uid}`, dir], { encoding: 'utf8' })
  if (done.status !== 0) {
    throw new ClusterError('not-writable', `${pgdata} belongs to user id ${owner}: ${done.stderr.trim()}`)
  }
}

/** Nothing of the caller's environment reaches the server but the search path: PGDATA and the like would confuse it. */
function childEnvironment(libraryPath: string): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, LD_LIBRARY_PATH: libraryPath, LC_ALL: 'C', TZ: 'UTC' }
}

async function waitUntilReady(superUrl: string, server: Postmaster): Promise<void> {
  const deadline = Date.now() + 120_000
  for (;;) {
    try {
      return await asSuperuser(superUrl, async (client) => void (await client.query('SELECT 1')))
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      // 57P03: starting up, possibly in a long recovery. A refused connection: not listening yet.
      const early = code === '57P03' || code === 'ECONNREFUSED' || code === 'ECONNRESET'
      if (!early || Date.now() > deadline) {
        throw new ClusterError('start-failed', `the database on port ${server.port} does not answer: ${message}`)
      }
      await delay(25)
    }
  }
}

async function stopPostmaster(server: Postmaster, limitMs = 30_000): Promise<void> {
  const steps = [['SIGINT', limitMs] as const, ['SIGQUIT', 5_000] as const, ['SIGKILL', 5_000] as const]
  if ((await endProcess(server, steps)) === 'alive') {
    throw new ClusterError('busy', `process ${server.pid} cannot be ended`)
  }
}

async function waitForTurn(path: string): Promise<() => void> {
  const deadline = Date.now() + 60_000
  for (;;) {
    try {
      return takeLock(path)
    } catch (error) {
      if (!(error instanceof LockHeldError)) throw error
      if (Date.now() > deadline) throw new ClusterError('busy', error.message)
      await delay(50)
    }
  }
}
