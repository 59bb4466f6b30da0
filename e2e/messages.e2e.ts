/** Mail, short messages and messages in a browser: the servers are set up, codes arrive, an announcement is written, seen behind the bell and read. */
import { type Simulator, smsBaoSimulator } from '@tidegate/testkit/providers'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser, settled } from './lib/browser.ts'
import { answerCaptchas } from './lib/captcha.ts'
import { chosen, png, pngOf } from './lib/images.ts'
import type { MailSink } from './lib/mail.ts'
import { type MailStack, startMailStack } from './lib/mail-stack.ts'
import { createPeople } from './lib/people.ts'
import { said } from './lib/said.ts'
import { sql } from './lib/stores.ts'
import { ADMIN, type Stack } from './stack.ts'

const NAME = 'reader-one'
const ADDRESS = 'reader@messages.test'
const CAPTCHA = 'abcd'
const SAVE = /^保\s?存$/
const SAVED = { zh: '配置保存成功', en: 'Configuration saved successfully' } as const
const TEMPLATES = [
  ...['Verification code', 'Plan used up', 'Plan expires'],
  ...['Traffic package used up', 'Traffic package expires'],
]

let installation: MailStack
let stack: Stack
let sink: MailSink
let bao: Simulator
let browser: Browser
let adminToken = ''
let ownToken = ''
const people = createPeople(() => browser)
const { at } = people

beforeAll(async () => {
  bao = await smsBaoSimulator('bao', 'bao-Key1')
  installation = await startMailStack()
  ;({ stack, sink } = installation)
  browser = await launchBrowser()
  adminToken = (await stack.api.call('auth.login', ADMIN)).token
})
afterEach(people.leave)
afterAll(async () => {
  await browser?.close()
  await installation?.destroy()
  await bao?.close()
})

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
const save = (page: Page, lang: 'zh' | 'en') =>
  said(page, SAVED[lang], () => page.getByRole('button', { name: lang === 'zh' ? SAVE : 'Save', exact: true }).click())
/** All of the settings' table, sealed values among it. */
const raw = async () => JSON.stringify(await sql(stack, 'SELECT * FROM setting'))

describe('the form of mail', () => {
  it('asks for each field when it is left and when it is emptied; an emptied port goes back to its least', async () => {
    const page = await staffAt('/system/mail', 'zh')
    for (const [label, text] of [
      ['SMTP 服务器', 'SMTP 服务器不能为空'],
      ['发件邮箱', '发件邮箱不能为空'],
      ['授权密码', '授权密码不能为空'],
    ] as const) {
      const control = page.getByLabel(label)
      const said = page.getByText(text, { exact: true })
      await control.fill('')
      await control.blur()
      await said.waitFor()
      await control.fill('a@tide.test')
      await said.waitFor({ state: 'detached' })
      await control.fill('')
      await said.waitFor()
    }
    await page.getByLabel('SMTP 服务器').click()
    for (const name of ['腾讯企业邮箱', 'QQ 邮箱', '阿里企业邮箱', '阿里云邮箱', '微软 Office365', '谷歌 Gmail'])
      await page.locator('.ant-select-item-option', { hasText: name }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('高级', { exact: true }).click()
    await page.getByLabel('端口').fill('')
    expect(await page.getByLabel('端口').inputValue()).toBe('1')
  })
})

describe('mail', () => {
  it('shows a wrong password as such before anything is saved, and then what the server answered', async () => {
    const page = await staffAt('/system/mail', 'en')
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

describe('short messages', () => {
  it('of each provider need its fields', async () => {
    const cloud = ['sdkAppId', 'secretId', 'secretKey', 'the signature']
    const page = await staffAt('/system/sms', 'en')
    for (const [name, missing] of [
      ['Tencent Cloud SMS', cloud],
      ['Aliyun SMS', cloud],
      ['SMS Bao', ['API ADDR', 'the username', 'API KEY']],
    ] as const) {
      await page.getByRole('radio', { name }).check()
      if (name === 'SMS Bao') await page.getByLabel('API ADDR').fill('')
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      for (const field of missing) await page.getByText(`${field} cannot be empty`, { exact: true }).waitFor()
      for (const title of TEMPLATES) await page.getByRole('region', { name: title, exact: true }).waitFor()
    }
  })

  it('go by one provider at a time; a test shows the provider’s answer; the enabled one is chosen on load', async () => {
    const page = await staffAt('/system/sms', 'zh')
    const radios = page.getByRole('radio')
    expect(await radios.nth(0).isChecked()).toBe(true)
    await page.getByRole('button', { name: SAVE }).click()
    for (const field of ['sdkAppId ', 'secretId ', 'secretKey ', '签名'])
      await page.getByText(`${field}不能为空`).waitFor()
    await radios.nth(2).check()
    await page.getByLabel('API ADDR').fill('')
    await page.getByRole('button', { name: SAVE }).click()
    for (const field of ['API ADDR ', '用户名', 'API KEY ']) await page.getByText(`${field}不能为空`).waitFor()
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
      await (await chooser).setFiles(chosen(buffer))
    }
    await choose(pngOf(500 * 1024 + 1))
    await page.getByText('图片不能超过 500 KB').waitFor()
    await choose(png())
    await editor.locator('img[src^="/uploads/"]').waitFor()
    await page.getByRole('button', { name: SAVE }).click()
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
    await items(staff).first().waitFor()
    expect(await items(staff).allInnerTexts()).toEqual(['Second', '线路维护'])
  })

  it('says what is wrong with it, is changed, and is deleted after a question, alone or with others', async () => {
    const page = await staffAt('/account/message')
    const drawer = page.getByRole('dialog')
    const press = (name: RegExp) => page.getByRole('button', { name }).click()
    await press(/发布消息$/)
    await press(SAVE)
    await drawer.getByText('不能为空', { exact: true }).nth(1).waitFor()
    await page.locator('#title').fill('给谁')
    await page.getByRole('radio', { name: '指定用户' }).check()
    await page.getByLabel('用户账号').fill('nobody-here')
    await page.locator('.tg-editor[data-ready] .ql-editor').fill('您好')
    await press(SAVE)
    await drawer.getByText('用户不存在：nobody-here').waitFor()
    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'hidden' })

    const row = (title: string) => page.getByRole('row').filter({ hasText: title })
    await row('Switched off').getByText('已停用').waitFor()
    await row('Switched off').getByRole('button', { name: '编辑' }).click()
    await page.locator('#title').fill('换了标题')
    await press(SAVE)
    await page.getByText('编辑成功').waitFor()
    await press(/批量删除/)
    await page.getByText('请选择要删除的内容').waitFor()
    await row('换了标题').getByRole('button', { name: '删除' }).click()
    const asked = (text: string) => page.locator('.ant-modal').getByText(text).waitFor()
    await asked('确定永久删除消息“换了标题”吗？')
    await page
      .locator('.ant-modal')
      .getByRole('button', { name: /^取\s?消$/ })
      .click()
    await page.getByText('操作已取消').waitFor()
    for (const title of ['换了标题', 'In the list']) await row(title).getByRole('checkbox').check()
    await page
      .locator('.tg-toolbar')
      .getByRole('button', { name: /^删\s?除$/ })
      .click()
    await asked('确定永久删除选中的 2 条消息吗？')
    await page
      .locator('.ant-modal')
      .getByRole('button', { name: /^删\s?除$/ })
      .click()
    await page.getByText('删除成功', { exact: true }).waitFor()
    await row('换了标题').waitFor({ state: 'detached' })
    expect((await stack.api.call('message.list', {})).data.list.map((m) => m.title)).toEqual(['Second', '线路维护'])
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
