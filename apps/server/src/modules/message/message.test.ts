/** Messages and announcements as their writers and readers meet them. */
import type { MessageRow } from '@tidegate/contract/operations/message'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAdmin, loginAs } from '../../testing/admins.ts'
import { adminToken, call, type TestServer, testServer } from '../../testing/app.ts'
import { createCustomer, type TestCustomer } from '../../testing/customers.ts'
import { cleanHtml } from './clean.ts'

type Body = Record<string, unknown>

describe('messages', () => {
  let server: TestServer
  let token: string
  let anna: TestCustomer
  let ben: TestCustomer
  beforeAll(async () => {
    server = await testServer()
    token = await adminToken(server)
    anna = await createCustomer(server, 'anna')
    ben = await createCustomer(server, 'ben')
  })
  afterAll(() => server.close())

  const save = async (fields: Body = {}) => {
    server.clock.advance(1)
    const body = { title: 'Hello', content: '<p>text</p>', type: 1, target: 'users', ...fields }
    const reply = await call(server, 'sys/message/SaveMessage', { token, body })
    expect([reply.status, reply.body.errors]).toEqual([200, undefined])
    return Number(reply.body.id)
  }
  const notices = async (who: TestCustomer, body: Body = {}) => {
    const reply = await call(server, '/api/app/common/notice/list', { token: who.token, body: { limit: 100, ...body } })
    expect(reply.status).toBe(200)
    return { list: (reply.body.data as { list: MessageRow[] }).list, unread: reply.body.unread }
  }
  const drawer = async (login = token) => {
    const body = { sidx: 'id', order: 'desc', page: 1, limit: 100, drawer: 1 }
    const reply = await call(server, 'sys/message/GetMessageList', { token: login, body })
    return { code: reply.body.code, list: (reply.body.data as { list: MessageRow[] }).list, unread: reply.body.unread }
  }
  const remove = (...ids: number[]) => call(server, 'sys/message/delete', { token, body: { ids } })
  const read = async (who: TestCustomer, body: Body) =>
    (await call(server, 'app/message/read', { token: who.token, body })).body.unread

  it('reach those they are for, with the fields of the specification [S3.10 S7.14]', async () => {
    const ids = {
      all: await save({ target: 'all', type: 2, title: 'For all' }),
      users: await save({ target: 'users', title: 'For customers' }),
      admins: await save({ target: 'admins', type: 2, title: 'For admins' }),
      anna: await save({ target: 'chosen', users: ['ANNA'], type: 3, title: 'For Anna' }),
    }
    expect((await notices(anna)).list.map((m) => m.id)).toEqual([ids.anna, ids.users, ids.all])
    expect((await notices(ben)).list.map((m) => m.id)).toEqual([ids.users, ids.all])
    expect((await notices(ben)).list[1]).toEqual({
      ...{ id: ids.all, title: 'For all', type: 2, status: 1, readStatus: 0, link: '' },
      createtime: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    })
    const seen = await drawer()
    expect(seen.code).toBe(1)
    expect(seen.list.map((m) => m.id)).toEqual([ids.admins, ids.all])
    const info = (id: number, who: string) => call(server, `sys/message/info/${id}`, { method: 'GET', token: who })
    expect((await info(ids.anna, anna.token)).body.data).toMatchObject({ title: 'For Anna', content: '<p>text</p>' })
    expect((await info(ids.anna, anna.token)).body.data).toMatchObject({ users: [], reads: 0 })
    expect((await info(ids.anna, ben.token)).status).toBe(404)
    expect((await info(ids.admins, ben.token)).status).toBe(404)
    expect((await info(ids.anna, token)).body.data).toMatchObject({ users: ['anna'] })
    const whole = await call(server, 'sys/message/GetMessageList', { token, body: { sidx: 'id', order: 'desc' } })
    expect((whole.body.data as { totalCount: number }).totalCount).toBe(4)
    await remove(...Object.values(ids))
    expect((await notices(anna)).list).toEqual([])
  })

  it('show whoever may not manage them the announcements that are out, and nothing else', async () => {
    const out = await save({ type: 2, target: 'all' })
    const off = await save({ type: 2, target: 'all', status: 0 })
    const inSite = await save({ type: 1, target: 'all' })
    await createAdmin(server, 'reader', ['cdn:node:list'])
    const reader = await loginAs(server, 'reader')
    const { body } = await call(server, 'sys/message/GetMessageList', { token: reader })
    expect((body.data as { list: MessageRow[] }).list.map((m) => m.id)).toEqual([out])
    for (const id of [off, inSite])
      expect((await call(server, `sys/message/info/${id}`, { method: 'GET', token: reader })).status).toBe(404)
    await remove(out, off, inSite)
  })

  it('fill the staff’s drawer with enabled announcements alone, also for whoever manages messages [S2.23]', async () => {
    const ids = [
      await save({ type: 2, target: 'all', title: 'Out' }),
      await save({ type: 2, target: 'all', status: 0 }),
      await save({ type: 1, target: 'all' }),
      await save({ type: 2, target: 'users' }),
      await save({ type: 2, target: 'admins', createtime: new Date(server.clock.now() + 60_000).toISOString() }),
    ]
    expect((await drawer()).list).toMatchObject([{ id: ids[0], title: 'Out', type: 2, status: 1 }])
    await remove(...ids)
  })

  it('become read when marked; the count drops by one, once, also for many marks at the same moment [S7.22 S4.16]', async () => {
    const ids = [await save(), await save(), await save()]
    const unread = async (who: TestCustomer) =>
      (await call(server, 'app/message/unread', { method: 'GET', token: who.token })).body.unread
    expect([await unread(anna), await unread(ben)]).toEqual([3, 3])
    expect(await read(anna, { ids: [ids[0]] })).toBe(2)
    expect(await read(anna, { ids: [ids[0]] })).toBe(2)
    await Promise.all(Array.from({ length: 12 }, (_, i) => read(anna, { ids: [ids[1 + (i % 2)]] })))
    expect([await unread(anna), await unread(ben)]).toEqual([0, 3])
    expect((await notices(anna)).list.map((m) => m.readStatus)).toEqual([1, 1, 1])
    expect((await notices(ben, { readStatus: 1 })).list).toEqual([])
    expect(await read(ben, { all: 1 })).toBe(0)
    expect((await call(server, 'app/message/read', { token: ben.token })).body).toMatchObject({
      code: 400,
      errors: [{ path: 'ids' }],
    })
    await remove(...ids)
  })

  it('cannot be marked by whom they are not for', async () => {
    const id = await save({ target: 'chosen', users: ['anna'] })
    await read(ben, { ids: [id] })
    const { rows } = await server.built.context.database.pool.query('SELECT FROM message_read WHERE message_id = $1', [
      id,
    ])
    expect(rows).toEqual([])
    await remove(id)
  })

  it('come out and go at their times', async () => {
    const at = (seconds: number) => new Date(server.clock.now() + seconds * 1000).toISOString()
    const id = await save({ createtime: at(60), expireTime: at(120) })
    const states = async () => [
      (await notices(anna)).list.length,
      ((await call(server, `sys/message/info/${id}`, { method: 'GET', token })).body.data as Body).state,
    ]
    expect(await states()).toEqual([0, 'scheduled'])
    server.clock.advance(61)
    expect(await states()).toEqual([1, 'out'])
    server.clock.advance(60)
    expect(await states()).toEqual([0, 'over'])
    await remove(id)
  })

  it('of before the account was made are there and count as read', async () => {
    const id = await save()
    server.clock.advance(5)
    const late = await createCustomer(server, 'late')
    expect(await notices(late)).toMatchObject({ unread: 0, list: [{ id, readStatus: 1 }] })
    await remove(id)
  })

  it('count up to one beyond what the bell shows', async () => {
    const { pool } = server.built.context.database
    await pool.query(
      `INSERT INTO message (title, content, type, status, target, publish_at, managed, created_at)
       SELECT 'm' || i, 'x', 1, 1, 'users', to_timestamp($1), true, now() FROM generate_series(1, 150) i`,
      [server.clock.now() / 1000],
    )
    const { list, unread } = await notices(anna)
    expect([list.length, unread]).toEqual([100, 100])
    await pool.query('DELETE FROM message')
  })

  it('name the field that is wrong', async () => {
    const bad = async (fields: Body) => {
      const body = { title: 'a', content: '<p>b</p>', type: 1, ...fields }
      const reply = await call(server, 'sys/message/SaveMessage', { token, body })
      return [reply.status, (reply.body.errors as { path: string }[] | undefined)?.map((e) => e.path)]
    }
    expect(await bad({ title: ' ' })).toEqual([400, ['title']])
    expect(await bad({ content: '<p> <script>x</script></p>' })).toEqual([400, ['content']])
    expect(await bad({ type: 4 })).toEqual([400, ['type']])
    expect(await bad({ target: 'chosen' })).toEqual([400, ['users']])
    expect(await bad({ target: 'chosen', users: ['anna', 'nobody'] })).toEqual([400, ['users.1']])
    expect(await bad({ createtime: '2026-01-02T00:00:00Z', expireTime: '2026-01-01T00:00:00Z' })).toEqual([
      400,
      ['expireTime'],
    ])
  })

  it('from the system stand in one customer’s list and not on the staff’s screen', async () => {
    const { db } = server.built.context.database
    await db.transaction((tx) =>
      server.built.messages.deliver(tx, {
        ...{ customerId: ben.id, title: 'Your order was answered', content: '<p>See there</p>', type: 3 },
        link: '/cdn/work-order/list',
      }),
    )
    expect((await notices(ben)).list).toMatchObject([{ type: 3, link: '/cdn/work-order/list', readStatus: 0 }])
    expect((await notices(anna)).list).toEqual([])
    const { body } = await call(server, 'sys/message/GetMessageList', { token })
    expect((body.data as { list: unknown[] }).list).toEqual([])
  })
})

describe('rich text', () => {
  it.each([
    ['<p>a <strong>b</strong></p>', '<p>a <strong>b</strong></p>'],
    ['<script>alert(1)</script><p>x</p>', '<p>x</p>'],
    ['<p onclick="x()" style="position:fixed">y</p>', '<p>y</p>'],
    ['<a href="javascript:alert(1)">z</a>', '<a target="_blank" rel="noopener noreferrer">z</a>'],
    ['<img src="https://elsewhere.example/pixel.png" />', ''],
    ['<img src="//elsewhere.example/pixel.png" />', ''],
    ['<img src="data:image/svg+xml;base64,AAAA" />', ''],
    ['<img src="/uploads/a1/b2.png" onerror="x()" />', '<img src="/uploads/a1/b2.png" />'],
    ['<iframe src="/x"></iframe><style>*{}</style><form><input name="a"></form>', ''],
    ['<p class="ql-align-center evil">c</p>', '<p class="ql-align-center">c</p>'],
    ['<svg><a href="x"/></svg><math></math>', '<a href="x" target="_blank" rel="noopener noreferrer"></a>'],
  ])('%s', (given, kept) => {
    expect(cleanHtml(given)).toBe(kept)
  })
})
