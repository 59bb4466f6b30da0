/** WeChat's scan login in a browser against a simulator of WeChat, and real names checked at once by a simulator of the identity API. */
import { aliyunIdentitySimulator } from '@tidegate/testkit/identity-apis'
import type { Simulator } from '@tidegate/testkit/providers'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { ADMIN_PASSWORD, adminToken } from '../apps/server/src/testing/app.ts'
import { createCustomer } from '../apps/server/src/testing/customers.ts'
import { startWechatPeer, type WechatPeer } from '../apps/server/src/testing/wechat-peer.ts'
import { launchBrowser, settled } from './lib/browser.ts'
import { type InProcess, startInProcess } from './lib/in-process.ts'
import { createPeople } from './lib/people.ts'
import { said } from './lib/said.ts'

const APP = { appid: 'wx0123456789abcdef', secret: 'right-AppSecret' }
const PERSON = { name: '张三丰', number: '11010519491231002X' }
const CUSTOMER = 'shop-owner'
const SHOTS = process.env.TIDEGATE_SHOTS

let peer: WechatPeer
let api: Simulator
let installation: InProcess
let browser: Browser
let token = ''
const people = createPeople(() => browser)
const someone = people.join

beforeAll(async () => {
  peer = await startWechatPeer({ ...APP, domain: 'localhost' })
  api = await aliyunIdentitySimulator('AK1', 'aliyun-Secret', PERSON)
  const realName = { aliyun: api.url, tencent: api.url }
  installation = await startInProcess({ TIDEGATE_LOGIN_CAPTCHA: 'off' }, { peers: { wechat: peer.roots, realName } })
  token = await adminToken(installation.server)
  await createCustomer(installation.server, CUSTOMER)
  browser = await launchBrowser()
})
afterEach(people.leave)
afterAll(async () => {
  await browser?.close()
  await installation?.close()
  await peer?.close()
  await api?.close()
})

