/** The settings' screens in a browser against the whole product, with real peers: what is set is what visitors, mailboxes and phones then see. */
import { startS3, type TestS3 } from '@tidegate/testkit/s3'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser, settled } from './lib/browser.ts'
import { chosen, png, pngOf } from './lib/images.ts'
import { createPeople } from './lib/people.ts'
import { said } from './lib/said.ts'
import { sql } from './lib/stores.ts'
import { ADMIN, Stack } from './stack.ts'

const SAVE = { zh: /^保\s?存$/, en: 'Save' } as const
const CONTACTS = ['QQ', 'Telegram', 'Skype']
const SAVED = { zh: '配置保存成功', en: 'Configuration saved successfully' } as const

let stack: Stack
let browser: Browser
let s3: TestS3
let token = ''
const people = createPeople(() => browser)

beforeAll(async () => {
  s3 = await startS3('pictures')
  stack = await Stack.startControlPlane()
  browser = await launchBrowser()
  token = (await stack.api.call('auth.login', ADMIN)).token
})
afterEach(people.leave)
afterAll(async () => {
  await browser?.close()
  await stack?.destroy()
  await s3?.close()
})

/** Someone of the staff at a screen, or a visitor of the customers' console. */
const at = async (path: string, lang: 'zh' | 'en', visitor = false): Promise<Page> => {
  if (!visitor) return await people.at(`${stack.consoleUrl}#${path}`, { lang, token })
  const { page } = await people.join({ lang, console: 'user' })
  await page.goto(`${stack.baseUrl}#${path}`)
  return page
}
const save = (page: Page, lang: 'zh' | 'en', within = page.locator('body')) =>
  said(page, SAVED[lang], () => within.getByRole('button', { name: SAVE[lang] }).click())
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
      page.getByLabel(label, { exact: true }).setInputFiles(chosen(buffer))
    for (const [label, size, words] of [
      ['浅色标志', 100 * 1024 + 1, '图片不能超过 100 KB'],
      ['网站图标', 50 * 1024 + 1, '图片不能超过 50 KB'],
    ] as const) {
      await choose(label, pngOf(size))
      await page.getByText(words).waitFor()
    }
    await choose('深色标志', Buffer.from('<html></html>'))
    await page.getByText('只支持 PNG, JPG, GIF, WEBP 图片').waitFor()
    await choose('深色标志', pngOf(100 * 1024))
    const logo = preview.locator('.settings-preview-bar img')
    await logo.waitFor()
    // The style shows it at 150x50 at most.
    expect(await logo.evaluate((img) => [getComputedStyle(img).maxWidth, getComputedStyle(img).maxHeight])).toEqual([
      '150px',
      '50px',
    ])
    await page.getByLabel('标题', { exact: true }).first().fill('潮门云')
    await page.getByLabel('公司', { exact: true }).fill('潮门科技')
    for (const name of CONTACTS) await page.getByLabel(name, { exact: true }).fill(`tide-${name}`)
    await page.getByLabel('邮箱', { exact: true }).fill('nobody')
    await preview.getByText('概览 - 潮门云').waitFor()
    await page.getByRole('button', { name: SAVE.zh }).click()
    await page.getByText('邮箱格式错误').waitFor()
    await page.getByLabel('邮箱', { exact: true }).fill('help@tide.test')
    await save(page, 'zh')
    const visitor = await at('/login', 'zh', true)
    await visitor.waitForFunction(() => document.title.endsWith('潮门云'))
    const other = await at('/home/overview', 'en')
    const footer = other.locator('.shell-footer')
    for (const text of ['潮门科技', 'help@tide.test', ...CONTACTS.map((name) => `tide-${name}`)])
      await footer.getByText(text).waitFor()
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

describe('object storage', () => {
  it('asks for what it needs; a picture then goes there and is shown; storage that fails is said at the picture', async () => {
    const page = await at('/cloud/storage', 'en')
    await page.getByLabel('Kind of storage').click()
    await page.locator('.ant-select-item-option', { hasText: 'S3-compatible storage' }).click()
    await page.getByLabel('Endpoint').fill('files.example.com')
    await page.getByRole('button', { name: SAVE.en, exact: true }).click()
    await page.getByText('must begin with http:// or https://').waitFor()
    // Bucket and both keys.
    await page.getByText('is required', { exact: true }).nth(2).waitFor()
    const { endpoint, region, bucket, accessKeyId, secretAccessKey } = s3.settings
    const values = { Endpoint: endpoint, Region: region, Bucket: bucket, 'AccessKey ID': accessKeyId }
    for (const [label, value] of Object.entries(values)) await page.getByLabel(label).fill(value)
    const secret = page.getByLabel('Secret Access Key')
    await secret.fill(secretAccessKey)
    await save(page, 'en')
    await page.reload()
    await settled(page)
    expect([await secret.inputValue(), await page.getByLabel('Bucket').inputValue()]).toEqual(['********', bucket])

    const website = await at('/system/website', 'zh')
    const choose = () => website.getByLabel('浅色标志', { exact: true }).setInputFiles(chosen(png()))
    await choose()
    const logo = website.locator('.field', { hasText: '浅色标志' }).locator('img')
    await logo.waitFor()
    await website.waitForFunction(() => [...document.images].every((img) => img.complete && img.naturalWidth > 0))
    const name = new URL(await logo.evaluate((img: HTMLImageElement) => img.src)).pathname.split('/').at(-1)
    expect(await sql(stack, 'SELECT store FROM upload WHERE name = $1', [name])).toEqual([{ store: 's3' }])

    await page.getByLabel('Bucket').fill('nowhere')
    await save(page, 'en')
    await choose()
    await website.getByText('文件存储不可用').waitFor()
    await page.getByLabel('Kind of storage').click()
    await page.locator('.ant-select-item-option', { hasText: 'Disk of this machine' }).click()
    await save(page, 'en')
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
    const page = await people.at(`${stack.baseUrl}#/cdn/account/info`, {
      lang: 'zh',
      token: own.token,
      console: 'user',
    })
    await page.getByText('添加域名前请先完成实名认证').waitFor()
    await page.getByText('添加域名前请先绑定手机').waitFor()

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
