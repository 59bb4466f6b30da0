/** Who may apply for certificates, and as whom the authority knows the installation. */
import type { CertStatus } from '@tidegate/contract/cert'
import type { Lang } from '@tidegate/contract/enums'
import type { CertInfo, CertRow } from '@tidegate/contract/operations/cert'
import { describe, expect, it } from 'vitest'
import type { Caller } from '../../platform/caller.ts'
import { certOrders } from '../../testing/cert-orders.ts'
import { selfSigned } from '../../testing/certificates.ts'
import { until } from '../../testing/plane.ts'

const HMAC = Buffer.from('a key of the authority, long enough').toString('base64url')
const world = certOrders()
const { work, as, save, apply, info, reach, site, age } = world

describe('who applies', () => {
  const customer = (id: number, lang: Lang = 'en'): Partial<Caller> => ({
    kind: 'user',
    id,
    name: `c${id}`,
    superAdmin: false,
    lang,
  })
  const fields = (work: Promise<unknown>) =>
    work.then(
      () => null,
      (error: { key: string; details: { fields?: { path: string; key: string }[] } }) =>
        error.details.fields?.map((f) => `${f.path} ${f.key}`) ?? error.key,
    )
  const addCustomer = async (name: string) => {
    const [made] = await world.plane.query<{ id: number }>(
      `INSERT INTO customer (username, password_hash, created_at, password_at) VALUES ($1, '', now(), now()) RETURNING id`,
      [name],
    )
    return Number(made?.id)
  }

  it('does so for names of sites that are the own ones; the certificate is the customer’s', async () => {
    const [alice, bob] = [await addCustomer('alice'), await addCustomer('bob')]
    await site(['alice.example'], { userId: alice })
    await site(['bob.example'], { userId: bob })
    const id = await apply(['alice.example'], {}, customer(alice))
    expect(await info(id)).toMatchObject({ userId: alice, userName: 'alice' })
    expect(await fields(apply(['bob.example', 'nobody.example'], {}, customer(alice)))).toEqual([
      'names.0 purge_foreign',
      'names.1 purge_foreign',
    ])
    expect(await fields(as('cert.info', { id }, customer(bob)))).toBe('not_found')
    expect(await fields(as('cert.renew', { id }, customer(bob)))).toBe('not_found')
    expect(await fields(as('cert.edit', { id, remark: 'x' }, customer(bob)))).toBe('not_found')
    expect(await fields(as('cert.delete', { ids: [id] }, customer(bob)))).toBe('not_found')
    expect(await fields(as('cert.chain', { id }, customer(bob)))).toBe('not_found')
    // By the operator, for a customer: the customer's as well. Names of several customers are the operator's matter.
    expect(await info(await apply(['bob.example']))).toMatchObject({ userId: bob })
    expect(await info(await apply(['bob.example', 'alice.example']))).toMatchObject({ userId: null })
    const list = await as<{ data: { list: CertRow[] } }>('cert.list', { page: 1, limit: 20 }, customer(bob))
    expect(list.data.list.map((cert) => cert.userName)).toEqual(['bob'])
    // Nodes are numbers to a customer.
    await world.plane.query(
      `UPDATE cert_order SET fault = '{"key": "node_silent", "params": {"nodes": "#7 edge-7, #8 edge-8"}}'`,
    )
    const seen = (await as<{ data: CertInfo }>('cert.info', { id }, customer(alice))).data.order
    expect(seen?.fault).toBe('Nodes did not take over what they have to answer: #7, #8')
  })

  it('may begin so many orders in an hour, where it is a customer', async () => {
    const carol = await addCustomer('carol')
    await site(['carol.example'], { userId: carol })
    const id = await apply(['carol.example'], {}, customer(carol))
    await world.plane.query(
      `INSERT INTO cert_order (cert_id, authority_id, reason, by_name, names, step, created_at, step_at, ended_at)
       SELECT cert_id, authority_id, reason, by_name, names, 'failed', created_at, step_at, now()
       FROM cert_order, generate_series(2, 20) WHERE cert_id = $1`,
      [id],
    )
    expect(await fields(apply(['carol.example'], {}, customer(carol)))).toBe('too_many')
    expect(await fields(as('cert.renew', { id }, customer(carol)))).toBe('too_many')
    expect(await fields(apply(['carol.example']))).toBeNull()
  })

  it('has to wait for the end of the order that is under way, and to have an authority', async () => {
    await site(['j.example'])
    const id = await apply(['j.example'])
    expect(await fields(as('cert.renew', { id }))).toBe('cert_running')
    expect(await fields(apply(['j.example'], { authorityId: 999 }))).toEqual(['authorityId invalid'])
    await save({ id: world.authorityId, enabled: false, isDefault: false })
    await world.plane.query('UPDATE cert_authority SET enabled = false')
    expect(await fields(apply(['j.example']))).toBe('no_authority')
    const own = await as<{ id: number }>('cert.save', await selfSigned(['own.example']))
    expect(await fields(as('cert.renew', { id: own.id }))).toBe('cert_move')
  })

  it('may put an uploaded certificate in place of what is applied for, which is applied for no more [S4.3]', async () => {
    await site(['k.example'])
    const id = await apply(['k.example'])
    await as('cert.save', { ...(await selfSigned(['k.example'])), id })
    expect(await info(id)).toMatchObject({ status: 'own', source: 'upload', authority: '', order: { step: 'failed' } })
    await age(id, 40)
    expect(await info(id)).toMatchObject({ status: 'expired' })
    const found = async (status: CertStatus) =>
      (await as<{ data: { list: CertRow[] } }>('cert.list', { page: 1, limit: 20, status })).data.list.map(
        (one) => one.id,
      )
    expect([await found('expired'), await found('own')]).toEqual([[id], []])
  })
})

