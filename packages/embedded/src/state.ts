import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ClusterError } from './errors.ts'

/** What is remembered beside the data: passwords, the port of last time, and whether the roles have been made. */
export interface ClusterState {
  passwords: { super: string; owner: string; app: string }
  port: number | undefined
  rolesReady: boolean
}

const NEEDED_BYTES = 200 * 1024 * 1024

/** Reads the state file, or makes a new one with fresh passwords (192 bit, URL-safe, file mode 0600). */
export function loadState(dir: string): ClusterState {
  try {
    return JSON.parse(readFileSync(stateFile(dir), 'utf8')) as ClusterState
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
      throw new ClusterError('not-writable', `${stateFile(dir)} cannot be read: ${(error as Error).message}`)
    }
  }
  const password = () => randomBytes(24).toString('base64url')
  const state: ClusterState = {
    passwords: { super: password(), owner: password(), app: password() },
    port: undefined,
    rolesReady: false,
  }
  saveState(dir, state)
  return state
}

/** Writes the state aside and renames it into place, so that a crash leaves the old or the new one. */
export function saveState(dir: string, state: ClusterState): void {
  const file = stateFile(dir)
  const fresh = `${file}.new`
  try {
    writeFileSync(fresh, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600, flush: true })
    renameSync(fresh, file)
  } catch (error) {
    throw diskError(dir, error)
  }
}

/** Makes the folder and proves that it can be written and has room; throws ClusterError otherwise. */
export function prepareFolder(dir: string, isNew: boolean): void {
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 })
    const probe = join(dir, `.probe.${process.pid}`)
    writeFileSync(probe, 'x', { flush: true })
    rmSync(probe)
  } catch (error) {
    throw diskError(dir, error)
  }
  const { bavail, bsize } = statfsSync(dir)
  const free = bavail * bsize
  if (isNew && free < NEEDED_BYTES) {
    const mb = Math.floor(free / 1024 / 1024)
    throw new ClusterError('disk-full', `${dir} has ${mb} MB free, a new database needs 200 MB`)
  }
}

function stateFile(dir: string): string {
  return join(dir, 'cluster.json')
}

function diskError(dir: string, error: unknown): ClusterError {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new ClusterError('disk-full', `no space left for ${dir}`, { cause: error })
  }
  return new ClusterError('not-writable', `${dir} cannot be written: ${message}`, { cause: error })
}
