/** Figures of the machine, from /proc and the file system. */
import { opendir, readFile, stat, statfs } from 'node:fs/promises'
import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'

export type MachineFigures = Readonly<{
  load1: number
  cpus: number
  /** Bytes. `memFree` is what programs can still get (MemAvailable). */
  memTotal: number
  memFree: number
  diskTotal: number
  diskFree: number
}>

/** Below either of these the disk counts as nearly full. */
const LOW_DISK_SHARE = 0.05
const LOW_DISK_BYTES = 512 * 1024 * 1024

function kilobytes(meminfo: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(meminfo)?.[1] ?? 0) * 1024
}

/** Reads the figures; the disk's are those of the file system that holds `dir`. */
export async function readMachine(dir: string): Promise<MachineFigures> {
  const [meminfo, disk] = await Promise.all([readFile('/proc/meminfo', 'utf8'), statfs(dir)])
  return {
    load1: loadavg()[0] ?? 0,
    cpus: availableParallelism(),
    memTotal: kilobytes(meminfo, 'MemTotal'),
    memFree: kilobytes(meminfo, 'MemAvailable'),
    diskTotal: disk.blocks * disk.bsize,
    diskFree: disk.bavail * disk.bsize,
  }
}

export function isLowDisk(figures: Pick<MachineFigures, 'diskTotal' | 'diskFree'>): boolean {
  return figures.diskFree < LOW_DISK_BYTES || figures.diskFree < figures.diskTotal * LOW_DISK_SHARE
}

/** Bytes of all files below a folder; files that vanish meanwhile count nothing. */
export async function folderBytes(dir: string): Promise<number> {
  let bytes = 0
  const folder = await opendir(dir).catch(() => undefined)
  if (folder === undefined) return 0
  try {
    for await (const entry of folder) {
      const path = join(dir, entry.name)
      if (entry.isDirectory()) bytes += await folderBytes(path)
      else if (entry.isFile()) bytes += (await stat(path).catch(() => undefined))?.size ?? 0
    }
  } catch {
    // The engine's cache manager removed the folder while it was read.
  }
  return bytes
}
