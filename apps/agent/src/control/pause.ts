/** Waits that end early when they are told to: by abort (shutdown) or by a wake-up. */

/** Resolves after `ms`, or at once when the signal aborts. Never rejects. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve()
      return
    }
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done)
  })
}

export type Waker = Readonly<{ wake: () => void; wait: (ms: number, signal: AbortSignal) => Promise<void> }>

/** A wake-up that is remembered: `wake` before `wait` makes that wait return at once. */
export function createWaker(): Waker {
  let woken = false
  let current: AbortController | undefined
  return {
    wake: () => {
      woken = true
      current?.abort()
    },
    wait: async (ms, signal) => {
      if (!woken) {
        current = new AbortController()
        await pause(ms, AbortSignal.any([signal, current.signal]))
        current = undefined
      }
      woken = false
    },
  }
}
