/** Chance that can be had again: the moments at which faults strike come from a seed, which a failing test prints. */
import { onTestFailed } from 'vitest'

export interface Random {
  seed: number
  /** 0 <= n < 1 */
  next(): number
  /** Whole number, both ends possible. */
  between(low: number, high: number): number
  pick<T>(list: readonly T[]): T
}

/** mulberry32; `TIDEGATE_E2E_SEED` repeats an earlier run. */
export function seededRandom(seed = Number(process.env.TIDEGATE_E2E_SEED) || Date.now() % 2 ** 31): Random {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (low: number, high: number) => low + Math.floor(next() * (high - low + 1))
  return {
    seed,
    next,
    between,
    pick: (list) => {
      const value = list[between(0, list.length - 1)]
      if (value === undefined) throw new Error('nothing to pick from')
      return value
    },
  }
}

/** To be called in a test: says how to repeat it, should it fail. */
export function tellSeed(random: Random): void {
  onTestFailed(() => {
    process.stderr.write(`repeat with TIDEGATE_E2E_SEED=${random.seed}\n`)
  })
}
