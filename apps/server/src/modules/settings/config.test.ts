import { SECRET_MASK } from '@tidegate/contract/config/record'
import { PAYMENT_METHODS } from '@tidegate/contract/enums'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildParts } from '../../compose.ts'
import { createMetrics } from '../../platform/metrics.ts'
import { createAdmin, loginAs } from '../../testing/admins.ts'
import { adminToken, call, type Reply, type TestServer, testServer } from '../../testing/app.ts'
import { CONFIG_CLASSES } from './entry.ts'
import { SETTING_KEYS, SETTINGS } from './values.ts'

interface Row {
  id: number
  paramKey: string
  remark: string
  paramValue: string
  status: number
  weight: number
  version: number
  paramClass: string
  switchable: boolean
  secrets: string[]
}

const MAIL = { host: 'smtp.example.com', username: 'ops@example.com', password: 'auth-Secret-1', port: 465 }
const CLOUD = { sdkappId: '1400', secretid: 'AKID', secretkey: 'very-Secret-2', signname: 'Tidegate' }
const BAO = { api_addr: 'https://api.smsbao.com/sms', username: 'bao', api_key: 'bao-Secret-3' }

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

const get = (path: string, as = token, lang = 'en') =>
  call(server, path, { method: 'GET', token: as, headers: { lang } })
const post = (path: string, body: object, as = token, lang = 'en') =>
  call(server, path, { token: as, body, headers: { lang } })
const row = (reply: Reply) => reply.body.data as Row
const value = (reply: Reply) => JSON.parse(row(reply).paramValue) as Record<string, unknown>
const save = (paramKey: string, given: unknown, as = token, lang = 'en') =>
  post('sys/config/save', { paramKey, paramValue: JSON.stringify(given) }, as, lang)
const kinfo = (key: string) => get(`sys/config/kinfo?key=${key}`)
const errors = (reply: Reply) => (reply.body.errors ?? []) as { path: string; msg: string }[]

