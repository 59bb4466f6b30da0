/**
 * Helpers of a master that was killed. Its workers end by themselves (parent-death signal), but nginx's cache manager and loader
 * live on for ever and would manage the same cache twice. They are known by the error log that they have open.
 */
import { readdir, readFile, readlink } from 'node:fs/promises'
import { type ProcessId, signalProcess, startTimeOf } from './proc.ts'

async function hasOpen(pid: number, path: string): Promise<boolean> {
  const fds = await readdir(`/proc/${pid}/fd`).catch(() => [])
  for (const fd of fds) {
    const target = await readlink(`/proc/${pid}/fd/${fd}`).catch(() => '')
    if (target === path) return true
  }
  return false
}

/** nginx processes that have `errorLog` open. */
async function findByLog(errorLog: string): Promise<ProcessId[]> {
  const found: ProcessId[] = []
  for (const name of await readdir('/proc')) {
    const pid = Number(name)
    if (!Number.isInteger(pid)) continue
    const command = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')
    if (command.trim() !== 'nginx' || !(await hasOpen(pid, errorLog))) continue
    const startTime = await startTimeOf(pid)
    if (startTime !== undefined) found.push({ pid, startTime })
  }
  return found
}

/** Asks every process of a dead master to end in order. Call only when no master of this node lives. */
export async function dismissOrphans(errorLog: string): Promise<number> {
  const orphans = await findByLog(errorLog)
  for (const orphan of orphans) await signalProcess(orphan, 'SIGQUIT')
  return orphans.length
}
