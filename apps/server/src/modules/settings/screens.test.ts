/** The ten screens of the system settings, as the server offers them. */
import type { MenuItem } from '@tidegate/contract/operations/common'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAdmin, loginAs } from '../../testing/admins.ts'
import { call, type TestServer, testServer } from '../../testing/app.ts'

interface Record {
  paramKey: string
  value: object
}

/** A record of the screen with a value that fits; none: the screen reads one operation. */
const SCREENS: readonly (readonly [screen: string, record: Record | string])[] = [
  ['overview', 'sys/system/overview'],
  ['website', { paramKey: 'web_config', value: { basic: { webName: 'Edge' } } }],
  ['payment', { paramKey: 'pay_balance', value: {} }],
  ['verify', { paramKey: 'verify_config', value: { forceRealName: true } }],
  ['mail', { paramKey: 'mail_config', value: { host: 'smtp.qq.com', port: 465, username: 'a@qq.com', password: 'p' } }],
  ['sms', { paramKey: 'sms_bao', value: { api_addr: 'https://api.smsbao.com/sms', username: 'u', api_key: 'k' } }],
  ['wechat', { paramKey: 'wechat_config', value: { appid: 'wx0123456789abcdef', appSecret: 's' } }],
  ['login', { paramKey: 'login_config', value: { captcha: 'off' } }],
  ['api', { paramKey: 'identity_api', value: { provider: 'tencent', secretId: 'i', secretKey: 'k' } }],
  ['install', 'sys/system/install'],
]

const pathsOf = (items: readonly MenuItem[]): string[] => items.flatMap((i) => [i.url, ...pathsOf(i.children)])

describe('the screens of the system settings', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await testServer({ TIDEGATE_LOGIN_CAPTCHA: 'off' })
    await createAdmin(server, 'sees-none', ['home:overview'])
  })
  afterAll(() => server.close())

  it.each(SCREENS)('%s is in the menu, read and saved by who may [S2.38]', async (screen, record) => {
    const permission = `system:${screen}`
    const may = `sees-${screen}`
    await createAdmin(server, may, [permission, ...(typeof record === 'string' ? [] : [`${permission}:save`])])
    const [token, other] = [await loginAs(server, may), await loginAs(server, 'sees-none')]
    const get = (path: string, as: string) => call(server, path, { method: 'GET', token: as })
    const menu = async (as: string) => pathsOf((await get('sys/menu/nav', as)).body.menuList as MenuItem[])
    expect(await menu(token)).toContain(`/system/${screen}`)
    expect(await menu(other)).not.toContain(`/system/${screen}`)
    if (typeof record === 'string') {
      expect([(await get(record, token)).status, (await get(record, other)).status]).toEqual([200, 403])
      return
    }
    const { paramKey, value } = record
    const save = (as: string) =>
      call(server, 'sys/config/save', { token: as, body: { paramKey, paramValue: JSON.stringify(value) } })
    expect([(await save(other)).status, (await save(token)).status]).toEqual([403, 200])
    const read = (as: string) => get(`sys/config/kinfo?key=${paramKey}`, as)
    expect((await read(other)).status).toBe(403)
    const stored = (await read(token)).body.data as { paramValue: string; version: number }
    expect(stored.version).toBe(1)
    const shown = JSON.parse(stored.paramValue) as object
    expect(Object.keys(shown)).toEqual(expect.arrayContaining(Object.keys(value)))
  })
})