describe('an account at the authority', () => {
  it('is bound to one there where the authority asks for it', async () => {
    world.peer.state.eab.set('kid-1', HMAC)
    await site(['l.example'])
    await work()
    const id = await apply(['l.example'])
    expect((await reach(id, 'failed')).order?.fault).toContain('asks for an external account binding')
    await save({
      id: world.authorityId,
      eabKid: 'kid-1',
      eabKey: Buffer.from('another key that is wrong').toString('base64url'),
    })
    await as('cert.renew', { id })
    await until(async () => (await info(id)).orders.filter((order) => order.step === 'failed').length === 2, 30_000)
    expect((await info(id)).order).toMatchObject({
      fault: 'The certificate authority does not accept the external account binding',
      detail: 'the binding is not right',
    })
    await save({ id: world.authorityId, eabKid: 'kid-1', eabKey: HMAC })
    await as('cert.renew', { id })
    await reach(id, 'succeeded')
    expect([...world.peer.accounts.values()].map((account) => account.eab)).toEqual(['kid-1'])
    const list = await as<{ data: { eabKey: string }[] }>('ca.list', {})
    expect(JSON.stringify(list)).not.toContain(HMAC)
    // The mask keeps the key, but not for another address.
    await save({ id: world.authorityId, eabKid: 'kid-1', eabKey: '********' })
    await expect(
      save({ id: world.authorityId, eabKid: 'kid-1', eabKey: '********', directoryUrl: 'https://other.example/dir' }),
    ).rejects.toMatchObject({
      details: { fields: [{ path: 'eabKey', key: 'secret_again' }] },
    })
  })

  it('is tested by reading the directory', async () => {
    const test = async (id: number) => (await as<{ data: object }>('ca.test', { id }, { lang: 'zh' })).data
    expect(await test(world.authorityId)).toMatchObject({
      ok: true,
      caaNames: ['peer.example'],
      needsEab: false,
      renewalInfo: false,
    })
    const untrusted = await save({ name: 'Untrusted', caBundle: '', isDefault: false })
    expect(await test(untrusted)).toMatchObject({
      ok: false,
      fault: '无法连接证书机构',
      detail: expect.stringContaining('self-signed'),
    })
    const foreign = await save({
      name: 'Foreign',
      directoryUrl: world.peer.directoryUrl.replace('directory', 'x'),
      isDefault: false,
    })
    expect(await test(foreign)).toMatchObject({ ok: false, fault: '该地址不是 ACME 目录' })
    await as('ca.delete', { id: foreign })
  })
})