const shot = async (page: Page, name: string) => {
  if (SHOTS) await page.screenshot({ path: `${SHOTS}/${name}.png`, fullPage: true })
}
const admin = (path: string) => `${installation.url}admin/#${path}`
const atHome = (page: Page) => page.waitForFunction(() => /^#\/(home|cdn|dns|account)/.test(location.hash))
const ownToken = (page: Page, console = 'user') => page.evaluate((id) => localStorage.getItem(`${id}:token`), console)
const scan = (page: Page, who: string) => page.getByRole('link', { name: who }).click()

describe('logging in by WeChat', () => {
  it('is set up on its screen, which shows what to register at WeChat', async () => {
    const { page } = await someone({ token })
    await page.goto(admin('/system/wechat'))
    await page.getByLabel('AppID').fill('nonsense')
    await page.getByLabel('AppSecret').fill(APP.secret)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('an AppID begins with wx and has 18 characters').waitFor()
    await page.getByLabel('AppID').fill(APP.appid)
    await said(page, 'Configuration saved successfully', () =>
      page.getByRole('switch', { name: 'Enable Login by WeChat' }).click(),
    )
    const callback = page.getByRole('region', { name: 'Callback' })
    await callback.getByText('localhost', { exact: true }).waitFor()
    await callback.getByText(`${installation.url}dns/`).waitFor()
    await page.reload()
    expect(await page.getByLabel('AppSecret').inputValue()).toBe('********')
    await shot(page, 'wechat-settings')
  })

  it('offers who is new there to log in, links the account by it, and lets in by the scan alone from then on', async () => {
    const { page } = await someone({ console: 'user' })
    await page.goto(`${installation.url}#/login`)
    await page.getByRole('button', { name: 'Log in with WeChat' }).click()
    await scan(page, 'decline')
    await page.getByText('It was not allowed in WeChat').waitFor()
    await page.getByRole('button', { name: 'Log in with WeChat' }).click()
    await scan(page, 'scan as alice')
    const note = page.getByRole('region', { name: 'Link WeChat' })
    await note.getByText('"alice" is not linked yet').waitFor()
    expect(new URL(page.url()).search).toBe('')
    expect(await ownToken(page)).toBeNull()
    await shot(page, 'wechat-unbound')
    await page.getByRole('link', { name: 'No account: register and link' }).click()
    await page.getByText('The WeChat account "alice" will be linked').waitFor()
    await shot(page, 'wechat-register')
    await page.goBack()
    await page.getByLabel('Account').fill(CUSTOMER)
    await page.getByLabel('Password', { exact: true }).fill(ADMIN_PASSWORD)
    await page.getByRole('button', { name: 'Log in', exact: true }).click()
    await atHome(page)

    const again = await someone({ console: 'user', lang: 'zh', theme: 'dark' })
    await again.page.goto(`${installation.url}#/login?redirect=${encodeURIComponent('/cdn/account/info')}`)
    await again.page.getByRole('button', { name: '微信扫码登录' }).click()
    await scan(again.page, 'scan as alice')
    // Where the person wanted to be.
    await again.page.waitForFunction(() => location.hash === '#/cdn/account/info')
    expect(await ownToken(again.page)).toMatch(/^[\w-]{43}$/)
    expect(again.page.url()).not.toMatch(/code=|state=|token/)
  })

  it('is taken away and given back on the account’s page, for the password, in the DNS console', async () => {
    const { page } = await someone({ console: 'user' })
    await page.goto(`${installation.url}dns/#/login`)
    await page.getByRole('button', { name: 'Log in with WeChat' }).click()
    await scan(page, 'scan as alice')
    await atHome(page)
    await page.goto(`${installation.url}dns/#/dns/account/info`)
    const row = page.getByRole('listitem').filter({ hasText: 'WeChat' })
    await row.getByText('alice').waitFor()
    await settled(page)
    await shot(page, 'wechat-account')
    const prove = async (button: string) => {
      const dialog = page.getByRole('dialog').last()
      await dialog.getByLabel('Your password').fill(ADMIN_PASSWORD)
      await dialog.getByRole('button', { name: button }).click()
    }
    await row.getByRole('button', { name: 'Unlink' }).click()
    await prove('Unlink')
    await row.getByText('Not bound').waitFor()
    await row.getByRole('button', { name: 'Bind' }).click()
    await prove('Go to the code')
    await scan(page, 'scan as bob')
    await row.getByText('bob').waitFor()
    expect(new URL(page.url()).search).toBe('')
    // The login is the one from before.
    expect(await ownToken(page, 'dns-user')).toMatch(/^[\w-]{43}$/)
  })
})

describe('real names', () => {
  it('are tried at the identity API on its screen, and verified at once for a customer who agrees [S6.6]', async () => {
    const { page } = await someone({ token, lang: 'zh' })
    await page.goto(admin('/system/api'))
    await page.getByLabel('AccessKey ID').fill('AK1')
    await page.getByLabel('AccessKey Secret').fill('aliyun-Secret')
    const trial = page.getByRole('region', { name: '测试' })
    await trial.getByLabel('姓名').fill('李四')
    await trial.getByLabel('身份证号').fill(PERSON.number)
    await trial.getByRole('button', { name: '核验' }).click()
    await trial.getByText('不一致').waitFor()
    await trial.getByText('BizCode 2').waitFor()
    await said(page, '配置保存成功', () => page.getByRole('switch', { name: '启用 实名核验接口' }).click())
    await shot(page, 'identity-api')

    const own = await someone({ console: 'user' })
    await own.page.goto(`${installation.url}#/login`)
    await own.page.getByLabel('Account').fill(CUSTOMER)
    await own.page.getByLabel('Password', { exact: true }).fill(ADMIN_PASSWORD)
    await own.page.getByRole('button', { name: 'Log in', exact: true }).click()
    await atHome(own.page)
    await own.page.goto(`${installation.url}#/cdn/account/info`)
    const names = own.page.getByRole('region', { name: 'Real name' })
    await names.getByLabel('Name', { exact: true }).fill(PERSON.name)
    await names.getByLabel('ID card number').fill(PERSON.number)
    await names.getByRole('button', { name: 'Hand in' }).click()
    await names.getByText('needs your consent').waitFor()
    await shot(own.page, 'real-name')
    await names.getByRole('checkbox').check()
    await names.getByRole('button', { name: 'Hand in' }).click()
    await names.getByText('Verified').waitFor()
    await names.getByText('110***********002X').waitFor()
    expect(await own.page.content()).not.toContain(PERSON.number)
  })
})
