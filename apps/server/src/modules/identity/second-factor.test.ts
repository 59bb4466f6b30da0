import { generate } from 'otplib'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ADMIN_PASSWORD, call, type Reply, type TestServer, testServer } from '../../testing/app.ts'
import { softPasskey } from '../../testing/authenticator.ts'
import { createCustomer } from '../../testing/customers.ts'
import type { SecurityEvent } from './places.ts'

type Json = Record<string, unknown>

/** Both audiences: how they log in, and the second step. */
const AUDIENCES = [
  ['admin', 'sys/login', 'sys/login/second'],
  ['customer', 'app/login', 'app/login/second'],
] as const

describe.each(AUDIENCES)('a second factor of a login: %s', (audience, loginPath, secondPath) => {
  let server: TestServer
  const events: SecurityEvent[] = []
  const username = audience === 'admin' ? 'admin' : 'alice.one'
  beforeAll(async () => {
    server = await testServer({ TIDEGATE_LOGIN_CAPTCHA: 'off' }, { notifySecurity: (event) => void events.push(event) })
    if (audience === 'customer') await createCustomer(server, username)
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    events.length = 0
    await sql(
      'DELETE FROM second_factor; DELETE FROM recovery_code; DELETE FROM login_failure; DELETE FROM login_ticket',
    )
  })

  const sql = (text: string) => server.built.context.database.pool.query(text)
  const post = (path: string, body: Json, token?: string) => call(server, `/api/${path}`, { body, token })
  const login = (more: Json = {}) => post(loginPath, { username, password: ADMIN_PASSWORD, ...more })
  const fresh = async () => String((await login()).body.token)
  const code = (secret: string) => generate({ secret, epoch: Math.floor(server.clock.now() / 1000) })
  const second = (reply: Reply, proof: Json) => post(secondPath, { ticket: reply.body.ticket, ...proof })
  const ok = (reply: Reply) => expect([reply.status, reply.body.error]).toEqual([200, undefined])

  /** Sets up an app; the clock is moved on, so that the code of the set-up is used up. */
  const withApp = async () => {
    const token = await fresh()
    const begun = await post('app/account/security/totp', { password: ADMIN_PASSWORD }, token)
    const secret = String(begun.body.secret)
    expect(begun.body.uri).toMatch(new RegExp(`^otpauth://totp/.*secret=${secret}`))
    const done = await post('app/account/security/totp/confirm', { code: await code(secret) }, token)
    ok(done)
    server.clock.advance(60)
    return { token, secret, codes: done.body.recoveryCodes as string[] }
  }

  it('is not asked for before its first code was right, and needs the password', async () => {
    const token = await fresh()
    const wrong = await post('app/account/security/totp', { password: 'wrong-one' }, token)
    expect(wrong.body.errors).toEqual([{ path: 'password', msg: 'is not your present password' }])
    const begun = await post('app/account/security/totp', { password: ADMIN_PASSWORD }, token)
    const bad = await post('app/account/security/totp/confirm', { code: '000000' }, token)
    expect(bad.body.errors).toEqual([{ path: 'code', msg: 'the code is wrong or has expired' }])
    ok(await login())
    const { rows } = await sql('SELECT secret FROM second_factor')
    expect(rows[0]?.secret).toMatch(/^v1\./)
    expect(JSON.stringify(rows)).not.toContain(String(begun.body.secret))
  })

  it('takes the place of the token until the code is right, once each', async () => {
    const { secret, codes } = await withApp()
    expect(codes).toHaveLength(10)
    expect(events.map((e) => e.kind)).toContain('factor_added')
    const asked = await login()
    expect(asked).toMatchObject({
      status: 401,
      body: { error: 'second_factor_required', methods: ['totp', 'recovery'], ticket: expect.any(String) },
    })
    expect(asked.body).not.toHaveProperty('token')
    expect((await second(asked, { code: '000000' })).body).toMatchObject({ error: 'second_factor_wrong' })
    const right = await code(secret)
    const entered = await second(asked, { code: right })
    ok(entered)
    expect(entered.body).toMatchObject({ token: expect.stringMatching(/^[\w-]{43}$/), expire: 7200 })
    // The ticket is used up, and so is the code, in a new login too.
    expect((await second(asked, { code: right })).body).toMatchObject({ error: 'ticket_expired' })
    expect((await second(await login(), { code: right })).body).toMatchObject({ error: 'second_factor_wrong' })
    server.clock.advance(30)
    const next = await code(secret)
    const pair = await Promise.all([login({ code: next }), login({ code: next })])
    expect(pair.map((r) => r.status).sort()).toEqual([200, 401])
  })

  it('bounds the tries of a ticket and its time, and counts wrong codes like wrong passwords', async () => {
    const { secret } = await withApp()
    const asked = await login()
    for (let i = 0; i < 5; i += 1)
      expect((await second(asked, { code: '000000' })).body.error).toBe('second_factor_wrong')
    expect((await second(asked, { code: await code(secret) })).body.error).toBe('ticket_expired')
    for (let i = 0; i < 5; i += 1) await second(await login(), { code: '000000' })
    expect((await login()).body).toMatchObject({ code: 429, error: 'too_many' })
    await sql('DELETE FROM login_failure')
    const late = await login()
    server.clock.advance(301)
    expect((await second(late, { code: await code(secret) })).body.error).toBe('ticket_expired')
    const { rows } = await sql('SELECT t::text AS t FROM login_ticket t')
    expect(JSON.stringify(rows)).not.toContain(String(late.body.ticket))
  })

  it('can be replaced by each recovery code once, whatever its writing; new codes void the old', async () => {
    const { codes, token } = await withApp()
    const [one = '', two = ''] = codes
    ok(await second(await login(), { recovery: one.toUpperCase().replace('-', ' ') }))
    expect((await second(await login(), { recovery: one })).body.error).toBe('second_factor_wrong')
    const renewed = await post('app/account/security/recovery', { password: ADMIN_PASSWORD }, token)
    expect(renewed.body.recoveryCodes).toHaveLength(10)
    expect((await second(await login(), { recovery: two })).body.error).toBe('second_factor_wrong')
    ok(await second(await login(), { recovery: (renewed.body.recoveryCodes as string[])[3] }))
    const { rows } = await sql('SELECT r::text AS t FROM recovery_code r')
    expect(rows).toHaveLength(9)
    for (const text of renewed.body.recoveryCodes as string[]) expect(JSON.stringify(rows)).not.toContain(text)
  })

  it('is taken away with the password only; recovery codes go with the last one', async () => {
    const { token } = await withApp()
    const info = await call(server, '/api/app/account/security/info', { method: 'GET', token })
    const [factor] = (info.body.data as { factors: { id: number; kind: string }[] }).factors
    expect(factor?.kind).toBe('totp')
    const drop = (password: string) => post('app/account/security/factor/delete', { id: factor?.id, password }, token)
    expect((await drop('wrong-one')).status).toBe(400)
    expect((await login()).status).toBe(401)
    ok(await drop(ADMIN_PASSWORD))
    expect(events.at(-1)?.kind).toBe('factor_removed')
    ok(await login())
    expect((await sql('SELECT FROM recovery_code')).rowCount).toBe(0)
  })

  it('ends half a login when the account is disabled or gets another password', async () => {
    const { secret, token } = await withApp()
    const asked = await login()
    const change = audience === 'admin' ? 'sys/user/password' : 'app/account/password'
    ok(await post(change, { password: ADMIN_PASSWORD, newPassword: ADMIN_PASSWORD }, token))
    expect((await second(asked, { code: await code(secret) })).body.error).toBe('ticket_expired')
    const again = await login()
    await sql(`UPDATE ${audience} SET enabled = false WHERE username = '${username}'`)
    expect((await second(again, { code: await code(secret) })).body.error).toBe('ticket_expired')
    await sql(`UPDATE ${audience} SET enabled = true WHERE username = '${username}'`)
  })

  it('can be a passkey: only the account’s own, only for its challenge, only from its place', async () => {
    const token = await fresh()
    const passkey = softPasskey()
    const begin = () => post('app/account/security/passkey', { password: ADMIN_PASSWORD }, token)
    const confirm = (begun: Reply, response: Json) =>
      post('app/account/security/passkey/confirm', { ticket: begun.body.ticket, name: 'Laptop', response }, token)
    const options = (reply: Reply, member: 'options' | 'passkey') => reply.body[member] as Json
    const elsewhere = await begin()
    const foreign = await confirm(elsewhere, passkey.create(options(elsewhere, 'options'), 'https://evil.example'))
    expect(foreign.body.errors).toEqual([{ path: 'response', msg: 'is not in the right form' }])
    const begun = await begin()
    const done = await confirm(begun, passkey.create(options(begun, 'options')))
    ok(done)
    expect(done.body.recoveryCodes).toHaveLength(10)
    expect((await confirm(begun, passkey.create(options(begun, 'options')))).body.error).toBe('ticket_expired')

    const asked = await login()
    expect(asked.body).toMatchObject({ methods: ['passkey', 'recovery'], passkey: { rpId: 'localhost' } })
    const answer = (reply: Reply, origin?: string) => passkey.get(options(reply, 'passkey'), origin)
    const stranger = { ...softPasskey().get(options(asked, 'passkey')), id: answer(asked).id }
    expect((await second(asked, { assertion: stranger })).body.error).toBe('second_factor_wrong')
    const phished = answer(asked, 'http://localhost.evil.example')
    expect((await second(asked, { assertion: phished })).body.error).toBe('second_factor_wrong')
    const old = answer(asked)
    const other = await login()
    expect((await second(other, { assertion: old })).body.error).toBe('second_factor_wrong')
    ok(await second(other, { assertion: answer(other) }))
    // An authenticator whose counter went back is a copy.
    const third = await login()
    await sql('UPDATE second_factor SET counter = 1000')
    expect((await second(third, { assertion: answer(third) })).body.error).toBe('second_factor_wrong')
  })

  it('is not a passkey at an address without a name', async () => {
    const token = await fresh()
    const reply = await call(server, '/api/app/account/security/passkey', {
      token,
      body: { password: ADMIN_PASSWORD },
      headers: { host: '192.0.2.1:8080' },
    })
    expect(reply.body).toMatchObject({ code: 409, error: 'passkey_impossible' })
  })
})

