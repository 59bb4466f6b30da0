/** The settings' screens in a browser against the whole product, with real peers: what is set is what visitors, mailboxes and phones then see. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Simulator, smsBaoSimulator } from '@tidegate/testkit/providers'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser, newPerson, type Person, settled } from './lib/browser.ts'
import { type MailSink, startMailSink } from './lib/mail.ts'
import { sql } from './lib/stores.ts'
import { ADMIN, Stack } from './stack.ts'

/** One point. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
)
const SAVE = { zh: /^保\s?存$/, en: 'Save' } as const
const SAVED = { zh: '配置保存成功', en: 'Configuration saved successfully' } as const

let stack: Stack
let browser: Browser
let sink: MailSink
let bao: Simulator
let folder = ''
let token = ''
const people: Person[] = []

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tidegate-settings-'))
  sink = await startMailSink()
  bao = await smsBaoSimulator('bao', 'bao-Key1')
  stack = await Stack.startControlPlane({ env: await sink.environment(folder) })
  browser = await launchBrowser()
  token = (await stack.api.call('auth.login', ADMIN)).token
})
afterEach(async () => {
  for (const { context, faults } of people.splice(0)) {
    await context.close()
    expect(faults).toEqual([])
  }
})
afterAll(async () => {
  await browser?.close()
  await stack?.destroy()
  await bao?.close()
  await sink?.close()
  if (folder) rmSync(folder, { recursive: true })
})

/** Someone of the staff at a screen, or a visitor of the customers' console. */
const at = async (path: string, lang: 'zh' | 'en', visitor = false): Promise<Page> => {
  const person = await newPerson(browser, visitor ? { lang, console: 'user' } : { lang, token })
  people.push(person)
  await person.page.goto(`${visitor ? stack.baseUrl : stack.consoleUrl}#${path}`)
  if (!visitor) await settled(person.page)
  return person.page
}
const save = async (page: Page, lang: 'zh' | 'en', within = page.locator('body')) => {
  await within.getByRole('button', { name: SAVE[lang] }).click()
  await page.getByText(SAVED[lang]).waitFor()
}
const stored = async (key: string) => {
  const { data } = await stack.api.call('config.kinfo', { key })
  return { status: data.status, value: JSON.parse(data.paramValue) as Record<string, unknown> }
}
/** All of the table, sealed values among it. */
const raw = async () => JSON.stringify(await sql(stack, 'SELECT * FROM setting'))

