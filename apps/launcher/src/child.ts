import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { identify, type ProcessIdentity } from '@tidegate/embedded/process'

/** Marks every process of one installation; see orphans.ts. */
export const INSTANCE_VARIABLE = 'TIDEGATE_INSTANCE'
export const PART_VARIABLE = 'TIDEGATE_PART'

export interface ChildSpec {
  program: string
  args: string[]
  env: NodeJS.ProcessEnv
  logFile: string
}

export interface RunningChild {
  identity: ProcessIdentity
  /** Resolves with the exit code or signal. */
  ended: Promise<string>
}

/**
 * Starts a process in its own session, so that Ctrl-C on the terminal reaches only the launcher, with a plain file as
 * its output, so that the launcher's death does not break it.
 */
export async function startChild(spec: ChildSpec): Promise<RunningChild> {
  const log = openSync(spec.logFile, 'a', 0o600)
  let child: ChildProcess
  try {
    child = spawn(spec.program, spec.args, { env: spec.env, detached: true, stdio: ['ignore', log, log] })
  } finally {
    closeSync(log)
  }
  const ended = new Promise<string>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`))
  })
  if (child.pid === undefined) throw new Error(await ended)
  return { identity: identify(child.pid) ?? { pid: child.pid, startTicks: 0 }, ended }
}

/** The last lines of a log, for the terminal. */
export function tailOf(file: string, lines = 20): string {
  try {
    return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-lines).join('\n')
  } catch {
    return ''
  }
}
