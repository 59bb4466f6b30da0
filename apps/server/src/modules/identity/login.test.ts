import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ADMIN_PASSWORD, adminToken, call, type TestServer, testServer } from '../../testing/app.ts'

describe('login', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await testServer()
  })
  afterAll(() => server.close())

  it('gives a token that opens the caller’s own data, under every base path [S7.1]', async () => {
    for (const base of ['/antsxdp/', '/ants-dns-api/', '/api/']) {
      const login = await call(server, `${base}sys/login`, { body: { username: 'Admin', password: ADMIN_PASSWORD } })
      expect(login).toMatchObject({ status: 200, body: { code: 1, expire: 7200 } })
      const token = String(login.body.token)
      expect(token).toMatch(/^[\w-]{43}$/)
      const info = await call(server, `${base}sys/user/info`, { method: 'GET', token })
      expect(info).toMatchObject({ status: 200, body: { code: 1, user: { username: 'admin', superAdmin: true } } })
    }
  })
  it('reads the token from the header `token` only', async () => {
    const token = await adminToken(server)
    const info = (headers: Record<string, string>, query = '') =>
      call(server, `sys/user/info${query}`, { method: 'GET', headers })
    expect((await info({ token })).status).toBe(200)
    expect((await info({ cookie: `token=${token}` })).status).toBe(401)
    expect((await info({ authorization: `Bearer ${token}` })).status).toBe(401)
    expect((await info({}, `?token=${token}`)).status).toBe(401)
  })
})
