import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ADMIN_PASSWORD, call, type TestServer, testServer } from '../../testing/app.ts'
import { createCustomer } from '../../testing/customers.ts'

const NEXT_PASSWORD = 'second-Password2'

describe('logins of customers', () => {
  let server: TestServer
  let verifications = 0
  beforeAll(async () => {
    server = await testServer(
      { TIDEGATE_LOGIN_CAPTCHA: 'off' },
      {
        wrapHasher: (hasher) => ({
          ...hasher,
          verify: (stored, password) => {
            verifications += 1
            return hasher.verify(stored, password)
          },
        }),
      },
    )
    await createCustomer(server, 'Alice.one')
    await sql(`UPDATE customer SET mobile = '13800138000', email = 'Alice@Example.com' WHERE username = 'Alice.one'`)
  })
  afterAll(() => server.close())
  beforeEach(() => sql('DELETE FROM login_failure'))

  const sql = async (text: string) => void (await server.built.context.database.pool.query(text))
  const login = (username: string, password = ADMIN_PASSWORD, ip = '192.0.2.1', path = 'app/login') =>
    call(server, `/api/${path}`, { body: { username, password }, ip, headers: { console: 'user' } })
  const info = (token: string) => call(server, '/api/app/user/info', { method: 'GET', token })

  it('take the account name, the bound mobile or the bound mail, in any case of letters', async () => {
    for (const name of ['alice.ONE', '13800138000', 'ALICE@example.com']) {
      const reply = await login(name)
      expect([name, reply.body]).toMatchObject([name, { code: 1, expire: 7200 }])
      expect((await info(String(reply.body.token))).body).toMatchObject({
        user: { username: 'Alice.one', mobile: '138****8000', email: 'A***@Example.com', verifyStatus: 'none' },
      })
    }
  })

  it('go to who has bound a number, not to who is only called by it', async () => {
    await createCustomer(server, '13800138000')
    const reply = await login('13800138000')
    expect((await info(String(reply.body.token))).body).toMatchObject({ user: { username: 'Alice.one' } })
  })

  it('open nothing of the administrators, and theirs nothing of customers', async () => {
    const own = String((await login('Alice.one')).body.token)
    expect((await call(server, 'sys/user/info', { method: 'GET', token: own })).status).toBe(403)
    expect((await login('Alice.one', ADMIN_PASSWORD, '192.0.2.1', 'sys/login')).body).toMatchObject({
      error: 'login_wrong',
    })
    expect((await login('admin')).body).toMatchObject({ error: 'login_wrong' })
    const nav = await call(server, '/api/sys/menu/nav', { method: 'GET', token: own })
    expect(nav.body).toMatchObject({ code: 1, menuList: expect.any(Array) })
  })

  it('are throttled apart from an administrator of the same name', async () => {
    await createCustomer(server, 'admin')
    for (let i = 0; i < 10; i += 1) await login('admin', 'wrong', `192.0.2.${i + 1}`)
    const before = verifications
    expect((await login('admin', ADMIN_PASSWORD, '192.0.2.99')).body).toMatchObject({ code: 429, error: 'too_many' })
    expect(verifications).toBe(before)
    expect((await login('admin', ADMIN_PASSWORD, '192.0.2.99', 'sys/login')).status).toBe(200)
    expect((await login('admin', ADMIN_PASSWORD, '192.0.2.99')).status).toBe(429)
  })

  it('forget the failures under every name once the person is in', async () => {
    for (let i = 0; i < 9; i += 1) await login('13800138000', 'wrong')
    expect((await login('Alice.one')).status).toBe(200)
    for (let i = 0; i < 9; i += 1) expect((await login('13800138000', 'wrong')).status).toBe(401)
    expect((await login('13800138000')).status).toBe(200)
  })

  it('cost one verification for a name that nobody has; who is disabled hears it only with the password', async () => {
    await createCustomer(server, 'closed.one')
    await sql(`UPDATE customer SET enabled = false WHERE username = 'closed.one'`)
    const before = verifications
    expect((await login('nobody-at-all')).body).toMatchObject({ code: 401, error: 'login_wrong' })
    expect(verifications).toBe(before + 1)
    expect((await login('closed.one', 'wrong')).body).toMatchObject({ code: 401, error: 'login_wrong' })
    expect((await login('closed.one')).body).toMatchObject({ code: 403, error: 'account_disabled' })
    const { rows } = await server.built.context.database.pool.query<{ target: string }>(
      `SELECT target FROM audit_log WHERE action = 'auth.userLogin.failed' ORDER BY id`,
    )
    expect(rows.map((r) => r.target)).toEqual(
      expect.arrayContaining(['customer unknown', expect.stringMatching(/^customer \d+$/)]),
    )
  })

  it('end by logout one at a time, by a new password all at once', async () => {
    await createCustomer(server, 'changer.one')
    const [one, two] = [
      String((await login('changer.one')).body.token),
      String((await login('changer.one')).body.token),
    ]
    expect((await call(server, '/api/app/logout', { token: one })).status).toBe(200)
    expect((await info(one)).status).toBe(401)
    const change = (body: object) => call(server, '/api/app/account/password', { token: two, body })
    expect((await change({ password: 'wrong', newPassword: NEXT_PASSWORD })).body.errors).toEqual([
      { path: 'password', msg: 'is not your present password' },
    ])
    expect((await change({ password: ADMIN_PASSWORD, newPassword: '密码密码' })).body.errors).toEqual([
      { path: 'newPassword', msg: 'a password has 4 to 32 characters and no Chinese ones' },
    ])
    expect((await change({ password: ADMIN_PASSWORD, newPassword: NEXT_PASSWORD })).status).toBe(200)
    expect((await info(two)).status).toBe(401)
    expect((await login('changer.one')).status).toBe(401)
    expect((await login('changer.one', NEXT_PASSWORD)).status).toBe(200)
  })
})
