/** Notices that other modules give rise to, and where mail and short messages are set up. */
import { mailConfig } from '@tidegate/contract/config/mail'
import { USER_EVENTS } from '@tidegate/contract/config/notify'
import { SMS_CONFIGS } from '@tidegate/contract/config/sms'
import { generate } from 'otplib'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { channelConfigs } from './channel-configs.ts'
import { createAdmin } from './testing/admins.ts'
import { ADMIN_PASSWORD, adminToken, call, type TestServer, testServer } from './testing/app.ts'
import { createCustomer, type TestCustomer } from './testing/customers.ts'
import { saveConfig } from './testing/settings.ts'
import { type SmtpPeer, startSmtpPeer } from './testing/smtp-peer.ts'

const CLOUD = { sdkappId: '1', secretid: 'id', secretkey: 'cloud-Secret', signname: 'Sign' }
const BAO = { api_addr: 'https://sms.example.com', username: 'u', api_key: 'bao-Secret' }

let server: TestServer
let token: string
let smtp: SmtpPeer
let dora: TestCustomer
beforeAll(async () => {
  smtp = await startSmtpPeer()
  server = await testServer({ TIDEGATE_LOGIN_CAPTCHA: 'off' }, { peers: { mail: { ca: [smtp.certificate] } } })
  token = await adminToken(server)
  dora = await createCustomer(server, 'dora')
  await query(`UPDATE customer SET email = 'dora@example.net', lang = 'zh' WHERE id = ${dora.id}`)
  const { host, port } = smtp
  const login = { username: 'sender@example.com', password: 'right-Password' }
  await saveConfig(server, 'mail_config', { host, port, tls: 'implicit', ...login })
})
afterAll(async () => {
  await server.close()
  await smtp.close()
})
beforeEach(() => query('DELETE FROM notice'))

const query = async <T>(text: string) => (await server.built.context.database.pool.query(text)).rows as T[]
const channels = (event: string) =>
  query<{ channel: string; address: string }>(
    `SELECT channel, address FROM notice WHERE event = '${event}' ORDER BY id`,
  )
const mailTo = async (address: string) => {
  await server.built.notify.pump.drain()
  return await smtp.next(address)
}

const enter = (path: string, username: string, ip: string) =>
  call(server, path, { body: { username, password: ADMIN_PASSWORD }, ip, headers: { 'user-agent': 'Firefox/140' } })

describe('a login from a new place', () => {
  it('is told to the customer by mail and in the list of messages, with address and browser', async () => {
    expect((await enter('app/login', 'dora', '192.0.2.7')).status).toBe(200)
    await query('DELETE FROM notice')
    expect((await enter('app/login', 'dora', '198.51.100.9')).status).toBe(200)
    await expect
      .poll(() => channels('login_new'), { timeout: 30_000 })
      .toMatchObject([
        { channel: 'message', address: String(dora.id) },
        { channel: 'mail', address: 'dora@example.net' },
      ])
    const mail = await mailTo('dora@example.net')
    expect(mail.subject).toContain('账号在新的地址登录')
    expect(mail.text).toContain('198.51.100.9')
    expect(mail.text).toContain('Firefox')
    expect(await query('SELECT title FROM message')).toEqual([{ title: mail.subject }])
    await query('DELETE FROM notice')
    expect((await enter('app/login', 'dora', '198.51.100.10')).status).toBe(200)
    expect(await channels('login_new')).toEqual([])
  })

  it('of an administrator is told to the staff’s mailbox', async () => {
    await call(server, 'sys/notify/channel/save', { token, body: { mail: { to: 'staff@example.net' } } })
    expect((await enter('sys/login', 'admin', '203.0.113.77')).status).toBe(200)
    await expect
      .poll(() => channels('login_new'), { timeout: 30_000 })
      .toEqual([{ channel: 'mail', address: 'staff@example.net' }])
    expect((await mailTo('staff@example.net')).text).toContain('203.0.113.77')
  })
})

it('a password that one administrator sets for another is told to the staff’s mailbox, with whose it is and from where', async () => {
  await call(server, 'sys/notify/channel/save', { token, body: { mail: { to: 'staff@example.net' } } })
  const id = await createAdmin(server, 'forgetful', [])
  const body = { id, newPassword: `${ADMIN_PASSWORD}-2` }
  expect((await call(server, 'sys/user/password/reset', { token, body, ip: '203.0.113.78' })).status).toBe(200)
  await expect
    .poll(() => channels('password_changed'), { timeout: 30_000 })
    .toEqual([{ channel: 'mail', address: 'staff@example.net' }])
  const { text } = await mailTo('staff@example.net')
  expect(text).toContain('forgetful')
  expect(text).toContain('203.0.113.78')
})