describe('the website', () => {
  it('is shown as it will look while it is typed; logos and icon keep to their limits', async () => {
    const page = await at('/system/website', 'zh')
    const preview = page.getByRole('region', { name: '预览' })
    const name = page.getByRole('textbox', { name: '网站名称' })
    await name.fill('一二三四五六七八九')
    await page.getByText('超过 8 个字').waitFor()
    await preview.getByText('一二三四五六七八九').first().waitFor()
    await name.fill('潮门')
    const choose = (label: string, buffer: Buffer) =>
      page.getByLabel(label, { exact: true }).setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer })
    const large = (size: number) => Buffer.concat([PNG, Buffer.alloc(size - PNG.length)])
    for (const [label, size, words] of [
      ['浅色标志', 100 * 1024 + 1, '图片不能超过 100 KB'],
      ['网站图标', 50 * 1024 + 1, '图片不能超过 50 KB'],
    ] as const) {
      await choose(label, large(size))
      await page.getByText(words).waitFor()
    }
    await choose('深色标志', Buffer.from('<html></html>'))
    await page.getByText('只支持 PNG, JPG, GIF, WEBP 图片').waitFor()
    await choose('深色标志', large(100 * 1024))
    const logo = preview.locator('.settings-preview-bar img')
    await logo.waitFor()
    // The style shows it at 150x50 at most.
    expect(await logo.evaluate((img) => [getComputedStyle(img).maxWidth, getComputedStyle(img).maxHeight])).toEqual([
      '150px',
      '50px',
    ])
    await page.getByLabel('标题', { exact: true }).first().fill('潮门云')
    await page.getByLabel('公司', { exact: true }).fill('潮门科技')
    await page.getByLabel('邮箱', { exact: true }).fill('nobody')
    await preview.getByText('概览 - 潮门云').waitFor()
    await page.getByRole('button', { name: SAVE.zh }).click()
    await page.getByText('邮箱格式错误').waitFor()
    await page.getByLabel('邮箱', { exact: true }).fill('help@tide.test')
    await save(page, 'zh')
    const visitor = await at('/login', 'zh', true)
    await visitor.waitForFunction(() => document.title.endsWith('潮门云'))
    const other = await at('/home/overview', 'en')
    await other.locator('.shell-footer').getByText('潮门科技').waitFor()
    expect(await other.locator('.shell-brand img').getAttribute('src')).toMatch(/^\/uploads\/[a-z0-9]{32}\.png$/)
  })

  it('keeps what was before: each version says what it changed, and can be restored', async () => {
    const page = await at('/system/website', 'en')
    const name = page.getByRole('textbox', { name: 'Website name' })
    await name.fill('Tide')
    await save(page, 'en')
    await page.getByRole('button', { name: 'History' }).first().click()
    const drawer = page.getByRole('dialog')
    await drawer.getByText('Version 2', { exact: true }).waitFor()
    expect(await drawer.locator('del', { hasText: '潮门' }).first().textContent()).toBe('潮门')
    expect(await drawer.locator('ins', { hasText: 'Tide' }).first().textContent()).toBe('Tide')
    await drawer.getByRole('button', { name: 'Restore' }).first().click()
    await page.getByText('Restore version 1?').waitFor()
    await page.locator('.ant-modal').getByRole('button', { name: 'Restore' }).click()
    await drawer.getByText('Version 3', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await page.waitForFunction(() => [...document.querySelectorAll('input')].some((input) => input.value === '潮门'))
    expect((await stored('web_config')).value).toMatchObject({ basic: { webName: '潮门' } })
  })
})

describe('mail', () => {
  it('shows a wrong password as such before anything is saved, and then what the server answered', async () => {
    const page = await at('/system/mail', 'en')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    for (const text of ['SMTP server', 'sender mailbox', 'authorization password'])
      await page.getByText(`the ${text} cannot be empty`).waitFor()
    const server = page.getByLabel('SMTP server')
    await page.getByText('Advanced', { exact: true }).click()
    await server.fill('smtp.office365.com')
    expect(await page.getByLabel('Port').inputValue()).toBe('587')
    await server.fill('smtp.qq.com')
    expect(await page.getByLabel('Port').inputValue()).toBe('465')
    await server.fill(sink.config.host)
    await page.getByLabel('Port').fill(String(sink.config.port))
    await page.getByLabel('Sender mailbox').fill(sink.config.username)
    const password = page.getByLabel('Authorization password')
    expect(await password.getAttribute('type')).toBe('password')
    await password.fill('wrong-Password')
    await page.getByLabel('Recipient').fill('operator@tide.test')
    const send = page.getByRole('button', { name: 'Send test mail' })
    await send.click()
    await page.getByText('Account or password was refused').waitFor()
    await page.getByText(/535.*wrong password/).waitFor()
    expect(await page.content()).not.toContain('wrong password wrong-Password')
    await password.fill(sink.config.password)
    await send.click()
    await page.getByText('Sent, and accepted by the other side').waitFor()
    expect((await sink.next('operator@tide.test')).from).toBe(sink.config.username)
    await save(page, 'en')
    await page.reload()
    await settled(page)
    expect(await page.getByLabel('Authorization password').inputValue()).toBe('********')
    expect(await raw()).not.toContain(sink.config.password)
  })
})

