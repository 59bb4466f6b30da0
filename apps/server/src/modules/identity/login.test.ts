import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createAdmin, loginAs } from '../../testing/admins.ts'
import { ADMIN_PASSWORD, adminToken, call, type TestServer, testServer } from '../../testing/app.ts'

const NEXT_PASSWORD = 'second-Password2'

/** A server whose captchas read KNOW, and that counts verifications of passwords. */
const identityServer = async (env: Record<string, string> = {}) => {
  const counted = { verifications: 0 }
  const server = await testServer(env, {
    generateCaptcha: () => ({ text: 'KNOW', image: { type: 'image/svg+xml', body: Buffer.from('<svg/>') } }),
    wrapHasher: (hasher) => ({
      hash: hasher.hash,
      verify: (stored, password) => {
        counted.verifications += 1
        return hasher.verify(stored, password)
      },
    }),
  })
  const login = (username: string, password: string, more: Record<string, string> = {}, ip = '192.0.2.1') =>
    call(server, 'sys/login', { body: { username, password, ...more }, ip })
  return { server, counted, login }
}
type Identity = Awaited<ReturnType<typeof identityServer>>

const info = (server: TestServer, token: string) => call(server, 'sys/user/info', { method: 'GET', token })
const auditOf = async (server: TestServer, action: string) => {
  const { rows } = await server.built.context.database.pool.query(
    'SELECT * FROM audit_log WHERE action = $1 ORDER BY id',
    [action],
  )
  return rows
}

describe('login and tokens', () => {
  let identity: Identity
  let server: TestServer
  beforeAll(async () => {
    identity = await identityServer()
    server = identity.server
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    await server.built.context.database.pool.query('DELETE FROM login_failure')
  })

  it('gives a token that opens the caller’s own data, under every base path [S7.1]', async () => {
    for (const base of ['/antsxdp/', '/ants-dns-api/', '/api/']) {
      const login = await call(server, `${base}sys/login`, { body: { username: 'Admin', password: ADMIN_PASSWORD } })
      expect(login).toMatchObject({ status: 200, body: { code: 1, expire: 7200 } })
      const token = String(login.body.token)
      expect(token).toMatch(/^[\w-]{43}$/)
      const reply = await call(server, `${base}sys/user/info`, { method: 'GET', token })
      expect(reply).toMatchObject({ status: 200, body: { code: 1, user: { username: 'admin', superAdmin: true } } })
    }
  })

  it('reads the token from the header `token` only', async () => {
    const token = await adminToken(server)
    const ask = (headers: Record<string, string>, query = '') =>
      call(server, `sys/user/info${query}`, { method: 'GET', headers })
    expect((await ask({ token })).status).toBe(200)
    expect((await ask({ cookie: `token=${token}` })).status).toBe(401)
    expect((await ask({ authorization: `Bearer ${token}` })).status).toBe(401)
    expect((await ask({}, `?token=${token}`)).status).toBe(401)
  })

  it('keeps neither token nor password anywhere, in the database or in the log', async () => {
    const token = await adminToken(server)
    const { rows } = await server.built.context.database.pool.query<{ t: string }>('SELECT s::text AS t FROM session s')
    expect(rows.some((row) => row.t.includes(token))).toBe(false)
    const { rows: admin } = await server.built.context.database.pool.query<{ h: string }>(
      'SELECT password_hash AS h FROM admin',
    )
    expect(admin[0]?.h).toMatch(/^\$argon2id\$/)
    server.built.context.log.info({ password: ADMIN_PASSWORD, body: { token, inner: { keyPem: 'KEY-TEXT' } } }, 'test')
    expect(server.logged()).toContain('[secret]')
    for (const secret of [ADMIN_PASSWORD, token, 'KEY-TEXT']) expect(server.logged()).not.toContain(secret)
  })

  it('ends a token after two idle hours, a used one after a day', async () => {
    const idle = await adminToken(server)
    server.clock.advance(7199)
    expect((await info(server, idle)).status).toBe(200)
    server.clock.advance(7201)
    expect((await info(server, idle)).body).toMatchObject({ code: 401, error: 'unauthenticated' })
    const used = await adminToken(server)
    for (let hour = 1; hour < 24; hour += 1) {
      server.clock.advance(3600)
      expect((await info(server, used)).status).toBe(200)
    }
    server.clock.advance(3600)
    expect((await info(server, used)).status).toBe(401)
  })

  it('ends one token by logout, all by a new password or by disabling the account [N13]', async () => {
    const [one, two] = [await adminToken(server), await adminToken(server)]
    expect((await call(server, 'sys/logout', { token: one })).status).toBe(200)
    expect((await info(server, one)).status).toBe(401)
    expect((await info(server, two)).status).toBe(200)
    await createAdmin(server, 'changer', ['home:overview'])
    const changer = await loginAs(server, 'changer')
    const change = (password: string, newPassword: string, lang = 'en') =>
      call(server, 'sys/user/password', { token: changer, body: { password, newPassword }, headers: { lang } })
    expect((await change('wrong', NEXT_PASSWORD)).body.errors).toEqual([
      { path: 'password', msg: 'is not your present password' },
    ])
    expect((await change(ADMIN_PASSWORD, 'abc', 'zh')).body.errors).toEqual([
      { path: 'newPassword', msg: '密码为 4~32 位，不能包含中文' },
    ])
    expect((await change(ADMIN_PASSWORD, NEXT_PASSWORD)).status).toBe(200)
    expect((await info(server, changer)).status).toBe(401)
    expect((await identity.login('changer', ADMIN_PASSWORD)).status).toBe(401)
    const again = String((await identity.login('changer', NEXT_PASSWORD)).body.token)
    expect((await info(server, again)).status).toBe(200)
    await server.built.context.database.db.execute(sql`UPDATE admin SET enabled = false WHERE username = 'changer'`)
    expect((await info(server, again)).status).toBe(401)
    expect((await identity.login('changer', NEXT_PASSWORD)).body).toMatchObject({
      code: 403,
      error: 'account_disabled',
    })
    expect((await identity.login('changer', 'wrong')).body).toMatchObject({ code: 401, error: 'login_wrong' })
    for (const action of ['auth.login', 'auth.login.failed', 'auth.logout', 'admin.password'])
      expect((await auditOf(server, action)).length, action).toBeGreaterThan(0)
    const logout = (await auditOf(server, 'auth.logout'))[0]
    expect(logout).toMatchObject({ actor_kind: 'admin', actor_name: 'admin', ip: '127.0.0.1' })
  })

  it('spends one verification on a name that does not exist, as on one that does', async () => {
    const before = identity.counted.verifications
    expect((await identity.login('nobody-at-all', 'x')).body).toMatchObject({ code: 401, error: 'login_wrong' })
    expect(identity.counted.verifications).toBe(before + 1)
    const failed = (await auditOf(server, 'auth.login.failed')).at(-1)
    expect(JSON.stringify(failed)).not.toContain('nobody-at-all')
  })

  it('is not moved by quotes, NUL bytes and half characters', async () => {
    const names = ["admin' OR '1'='1", "admin';DROP TABLE session;--", '$1', '%', '\\']
    for (const [i, username] of names.entries())
      expect((await identity.login(username, "' OR 1=1 --", {}, `192.0.2.${i + 100}`)).status).toBe(401)
    for (const username of ['a\0b', 'a\ud800b'])
      expect((await identity.login(username, 'x', {}, '192.0.2.78')).body).toMatchObject({
        error: 'invalid_input',
        errors: [{ path: 'username', msg: 'is not in the right form' }],
      })
    expect((await identity.login('admin', ADMIN_PASSWORD, {}, '192.0.2.79')).status).toBe(200)
  })
})

