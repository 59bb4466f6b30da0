/** The record of dispatching and the token of outside monitors, through the API. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { adminToken, call, type TestServer, testServer } from '../../testing/app.ts'

const DEFAULTS = {
  DnsDispatchMode: 'online',
  ModeTimingFrequency: 60,
  checkNodePortList: '80|443',
  checkNodeFrequency: 10,
  failPercent: 80,
  mailNotice: '',
  mailNoticeStatus: 0,
  smsNotice: '',
  smsNoticeStatus: 0,
}
const ALL = {
  DnsDispatchMode: 'timing',
  ModeTimingFrequency: 3600,
  checkNodePortList: '80|443|8443',
  checkNodeFrequency: 300,
  failPercent: 100,
  mailNotice: 'ops@example.com',
  mailNoticeStatus: 1,
  smsNotice: '13800138000',
  smsNoticeStatus: 1,
}

let server: TestServer
let token = ''
beforeAll(async () => {
  server = await testServer()
  token = await adminToken(server)
})
afterAll(() => server.close())
beforeEach(async () => {
  await server.built.context.database.pool.query('DELETE FROM setting; DELETE FROM setting_history')
  server.clock.advance(60)
})

const save = (value: object, lang: 'zh' | 'en' = 'en') => {
  const body = { paramKey: 'dispatch_config', paramValue: JSON.stringify(value) }
  return call(server, 'sys/config/save', { token, body, headers: { lang } })
}
const stored = async () => {
  const reply = await call(server, 'sys/config/kinfo?key=dispatch_config', { method: 'GET', token })
  return JSON.parse((reply.body.data as { paramValue: string }).paramValue) as Record<string, unknown>
}

describe('the dispatch record', () => {
  it('has the fields of the specification with their defaults, and keeps each of them [S3.2]', async () => {
    expect(await stored()).toEqual(DEFAULTS)
    expect((await save(ALL)).status).toBe(200)
    expect(await stored()).toEqual(ALL)
  })

  it.each(['online', 'timing', 'random'])('keeps the mode %s', async (mode) => {
    expect((await save({ ...DEFAULTS, DnsDispatchMode: mode })).status).toBe(200)
    expect((await stored()).DnsDispatchMode).toBe(mode)
  })

  const PORTS = ["ports are 1~65535, separated by '|'", "端口范围为 1~65535，多个端口以 '|' 分隔"] as const
  const NEEDED = ['is required', '不能为空'] as const
  const TIMING = { DnsDispatchMode: 'timing' }
  const WRONG: [path: keyof typeof DEFAULTS, value: unknown, en: string, zh: string, more?: object][] = [
    ['checkNodePortList', '', ...NEEDED],
    ['checkNodePortList', '80,443', ...PORTS],
    ['checkNodePortList', '80||443', ...PORTS],
    ['checkNodePortList', '80|0', ...PORTS],
    ['checkNodePortList', '80|65536', ...PORTS],
    ['checkNodePortList', '80|80', 'is there twice: 80', '存在重复项：80'],
    ['checkNodeFrequency', null, ...NEEDED],
    ['checkNodeFrequency', 9, 'must not be less than 10', '不能小于 10'],
    ['checkNodeFrequency', 310, 'must not be greater than 300', '不能大于 300'],
    ['checkNodeFrequency', 15, 'must be a multiple of 10', '必须是 10 的倍数'],
    ['failPercent', null, ...NEEDED],
    ['failPercent', 0, 'must not be less than 1', '不能小于 1'],
    ['failPercent', 101, 'must not be greater than 100', '不能大于 100'],
    ['ModeTimingFrequency', null, ...NEEDED, TIMING],
    ['ModeTimingFrequency', 59, 'must not be less than 60', '不能小于 60', TIMING],
    ['ModeTimingFrequency', 3660, 'must not be greater than 3600', '不能大于 3600', TIMING],
    ['ModeTimingFrequency', 90, 'must be a multiple of 60', '必须是 60 的倍数', TIMING],
    ['mailNotice', '', ...NEEDED, { mailNoticeStatus: 1 }],
    ['mailNotice', 'nobody', 'is not an e-mail address', '邮箱格式错误', { mailNoticeStatus: 1 }],
    ['smsNotice', '', ...NEEDED, { smsNoticeStatus: 1 }],
    ['smsNotice', '2380', 'is not a phone number', '手机号格式错误', { smsNoticeStatus: 1 }],
  ]
  it.each(WRONG)('refuses %s = %j at its field, in both languages [S5.1]', async (path, value, en, zh, more) => {
    for (const [lang, msg] of [
      ['en', en],
      ['zh', zh],
    ] as const) {
      const reply = await save({ ...DEFAULTS, ...more, [path]: value }, lang)
      expect([reply.status, reply.body.errors]).toEqual([400, [{ path: `paramValue.${path}`, msg }]])
    }
    expect(await stored()).toEqual(DEFAULTS)
  })

  it('switches a notice on where there is an address, and forgets the address of one that is off', async () => {
    await save({ mailNotice: 'ops@example.com', smsNotice: '13800138000', smsNoticeStatus: 0 })
    expect(await stored()).toEqual({ ...DEFAULTS, mailNotice: 'ops@example.com', mailNoticeStatus: 1 })
  })
})

describe('what the screen shows and keeps', () => {
  it('is the token and address of monitors, mode, ports, frequency, failure rate and both notices [S2.17]', async () => {
    const asked = { method: 'GET', token } as const
    const before = (await call(server, 'sys/cdnsys/auth/check/key/show', asked)).body
    expect(before).toMatchObject({ token: expect.stringMatching(/./), importUrl: expect.stringMatching(/^https?:/) })
    expect((await save(ALL)).status).toBe(200)
    expect(await stored()).toEqual(ALL)
    expect((await save({ ...ALL, mailNoticeStatus: 0, smsNoticeStatus: 0 })).status).toBe(200)
    expect(await stored()).toEqual({ ...ALL, mailNotice: '', mailNoticeStatus: 0, smsNotice: '', smsNoticeStatus: 0 })
    expect((await call(server, 'sys/cdnsys/auth/check/key/renew', { token })).status).toBe(200)
    const after = (await call(server, 'sys/cdnsys/auth/check/key/show', asked)).body
    expect([after.importUrl, after.token === before.token]).toEqual([before.importUrl, false])
  })
})

describe('the monitoring token', () => {
  const key = () => call(server, 'sys/cdnsys/auth/check/key/show', { method: 'GET', token })

  it('is shown with the address that takes results and the code; it stays until it is renewed [S7.6]', async () => {
    const shown = await Promise.all([key(), key()])
    const [first] = shown
    expect(first?.body).toMatchObject({ code: 1, token: expect.stringMatching(/^[\w-]{32}$/) })
    expect(shown[1]?.body.token).toBe(first?.body.token)
    const { rows } = await server.built.context.database.pool.query('SELECT value FROM installation')
    expect(JSON.stringify(rows)).not.toContain(first?.body.token)
    expect((await call(server, 'sys/cdnsys/auth/check/key/renew', { token })).status).toBe(200)
    expect((await key()).body.token).not.toBe(first?.body.token)
  })

  it('comes with the address that takes results: below the address of the installation, or the one it was asked at [S3.3]', async () => {
    const { body } = await key()
    expect(body.importUrl).toBe('http://localhost/api/monitor/import')
    const path = new URL(String(body.importUrl)).pathname
    for (const [token, status] of [
      [String(body.token), 200],
      ['forged', 401],
    ] as const) {
      expect((await call(server, path, { method: 'GET', token })).status).toBe(status)
      expect((await call(server, path, { token, body: { monitor: 'curl', results: [] } })).status).toBe(status)
    }
    const public_ = await testServer({ TIDEGATE_PUBLIC_URL: 'https://panel.example.com' })
    try {
      const asked = { method: 'GET', token: await adminToken(public_) } as const
      const shown = await call(public_, 'sys/cdnsys/auth/check/key/show', asked)
      expect(shown.body.importUrl).toBe('https://panel.example.com/api/monitor/import')
    } finally {
      await public_.close()
    }
  })
})
