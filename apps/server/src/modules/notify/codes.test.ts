/** Verification codes, as registration and the forgotten password ask for them, and through the port. */
import type { CodePurpose } from '@tidegate/contract/config/notify'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { call, type TestServer, testServer } from '../../testing/app.ts'
import { createCustomer } from '../../testing/customers.ts'
import { saveConfig } from '../../testing/settings.ts'
import { type SmtpPeer, startSmtpPeer } from '../../testing/smtp-peer.ts'

const generateCaptcha = () => ({ text: 'abcd', image: { type: 'image/svg+xml', body: Buffer.from('<svg/>') } })

describe('verification codes', () => {
  let server: TestServer
  let smtp: SmtpPeer
  const ca: string[] = []

  beforeAll(async () => {
    smtp = await startSmtpPeer()
    ca.push(smtp.certificate)
    server = await testServer({}, { generateCaptcha, peers: { mail: { ca } } })
    const config = {
      host: smtp.host,
      port: smtp.port,
      tls: 'implicit',
      username: 'sender@example.com',
      password: 'right-Password',
    }
    await saveConfig(server, 'mail_config', config)
    await saveConfig(server, 'register_config', { byMail: true, byMobile: true })
  })
  afterAll(async () => {
    await server.close()
    await smtp.close()
  })
  beforeEach(async () => {
    smtp.mails.length = 0
    await query('DELETE FROM verify_code')
    await query('DELETE FROM notice')
  })

  const query = async <T>(text: string) => (await server.built.context.database.pool.query(text)).rows as T[]
  const codes = () => server.built.notify.codes
  let asked = 0
  /** A call with a fresh captcha. */
  const post = async (path: string, given: Record<string, unknown>, ip: string) => {
    const uuid = `code-uuid-${asked++}`
    await call(server, `captcha.jpg?uuid=${uuid}`, { method: 'GET' })
    return call(server, path, { body: { uuid, captcha: 'abcd', ...given }, ip })
  }
  const ask = (address: string, more: Record<string, unknown> = {}, ip = '203.0.113.5') =>
    post('app/register/code', { channel: 'mail', address, ...more }, ip)
  const askForgot = (address: string, ip = '203.0.113.5') => post('app/forgot/send', { address }, ip)
  /** The code that arrived. */
  const arrived = async (address: string) => {
    await server.built.notify.pump.drain()
    const { text } = await smtp.next(address)
    return /\d{6}/.exec(text)?.[0] ?? ''
  }
  const check = (address: string, code: string, purpose: CodePurpose = 'register') =>
    codes().check({ channel: 'mail', address, purpose, code })

  it('are six digits, arrive by mail, are right once and for their purpose only', async () => {
    expect((await ask('New.Comer@example.net')).body).toMatchObject({ code: 1 })
    const code = await arrived('new.comer@example.net')
    expect(code).toMatch(/^\d{6}$/)
    expect(await check('new.comer@example.net', code, 'forgot')).toBe(false)
    expect(await check('other@example.net', code)).toBe(false)
    expect(await check('NEW.comer@example.net', code)).toBe(true)
    expect(await check('new.comer@example.net', code)).toBe(false)
  })

  it('are used up by one of two who check at once', async () => {
    await ask('twice@example.net')
    const code = await arrived('twice@example.net')
    const both = await Promise.all([check('twice@example.net', code), check('twice@example.net', code)])
    expect(both.filter(Boolean).length).toBe(1)
  })

  it('stand nowhere in the clear once they are sent', async () => {
    await ask('quiet@example.net')
    const [waiting] = await query<{ vars: object; sealed: string }>('SELECT vars, sealed FROM notice')
    expect(waiting?.vars).toMatchObject({ code: '******' })
    const code = await arrived('quiet@example.net')
    expect(code).toMatch(/^\d{6}$/)
    const held = JSON.stringify([await query('SELECT * FROM notice'), await query('SELECT * FROM audit_log')])
    expect(held).not.toContain(code)
    const [row] = await query<{ code_hash: Buffer }>('SELECT code_hash FROM verify_code')
    expect(row?.code_hash.length).toBe(32)
    expect(server.logged()).not.toContain(`"${code}"`)
  })

  it('die after five minutes, after five wrong tries, and when a later one is sent', async () => {
    await ask('slow@example.net')
    const late = await arrived('slow@example.net')
    server.clock.advance(301)
    expect(await check('slow@example.net', late)).toBe(false)
    await ask('slow@example.net')
    const guessed = await arrived('slow@example.net')
    const wrong = guessed === '000000' ? '000001' : '000000'
    const tries = await Promise.all([1, 2, 3, 4, 5].map(() => check('slow@example.net', wrong)))
    expect(tries).toEqual([false, false, false, false, false])
    expect(await check('slow@example.net', guessed)).toBe(false)
    server.clock.advance(61)
    await ask('slow@example.net')
    const first = await arrived('slow@example.net')
    server.clock.advance(61)
    await ask('slow@example.net')
    const second = await arrived('slow@example.net')
    if (first !== second) expect(await check('slow@example.net', first)).toBe(false)
    expect(await check('slow@example.net', second)).toBe(true)
  })

  it('need a captcha, each a new one, and an address of their channel', async () => {
    expect((await ask('a@example.net', { captcha: 'nope' })).body).toMatchObject({ code: 400, error: 'captcha_wrong' })
    const rest = { channel: 'mail', address: 'a@example.net', uuid: 'code-uuid-x' }
    expect((await call(server, 'app/register/code', { body: rest })).body).toMatchObject({
      code: 400,
      errors: [{ path: 'captcha' }],
    })
    await call(server, 'captcha.jpg?uuid=code-uuid-x', { method: 'GET' })
    const whole = { ...rest, captcha: 'abcd' }
    expect((await call(server, 'app/register/code', { body: whole })).status).toBe(200)
    expect((await call(server, 'app/register/code', { body: whole })).body.error).toBe('captcha_wrong')
    for (const [channel, address, msg] of [
      ['mail', '13800000000', 'is not an e-mail address'],
      ['mail', 'a@b.cc\r\nBcc: x@y.zz', 'is not an e-mail address'],
      ['sms', 'a@example.net', 'is not a phone number'],
    ])
      expect((await ask(String(address), { channel })).body).toMatchObject({
        code: 400,
        errors: [{ path: 'address', msg }],
      })
  })

  it('are limited: one a minute, five an hour and ten a day for an address, twenty an hour for a client', async () => {
    expect((await ask('much@example.net')).status).toBe(200)
    const soon = await ask('much@example.net')
    expect(soon.body).toMatchObject({ code: 429, error: 'too_many' })
    for (let i = 0; i < 4; i++) {
      server.clock.advance(61)
      expect((await ask('much@example.net')).status).toBe(200)
    }
    server.clock.advance(61)
    expect((await askForgot('much@example.net')).status).toBe(429)
    for (let i = 0; i < 5; i++) {
      server.clock.advance(3601)
      expect([i, (await ask('much@example.net')).status]).toEqual([i, 200])
    }
    server.clock.advance(3601)
    expect((await ask('much@example.net')).status).toBe(429)
    for (let i = 0; i < 20; i++) expect((await ask(`n${i}@example.net`, {}, '198.51.100.9')).status).toBe(200)
    expect((await ask('n20@example.net', {}, '198.51.100.9')).status).toBe(429)
    expect((await ask('n20@example.net', {}, '198.51.100.10')).status).toBe(200)
  })

  it('asked for at once are sent once', async () => {
    const replies = await Promise.all([1, 2, 3].map(() => ask('race@example.net')))
    expect(replies.map((one) => one.status).sort()).toEqual([200, 429, 429])
  })

  it('for a forgotten password go to accounts only, and are limited and refused the same for every address', async () => {
    const known = await createCustomer(server, 'forgetful-one')
    await query(`UPDATE customer SET email = 'known@example.net' WHERE id = ${known.id}`)
    for (const address of ['known@example.net', 'nobody@example.net']) {
      expect([address, (await askForgot(address)).body]).toMatchObject([address, { code: 1 }])
      expect([address, (await askForgot(address)).body]).toMatchObject([address, { code: 429, error: 'too_many' }])
    }
    expect(await query('SELECT address FROM notice')).toEqual([{ address: 'known@example.net' }])
    const code = await arrived('known@example.net')
    const reset = { address: 'known@example.net', newPassword: 'fresh-1' }
    const wrong = code === '000000' ? '000001' : '000000'
    expect((await call(server, 'app/reset-password', { body: { ...reset, code: wrong } })).body).toMatchObject({
      errors: [{ path: 'code' }],
    })
    expect((await call(server, 'app/reset-password', { body: { ...reset, code } })).status).toBe(200)
    const login = await call(server, 'app/login', { body: { username: 'forgetful-one', password: 'fresh-1' } })
    expect(login.status).toBe(200)
  })

  it('register a customer, once', async () => {
    await ask('joins@example.net')
    const code = await arrived('joins@example.net')
    const body = { username: 'joins-by-mail', password: 'good-1', channel: 'mail', address: 'joins@example.net', code }
    expect((await call(server, 'app/register', { body })).body).toMatchObject({ code: 1, token: expect.any(String) })
    const again = { ...body, username: 'joins-again', address: 'other@example.net' }
    expect((await call(server, 'app/register', { body: again })).body).toMatchObject({ errors: [{ path: 'code' }] })
  })

  it('by a channel that is not set up are refused by name, in the caller’s language, for known and unknown addresses', async () => {
    const sms = await ask('13800138000', { channel: 'sms' })
    expect(sms.body).toMatchObject({ code: 503, error: 'sms_unset', msg: expect.stringContaining('short messages') })
    expect((await askForgot('13800138000')).body).toMatchObject({ code: 503, error: 'sms_unset' })
    expect(await query('SELECT * FROM verify_code')).toEqual([])
  })
})
