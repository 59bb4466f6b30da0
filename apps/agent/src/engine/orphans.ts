/**
 * Helpers of a master that was killed. Its workers end by themselves (parent-death signal), but nginx's cache manager and loader
 * live on for ever and would manage the same cache twice. They are known by their working directory, the runtime directory.
 */
import { readdir, readFile, readlink, realpath } from 'node:fs/promises'
import { type ProcessId, signalProcess, startTimeOf } from './proc.ts'

/** nginx processes whose working directory is `dir`. */
async function findByDir(dir: string): Promise<ProcessId[]> {
  const found: ProcessId[] = []
  for (const name of await readdir('/proc')) {
    const pid = Number(name)
    if (!Number.isInteger(pid)) continue
    const command = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')
    if (command.trim() !== 'nginx' || (await readlink(`/proc/${pid}/cwd`).catch(() => '')) !== dir) continue
    const startTime = await startTimeOf(pid)
    if (startTime !== undefined) found.push({ pid, startTime })
  }
  return found
}

/** Asks every process of a dead master to end in order. Call only when no master of this node lives. */
export async function dismissOrphans(runtimeDir: string): Promise<number> {
  const orphans = await findByDir(await realpath(runtimeDir))
  for (const orphan of orphans) await signalProcess(orphan, 'SIGQUIT')
  return orphans.length
}
