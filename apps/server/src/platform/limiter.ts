/** Token buckets by name: how often a peer may ask. */
import type { Clock } from './clock.ts'

export interface Limiter {
  /** Whether one more is allowed: `burst` at once, `perSecond` in the long run. */
  allow(name: string, perSecond: number, burst: number): boolean
}

interface Bucket {
  tokens: number
  at: number
  full: number
}

const MAX_BUCKETS = 20_000

export const createLimiter = (clock: Clock): Limiter => {
  const buckets = new Map<string, Bucket>()
  const sweep = (now: number) => {
    for (const [name, bucket] of buckets) if (bucket.full <= now) buckets.delete(name)
    // All of them in use: forget the oldest rather than grow.
    for (const name of buckets.keys()) {
      if (buckets.size <= MAX_BUCKETS / 2) break
      buckets.delete(name)
    }
  }
  return {
    allow: (name, perSecond, burst) => {
      const now = clock.now()
      if (buckets.size > MAX_BUCKETS) sweep(now)
      const old = buckets.get(name) ?? { tokens: burst, at: now, full: now }
      const tokens = Math.min(burst, old.tokens + (Math.max(0, now - old.at) / 1000) * perSecond)
      const left = tokens >= 1 ? tokens - 1 : tokens
      buckets.set(name, { tokens: left, at: now, full: now + ((burst - left) / perSecond) * 1000 })
      return tokens >= 1
    },
  }
}
