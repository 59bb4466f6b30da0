import { readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { identify, type ProcessIdentity } from './process.ts'

/** What a running postmaster says of itself in `postmaster.pid`. */
export interface Postmaster extends ProcessIdentity {
  port: number
  /** `starting`, `ready`, `stopping` and the like; empty while it is not written yet. */
  status: string
}

/**
 * The postmaster that serves exactly this data folder, or undefined. The pid file alone proves nothing: after a crash
 * its id may belong to anybody, so the process must be a postgres whose working directory is this folder.
 */
export function runningPostmaster(pgdata: string): Postmaster | undefined {
  let lines: string[]
  try {
    lines = readFileSync(join(pgdata, 'postmaster.pid'), 'utf8').split('\n')
  } catch {
    return undefined
  }
  const identity = identify(Number(lines[0]))
  const port = Number(lines[3])
  if (!identity || !port) return undefined
  try {
    const program = basename(readlinkSync(`/proc/${identity.pid}/exe`)).replace(/ \(deleted\)$/, '')
    const here = readlinkSync(`/proc/${identity.pid}/cwd`)
    return program === 'postgres' && here === realpathSync(pgdata)
      ? { ...identity, port, status: (lines[7] ?? '').trim() }
      : undefined
  } catch {
    return undefined
  }
}

/** Removes a pid file that a crash left: PostgreSQL refuses to start while its id belongs to any other process. */
export function clearStalePidFile(pgdata: string): void {
  if (!runningPostmaster(pgdata)) rmSync(join(pgdata, 'postmaster.pid'), { force: true })
}
