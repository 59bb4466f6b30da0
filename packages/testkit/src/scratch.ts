import { accessSync, constants, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
/** The file system's number of Linux (linux/magic.h). */
const TMPFS = 0x01021994
/** Two whole installations and the databases of two workers need less than half of it. */
const ROOM_BYTES = 4 * 1024 ** 3

const roomInMemory = (): boolean => {
  try {
    accessSync(MEMORY, constants.W_OK)
    const { type, bavail, bsize } = statfsSync(MEMORY)
    return type === TMPFS && bavail * bsize >= ROOM_BYTES
  } catch {
    return false
  }
}

const lives = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Folders of processes that were killed before they could remove them: in memory they would cost more than room on a disk. */
const sweep = (root: string, prefix: string): void => {
  for (const name of readdirSync(root)) {
    const [, pid] = name.startsWith(prefix) ? (/^(\d+)-/.exec(name.slice(prefix.length)) ?? []) : []
    if (pid !== undefined && !lives(Number(pid))) rmSync(join(root, name), { recursive: true, force: true })
  }
}

/**
 * Makes a folder for data that a test throws away: in memory where there is room, else in the system's temporary folder. A fresh database
 * is a thousand small files: 60 ms in memory, up to two seconds on the disk of some machines.
 */
export const makeScratch = (prefix: string): string => {
  const root = roomInMemory() ? MEMORY : tmpdir()
  sweep(root, prefix)
  return mkdtempSync(join(root, `${prefix}${process.pid}-`))
}
