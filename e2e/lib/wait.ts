/** Waiting for a condition: every wait has a deadline and says what it waited for. */
import { setTimeout as delay } from 'node:timers/promises'

const LOOK_EVERY_MS = 20

/**
 * Resolves with the first value of `look` that is neither undefined nor false. After `limitMs` it rejects, naming `what` (a function is
 * asked then, so that it can tell how things stood) and the last error of `look`, if that is why there was no value.
 */
export async function waitFor<T>(
  look: () => T | undefined | false | Promise<T | undefined | false>,
  what: string | (() => string),
  limitMs: number,
): Promise<T> {
  const deadline = performance.now() + limitMs
  for (;;) {
    let failure = ''
    try {
      const value = await look()
      if (value !== undefined && value !== false) return value
    } catch (error) {
      failure = `; ${error instanceof Error ? error.message : String(error)}`
    }
    if (performance.now() > deadline) {
      throw new Error(`waited ${limitMs} ms for ${typeof what === 'string' ? what : what()}${failure}`)
    }
    await delay(LOOK_EVERY_MS)
  }
}

/** Rejects when `work` takes longer than `limitMs`. The work itself is not ended. */
export async function within<T>(work: Promise<T>, what: string, limitMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} took longer than ${limitMs} ms`)), limitMs)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
