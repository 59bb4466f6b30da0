/** Free space of the data directory, looked at on a timer: shown when it gets short, and writes are refused before the database has to. */
import { statfs } from 'node:fs/promises'

export interface DiskState {
  /** Bytes; for whoever is not root. */
  total: number
  free: number
  /** Worth a line on the screens; nothing is refused yet. Holds when `low` does. */
  short: boolean
  /** Writes that need room are refused. */
  low: boolean
}

export interface Disk {
  state(): DiskState
  stop(): void
}

const GIB = 1024 ** 3
/** A share of the whole or so many bytes, whichever is reached first. The gap leaves people time to make room. */
const SHORT = { share: 0.1, bytes: 2 * GIB }
const LOW = { share: 0.05, bytes: GIB }
const EVERY_MS = 10_000

const under = (bound: typeof LOW, total: number, free: number) => free < total * bound.share || free < bound.bytes

/** Short = under 10 % or under 2 GiB; low = under 5 % or under 1 GiB. */
export const diskState = (total: number, free: number): DiskState => ({
  total,
  free,
  short: under(SHORT, total, free),
  low: under(LOW, total, free),
})

const read = async (dir: string): Promise<DiskState> => {
  const { blocks, bavail, bsize } = await statfs(dir)
  return diskState(blocks * bsize, bavail * bsize)
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
