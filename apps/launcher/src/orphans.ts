import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { identify, type ProcessIdentity } from '@tidegate/embedded/process'
import { INSTANCE_VARIABLE, PART_VARIABLE } from './child.ts'

export interface Orphan extends ProcessIdentity {
  part: string
}

/**
 * Processes that an earlier launcher of this installation started and that still run. A process is ours when its
 * environment carries this installation's random id and its command line the program that this part runs: what it
 * started itself (nginx inherits the environment) is not.
 */
export function findOrphans(instance: string, programs: Readonly<Record<string, string>>): Orphan[] {
  const found: Orphan[] = []
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue
    const pid = Number(entry)
    const identity = pid === process.pid ? undefined : identify(pid)
    const part = identity && partOf(pid, instance, programs)
    // Looked at again: the id may have changed hands while its files were read.
    if (part && identity.startTicks === identify(pid)?.startTicks) found.push({ ...identity, part })
  }
  return found
}

function partOf(pid: number, instance: string, programs: Readonly<Record<string, string>>): string | undefined {
  try {
    const env = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
    if (!env.includes(`${INSTANCE_VARIABLE}=${instance}`)) return undefined
    const part = env.find((line) => line.startsWith(`${PART_VARIABLE}=`))?.slice(PART_VARIABLE.length + 1) ?? ''
    const program = programs[part]
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split(/[\0 ]/)
    return program && command.some((word) => basename(word) === program) ? part : undefined
  } catch {
    // Another user's process, or one that has just ended.
    return undefined
  }
}
