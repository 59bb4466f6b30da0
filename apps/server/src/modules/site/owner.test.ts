import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { adminToken, call, type TestServer, testServer } from '../../testing/app.ts'
import { selfSigned } from '../../testing/certificates.ts'
import { createCustomer, type TestCustomer } from '../../testing/customers.ts'

describe('what belongs to whom', () => {
  let server: TestServer
  let admin: string
  let one: TestCustomer
  let other: TestCustomer
  let siteId = 0
  let foreignId = 0
  let certId = 0
  let push = { scope: '', revision: 0 }

  const post = (path: string, token: string, body: unknown = {}) => call(server, path, { token, body })
  const get = (path: string, token: string) => call(server, path, { method: 'GET', token })
  const site = (domain: string, more: object = {}) => ({
    domains: [domain],
    originProtocol: 'http',
    origins: [{ host: 'origin.example' }],
    ...more,
  })
  const names = (reply: { body: Record<string, unknown> }) =>
    (reply.body.data as { list: { domains: string[] }[] }).list.map((s) => s.domains[0]).sort()

  beforeAll(async () => {
    server = await testServer()
    admin = await adminToken(server)
    one = await createCustomer(server, 'owner-one')
    other = await createCustomer(server, 'owner-two')
    const saved = await post('sys/cdn/site/save', one.token, site('one.example'))
    siteId = Number(saved.body.id)
    push = saved.body.push as typeof push
    foreignId = Number((await post('sys/cdn/site/save', other.token, site('two.example'))).body.id)
    await post('sys/cdn/site/save', other.token, site('*.one.example'))
    certId = Number((await post('sys/cdn/cert/save', one.token, await selfSigned(['one.example']))).body.id)
    await post('sys/cdn/site/save', admin, site('nobody.example'))
  })
  afterAll(() => server.close())

  it('gives a customer the own sites, whatever is typed, and the administrator all', async () => {
    expect(names(await post('sys/cdn/site/list', one.token))).toEqual(['one.example'])
    for (const key of ['example', 'two', String(foreignId), 'two.example'])
      expect([key, names(await post('sys/cdn/site/list', one.token, { key, userId: other.id }))]).toEqual([
        key,
        key === 'example' ? ['one.example'] : [],
      ])
    expect(names(await post('sys/cdn/site/list', admin))).toHaveLength(4)
    expect(names(await post('sys/cdn/site/list', admin, { userId: one.id }))).toEqual(['one.example'])
    const { list } = (await post('sys/cdn/site/list', admin, { key: 'nobody' })).body.data as { list: object[] }
    expect(list[0]).toMatchObject({ userId: null, userName: '' })
  })

  it('answers another’s things as if they were not there', async () => {
    const { token } = other
    for (const reply of [
      await get(`sys/cdn/site/info/${siteId}`, token),
      await post('sys/cdn/site/save', token, site('one.example', { id: siteId })),
      await post('sys/cdn/site/enable', token, { ids: [foreignId, siteId], enabled: false }),
      await post('sys/cdn/site/delete', token, { ids: [siteId] }),
      await post('sys/cdn/site/history', token, { id: siteId }),
      await post('sys/cdn/site/rollback', token, { id: siteId, version: 1 }),
      await post('sys/cdnsys/auth/pushSiteConfToNode', token, { id: siteId }),
      await get(`sys/cdnsys/auth/push/feedbacks/detail?scope=${push.scope}&revision=${push.revision}`, token),
      await get(`sys/cdnsys/auth/push/watch?scope=${push.scope}&revision=${push.revision}`, token),
      await post('sys/cdn/cert/save', token, { ...(await selfSigned(['x.example'])), id: certId }),
      await post('sys/cdn/cert/delete', token, { ids: [certId] }),
    ])
      expect(reply.body).toMatchObject({ code: 404, error: 'not_found' })
    expect((await get(`sys/cdn/site/info/${foreignId}`, token)).body.data).toMatchObject({ enabled: true })
    const certs = await post('sys/cdn/cert/list', token)
    expect((certs.body.data as { list: unknown[] }).list).toEqual([])
    const borrowed = await post(
      'sys/cdn/site/save',
      token,
      site('two.example', { id: foreignId, settings: { certId } }),
    )
    expect(borrowed.body).toMatchObject({ errors: [{ path: 'settings.certId' }] })
  })

  it('lets a customer work with the own ones, but neither give them away nor choose their group', async () => {
    const body = site('one.example', { id: siteId, userId: other.id, groupId: 1, settings: { certId } })
    expect((await post('sys/cdn/site/save', one.token, body)).status).toBe(200)
    const { data } = (await get(`sys/cdn/site/info/${siteId}`, one.token)).body
    expect(data).toMatchObject({ userId: one.id, userName: 'owner-one', certId })
    expect((await post('sys/cdn/site/history', one.token, { id: siteId })).body.data).toMatchObject({ totalCount: 2 })
    const again = await post('sys/cdnsys/auth/pushSiteConfToNode', one.token, { id: siteId })
    const [ref] = again.body.push as (typeof push)[]
    const detail = await get(
      `sys/cdnsys/auth/push/feedbacks/detail?scope=${ref?.scope}&revision=${ref?.revision}`,
      one.token,
    )
    expect(detail.body.data).toMatchObject({ subject: 'one.example' })
  })

  it('lets the administrator give a site to a customer, and take it back', async () => {
    const free = await post('sys/cdn/site/save', admin, site('given.example', { userId: one.id }))
    expect(names(await post('sys/cdn/site/list', one.token))).toEqual(['given.example', 'one.example'])
    const back = site('given.example', { id: free.body.id, userId: null })
    expect((await post('sys/cdn/site/save', admin, back)).status).toBe(200)
    expect(names(await post('sys/cdn/site/list', one.token))).toEqual(['one.example'])
    const nobody = await post('sys/cdn/site/save', admin, site('x.example', { userId: 999_999 }))
    expect(nobody.body).toMatchObject({ errors: [{ path: 'userId' }] })
  })

  it('purges names of the own sites only, though another’s wildcard covers them [S5.14]', async () => {
    const purge = (token: string, ...entries: string[]) => post('sys/cdn/cache/purge', token, { kind: 'url', entries })
    const mine = await purge(one.token, 'http://one.example/a')
    expect(mine.status).toBe(200)
    const foreign = await purge(one.token, 'http://one.example/a', 'http://two.example/b', 'http://x.one.example/c')
    expect(foreign.body.errors).toEqual([
      { path: 'entries.1', msg: expect.stringContaining('two.example') },
      { path: 'entries.2', msg: expect.stringContaining('x.one.example') },
    ])
    expect((await purge(other.token, 'http://one.example/a')).status).toBe(400)
    for (const [token, wanted] of [
      [one.token, 1],
      [other.token, 0],
      [admin, 1],
    ] as const)
      expect((await post('sys/cdn/cache/list', token)).body.data).toMatchObject({ totalCount: wanted })
    expect((await get(`sys/cdn/cache/task/${mine.body.id}`, one.token)).status).toBe(200)
    expect((await get(`sys/cdn/cache/task/${mine.body.id}`, other.token)).status).toBe(404)
  })

  it('counts a customer’s own requests only, and says what to do first', async () => {
    const { pool } = server.built.context.database
    const minute = Math.floor(server.clock.now() / 60_000) * 60 - 600
    const add = async (table: string, id: number, requests: number, columns: string, values: string) =>
      pool.query(
        `INSERT INTO ${table} (${columns}, site, requests, hits, bytes_out, bytes_in, bytes_origin, s2xx, s3xx, s4xx, s5xx, blocked)
         VALUES (${values}, $1::bigint, $2::bigint, 0, $2::bigint * 100, 0, 0, $2::bigint, 0, 0, 0, 0)`,
        [id, requests],
      )
    await add('rollup_minute', siteId, 7, 't', String(minute))
    await add('rollup_minute', foreignId, 11, 't', String(minute))
    await pool.query(
      `INSERT INTO rollup_total (t, requests, hits, bytes_out, bytes_in, bytes_origin, s2xx, s3xx, s4xx, s5xx, blocked)
       VALUES ($1, 18, 0, 1800, 0, 0, 18, 0, 0, 0, 0)`,
      [minute],
    )
    for (const [token, requests] of [
      [one.token, 7],
      [other.token, 11],
      [admin, 18],
    ] as const) {
      const { data } = (await get('sys/cdnsys/auth/GetIndexChartData?range=6h', token)).body as {
        data: { total: { requests: number }; topSites: { domain: string }[] }
      }
      expect(data.total.requests).toBe(requests)
      if (token === one.token) expect(data.topSites.map((s) => s.domain)).toEqual(['one.example'])
    }
    const fresh = await createCustomer(server, `fresh-${randomUUID().slice(0, 8)}`)
    const first = (await get('app/home/state', fresh.token)).body.data
    expect(first).toEqual({
      sites: { enabled: 0, total: 0 },
      certificates: { total: 0, expiring: 0, expired: 0 },
      point: null,
      checklist: [
        { key: 'site', done: false },
        { key: 'cname', done: false },
        { key: 'certificate', done: false },
      ],
    })
    await add('rollup_day', siteId, 7, 'day', 'current_date')
    const begun = (await get('app/home/state', one.token)).body.data
    expect(begun).toMatchObject({
      point: null,
      checklist: [
        { key: 'site', done: true },
        { key: 'cname', done: true },
        { key: 'certificate', done: true },
      ],
    })
    const waiting = (await get('app/home/state', other.token)).body.data
    expect(waiting).toMatchObject({
      point: { domain: '*.one.example', cname: expect.stringMatching(/\.cdn\.tidegate\.test$/) },
    })
    // Nobody is asked to point a name at a site that is switched off.
    const theirs = (await post('sys/cdn/site/list', other.token)).body.data as { list: { id: number }[] }
    await post('sys/cdn/site/enable', admin, { ids: theirs.list.map((s) => s.id), enabled: false })
    expect((await get('app/home/state', other.token)).body.data).toMatchObject({ point: null })
  })
})