describe('short messages', () => {
  it('go by one provider at a time; a test shows the provider’s answer; the enabled one is chosen on load', async () => {
    const page = await at('/system/sms', 'zh')
    const radios = page.getByRole('radio')
    expect(await radios.nth(0).isChecked()).toBe(true)
    await page.getByRole('button', { name: SAVE.zh }).click()
    for (const field of ['sdkAppId ', 'secretId ', 'secretKey ', '签名'])
      await page.getByText(`${field}不能为空`).waitFor()
    await radios.nth(2).check()
    await page.getByLabel('API ADDR').fill(`${bao.url}/sms`)
    await page.getByLabel('用户名').fill('bao')
    await page.getByLabel('API KEY').fill('wrong')
    for (const area of await page.getByLabel('内容', { exact: true }).all()) await area.fill('验证码 {code}')
    await page.getByLabel('接收手机').fill('2380')
    const send = page.getByRole('button', { name: '发送测试短信' })
    await send.click()
    await page.getByText('手机号格式错误').waitFor()
    await page.getByLabel('接收手机').fill('13800138000')
    await send.click()
    await page.getByText('账号或密码被拒绝').waitFor()
    await page.getByLabel('API KEY').fill('bao-Key1')
    await page.getByRole('switch', { name: '启用 短信宝' }).click()
    await page.getByText(SAVED.zh).waitFor()
    await send.click()
    await page.getByText('已发送，对方已接收').waitFor()
    expect(bao.taken.length).toBe(1)
    expect(await raw()).not.toContain('bao-Key1')
    await page.reload()
    await settled(page)
    expect(await page.getByRole('radio').nth(2).isChecked()).toBe(true)
    const cloud = { sdkappId: '1400', secretid: 'id', secretkey: 'key', signname: 'Tide' }
    await stack.api.call('config.save', {
      paramKey: 'sms_aliyun',
      paramValue: JSON.stringify({ type: 'aliyun', ...cloud }),
      status: 1,
    })
    await page.reload()
    await settled(page)
    expect(await page.getByRole('radio').nth(1).isChecked()).toBe(true)
  })
})

describe('payment, verification, registration, node install', () => {
  it('keeps a channel’s keys sealed and never shows them again; without them it cannot be offered', async () => {
    const page = await at('/system/payment', 'en')
    await page.getByRole('tab', { name: /^9 · / }).click()
    const channel = page.getByRole('region', { name: /EPay|epay/i })
    await channel.getByRole('switch').click()
    await page.getByText('Fill in and save the settings first').waitFor()
    await channel.getByRole('button', { name: 'Save', exact: true }).click()
    await channel.getByText('is required').first().waitFor()
    await channel.getByLabel('Address').fill('https://pay.example.com')
    await channel.getByLabel('Merchant ID').fill('1001')
    await channel.getByLabel('Key', { exact: false }).first().fill('epay-Secret-77')
    await channel.getByRole('switch').click()
    await page.getByText(SAVED.en).waitFor()
    expect(await stored('pay_epay')).toMatchObject({ status: 1, value: { pid: '1001', key: '********' } })
    expect(await raw()).not.toContain('epay-Secret-77')
    await page.reload()
    await settled(page)
    expect(await page.content()).not.toContain('epay-Secret-77')
  })

  it('forces real names and phones, closes registration, and tells how a node is installed', async () => {
    const verify = await at('/system/verify', 'zh')
    for (const name of ['强制实名', '强制绑定手机']) await verify.getByRole('switch', { name }).click()
    await verify.getByLabel('实名认证价格').fill('1.5')
    await save(verify, 'zh')
    expect((await stored('verify_config')).value).toEqual({ forceRealName: true, forcePhone: true, realNamePrice: 150 })
    await stack.api.call('customer.save', { username: 'forced', password: 'Customer-1' })
    const own = await stack.api.call('auth.userLogin', { username: 'forced', password: 'Customer-1' })
    const person = await newPerson(browser, { lang: 'zh', token: own.token, console: 'user' })
    people.push(person)
    await person.page.goto(`${stack.baseUrl}#/cdn/account/info`)
    await person.page.getByText('添加域名前请先完成实名认证').waitFor()
    await person.page.getByText('添加域名前请先绑定手机').waitFor()

    const login = await at('/system/login', 'en')
    const register = login.getByRole('region', { name: 'Registration of customers' })
    await register.getByRole('switch', { name: 'Open to everybody' }).click()
    await save(login, 'en', register)
    const visitor = await at('/register', 'zh', true)
    await visitor.getByText('本站已关闭注册').waitFor()

    const install = await at('/system/install', 'zh')
    const { data } = await stack.api.call('system.install', {})
    await install.getByText(data.agentUrl).waitFor()
    await install.getByRole('link', { name: '前往节点列表' }).click()
    await install.waitForURL((url) => url.hash.startsWith('#/cdn/node/list'))
  })
})