describe('captcha [S7.11]', () => {
  let identity: Identity
  let server: TestServer
  beforeAll(async () => {
    identity = await identityServer()
    server = identity.server
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    await server.built.context.database.pool.query('DELETE FROM login_failure; DELETE FROM captcha')
  })
  const uuid = 'b7c1f0d2-0001'
  const issue = (id = uuid) => call(server, `captcha.jpg?uuid=${id}`, { method: 'GET' })
  const fail = async (times: number) => {
    for (let i = 0; i < times; i += 1) await identity.login('admin', 'wrong')
  }
  const right = (captcha: string, id = uuid) => identity.login('admin', ADMIN_PASSWORD, { uuid: id, captcha })

  it('is an image of the type that its bytes are', async () => {
    const real = await testServer()
    const reply = await call(real, `captcha.jpg?uuid=${uuid}`, { method: 'GET' })
    await real.close()
    expect(reply.headers['content-type']).toBe('image/svg+xml')
    expect(reply.headers['cache-control']).toBe('no-store')
    expect(String(reply.body.text)).toMatch(/^<svg /)
  })

  it('is asked for after three failures, and says so', async () => {
    await fail(2)
    const third = await identity.login('admin', 'wrong')
    expect(third.body).toMatchObject({ error: 'login_wrong', captchaRequired: true })
    expect((await identity.login('admin', ADMIN_PASSWORD)).body).toMatchObject({
      code: 400,
      error: 'captcha_required',
      captchaRequired: true,
    })
    await issue()
    expect((await right('know')).status).toBe(200)
    expect((await identity.login('admin', ADMIN_PASSWORD, {}, '192.0.2.9')).status).toBe(200)
  })

  it('is good once, for its own uuid, for two minutes; a wrong try uses it up', async () => {
    await fail(3)
    const before = identity.counted.verifications
    await issue()
    expect((await right('XXXX')).body).toMatchObject({ error: 'captcha_wrong', captchaRequired: true })
    expect((await right('KNOW')).body).toMatchObject({ error: 'captcha_wrong' })
    await issue()
    expect((await right('KNOW', 'another-uuid')).body).toMatchObject({ error: 'captcha_wrong' })
    server.clock.advance(121)
    expect((await right('KNOW')).body).toMatchObject({ error: 'captcha_wrong' })
    // None of these tries cost a hash.
    expect(identity.counted.verifications).toBe(before)
    await issue()
    expect((await right('KNOW')).status).toBe(200)
    await fail(3)
    expect((await right('KNOW')).body).toMatchObject({ error: 'captcha_wrong' })
  })

  it('stands nowhere as a text', async () => {
    const reply = await issue()
    expect(JSON.stringify(reply)).not.toContain('KNOW')
    const { rows } = await server.built.context.database.pool.query<{ t: string }>('SELECT c::text AS t FROM captcha c')
    expect(rows).toHaveLength(1)
    expect(rows[0]?.t.toLowerCase()).not.toContain('know')
    expect(server.logged()).not.toContain('KNOW')
  })

  it('follows the policy', async () => {
    const always = await identityServer({ TIDEGATE_LOGIN_CAPTCHA: 'always' })
    expect((await always.login('admin', ADMIN_PASSWORD)).body).toMatchObject({ error: 'captcha_required' })
    await always.server.close()
    const off = await identityServer({ TIDEGATE_LOGIN_CAPTCHA: 'off' })
    for (let i = 0; i < 5; i += 1)
      expect((await off.login('admin', 'wrong')).body).not.toHaveProperty('captchaRequired')
    expect((await off.login('admin', ADMIN_PASSWORD)).status).toBe(200)
    await off.server.close()
  })
})

