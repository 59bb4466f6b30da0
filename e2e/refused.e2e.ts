/**
 * Configuration that the control plane let through and the node refuses: rows changed behind the control plane's back. All else goes live,
 * the reason is where the push is shown, and what was in force before goes on serving.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Certificate, makeCertificate } from './lib/certificate.ts'
import { type Origin, startOrigin } from './lib/origin.ts'
import { sql } from './lib/stores.ts'
import { waitFor } from './lib/wait.ts'
import { Stack } from './stack.ts'

const GOOD = 'good.refused.test'
const BAD = 'bad.refused.test'
const NEW = 'new.refused.test'

let stack: Stack
let first: Origin
let second: Origin
let badId = 0
let certId = 0
let certificate: Certificate

beforeAll(async () => {
  first = await startOrigin('first', { cacheControl: () => 'no-store' })
  second = await startOrigin('second', { cacheControl: () => 'no-store' })
  stack = await Stack.start()
  certificate = await makeCertificate([BAD])
  certId = (await stack.api.call('cert.save', certificate)).id
  const saved = await stack.saveSite(BAD, first, { settings: { certId } })
  badId = saved.id
  expect((await stack.pushed((await stack.saveSite(GOOD, first)).push)).state).toBe('done')
})
afterAll(async () => {
  await stack?.destroy()
  await first?.close()
  await second?.close()
})

const pageOf = async (host: string) => (await stack.visit(host)).body.split(' ')[0]
const refusedOnNode = async () => {
  const { data } = await stack.api.call('node.list', {})
  return data.list[0]?.refusedNow
}

describe('a site that the node refuses', () => {
  it('stays as it was, its reason is shown, and a change of another site goes live all the same [N3 S7.17]', async () => {
    // The other site's name, without the check that a save makes; and another origin, to see which version serves.
    await sql(
      stack,
      `UPDATE site SET domains = ARRAY[$2::text, $3::text], origins = jsonb_set(origins, '{0,httpPort}', to_jsonb($4::int)) WHERE id = $1`,
      [badId, BAD, GOOD, second.port],
    )
    const { push } = await stack.api.call('push.site', { id: badId })
    const [own] = push
    if (!own) throw new Error('nothing was pushed')
    const told = await stack.pushed(own)
    expect(told.state).toBe('refused')
    const [answer] = told.feedback
    expect(answer).toMatchObject({ nodeName: 'local', state: 'refused' })
    expect(answer?.refused).toMatchObject([{ kind: 'site', key: String(badId), detail: expect.stringContaining(GOOD) }])
    expect(await refusedOnNode()).toBe(1)

    const saved = await stack.saveSite(NEW, second)
    expect((await stack.pushed(saved.push)).state).toBe('done')
    expect(await pageOf(NEW)).toBe('second')
    expect(await pageOf(GOOD)).toBe('first')
    expect(await pageOf(BAD)).toBe('first')
    const { data } = await stack.api.call('site.list', { key: BAD })
    expect(data.list[0]).toMatchObject({ id: badId, nodesRefused: 1, nodesLive: 0 })
  })

  it('serves its last good version also after the agent and the engine were killed [N3]', async () => {
    await stack.kill('agent')
    await stack.kill('master')
    await waitFor(
      () => stack.node.engineUp && stack.node.agentPid === stack.process('agent').pid && stack.process('master'),
      'another agent and another engine',
      30_000,
    )
    expect(await pageOf(BAD)).toBe('first')
    expect(await pageOf(GOOD)).toBe('first')
    expect(await pageOf(NEW)).toBe('second')
    await stack.untilGreen()
    expect(await refusedOnNode()).toBe(1)
  })

  it('is counted apart from pushes that are outstanding, and goes live when it is put right [S7.24]', async () => {
    expect(await stack.api.call('push.status', { type: 1 })).toMatchObject({ task_size: 0, refused_size: 1 })
    const saved = await stack.saveSite(BAD, second, { id: badId, settings: { certId } })
    expect((await stack.pushed(saved.push)).state).toBe('done')
    expect(await pageOf(BAD)).toBe('second')
    expect(await refusedOnNode()).toBe(0)
    expect((await stack.api.call('push.status', { type: 1 })).refused_size).toBe(0)
  })
})

describe('a certificate that the node refuses', () => {
  it('stays as it was for its visitors, with the reason in the push [N3 S7.17]', async () => {
    expect((await stack.visit(BAD, { tls: true })).fingerprint).toBe(certificate.fingerprint)
    const other = await makeCertificate([BAD])
    await sql(stack, 'UPDATE cert SET cert_pem = $2 WHERE id = $1', [certId, other.certPem])
    const { push } = await stack.api.call('push.site', { id: badId })
    const [own] = push
    if (!own) throw new Error('nothing was pushed')
    const told = await stack.pushed(own)
    expect(told.state).toBe('refused')
    expect(told.feedback[0]?.refused).toMatchObject([{ kind: 'cert', key: String(certId), reason: 'certificate' }])
    expect((await stack.visit(BAD, { tls: true })).fingerprint).toBe(certificate.fingerprint)
    expect((await stack.visit(BAD, { tls: true })).body).toContain('second')

    await stack.api.call('cert.save', { id: certId, ...other })
    await waitFor(
      async () => (await stack.visit(BAD, { tls: true })).fingerprint === other.fingerprint,
      'the certificate that was put right',
      10_000,
    )
    await waitFor(async () => (await refusedOnNode()) === 0, 'no refusal to be left', 10_000)
  })
})
