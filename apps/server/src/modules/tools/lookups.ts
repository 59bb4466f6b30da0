/** tools.dig and tools.probe: what a node finds out in the net, for an operator. */
import type { Handlers } from '../../platform/caller.ts'
import { audit } from '../audit/index.ts'
import type { ToolDeps } from './index.ts'
import { mindRate } from './rate.ts'

export const lookupHandlers = ({
  db,
  limiter,
  nodes,
  ask,
}: ToolDeps): Handlers<'tools.lookupNodes' | 'tools.dig' | 'tools.probe'> => ({
  'tools.lookupNodes': async () => ({ data: await nodes() }),
  'tools.dig': async ({ nodeId, ...input }, caller, signal) => {
    mindRate(limiter, 'lookup', caller)
    const data = await ask(nodeId, 'dig', input, signal, 'server')
    await audit(db, caller, { action: 'tools.dig', target: `node ${nodeId}`, after: input })
    return { data }
  },
  'tools.probe': async ({ nodeId, ...input }, caller, signal) => {
    mindRate(limiter, 'lookup', caller)
    const data = await ask(nodeId, 'probe', input, signal, 'url')
    // What stands behind the path may be a secret.
    const { origin, pathname } = new URL(input.url)
    await audit(db, caller, {
      action: 'tools.probe',
      target: `node ${nodeId}`,
      after: { ...input, url: `${origin}${pathname}` },
    })
    return { data }
  },
})
