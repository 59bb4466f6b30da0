/** Who may come as an outside monitor. */
import type { Clock } from '../../platform/clock.ts'
import { AppError } from '../../platform/errors.ts'
import { createLimiter } from '../../platform/limiter.ts'

/** From one address, right token or not: a monitor of thousands of nodes brings a few requests a round. */
const RATE = { perSecond: 5, burst: 100 }

/** Whether the token is the monitoring token. Throws `too_many` when an address asks too often. */
export const monitorGate = (clock: Clock, matches: (token: string) => Promise<boolean>) => {
  const limiter = createLimiter(clock)
  return async (token: string, ip: string): Promise<boolean> => {
    if (!limiter.allow(ip, RATE.perSecond, RATE.burst)) throw new AppError('too_many', { params: { seconds: 1 } })
    return matches(token)
  }
}
