/** How often one administrator may use a tool: each use is work for a node or goes out into the net. */
import type { Caller } from '../../platform/caller.ts'
import { AppError } from '../../platform/errors.ts'
import type { Limiter } from '../../platform/limiter.ts'

const RATES = {
  memory: { perSecond: 4, burst: 20 },
  lookup: { perSecond: 1, burst: 10 },
} as const
export type RatedTool = keyof typeof RATES

/** Throws `too_many` with the seconds until the next use. */
export const mindRate = (limiter: Limiter, tool: RatedTool, caller: Caller): void => {
  const { perSecond, burst } = RATES[tool]
  if (limiter.allow(`${tool} ${caller.kind} ${caller.id}`, perSecond, burst)) return
  throw new AppError('too_many', { params: { seconds: Math.ceil(1 / perSecond) } })
}