describe('throttling of logins', () => {
  let identity: Identity
  let server: TestServer
  beforeAll(async () => {
    identity = await identityServer({ TIDEGATE_LOGIN_CAPTCHA: 'off' })
    server = identity.server
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    await server.built.context.database.pool.query('DELETE FROM login_failure')
  })

  it('puts an account off after ten failures, wherever they come from, and says for how long', async () => {
    for (let i = 0; i < 10; i += 1) await identity.login('admin', 'wrong', {}, `192.0.2.${i + 1}`)
    const before = identity.counted.verifications
    const put = await identity.login('ADMIN', ADMIN_PASSWORD, {}, '192.0.2.200')
    expect(put.body).toMatchObject({ code: 429, error: 'too_many' })
    expect(put.body.msg).toBe('Too many tries, please try again in 900 s')
    expect(identity.counted.verifications).toBe(before)
    server.clock.advance(899)
    expect((await identity.login('admin', ADMIN_PASSWORD)).status).toBe(429)
    server.clock.advance(2)
    expect((await identity.login('admin', ADMIN_PASSWORD)).status).toBe(200)
  })

  it('lets no more than ten through when many come at once', async () => {
    const before = identity.counted.verifications
    const replies = await Promise.all(
      Array.from({ length: 30 }, (_, i) => identity.login('admin', 'wrong', {}, `192.0.2.${i + 1}`)),
    )
    expect(replies.filter((r) => r.status === 401)).toHaveLength(10)
    expect(replies.filter((r) => r.status === 429)).toHaveLength(20)
    expect(identity.counted.verifications - before).toBe(10)
  })

  it('puts an address off after fifty failures; an IPv6 network counts as one', async () => {
    for (let i = 0; i < 50; i += 1) await identity.login(`name-${i}`, 'wrong', {}, `2001:db8:1:2::${i + 1}`)
    expect((await identity.login('admin', ADMIN_PASSWORD, {}, '2001:db8:1:2:ffff::1')).status).toBe(429)
    expect((await identity.login('admin', ADMIN_PASSWORD, {}, '2001:db8:1:3::1')).status).toBe(200)
  })

  it('forgets the account’s failures when the password was right', async () => {
    for (let i = 0; i < 9; i += 1) await identity.login('admin', 'wrong')
    expect((await identity.login('admin', ADMIN_PASSWORD)).status).toBe(200)
    for (let i = 0; i < 9; i += 1) expect((await identity.login('admin', 'wrong')).status).toBe(401)
    expect((await identity.login('admin', ADMIN_PASSWORD)).status).toBe(200)
  })
})
