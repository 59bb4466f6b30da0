import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { identify, isRunning, type ProcessIdentity } from './process.ts'

/** Somebody else holds the lock; `holder` is undefined when the file cannot be read as ours. */
export class LockHeldError extends Error {
  readonly holder: ProcessIdentity | undefined
  constructor(path: string, holder: ProcessIdentity | undefined) {
    super(`${path} is held by process ${holder?.pid ?? 'unknown'}`)
    this.name = 'LockHeldError'
    this.holder = holder
  }
}

/** Who holds the lock file, whether or not that process is still running. */
export function lockHolder(path: string): ProcessIdentity | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (typeof value !== 'object' || value === null) return undefined
    const { pid, startTicks } = value as Partial<ProcessIdentity>
    return typeof pid === 'number' && typeof startTicks === 'number' ? { pid, startTicks } : undefined
  } catch {
    return undefined
  }
}

/**
 * Takes a lock file for this process and returns the function that gives it back. A lock whose holder has ended
 * (kill -9, power cut) is taken over. Throws LockHeldError while the holder runs, and the file system's error when
 * the folder cannot be written.
 */
export function takeLock(path: string): () => void {
  const self = identify(process.pid)
  if (!self) throw new Error('this process is not listed in /proc')
  const own = `${path}.${self.pid}`
  // Written aside and linked into place: whoever finds the lock also finds its holder in it.
  writeFileSync(own, JSON.stringify(self), { mode: 0o600 })
  try {
    for (let attempt = 0; ; attempt++) {
      try {
        linkSync(own, path)
        return () => releaseLock(path, self)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      }
      const holder = lockHolder(path)
      if (attempt >= 3 || (holder && isRunning(holder))) throw new LockHeldError(path, holder)
      removeStale(path, `${own}.stale`)
    }
  } finally {
    rmSync(own, { force: true })
  }
}

/** Moves a stale lock aside; when another process took it in the meantime, its lock is put back. */
function removeStale(path: string, aside: string): void {
  try {
    renameSync(path, aside)
    const holder = lockHolder(aside)
    if (holder && isRunning(holder)) linkSync(aside, path)
  } catch {
    // Whoever was quicker decides; the caller looks again.
  } finally {
    rmSync(aside, { force: true })
  }
}

function releaseLock(path: string, self: ProcessIdentity): void {
  const holder = lockHolder(path)
  if (holder?.pid === self.pid && holder.startTicks === self.startTicks) rmSync(path, { force: true })
}
