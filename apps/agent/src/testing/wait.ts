/** Waits for a condition with a deadline: tests never sleep for a fixed time. */
import { setTimeout as sleep } from 'node:timers/promises'

/** Resolves with the first value of `probe` that is neither false nor undefined. Rejects after `ms`, naming `what` (a function is asked then). */
export async function until<T>(
  what: string | (() => string),
  probe: () => T | undefined | false | Promise<T | undefined | false>,
  ms = 45_000,
): Promise<T> {
  const deadline = Date.now() + ms
  for (;;) {
    const value = await probe()
    if (value !== undefined && value !== false) return value
    if (Date.now() > deadline) throw new Error(`waited ${ms} ms for: ${typeof what === 'string' ? what : what()}`)
    await sleep(10)
  }
}
