/** Config records. */
import type { Steps } from '../walk.ts'

export const settings: Steps = ({ got, keepId }) => [
  { id: 'config.list' },
  { id: 'config.classes' },
  { id: 'config.view' },
  { id: 'config.info', input: () => ({ id: 1 }) },
  { id: 'config.info2', input: () => ({ key: 'web_config' }) },
  { id: 'config.kinfo', input: () => ({ key: 'web_config' }) },
  {
    id: 'config.save',
    input: () => ({ paramKey: 'walked', paramValue: '{"on":"foot"}' }),
    trace: 'after',
    keep: keepId('config'),
  },
  { id: 'config.update', input: () => ({ id: got.config, paramValue: '{"on":"wheels"}' }), trace: 'both' },
  { id: 'config.toggle', input: () => ({ id: got.config }), trace: 'both' },
  { id: 'config.setStatus', input: () => ({ key: 'walked', status: 1 }), trace: 'both' },
  { id: 'config.history', input: () => ({ id: got.config }) },
  { id: 'config.restore', input: () => ({ id: got.config, version: 1 }), trace: 'both' },
  { id: 'config.delete', input: () => ({ ids: [got.config] }), trace: 'before' },
]
