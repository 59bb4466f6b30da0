/** Passwords as argon2id, a bounded number at a time: each costs 19 MiB and some 30 ms of a core. */
import { hash, verify } from '@node-rs/argon2'
import { AppError } from '../../platform/errors.ts'

export interface Hasher {
  hash(password: string): Promise<string>
  /** `stored` null: the account does not exist; costs the same and is false. */
  verify(stored: string | null, password: string): Promise<boolean>
}

/** OWASP's recommendation for argon2id (the library's default algorithm): 19 MiB, 2 passes, 1 lane. */
const PARAMS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Whether a stored hash was made by another algorithm or weaker parameters than today's. */
export const isOutdated = (stored: string): boolean => {
  const [, memory, time, lanes] = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$/.exec(stored) ?? []
  return (
    memory === undefined ||
    Number(memory) < PARAMS.memoryCost ||
    Number(time) < PARAMS.timeCost ||
    Number(lanes) < PARAMS.parallelism
  )
}

const AT_ONCE = 2
const MAX_WAITING = 100

/** At most `atOnce` run, at most `maxWaiting` wait; the rest is refused with `unavailable`. */
const limiter = (atOnce: number, maxWaiting: number) => {
  let running = 0
  const waiting: (() => void)[] = []
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= atOnce) {
      if (waiting.length >= maxWaiting) throw new AppError('unavailable')
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else running += 1
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}

export const createHasher = (): Hasher => {
  const bounded = limiter(AT_ONCE, MAX_WAITING)
  const nobody = hash('nobody has this password', PARAMS)
  return {
    hash: (password) => bounded(() => hash(password, PARAMS)),
    verify: (stored, password) =>
      bounded(async () => (await verify(stored ?? (await nobody), password)) && stored !== null),
  }
}
