/** The DNS blacklist: added, changed, checked, imported, fetched, deleted. */
import type { Reply } from '../../../testing/app.ts'
import type { Steps } from '../walk.ts'

export const black: Steps = ({ got }) => {
  const keepFirst = (reply: Reply) => {
    got.black = (reply.body.data as { list: { id: number }[] }).list[0]?.id ?? 0
  }
  const entry = { domains: 'walked.example' }
  return [
    { id: 'black.save', input: () => entry, trace: 'after' },
    { id: 'black.list', keep: keepFirst },
    { id: 'black.save', input: () => ({ ...entry, id: got.black, remark: 'Walk' }), trace: 'both' },
    { id: 'black.enable', input: () => ({ ids: [got.black], enabled: false }), trace: 'both' },
    { id: 'black.check', input: () => ({ domain: 'a.walked.example' }) },
    {
      id: 'black.import',
      input: () => ({ category: 'walk', existing: 'skip' }),
      file: () => new TextEncoder().encode('0.0.0.0 one.example two.example\n*.walked.example\n'),
      trace: 'after',
    },
    { id: 'black.export', trace: 'none' },
    { id: 'black.rules' },
    { id: 'black.compiled' },
    { id: 'black.state' },
    { id: 'black.delete', input: () => ({ ids: [got.black] }), trace: 'before' },
    { id: 'black.clear', input: () => ({ category: 'walk' }), trace: 'before' },
  ]
}
