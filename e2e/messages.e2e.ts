/** Mail and messages in a browser: the mail server is set up, codes arrive, an announcement is written, seen behind the bell and read. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser, newPerson, type Person, type PersonOptions, settled } from './lib/browser.ts'
import { answerCaptchas } from './lib/captcha.ts'
import { type MailSink, startMailSink } from './lib/mail.ts'
import { sql } from './lib/stores.ts'
import { ADMIN, Stack } from './stack.ts'

const NAME = 'reader-one'
const ADDRESS = 'reader@messages.test'
const CAPTCHA = 'abcd'
/** One white point. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
)

let stack: Stack
let browser: Browser
let sink: MailSink
let adminToken = ''
let ownToken = ''
let folder = ''
const people: Person[] = []

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tidegate-mail-'))
  sink = await startMailSink()
  stack = await Stack.startControlPlane({ env: await sink.environment(folder) })
  browser = await launchBrowser()
  adminToken = (await stack.api.call('auth.login', ADMIN)).token
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
  await sink?.close()
  if (folder) rmSync(folder, { recursive: true })
})

const at = async (url: string, options: PersonOptions): Promise<Page> => {
  const person = await newPerson(browser, options)
  people.push(person)
  await person.page.goto(url)
  await settled(person.page)
  return person.page
}
const staffAt = (path: string, lang: 'zh' | 'en' = 'zh') =>
  at(`${stack.consoleUrl}#${path}`, { lang, token: adminToken })
const customerAt = (path: string) => at(`${stack.baseUrl}#${path}`, { token: ownToken, console: 'user' })
/** Types what the picture would say. */
const readCaptcha = async (page: Page) => {
  await page.locator('.login-captcha img').waitFor()
  await answerCaptchas(stack, CAPTCHA)
  await page.getByLabel('Captcha', { exact: true }).fill(CAPTCHA)
}
const badge = (page: Page) => page.locator('.shell-badge')
const openBell = (page: Page) => page.locator('.shell-tool', { has: page.locator('.shell-badge') }).click()
const items = (page: Page) => page.locator('.message-item strong')

describe('mail', () => {
  it('is set up on its screen, and a test arrives', async () => {
    const page = await staffAt('/system/mail')
    await page.getByLabel('SMTP 服务器').fill(sink.config.host)
    await page.getByLabel('发件邮箱').fill(sink.config.username)
    await page.getByLabel('授权密码').fill(sink.config.password)
    await page.getByText('高级', { exact: true }).click()
    await page.getByLabel('端口').fill(String(sink.config.port))
    await page.getByRole('button', { name: /^保\s?存$/ }).click()
    await page.getByText('配置保存成功').waitFor()
    const { data } = await stack.api.call('notify.testMail', { to: 'operator@messages.test' })
    expect(data).toMatchObject({ ok: true, fault: 'none' })
    expect((await sink.next('operator@messages.test')).from).toBe(sink.config.username)
  })

  it('brings the codes by which a customer registers and comes back in without a password', async () => {
    await stack.api.call('config.save', {
      paramKey: 'register_config',
      paramValue: JSON.stringify({ byMail: true }),
    })
    const page = await at(`${stack.baseUrl}#/register`, {})
    await page.getByLabel('Account', { exact: true }).fill(NAME)
    await page.getByLabel('Password', { exact: true }).fill('Reader-1')
    await page.getByLabel('Password again').fill('Reader-1')
    await page.getByLabel('Mail address').fill(ADDRESS)
    await readCaptcha(page)
    await page.getByRole('button', { name: 'Send code' }).click()
    await page.getByText('The code was sent').waitFor()
    await page.getByLabel('Verification code').fill(await sink.code(ADDRESS))
    await page.getByRole('button', { name: 'Register' }).click()
    await page.waitForURL((url) => url.hash === '#/console')

    const back = await at(`${stack.baseUrl}#/forgot`, {})
    await back.getByLabel('Mail address or mobile number').fill(ADDRESS)
    await readCaptcha(back)
    await back.getByRole('button', { name: 'Send code' }).click()
    await back.waitForURL((url) => url.hash.startsWith('#/reset-password'))
    await back.getByLabel('Verification code').fill(await sink.code(ADDRESS))
    await back.getByLabel('New password', { exact: true }).fill('Reader-2')
    await back.getByLabel('Password again').fill('Reader-2')
    await back.getByRole('button', { name: 'Change password' }).click()
    await back.getByText('Password changed').waitFor()
    await expect(stack.api.call('auth.userLogin', { username: NAME, password: 'Reader-1' })).rejects.toThrow('401')
    ownToken = (await stack.api.call('auth.userLogin', { username: NAME, password: 'Reader-2' })).token
  })
})

