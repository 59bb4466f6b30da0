import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

/** A process that cannot be confused with a later one of the same id: `startTicks` is field 22 of /proc/<pid>/stat. */
export interface ProcessIdentity {
  pid: number
  startTicks: number
}

/** When the process started, in clock ticks since boot; undefined when there is none or only its zombie. */
export function startTicksOf(pid: number): number | undefined {
  let stat: string
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return undefined
  }
  // The command name may contain spaces and parentheses: fields are counted behind its last parenthesis.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields[0] === 'Z' || fields[0] === 'X' ? undefined : Number(fields[19])
}

/** Who is running under this id now, or undefined. */
export function identify(pid: number): ProcessIdentity | undefined {
  const startTicks = startTicksOf(pid)
  return startTicks === undefined ? undefined : { pid, startTicks }
}

/** Whether exactly this process (not a successor under the same id) is running. */
export function isRunning(identity: ProcessIdentity): boolean {
  return startTicksOf(identity.pid) === identity.startTicks
}

/** Resolves true once the process has ended, false when it is still there after `limitMs`. Looks every `pollMs`. */
export async function waitForEnd(identity: ProcessIdentity, limitMs: number, pollMs = 20): Promise<boolean> {
  const deadline = Date.now() + limitMs
  while (isRunning(identity)) {
    if (Date.now() >= deadline) return false
    await delay(pollMs)
  }
  return true
}

/** Sends the signal if exactly this process is running; false when it is gone. */
export function signalProcess(identity: ProcessIdentity, signal: NodeJS.Signals): boolean {
  if (!isRunning(identity)) return false
  try {
    process.kill(identity.pid, signal)
    return true
  } catch {
    return false
  }
}

/**
 * Ends a process by a series of signals, each with its own patience in milliseconds.
 * Resolves with the signal that did it, 'gone' when there was nothing to end, 'alive' when none helped.
 */
export async function endProcess(
  identity: ProcessIdentity,
  steps: ReadonlyArray<readonly [NodeJS.Signals, number]>,
): Promise<NodeJS.Signals | 'gone' | 'alive'> {
  if (!isRunning(identity)) return 'gone'
  for (const [signal, patienceMs] of steps) {
    signalProcess(identity, signal)
    if (await waitForEnd(identity, patienceMs)) return signal
  }
  return 'alive'
}
