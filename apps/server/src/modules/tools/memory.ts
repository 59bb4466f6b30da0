/** tools.memory: a node's shared memory, as its agent shows it. */
import type { Handlers } from '../../platform/caller.ts'
import { audit } from '../audit/index.ts'
import type { ToolDeps } from './index.ts'
import { mindRate } from './rate.ts'

export const memoryHandlers = ({
  db,
  limiter,
  nodes,
  ask,
}: ToolDeps): Handlers<'tools.memory' | 'tools.memoryNodes'> => ({
  'tools.memoryNodes': async () => ({ data: await nodes() }),
  'tools.memory': async ({ nodeId, ...input }, caller, signal) => {
    mindRate(limiter, 'memory', caller)
    const data = await ask(nodeId, 'memory', input, signal)
    const opened = input.entry !== '' && data.list[0] ? { key: data.list[0].key } : { prefix: input.prefix }
    await audit(db, caller, {
      action: 'tools.memory',
      target: `node ${nodeId}`,
      after: { dict: input.dict, ...opened },
    })
    return { data }
  },
})