describe('an announcement', () => {
  it('is written as rich text with a picture, which must not be larger than 500 KB', async () => {
    const page = await staffAt('/account/message')
    await page.getByRole('button', { name: '发布消息' }).click()
    await page.locator('#title').fill('线路维护')
    const editor = page.locator('.tg-editor[data-ready] .ql-editor')
    await editor.click()
    await page.keyboard.type('今晚 ')
    await page.keyboard.press('Control+b')
    await page.keyboard.type('23:00')
    const choose = async (buffer: Buffer) => {
      const chooser = page.waitForEvent('filechooser')
      await page.locator('.ql-image').click()
      await (await chooser).setFiles({ name: 'a.png', mimeType: 'image/png', buffer })
    }
    await choose(Buffer.concat([PNG, Buffer.alloc(500 * 1024)]))
    await page.getByText('图片不能超过 500 KB').waitFor()
    await choose(PNG)
    await editor.locator('img[src^="/uploads/"]').waitFor()
    await page.getByRole('button', { name: /^保\s?存$/ }).click()
    await page.getByText('新增成功').waitFor()
    await page.getByRole('cell', { name: '线路维护' }).waitFor()
    const common = { content: '<p>text</p>', target: 'all' as const }
    await stack.api.call('message.save', { ...common, title: 'Second', type: 2 })
    await stack.api.call('message.save', { ...common, title: 'Switched off', type: 2, status: 0 })
    await stack.api.call('message.save', { ...common, title: 'In the list', type: 1 })
  })

  it('counts at the customer’s bell, opens with its text, is read by that, and all are marked at once [S2.23 S2.42 S4.16]', async () => {
    const page = await customerAt('/console')
    await badge(page).waitFor()
    const unread = Number(await badge(page).textContent())
    expect(unread).toBeGreaterThanOrEqual(3)
    await openBell(page)
    await page.getByText('Message notification', { exact: true }).waitFor()
    const more = page.getByRole('link', { name: 'View more' })
    expect(await more.getAttribute('href')).toBe('#/account/message')
    await items(page).getByText('线路维护').click()
    await page.locator('.tg-rich img').waitFor()
    expect(await page.locator('.tg-rich strong').allInnerTexts()).toEqual(['23:00'])
    expect(await page.locator('.tg-rich').textContent()).toMatch(/今晚\s23:00/)
    const dialog = page.getByRole('dialog').filter({ has: page.locator('.tg-rich') })
    await dialog.getByText('线路维护', { exact: true }).waitFor()
    expect(await dialog.locator('time').count()).toBe(1)
    // It is about no screen: there is nothing to go to.
    expect(await dialog.getByRole('button', { name: 'Open' }).isVisible()).toBe(false)
    await page.waitForFunction(() => {
      const image = document.querySelector<HTMLImageElement>('.tg-rich img')
      return image !== null && image.naturalWidth > 0
    })
    await badge(page)
      .getByText(String(unread - 1), { exact: true })
      .waitFor()
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await page.getByRole('button', { name: 'Mark all as read' }).click()
    await badge(page).waitFor({ state: 'detached' })
    await more.click()
    await page.getByRole('heading', { name: 'Messages' }).waitFor()
    expect((await stack.api.call('message.list', { key: '线路维护' })).data.list[0]?.reads).toBe(1)

    const staff = await staffAt('/console', 'en')
    await openBell(staff)
    await staff.getByText('Publish announcement', { exact: true }).waitFor()
    const manage = staff.getByRole('link', { name: 'Message management' })
    expect(await manage.getAttribute('href')).toBe('#/account/message')
    expect(await items(staff).allInnerTexts()).toEqual(['Second', '线路维护'])
  })

  it('is one of at most 100 in the drawer, and the bell counts to 99 [S9.3 S2.23]', async () => {
    await sql(
      stack,
      `INSERT INTO message (title, content, type, status, target, link, publish_at, managed, created_at)
       SELECT 'Many ' || n, '<p>x</p>', 1, 1, 'users', '', now(), true, now() FROM generate_series(1, 120) n`,
    )
    const page = await customerAt('/console')
    await badge(page).getByText('99+', { exact: true }).waitFor()
    await openBell(page)
    await items(page).first().waitFor()
    expect(await items(page).count()).toBe(100)
  })
})
