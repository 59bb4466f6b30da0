import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'

export interface LogLimits {
  /** A log is rotated once it is larger, bytes. */
  maxBytes: number
  /** Rotated files kept beside the current one. */
  keep: number
}

export const defaultLogLimits: LogLimits = { maxBytes: 10 * 1024 * 1024, keep: 3 }

/**
 * Rotates `<dir>/*.log` that have grown too large. The processes append to files that they hold open for as long as
 * they live, so the content is copied away and the file cut to nothing: its writers need no signal.
 */
export function rotateLogs(dir: string, limits: LogLimits = defaultLogLimits): void {
  for (const name of readdirSync(dir)) {
    const file = join(dir, name)
    if (!name.endsWith('.log') || statSync(file).size <= limits.maxBytes) continue
    for (let n = limits.keep - 1; n >= 1; n--) {
      if (existsSync(`${file}.${n}`)) renameSync(`${file}.${n}`, `${file}.${n + 1}`)
    }
    copyFileSync(file, `${file}.1`)
    truncateSync(file, 0)
  }
}

/** Makes the folder and looks after its logs every five seconds; returns the function that ends it. */
export function keepLogs(dir: string, limits: LogLimits = defaultLogLimits): () => void {
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  const look = () => {
    try {
      rotateLogs(dir, limits)
    } catch {
      // A full disk must not end the launcher; the next look tries again.
    }
  }
  look()
  const timer = setInterval(look, 5_000)
  return () => clearInterval(timer)
}
