import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createAdmin, loginAs } from '../../testing/admins.ts'
import { ADMIN_PASSWORD, adminToken, call, type Reply, type TestServer, testServer } from '../../testing/app.ts'
import { createCustomer } from '../../testing/customers.ts'
import { addressIn, agentFamily, networkOf } from './addresses.ts'
import type { SecurityEvent } from './places.ts'

type Json = Record<string, unknown>

describe('addresses', () => {
  it('are found in lists of addresses and networks of both families', () => {
    const cases: [string, string[], boolean][] = [
      ['192.0.2.7', ['192.0.2.0/24'], true],
      ['192.0.3.7', ['192.0.2.0/24'], false],
      ['192.0.2.7', ['198.51.100.1', '192.0.2.7'], true],
      ['::ffff:192.0.2.7', ['192.0.2.7'], true],
      ['2001:db8::1', ['2001:db8::/32'], true],
      ['2001:db9::1', ['2001:db8::/32'], false],
      ['192.0.2.7', ['::/0'], false],
      ['192.0.2.7', [], false],
      ['not an address', ['0.0.0.0/0'], false],
    ]
    for (const [ip, list, expected] of cases) expect([ip, list, addressIn(ip, list)]).toEqual([ip, list, expected])
  })

  it('and browsers are told apart by network and family', () => {
    expect(networkOf('192.0.2.200')).toBe('192.0.2.0/24')
    expect(networkOf('2001:db8:1:2::3')).toBe('2001:db8:1::/48')
    const chrome =
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/139.0.0.0 Safari/537.36'
    expect(agentFamily(chrome)).toBe('chrome')
    expect(agentFamily(`${chrome} Edg/139.0.0.0`)).toBe('edge')
    expect(agentFamily('Mozilla/5.0 (X11; rv:140.0) Gecko/20100101 Firefox/140.0')).toBe('firefox')
    expect(agentFamily('curl/8.1')).toBe('curl')
    expect(agentFamily('')).toBe('')
  })
})

