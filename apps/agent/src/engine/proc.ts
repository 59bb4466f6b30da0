/** Processes by pid and start time: a pid alone may belong to somebody else by now. Linux, /proc. */
import { readFile } from 'node:fs/promises'

export type ProcessId = Readonly<{ pid: number; startTime: string }>

/** Start time (clock ticks since boot, as text) of a living process; undefined when there is none or it is a zombie. */
export async function startTimeOf(pid: number): Promise<string | undefined> {
  try {
    const text = await readFile(`/proc/${pid}/stat`, 'utf8')
    // The command's name may hold spaces and brackets; the fields after its last bracket are plain.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19]
  } catch {
    return undefined
  }
}

export async function isAlive(id: ProcessId): Promise<boolean> {
  return (await startTimeOf(id.pid)) === id.startTime
}

/** Sends a signal to exactly this process; false when it is gone. */
export async function signalProcess(id: ProcessId, signal: NodeJS.Signals): Promise<boolean> {
  if (!(await isAlive(id))) return false
  try {
    process.kill(id.pid, signal)
    return true
  } catch {
    return false
  }
}
