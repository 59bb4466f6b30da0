import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { selfSigned } from '../../testing/certificates.ts'
import { openPlane, type TestPlane, until } from '../../testing/plane.ts'

describe('certificates', () => {
  let plane: TestPlane
  beforeAll(async () => {
    plane = await openPlane()
  })
  afterAll(() => plane.close())
  const fault = (input: { certPem: string; keyPem: string }) =>
    plane.run('cert.save', { remark: '', ...input }).then(
      () => null,
      (e: { details: { fields: { path: string; key: string }[] } }) =>
        e.details.fields.map((f) => `${f.path} ${f.key}`),
    )

  it('are read for names, issuer and end; their keys are sealed and never shown', async () => {
    const pair = await selfSigned(['B.example', '*.a.example'])
    const { id, push } = await plane.run('cert.save', pair)
    expect(push).toEqual([])
    const answer = await plane.run('cert.list', { page: 1, limit: 20 })
    expect(answer.data.list[0]).toMatchObject({
      id,
      names: ['*.a.example', 'b.example'],
      issuer: 'Test Issuer',
      sites: 0,
    })
    expect(JSON.stringify(answer)).not.toContain('PRIVATE')
    const secret = pair.keyPem.split('\n')[1] ?? ''
    const dump = await plane.query(
      'SELECT c::text FROM cert c UNION ALL SELECT i::text FROM config_item i UNION ALL SELECT a::text FROM audit_log a',
    )
    expect(JSON.stringify(dump)).not.toContain(secret)
  })

  it('name the field that is wrong', async () => {
    const [good, other, old] = await Promise.all([
      selfSigned(['a.example']),
      selfSigned(['b.example']),
      selfSigned(['c.example'], -1),
    ])
    expect(await fault({ certPem: 'x', keyPem: 'y' })).toEqual(['certPem certificate', 'keyPem private_key'])
    expect(await fault({ certPem: good.certPem, keyPem: other.keyPem })).toEqual(['keyPem key_mismatch'])
    expect(await fault(old)).toEqual(['certPem certificate_expired'])
  })

  it('put the leaf first whatever the order of the upload', async () => {
    const [leaf, other] = await Promise.all([selfSigned(['leaf.example']), selfSigned(['root.example'])])
    const { id } = await plane.run('cert.save', { ...leaf, certPem: `${other.certPem}\n${leaf.certPem}` })
    const [row] = await plane.query<{ names: string[] }>('SELECT names FROM cert WHERE id = $1', [id])
    expect(row?.names).toEqual(['leaf.example'])
  })

  it('reach the nodes of the groups that use them, anew when renewed, and leave with the last site', async () => {
    const first = await selfSigned(['used.example'])
    const { id } = await plane.run('cert.save', first)
    const site = await plane.save({ domains: ['used.example'], settings: { certId: id } })
    const node = await plane.enroll('tls')
    const cert = (since: number) =>
      until(async () => {
        const delta = await node.pull(since)
        return delta.resources.find((r) => r.kind === 'cert' && r.key === String(id))
      })
    expect((await cert(0)).body).toMatchObject({ id, keyPem: first.keyPem, names: ['used.example'] })
    await expect(plane.run('cert.delete', { ids: [id] })).rejects.toMatchObject({ key: 'in_use' })

    const renewed = await selfSigned(['used.example'])
    const { push } = await plane.run('cert.save', { ...renewed, id })
    expect(push).toEqual([{ scope: 'group:1', revision: expect.any(Number) }])
    expect((await cert(site.push.revision)).body).toMatchObject({ keyPem: renewed.keyPem })

    const without = await plane.save({ id: site.id, domains: ['used.example'], settings: { certId: null } })
    expect(
      (
        await until(async () => {
          const found = await cert(push[0]!.revision)
          return found.body === null && found
        })
      ).revision,
    ).toBe(without.push.revision)
    await plane.run('cert.delete', { ids: [id] })
    node.close()
  })

  it('must be there for a site that wants them', async () => {
    await expect(plane.save({ domains: ['no-cert.example'], settings: { certId: 999_999 } })).rejects.toMatchObject({
      details: { fields: [{ path: 'settings.certId' }] },
    })
  })
})
