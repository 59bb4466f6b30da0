/** Config records, uploads, the linked site, what anybody may read. */
import type { Steps } from '../walk.ts'

/** The least that counts as a picture. */
const PNG = new TextEncoder().encode('?PNG\r\n\x1a\n').with(0, 0x89)
const LINK_TOKEN = 'token-of-the-linked-site'

export const settings: Steps = ({ got, keepId, secret, elsewhere }) => [
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
  { id: 'upload.save', input: () => ({ purpose: 'logo' }), file: () => PNG, trace: 'after' },
  { id: 'upload.save', as: 'user', input: () => ({ purpose: 'workOrder' }), file: () => PNG, trace: 'after' },
  {
    id: 'config.save',
    input: () => ({
      paramKey: 'feature_flags',
      paramValue: JSON.stringify({
        otherSite: { siteUrl: elsewhere(), apiRootPath: '/api/', syncRegister: 0, token: LINK_TOKEN },
      }),
    }),
    trace: 'after',
    keep: () => secret(LINK_TOKEN, null),
  },
  { id: 'config.view' },
  { id: 'relay.system', input: () => ({ url: 'sys/nothing' }), trace: 'after' },
  { id: 'relay.account', as: 'user', input: () => ({ url: 'app/nothing' }), trace: 'after' },
  { id: 'web.config' },
  { id: 'web.agent' },
  { id: 'web.updateLog' },
  { id: 'system.overview' },
  { id: 'system.install' },
  { id: 'dispatch.key', keep: (reply) => secret(String(reply.body.token), 'dispatch.key') },
  { id: 'dispatch.renewKey', trace: 'none' },
  { id: 'config.delete', input: () => ({ ids: [got.config] }), trace: 'before' },
]