describe('a second factor that is a duty of administrators', () => {
  it('leaves nothing but setting one up until it is there', async () => {
    const server = await testServer({ TIDEGATE_LOGIN_CAPTCHA: 'off' })
    const { pool } = server.built.context.database
    await pool.query(`INSERT INTO setting (key, value) VALUES ('login', '{"adminSecondFactor": "required"}')`)
    const login = await call(server, 'sys/login', { body: { username: 'admin', password: ADMIN_PASSWORD } })
    const token = String(login.body.token)
    const list = () => call(server, 'sys/user/list', { token })
    const info = () => call(server, 'app/account/security/info', { method: 'GET', token })
    expect((await list()).status).toBe(403)
    expect((await info()).body).toMatchObject({ data: { required: true } })
    const nav = await call(server, 'sys/menu/nav', { method: 'GET', token })
    expect(JSON.stringify(nav.body.menuList)).toContain('/account/users/password')
    expect(JSON.stringify(nav.body.menuList)).not.toContain('/account/users/admins')
    const { body } = await call(server, 'app/account/security/totp', { token, body: { password: ADMIN_PASSWORD } })
    const code = await generate({ secret: String(body.secret), epoch: Math.floor(server.clock.now() / 1000) })
    await call(server, 'app/account/security/totp/confirm', { token, body: { code } })
    expect((await list()).status).toBe(200)
    expect((await info()).body).toMatchObject({ data: { required: false } })
    await server.close()
  })
})
