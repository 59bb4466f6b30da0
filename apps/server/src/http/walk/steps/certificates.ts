/** Certificate authorities, and certificates by application. No worker runs here, so an order waits until it is ended by hand. */
import type { Steps } from '../walk.ts'

const HMAC_KEY = 'd2Fsa2luZy1obWFjLWtleS1vZi10aGUtYXV0aG9yaXR5'

export const certificates: Steps = ({ server, got, keepId, secret, pair }) => {
  secret(HMAC_KEY, null)
  const authority = () => ({
    ...{ name: 'Walking CA', kind: 'custom', directoryUrl: 'https://127.0.0.1:1/directory' },
    ...{ eabKid: 'walker', eabKey: HMAC_KEY },
  })
  const endOrders = async () => {
    const { pool } = server().built.context.database
    await pool.query(`UPDATE cert_order SET step = 'failed', ended_at = now() WHERE ended_at IS NULL`)
    await pool.query(`UPDATE cert SET status = 'failed' WHERE id = $1`, [got.applied])
    return { id: got.applied }
  }
  const site = { domains: ['applied.example'], originProtocol: 'http', origins: [{ host: 'origin.example' }] }
  return [
    { id: 'ca.save', input: authority, trace: 'after', keep: keepId('authority') },
    { id: 'ca.save', input: () => ({ ...authority(), id: got.authority, name: 'Walked CA' }), trace: 'both' },
    { id: 'ca.list' },
    { id: 'ca.test', input: () => ({ id: got.authority }) },
    { id: 'cert.authorities' },
    { id: 'site.save', input: () => site, trace: 'after', keep: keepId('appliedSite') },
    {
      id: 'cert.apply',
      input: () => ({ names: ['applied.example'], authorityId: got.authority }),
      trace: 'after',
      keep: keepId('applied'),
    },
    { id: 'cert.info', input: () => ({ id: got.applied }) },
    { id: 'cert.edit', input: () => ({ id: got.applied, remark: 'walked' }), trace: 'both' },
    { id: 'cert.renew', input: endOrders, trace: 'after' },
    { id: 'cert.save', input: () => ({ ...pair(), id: got.applied }), trace: 'both' },
    { id: 'cert.chain', input: () => ({ id: got.applied }) },
    { id: 'cert.delete', input: () => ({ ids: [got.applied] }), trace: 'before' },
    { id: 'site.delete', input: () => ({ ids: [got.appliedSite] }), trace: 'before' },
    { id: 'ca.delete', input: () => ({ id: got.authority }), trace: 'before' },
  ]
}
