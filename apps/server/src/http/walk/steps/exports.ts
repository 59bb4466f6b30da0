/** Exports: asked for, made by the worker's job, fetched. */
import type { Steps } from '../walk.ts'

export const exports: Steps = ({ server, got }) => [
  {
    id: 'export.start',
    input: () => ({ list: 'node.list' }),
    trace: 'after',
    keep: async (reply) => {
      got.export = Number(reply.body.id)
      const jobs = server().built.parts.flatMap((part) => part.jobs ?? [])
      await jobs.find((job) => job.name === 'export.run')?.run({ id: got.export })
    },
  },
  { id: 'export.info', input: () => ({ id: got.export }) },
  { id: 'export.list' },
  { id: 'export.download', input: () => ({ id: got.export }), trace: 'after' },
]
