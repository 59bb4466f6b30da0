/** Exponential back-off with full jitter: the wait is drawn evenly from 0 to the doubled ceiling, so that peers spread out. */
export type Backoff = Readonly<{ next: () => number; reset: () => void }>

/** `minMs` first ceiling, `maxMs` last one. `random` gives [0, 1). The draw is never below a tenth of the ceiling. */
export function createBackoff(minMs: number, maxMs: number, random: () => number = Math.random): Backoff {
  let ceiling = minMs
  return {
    next: () => {
      const wait = Math.max(ceiling / 10, random() * ceiling)
      ceiling = Math.min(maxMs, ceiling * 2)
      return wait
    },
    reset: () => {
      ceiling = minMs
    },
  }
}
