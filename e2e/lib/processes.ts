/** Which processes are an installation's: by its data folder and its random id, as /proc shows them. Never by name. */
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { identify, type ProcessIdentity, signalProcess, waitForEnd } from '@tidegate/embedded/process'
import { findOrphans } from '../../apps/launcher/src/orphans.ts'

export const PARTS = ['server', 'agent', 'store', 'postmaster', 'master', 'worker'] as const
export type PartOfStack = (typeof PARTS)[number]

const programs = { store: 'chdb.mjs', server: 'server.mjs', agent: 'agent.mjs' }

/** The running processes of one part; several workers, at most one of anything else. */
export function processesOf(dataDir: string, part: PartOfStack): ProcessIdentity[] {
  if (part === 'postmaster') return present(Number(readIfThere(join(dataDir, 'postgres/pgdata/postmaster.pid'))[0]))
  if (part === 'master' || part === 'worker') {
    const text = readIfThere(join(dataDir, 'node/engine/master.json'))[0]
    const master = text ? present((JSON.parse(text) as { pid: number }).pid) : []
    return part === 'master' ? master : master.flatMap(({ pid }) => workersOf(pid))
  }
  const instance = readIfThere(join(dataDir, 'instance.id'))[0]
  return instance ? findOrphans(instance, programs).filter((found) => found.part === part) : []
}

/** kill -9 of exactly this process; resolves when it is gone. */
export async function kill(victim: ProcessIdentity): Promise<void> {
  if (!signalProcess(victim, 'SIGKILL')) throw new Error(`process ${victim.pid} is not running`)
  if (!(await waitForEnd(victim, 5_000, 5))) throw new Error(`process ${victim.pid} outlived kill -9`)
}

/** Every process that has anything of these folders: as working directory, open file, argument or environment. */
export function processesIn(folders: readonly string[]): (ProcessIdentity & { command: string })[] {
  return pids().flatMap((pid) => {
    const identity = pid === process.pid ? undefined : identify(pid)
    if (!identity || !touches(pid, folders)) return []
    return [{ ...identity, command: readProc(pid, 'cmdline').replaceAll('\0', ' ').trim() }]
  })
}

const pids = () =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)

function touches(pid: number, folders: readonly string[]): boolean {
  const has = (text: string) => folders.some((folder) => text.includes(folder))
  if (has(readProc(pid, 'cmdline')) || has(readProc(pid, 'environ')) || has(link(`/proc/${pid}/cwd`))) return true
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => has(link(`/proc/${pid}/fd/${fd}`)))
  } catch {
    return false
  }
}

/** nginx's worker processes; its cache manager and loader are children of the master, too. */
function workersOf(master: number): ProcessIdentity[] {
  return pids().flatMap((pid) => {
    const stat = readProc(pid, 'stat')
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
    return parent === master && readProc(pid, 'cmdline').startsWith('nginx: worker process') ? present(pid) : []
  })
}

function present(pid: number): ProcessIdentity[] {
  const identity = pid > 1 ? identify(pid) : undefined
  return identity ? [identity] : []
}

function readProc(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    // It has just ended.
    return ''
  }
}

function link(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}

/** Lines of a file, none when it is not there. */
const readIfThere = (path: string): string[] => (existsSync(path) ? readFileSync(path, 'utf8').split('\n') : [])
