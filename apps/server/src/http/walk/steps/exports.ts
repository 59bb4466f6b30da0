/** Exports: asked for, made by the worker's job, fetched. */
import type { ListId } from '@tidegate/contract/operations/index'
import type { Step, Steps, Walk } from '../walk.ts'

const of = ({ server, got }: Walk, as: 'admin' | 'user', list: ListId): Step[] => [
  {
    id: 'export.start',
    as,
    input: () => ({ list }),
    trace: 'after',
    keep: async (reply) => {
      got.export = Number(reply.body.id)
      const jobs = server().built.parts.flatMap((part) => part.jobs ?? [])
      await jobs.find((job) => job.name === 'export.run')?.run({ id: got.export })
    },
  },
  { id: 'export.info', as, input: () => ({ id: got.export }) },
  { id: 'export.list', as },
  { id: 'export.download', as, input: () => ({ id: got.export }), trace: 'after' },
]

export const exports: Steps = (walk) => [...of(walk, 'admin', 'node.list'), ...of(walk, 'user', 'ownOrder.list')]