describe('what makes an account another one’s', () => {
  const AGENT = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
  const from = (ip: string) => ({ ip, headers: { 'user-agent': AGENT } })
  const told = (event: string) =>
    expect
      .poll(() => channels(event), { timeout: 30_000 })
      .toMatchObject([{ channel: 'message' }, { channel: 'mail', address: 'dora@example.net' }])

  it('a changed password is told to the customer, from where and by what it was done', async () => {
    const body = { password: ADMIN_PASSWORD, newPassword: `${ADMIN_PASSWORD}-2` }
    const changed = await call(server, 'app/account/password', { token: dora.token, body, ...from('192.0.2.8') })
    expect(changed.status).toBe(200)
    await told('password_changed')
    const mail = await mailTo('dora@example.net')
    expect(mail.subject).toContain('密码已修改')
    expect(mail.text).toContain('192.0.2.8（Firefox · Linux）')
  })

  it('so is a password that was set by a code, in the same transaction', async () => {
    const { codes } = server.built.notify
    await codes.send({
      channel: 'mail',
      address: 'dora@example.net',
      purpose: 'forgot',
      lang: 'en',
      ip: '192.0.2.8',
      deliver: true,
    })
    const [, code = ''] = /(\d{6})/.exec((await mailTo('dora@example.net')).text) ?? []
    await query('DELETE FROM notice')
    const body = { address: 'dora@example.net', code, newPassword: ADMIN_PASSWORD }
    expect((await call(server, 'app/reset-password', { body, ...from('192.0.2.9') })).status).toBe(200)
    expect(await channels('password_changed')).toMatchObject([{ channel: 'message' }, { channel: 'mail' }])
    expect((await mailTo('dora@example.net')).text).toContain('192.0.2.9')
  })

  it('so are second factors that come and go; it cannot be switched off', async () => {
    const entered = await enter('app/login', 'dora', '192.0.2.7')
    const own = { token: String(entered.body.token), ...from('192.0.2.7') }
    const begun = await call(server, 'app/account/security/totp', { ...own, body: { password: ADMIN_PASSWORD } })
    const code = await generate({ secret: String(begun.body.secret), epoch: Math.floor(server.clock.now() / 1000) })
    await query('DELETE FROM notice')
    expect((await call(server, 'app/account/security/totp/confirm', { ...own, body: { code } })).status).toBe(200)
    await told('factor_added')
    const [factor] = await query<{ id: number }>(`SELECT id FROM second_factor WHERE customer_id = ${dora.id}`)
    const gone = { id: factor?.id, password: ADMIN_PASSWORD }
    expect((await call(server, 'app/account/security/factor/delete', { ...own, body: gone })).status).toBe(200)
    await told('factor_removed')
    expect(USER_EVENTS.filter((one) => /password|factor|wechat/.test(one))).toEqual([])
  })
})

describe('an account that is disabled', () => {
  const enable = (enabled: boolean) =>
    call(server, 'sys/account/user/enable', { token, body: { ids: [dora.id], enabled } })

  it('is told by mail, once, and not when it is enabled', async () => {
    expect((await enable(false)).status).toBe(200)
    const mail = await mailTo('dora@example.net')
    expect(mail.subject).toContain('账号已停用')
    await enable(false)
    await enable(true)
    expect(await channels('account_disabled')).toEqual([{ channel: 'mail', address: 'dora@example.net' }])
  })
})

describe('settings of mail and short messages', () => {
  it('are the records of the settings screens; a disabled record counts as none', async () => {
    const store = server.built.settings.store
    const configs = channelConfigs(store)
    expect(await configs.mail()).toMatchObject({ host: smtp.host, password: 'right-Password' })
    expect(mailConfig.safeParse(await configs.mail()).success).toBe(true)
    await query("UPDATE setting SET status = 0 WHERE key = 'mail'")
    server.clock.advance(6)
    expect(await configs.mail()).toBeNull()
    await query("UPDATE setting SET status = 1 WHERE key = 'mail'")
    server.clock.advance(6)
  })

  it('of several enabled SMS providers in old data activate Tencent’s first, then Aliyun’s, then SMS Bao', async () => {
    const configs = channelConfigs(server.built.settings.store)
    expect(await configs.sms()).toBeNull()
    await saveConfig(server, 'sms_bao', SMS_CONFIGS.smsbao.parse(BAO))
    await saveConfig(server, 'sms_aliyun', SMS_CONFIGS.aliyun.parse(CLOUD))
    await saveConfig(server, 'sms_tencent', SMS_CONFIGS.tencent.parse(CLOUD))
    // The screen leaves one enabled; old data may hold all three.
    await query("UPDATE setting SET status = 1 WHERE key LIKE 'sms%'")
    for (const [type, key] of [
      ['tencent', 'smsTencent'],
      ['aliyun', 'smsAliyun'],
      ['smsbao', 'smsBao'],
    ]) {
      server.clock.advance(6)
      expect(await configs.sms()).toMatchObject({ type })
      await query(`UPDATE setting SET status = 0 WHERE key = '${key}'`)
    }
    server.clock.advance(6)
    expect(await configs.sms()).toBeNull()
  })
})
