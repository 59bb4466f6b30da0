/** Nodes, certificates, sites, cache, pushes, overview. */
import type { Body, Steps } from '../walk.ts'

const push = { scope: 'group:1', revision: 1 }

export const plane: Steps = ({ got, keepId, secret, pair }) => {
  const site = () => ({
    domains: ['walk.example'],
    originProtocol: 'http',
    origins: [{ host: 'origin.example' }],
    settings: { certId: got.cert },
  })
  return [
    { id: 'group.list' },
    { id: 'group.save', input: () => ({ id: 1, remark: 'walked' }), trace: 'both' },
    {
      id: 'node.enrollToken',
      input: () => ({ name: 'walker', groupId: 1 }),
      trace: 'after',
      keep: (reply) => secret(String((reply.body.data as Body).token), 'node.enrollToken'),
    },
    {
      id: 'node.list',
      keep: (reply) => {
        got.node = (reply.body as { data: { list: { id: number }[] } }).data.list[0]?.id ?? 0
      },
    },
    { id: 'node.info', input: () => ({ id: got.node }) },
    { id: 'dispatch.history', input: () => ({ id: got.node }) },
    { id: 'node.save', input: () => ({ id: got.node, name: 'walker-2' }), trace: 'both' },
    { id: 'cert.save', input: () => pair(), trace: 'after', keep: keepId('cert') },
    { id: 'cert.save', input: () => ({ ...pair(), id: got.cert, remark: 'renewed' }), trace: 'both' },
    { id: 'cert.list' },
    { id: 'site.save', input: site, trace: 'after', keep: keepId('site') },
    { id: 'site.save', input: () => ({ ...site(), id: got.site, remark: 'changed' }), trace: 'both' },
    { id: 'site.list' },
    { id: 'site.info', input: () => ({ id: got.site }) },
    { id: 'site.history', input: () => ({ id: got.site }) },
    { id: 'site.rollback', input: () => ({ id: got.site, version: 1 }), trace: 'both' },
    { id: 'site.enable', input: () => ({ ids: [got.site], enabled: false }), trace: 'both' },
    {
      id: 'cache.purge',
      input: () => ({ kind: 'url', entries: ['http://walk.example/x'] }),
      trace: 'after',
      keep: keepId('purge'),
    },
    { id: 'cache.task', input: () => ({ id: got.purge }) },
    { id: 'cache.list' },
    { id: 'push.list' },
    { id: 'push.feedback', input: () => push },
    { id: 'push.site', input: () => ({ id: got.site }), trace: 'none' },
    { id: 'push.all', trace: 'after' },
    { id: 'push.byInput', input: () => ({ type: 'site', ids: [got.site] }), trace: 'after' },
    { id: 'push.status' },
    { id: 'push.run', trace: 'none' },
    { id: 'overview.chart' },
    { id: 'overview.state' },
    { id: 'site.delete', input: () => ({ ids: [got.site] }), trace: 'before' },
    { id: 'cert.delete', input: () => ({ ids: [got.cert] }), trace: 'before' },
    { id: 'node.revoke', input: () => ({ id: got.node }), trace: 'before' },
    { id: 'node.delete', input: () => ({ ids: [got.node] }), trace: 'before' },
  ]
}
