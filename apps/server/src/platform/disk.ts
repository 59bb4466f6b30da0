/** Free space of the data directory, looked at on a timer; short of room, the server refuses writes before the database has to. */
import { statfs } from 'node:fs/promises'

export interface DiskState {
  /** Bytes; for whoever is not root. */
  total: number
  free: number
  low: boolean
}

export interface Disk {
  state(): DiskState
  stop(): void
}

const LOW_SHARE = 0.05
const LOW_BYTES = 1024 ** 3
const EVERY_MS = 10_000

/** Low = under 5 % or under 1 GiB. */
export const isLow = (total: number, free: number) => free < total * LOW_SHARE || free < LOW_BYTES

const read = async (dir: string): Promise<DiskState> => {
  const { blocks, bavail, bsize } = await statfs(dir)
  const total = blocks * bsize
  const free = bavail * bsize
  return { total, free, low: isLow(total, free) }
}

/** Watches the file system of `dir`. Throws when it cannot be read at all. */
export const watchDisk = async (dir: string): Promise<Disk> => {
  let state = await read(dir)
  const timer = setInterval(() => {
    read(dir).then(
      (next) => {
        state = next
      },
      () => {},
    )
  }, EVERY_MS)
  timer.unref()
  return { state: () => state, stop: () => clearInterval(timer) }
}
