/** How long each part of a request took, out of the times at which the parts were over. */
import type { ProbeAnswer } from '@tidegate/contract/node/lookups'

export const PARTS = ['lookup', 'connect', 'tls', 'wait', 'body'] as const
export type Part = (typeof PARTS)[number]

/** Parts that were come to, in their order: where each begins and how long it took, milliseconds. */
export const partsOf = ({ lookup, connect, tls, first, total }: ProbeAnswer['times']) => {
  const ends: [Part, number | null][] = [
    ['lookup', lookup],
    ['connect', connect],
    ['tls', tls],
    ['wait', first],
    ['body', first === null ? null : total],
  ]
  let begin = 0
  return ends.flatMap(([part, end]) => {
    if (end === null) return []
    const row = { part, begin, ms: Math.max(0, Math.round((end - begin) * 10) / 10) }
    begin = end
    return [row]
  })
}
