/** The calls below `sys/user/`, with the paths and fields of the specification's section 7: accounts of administrators, never customers'. */
import { API_BASES } from '@tidegate/contract/enums'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ADMIN_PASSWORD, call, type Reply, type TestServer, testServer } from '../../testing/app.ts'
import { createCustomer } from '../../testing/customers.ts'

interface Page {
  list: Record<string, unknown>[]
  totalCount: number
}

describe('sys/user', () => {
  let server: TestServer
  let token: string
  beforeAll(async () => {
    // Wrong passwords are typed on purpose here.
    server = await testServer({ TIDEGATE_LOGIN_CAPTCHA: 'off' })
    await createCustomer(server, 'a-customer')
  })
  afterAll(() => server.close())

  const login = async (base: string, username: string, password: string) => {
    const body = { username, password }
    return await call(server, `${base}sys/login`, { body, headers: { console: 'admin' } })
  }
  const page = (reply: Reply) => reply.body.data as Page

  it.each(API_BASES)('answers info, list, save, update, password and delete under %s [S7.15]', async (base) => {
    token = String((await login(base, 'admin', ADMIN_PASSWORD)).body.token)
    const post = (path: string, body: object, who = token) =>
      call(server, `${base}sys/user/${path}`, { token: who, body })
    const info = async (who: string) => (await call(server, `${base}sys/user/info`, { method: 'GET', token: who })).body

    expect(await info(token)).toMatchObject({
      code: 1,
      user: { userId: 1, username: 'admin', whiteIpStatus: 0, unvalidModel: [], superAdmin: true },
    })

    const made = await post('save', { username: 'new-admin', password: 'first-1', unvalidModel: ['/cdn/site/cache'] })
    expect(made.body).toMatchObject({ code: 1, id: expect.any(Number) })
    const id = made.body.id as number
    const listed = await post('list', { page: 1, limit: 10, sidx: 'id', order: 'desc' })
    expect(listed.body.data).toMatchObject({ totalCount: 2, pageSize: 10, currPage: 1, totalPage: 1 })
    expect(page(listed).list.map((a) => a.username)).toEqual(['new-admin', 'admin'])
    expect(page(listed).list[0]).toMatchObject({
      id,
      enabled: true,
      superAdmin: false,
      unvalidModel: ['/cdn/site/cache'],
    })
    expect(JSON.stringify(listed.body)).not.toMatch(/a-customer|password_?hash|argon/i)

    expect((await post('update', { id, username: 'same-admin' })).body).toMatchObject({ code: 1, id })
    expect(page(await post('list', { key: 'same' })).list).toMatchObject([
      { id, username: 'same-admin', unvalidModel: [] },
    ])

    const own = String((await login(base, 'same-admin', 'first-1')).body.token)
    expect(await info(own)).toMatchObject({ user: { userId: id, username: 'same-admin', superAdmin: false } })
    const change = { password: 'first-1', newPassword: 'second-1' }
    expect((await post('password', { ...change, password: 'wrong' }, own)).body).toMatchObject({
      code: 400,
      errors: [{ path: 'password' }],
    })
    expect((await post('password', change, own)).body).toMatchObject({ code: 1 })
    expect((await call(server, `${base}sys/user/info`, { method: 'GET', token: own })).status).toBe(401)
    expect((await login(base, 'same-admin', 'first-1')).status).toBe(401)
    expect((await login(base, 'same-admin', 'second-1')).status).toBe(200)

    expect((await post('delete', { ids: [id] })).body).toMatchObject({ code: 1 })
    expect(page(await post('list', {})).list.map((a) => a.username)).toEqual(['admin'])
    expect((await login(base, 'same-admin', 'second-1')).status).toBe(401)
  })

  it('is about administrators, as sys/account/user is about customers [S7.15]', async () => {
    const admins = page(await call(server, 'sys/user/list', { token })).list
    const customers = page(await call(server, 'sys/account/user/list', { token })).list
    expect([admins.map((a) => a.username), customers.map((c) => c.username)]).toEqual([['admin'], ['a-customer']])
    const customer = await createCustomer(server, 'b-customer')
    for (const path of ['list', 'save', 'update', 'delete', 'password'])
      expect([path, (await call(server, `/api/sys/user/${path}`, { token: customer.token })).status]).toEqual([
        path,
        403,
      ])
    expect((await call(server, '/api/sys/user/info', { method: 'GET', token: customer.token })).status).toBe(403)
  })
})