describe('logins of an account', () => {
  let server: TestServer
  const events: SecurityEvent[] = []
  beforeAll(async () => {
    server = await testServer({ TIDEGATE_LOGIN_CAPTCHA: 'off' }, { notifySecurity: (event) => void events.push(event) })
  })
  afterAll(() => server.close())
  beforeEach(() => {
    events.length = 0
  })

  const post = (path: string, token: string, body: Json = {}, ip = '192.0.2.1') =>
    call(server, `/api/${path}`, { body, token, ip })
  const info = (token: string, ip = '192.0.2.1') =>
    call(server, '/api/app/account/security/info', { method: 'GET', token, ip })
  const enter = async (username: string, ip = '192.0.2.1', agent = 'curl/8') =>
    call(server, '/api/app/login', {
      body: { username, password: ADMIN_PASSWORD },
      ip,
      headers: { 'user-agent': agent },
    })
  const tokenOf = (reply: Reply) => String(reply.body.token)
  const logins = (reply: Reply) => (reply.body.data as { logins: { id: number; own: boolean; ip: string }[] }).logins

  it('are listed with device and address, and end one at a time or all but this one', async () => {
    await createCustomer(server, 'lister.one')
    const [one, two, three] = [
      tokenOf(await enter('lister.one', '192.0.2.1', 'Alpha/1')),
      tokenOf(await enter('lister.one', '192.0.2.2', 'Beta/2')),
      tokenOf(await enter('lister.one', '192.0.2.3')),
    ]
    const listed = logins(await info(one))
    expect(listed[0]).toMatchObject({ own: true, ip: '192.0.2.1', userAgent: 'Alpha/1', console: 'user' })
    expect(listed.filter((l) => l.own)).toHaveLength(1)
    const beta = listed.find((l) => l.ip === '192.0.2.2')
    expect((await post('app/account/security/session/revoke', one, { id: beta?.id })).body).toMatchObject({ count: 1 })
    expect((await info(two)).status).toBe(401)
    expect((await info(three)).status).toBe(200)
    await post('app/account/security/session/revoke', one)
    expect((await info(three)).status).toBe(401)
    expect(logins(await info(one))).toHaveLength(1)
  })

  it('of another cannot be ended', async () => {
    const other = await createCustomer(server, 'other.one')
    await createCustomer(server, 'meddler.one')
    const token = tokenOf(await enter('meddler.one'))
    const { rows } = await server.built.context.database.pool.query('SELECT id FROM session WHERE customer_id = $1', [
      other.id,
    ])
    const reply = await post('app/account/security/session/revoke', token, { id: rows[0]?.id })
    expect(reply.body).toMatchObject({ code: 404, error: 'not_found' })
    expect((await info(other.token)).status).toBe(200)
  })

  it('from a new network or another browser are told, those from known places and the first are not', async () => {
    await createCustomer(server, 'roamer.one')
    const told = () => events.splice(0).map((e) => `${e.kind} ${e.ip}`)
    await enter('roamer.one', '192.0.2.1')
    expect(told()).toEqual([])
    await enter('roamer.one', '192.0.2.250')
    expect(told()).toEqual([])
    await enter('roamer.one', '198.51.100.9')
    expect(told()).toEqual(['new_place 198.51.100.9'])
    await enter('roamer.one', '192.0.2.1', 'Firefox/140')
    expect(told()).toEqual(['new_place 192.0.2.1'])
    await enter('roamer.one', '198.51.100.10')
    expect(told()).toEqual([])
  })

  it('are refused from addresses that are not allowed, at the login and at each request', async () => {
    await createCustomer(server, 'walled.one')
    const token = tokenOf(await enter('walled.one'))
    const white = (whiteIpStatus: number, whiteIps: string[]) =>
      post('app/account/security/whiteip', token, { whiteIpStatus, whiteIps })
    // One cannot lock oneself out.
    expect((await white(1, ['198.51.100.0/24'])).body.errors).toEqual([
      { path: 'whiteIps', msg: 'your own present address must be among them: 192.0.2.1' },
    ])
    expect((await white(1, ['192.0.2.0/24', 'nonsense'])).body.errors).toEqual([
      { path: 'whiteIps.1', msg: 'IP format error' },
    ])
    expect((await white(1, ['192.0.2.0/24', '192.0.2.0/24'])).status).toBe(400)
    expect((await white(1, ['192.0.2.0/24'])).status).toBe(200)
    expect((await info(token)).status).toBe(200)
    expect((await info(token, '198.51.100.1')).body).toMatchObject({ code: 401, error: 'unauthenticated' })
    expect((await enter('walled.one', '198.51.100.1')).body).toMatchObject({ code: 403, error: 'address_refused' })
    const wrong = await call(server, '/api/app/login', {
      body: { username: 'walled.one', password: 'wrong' },
      ip: '198.51.100.1',
    })
    expect(wrong.body).toMatchObject({ error: 'login_wrong' })
    expect((await white(0, ['192.0.2.0/24'])).status).toBe(200)
    expect((await enter('walled.one', '198.51.100.1')).status).toBe(200)
  })

  it('of others are seen, ended, walled and freed of lost factors by who may, as far as his rights reach', async () => {
    const customer = await createCustomer(server, 'managed.one')
    const root = await adminToken(server)
    const id = await createAdmin(server, 'helper', ['account:users:users:security', 'account:users:admins:security'])
    const helper = await loginAs(server, 'helper')
    const sys = (path: string, body: Json, token = helper) => call(server, path, { body, token })
    expect((await sys('sys/account/user/security/info', { id: customer.id })).body).toMatchObject({
      data: { whiteIpStatus: 0, logins: [{ ip: '127.0.0.1', own: false }], factors: [] },
    })
    await server.built.context.database.pool.query(
      `INSERT INTO second_factor (customer_id, kind, name, confirmed_at, created_at) VALUES ($1, 'totp', 'T', now(), now())`,
      [customer.id],
    )
    expect((await enter('managed.one')).body.error).toBe('second_factor_required')
    expect((await sys('sys/account/user/security/factor/reset', { id: customer.id })).status).toBe(200)
    expect((await enter('managed.one')).status).toBe(200)
    expect((await info(customer.token)).status).toBe(401)
    const again = tokenOf(await enter('managed.one'))
    expect((await sys('sys/account/user/security/session/revoke', { id: customer.id })).status).toBe(200)
    expect((await info(again)).status).toBe(401)
    const whiteIps = ['198.51.100.0/24']
    await sys('sys/account/user/security/whiteip', { id: customer.id, whiteIpStatus: 1, whiteIps })
    expect((await enter('managed.one')).body.error).toBe('address_refused')
    // The first administrator holds more than the helper.
    for (const path of ['info', 'session/revoke', 'factor/reset'])
      expect((await sys(`sys/user/security/${path}`, { id: 1 })).body).toMatchObject({ error: 'beyond_rights' })
    expect((await sys('sys/user/security/factor/reset', { id })).body).toMatchObject({ error: 'self_protected' })
    expect((await sys('sys/user/security/info', { id: 999_999 })).body).toMatchObject({ error: 'not_found' })
    expect((await sys('sys/user/security/session/revoke', { id }, root)).status).toBe(200)
    expect((await sys('sys/user/security/info', { id })).status).toBe(401)
  })
})