describe('config records', () => {
  it('have id, paramKey, remark, paramValue as JSON text, status and weight; SMS keys the ids 26, 45, 46 [S3.1]', async () => {
    const reply = await get('sys/config/list?limit=200')
    const { list, totalCount } = reply.body.data as { list: Row[]; totalCount: number }
    expect(totalCount).toBe(SETTING_KEYS.length)
    for (const one of list) {
      expect(one).toMatchObject({
        id: expect.any(Number),
        paramKey: expect.any(String),
        remark: expect.any(String),
        status: expect.any(Number),
        weight: expect.any(Number),
      })
      expect(() => JSON.parse(one.paramValue)).not.toThrow()
    }
    const keyOf = (id: number) => list.find((r) => r.id === id)?.paramKey
    expect([26, 45, 46].map(keyOf)).toEqual(['sms_tencent', 'sms_aliyun', 'sms_bao'])
    expect(list.map((r) => r.paramKey)).toContain('DNS_USER_API_ROOT_URI')
    for (const no of Object.values(PAYMENT_METHODS)) expect(keyOf(100 + no)).toMatch(/^pay_/)
    const zh = await get('sys/config/info/26', token, 'zh')
    expect([row(zh).remark, row(await get('sys/config/info/26')).remark]).toEqual(['腾讯云短信', 'Tencent Cloud SMS'])
  })

  it('are read and written by the specification’s paths under every base', async () => {
    for (const base of ['/antsxdp/', '/ants-dns-api/', '/api/']) {
      expect((await get(`${base}sys/config/list?key=sms&limit=50`)).body.data).toMatchObject({ totalCount: 3 })
      expect(row(await get(`${base}sys/config/info/1`)).paramKey).toBe('web_config')
      expect(row(await get(`${base}sys/config/info2/web_config`)).id).toBe(1)
      expect(row(await get(`${base}sys/config/kinfo?key=web_config`)).id).toBe(1)
      const classes = (await get(`${base}sys/config/getParamClass`)).body.data as {
        paramClass: string
        records: object[]
      }[]
      expect(classes.find((c) => c.paramClass === 'sms')?.records).toHaveLength(3)
      expect((await get(`${base}sys/config/ants/conf/view`)).body.data).toMatchObject({
        web_config: { priceUnit: '¥' },
      })
      const made = await post(`${base}sys/config/save`, { paramKey: 'own.key', paramValue: '[1]', remark: 'mine' })
      const id = Number(made.body.id)
      expect(id).toBeGreaterThanOrEqual(1000)
      const update = { id, paramKey: 'own.key', remark: 'ours', paramValue: '{"a":null}' }
      expect((await post(`${base}sys/config/update`, update)).body).toMatchObject({ code: 1, id, version: 2 })
      expect(row(await get(`${base}sys/config/info/${id}`))).toMatchObject({
        remark: 'ours',
        paramValue: '{"a":null}',
        status: 1,
      })
      expect((await get(`${base}sys/config/update/status/${id}`)).body).toMatchObject({ code: 1, status: 0 })
      expect((await get(`${base}sys/config/update/conf/status?key=own.key&status=1`)).body.status).toBe(1)
      expect((await post(`${base}sys/config/delete`, { ids: [id] })).body.code).toBe(1)
      expect((await get(`${base}sys/config/info/${id}`)).status).toBe(404)
    }
    expect((await post('sys/config/delete', { ids: [1] })).body).toMatchObject({ code: 409, error: 'fixed_entry' })
    expect((await post('sys/config/update', { id: 1, paramKey: 'other', paramValue: '{}' })).status).toBe(404)
  })

  it('keep secrets sealed at rest and masked on the way out, and the stored one when the mask comes back [S3.7]', async () => {
    await save('mail_config', MAIL)
    expect(value(await kinfo('mail_config'))).toMatchObject({
      protocol: 'smtp',
      ...MAIL,
      password: SECRET_MASK,
      templates: [],
    })
    expect(await server.built.settings.store.enabled('mail')).toBe(true)
    const { rows } = await server.built.context.database.pool.query<{ value: { password: string } }>(
      'SELECT value FROM setting',
    )
    expect(rows[0]?.value.password).toMatch(/^v1\./)
    await save('mail_config', { ...MAIL, password: SECRET_MASK, fromName: 'Tide' })
    expect(await server.built.settings.store.get('mail')).toMatchObject({ password: MAIL.password, fromName: 'Tide' })
    // A mask where nothing was stored is no password.
    const first = await save('sms_bao', { ...BAO, api_key: SECRET_MASK })
    expect(errors(first)).toEqual([{ path: 'paramValue.api_key', msg: 'API KEY cannot be empty' }])
    const audited = await server.built.context.database.pool.query<{ text: string }>(
      "SELECT coalesce(before::text, '') || after::text AS text FROM audit_log WHERE target = 'config mail_config'",
    )
    for (const { text } of audited.rows) expect(text).not.toMatch(/auth-Secret-1|v1\./)
  })

  it('send a kept secret to no other address than it was entered for', async () => {
    await save('mail_config', MAIL)
    const elsewhere = await save('mail_config', { ...MAIL, password: SECRET_MASK, host: 'mail.elsewhere.example' })
    expect(errors(elsewhere)).toEqual([
      { path: 'paramValue.password', msg: 'the address has changed, please type the secret again' },
    ])
    expect(await server.built.settings.store.get('mail')).toMatchObject(MAIL)
    expect((await save('mail_config', { ...MAIL, host: 'mail.elsewhere.example' })).status).toBe(200)
    await save('mail_config', MAIL)
  })

  it.each([
    ['sms_tencent', { ...CLOUD, type: 'tencent' }],
    ['sms_aliyun', { ...CLOUD, type: 'aliyun' }],
    ['sms_bao', { ...BAO, type: 'smsbao', signname: '' }],
  ])(
    '%s holds its credentials and five templates with name, title, id, status and content [S3.8 S3.19]',
    async (key, given) => {
      expect((await save(key, given)).status).toBe(200)
      const stored = value(await kinfo(key))
      const secret = 'secretkey' in given ? 'secretkey' : 'api_key'
      expect(stored).toMatchObject({ ...given, [secret]: SECRET_MASK })
      const templates = stored.templateIds as Record<string, object>
      expect(Object.keys(templates)).toEqual(['code', 'meal_out', 'meal_expire', 'flow_out', 'flow_expire'])
      for (const [name, template] of Object.entries(templates))
        expect(template).toEqual({ name, title: expect.any(String), id: '', status: 1, content: '' })
      const content = { ...stored, templateIds: { code: { content: 'code {code}', id: 'T1', status: 0 } } }
      await save(key, content)
      expect(value(await kinfo(key)).templateIds).toMatchObject({
        code: { content: 'code {code}', id: 'T1', status: 0 },
      })
    },
  )

  it('enable one SMS provider and disable the others in one step', async () => {
    await save('sms_tencent', CLOUD)
    await save('sms_aliyun', CLOUD)
    const on = (key: string) => get(`sys/config/update/conf/status?key=${key}&status=1`)
    await on('sms_tencent')
    await on('sms_aliyun')
    const status = async (id: number) => row(await get(`sys/config/info/${id}`)).status
    expect([await status(26), await status(45), await status(46)]).toEqual([0, 1, 0])
    await Promise.all([on('sms_tencent'), on('sms_aliyun'), on('sms_tencent')])
    expect((await status(26)) + (await status(45))).toBe(1)
    expect((await on('sms_bao')).body).toMatchObject({ code: 409, error: 'config_incomplete' })
  })

  it('have enabled and disabled states; what is never off cannot be disabled [S4.18]', async () => {
    expect((await get('sys/config/update/status/1')).body).toMatchObject({ code: 409, error: 'config_always_on' })
    await save('pay_epay', { version: 'v1', baseUrl: 'https://pay.example.com', pid: '1001', key: 'epay-Secret' })
    const { store } = server.built.settings
    expect(await store.enabled('payEpay')).toBe(false)
    expect((await get('sys/config/update/status/109')).body.status).toBe(1)
    expect(await store.enabled('payEpay')).toBe(true)
    expect((await get('sys/config/update/status/109')).body.status).toBe(0)
    expect(await store.enabled('payEpay')).toBe(false)
  })

  it('refuse what is no JSON, what does not fit, and a version that is no longer the present one', async () => {
    const wrong = await post('sys/config/save', { paramKey: 'web_config', paramValue: '{' }, token, 'zh')
    expect(errors(wrong)).toEqual([{ path: 'paramValue', msg: '不是有效的 JSON' }])
    const lang = await save('web_config', { basic: { lang: 'fr' } })
    expect(errors(lang)).toEqual([{ path: 'paramValue.basic.lang', msg: 'must be one of zh, en' }])
    const nul = await post('sys/config/save', { paramKey: 'own', paramValue: '{"a":"\\u0000"}' })
    expect(errors(nul)).toEqual([{ path: 'paramValue.a', msg: 'is not in the right form' }])
    const first = await post('sys/config/update', { id: 1, paramValue: '{}', version: 0 })
    expect(first.body.version).toBe(1)
    expect((await post('sys/config/update', { id: 1, paramValue: '{}', version: 0 })).body.error).toBe('conflict')
  })

  it('keep every version with what it changed, without secrets, and go back to one', async () => {
    await save('mail_config', MAIL)
    await save('mail_config', { ...MAIL, host: 'other.example.com', password: 'new-Secret-9' })
    const history = await post('sys/config/history', { id: 20 })
    const { list } = history.body.data as {
      list: { version: number; by: string; changes: object[]; current: boolean }[]
    }
    expect(list.map((v) => [v.version, v.by, v.current])).toEqual([
      [2, 'admin', true],
      [1, 'admin', false],
    ])
    expect(list[0]?.changes).toEqual([
      { path: 'host', before: 'smtp.example.com', after: 'other.example.com', secret: false },
      { path: 'password', before: SECRET_MASK, after: SECRET_MASK, secret: true },
    ])
    expect(JSON.stringify(history.body)).not.toMatch(/Secret/)
    expect((await post('sys/config/restore', { id: 20, version: 1 })).body.version).toBe(3)
    expect(await server.built.settings.store.get('mail')).toMatchObject(MAIL)
    expect(errors(await post('sys/config/restore', { id: 20, version: 99 }))[0]?.path).toBe('version')
  })

  it('are seen at once here and in another process', async () => {
    const other = buildParts({ ...server.built.context, metrics: createMetrics() })
    expect((await other.settings.store.get('web')).basic.webName).toBe('Tidegate')
    const told = new Promise((resolve) => server.built.context.bus.on('setting_changed', resolve))
    await save('web_config', { basic: { webName: 'Edge Co' } })
    expect((await server.built.settings.store.get('web')).basic.webName).toBe('Edge Co')
    expect(await told).toBe('web')
    expect((await other.settings.store.get('web')).basic.webName).toBe('Edge Co')
    await other.settings.stop?.()
  })

  it.each(Object.entries(CONFIG_CLASSES))(
    'of the screen %s are read and changed with its permissions only',
    async (screen, permission) => {
      const records = SETTING_KEYS.filter((key) => SETTINGS[key].screen === screen).map((key) => SETTINGS[key].paramKey)
      await createAdmin(server, `reads-${screen}`, [permission])
      await createAdmin(server, `writes-${screen}`, [permission, `${permission}:save`])
      const [reader, writer] = [await loginAs(server, `reads-${screen}`), await loginAs(server, `writes-${screen}`)]
      const seen = await get('sys/config/list?limit=200', reader)
      expect((seen.body.data as { list: Row[] }).list.map((r) => r.paramKey).sort()).toEqual([...records].sort())
      for (const key of SETTING_KEYS) {
        const { id, paramKey } = SETTINGS[key]
        const mine = records.includes(paramKey)
        expect((await get(`sys/config/info/${id}`, reader)).status).toBe(mine ? 200 : 403)
        if (!mine) {
          expect((await save(paramKey, {}, writer)).status).toBe(403)
          expect((await post('sys/config/history', { id }, writer)).status).toBe(403)
        }
      }
      for (const paramKey of records) expect((await save(paramKey, {}, reader)).status).toBe(403)
      expect((await save('own.of.nobody', {}, writer)).status).toBe(403)
    },
  )

  it('are the page config: website, features and the linked site without its token; the counts only for who is logged in [S3.13 S7.12]', async () => {
    await save('web_config', {
      basic: { webName: '边缘', icp: '京ICP备1号' },
      seo: { title: 'Fast' },
      contact: { qq: '10001' },
    })
    await save('feature_flags', {
      rewrite: 1,
      ai_waf: 1,
      dns_rewrite: { cnameDomain: 'cname.example.com', dnsAddress: '192.0.2.1' },
      otherSite: { siteUrl: 'https://dns.example.com', apiRootPath: '/api/', syncRegister: 1, token: 'link-Secret' },
    })
    for (const path of ['sys/common/index', 'sys_common/index']) {
      const { body } = await call(server, path, { method: 'GET' })
      expect(body).toMatchObject({
        rewrite: 1,
        ai_waf: 1,
        user_dir: '/',
        dns_rewrite: { cnameDomain: 'cname.example.com', dnsAddress: '192.0.2.1' },
        otherSite: { siteUrl: 'https://dns.example.com', apiRootPath: '/api/', syncRegister: 1 },
      })
      expect(body).not.toHaveProperty('wkCount')
      expect(JSON.parse((body.web_config as { paramValue: string }).paramValue)).toEqual({
        basic: {
          favicon: '',
          logoImgLight: '',
          logoImgDark: '',
          webName: '边缘',
          icp: '京ICP备1号',
          isp: '',
          lang: 'zh',
        },
        seo: { title: 'Fast', keywords: '', description: '' },
        contact: { mobile: '', email: '', qq: '10001', company: '', telegram: '', skype: '' },
        priceUnit: '¥',
        userDir: '/',
      })
      expect(JSON.stringify(body)).not.toContain('link-Secret')
      expect((await get(path)).body.wkCount).toBe(0)
    }
    const enums = await call(server, 'sys/common/enums', { method: 'GET' })
    expect(enums.body.data).toMatchObject({ pushStates: ['pending', 'done', 'refused'], menuTypes: { directory: 0 } })
  })

  it('give website, service agreement and release notes to anybody [S7.2]', async () => {
    await save('web_config', { basic: { webName: 'Edge Co' } })
    await save('service_agreement', { zh: { title: '协议', content: '第一条' } })
    const open = (path: string, lang = 'en') => call(server, path, { method: 'GET', headers: { lang } })
    expect((await open('app/common/web/config')).body.data).toMatchObject({ basic: { webName: 'Edge Co' } })
    expect((await open('app/common/web/agent')).body.data).toEqual({ title: '协议', content: '第一条' })
    await save('service_agreement', {
      zh: { title: '协议', content: '第一条' },
      en: { title: 'Terms', content: 'One' },
    })
    expect((await open('app/common/web/agent')).body.data).toEqual({ title: 'Terms', content: 'One' })
    expect((await open('app/common/web/agent', 'zh')).body.data).toEqual({ title: '协议', content: '第一条' })
    const log = (lang: string, query = '') => open(`app/common/web/update/log${query}`, lang)
    const data = (await log('en')).body.data as { list: { version: string; notes: string[] }[]; totalCount: number }
    expect(data.totalCount).toBe(data.list.length)
    expect(((await log('en', '?page=2&limit=1')).body.data as typeof data).list).toEqual(data.list.slice(1, 2))
    expect(((await log('zh')).body.data as typeof data).list[0]?.notes[0]).toMatch(/[\u4e00-\u9fff]/)
  })
})
