/** The settings' screens in a browser against the whole product, with real peers: what is set is what visitors, mailboxes and phones then see. */
import { join } from 'node:path'
import { blackConfig } from '@tidegate/contract/config/black'
import { startS3, type TestS3 } from '@tidegate/testkit/s3'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { Dnsdist } from '../dns/test/harness.ts'
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

describe('dispatching', () => {
  /** Label, what is typed, what is said to it. */
  const RULES = {
    zh: [
      ['检测端口', '', '不能为空'],
      ['检测端口', '80,443', "端口范围为 1~65535，多个端口以 '|' 分隔"],
      ['检测端口', '80|80', '存在重复项：80'],
      ['检测频率', '5', '不能小于 10'],
      ['检测频率', '310', '不能大于 300'],
      ['检测频率', '15', '必须是 10 的倍数'],
      ['失败率', '0', '不能小于 1'],
      ['失败率', '101', '不能大于 100'],
      ['切换周期', '30', '不能小于 60'],
      ['通知邮箱', '', '不能为空'],
      ['通知邮箱', 'nobody', '邮箱格式错误'],
      ['通知手机', '', '不能为空'],
      ['通知手机', '2380', '手机号格式错误'],
    ],
    en: [
      ['Check ports', '', 'is required'],
      ['Check ports', '80|65536', "ports are 1~65535, separated by '|'"],
      ['Check frequency', '5', 'must not be less than 10'],
      ['Check frequency', '15', 'must be a multiple of 10'],
      ['Failure rate', '101', 'must not be greater than 100'],
      ['Cycle', '3660', 'must not be greater than 3600'],
      ['Cycle', '90', 'must be a multiple of 60'],
      ['Notification e-mail', 'nobody', 'is not an e-mail address'],
      ['Notification phone', '2380', 'is not a phone number'],
    ],
  } as const
  const WORDS = {
    zh: { timing: '定时切换', mail: '邮件通知', sms: '短信通知' },
    en: { timing: 'Timed switch', mail: 'Mail notification', sms: 'SMS notification' },
  } as const

  const NOTICES = [
    ['Mail notification', 'Notification e-mail', 'ops@tide.test'],
    ['SMS notification', 'Notification phone', '13800138000'],
  ] as const

  it.each(['zh', 'en'] as const)(
    'refuses what breaks a rule, with its text, and saves nothing of it (%s)',
    async (lang) => {
      const page = await at('/cdn/dispatch/config', lang)
      const words = WORDS[lang]
      for (const name of [words.mail, words.sms]) await page.getByRole('switch', { name }).click()
      await page.getByRole('radio', { name: words.timing }).check()
      let wrong = 0
      page.on('request', (request) => {
        if (request.url().includes('sys/config/update')) wrong++
      })
      for (const [label, typed, text] of RULES[lang]) {
        const control = page.getByLabel(label)
        const before = await control.inputValue()
        await control.fill(typed)
        await control.blur()
        await page.locator('.field', { has: control }).getByText(text, { exact: true }).waitFor()
        await page.getByRole('button', { name: SAVE[lang], exact: true }).click()
        await control.fill(before)
      }
      expect(wrong).toBe(0)
    },
  )

  it('begins with the specification’s figures, is saved, and has its notices on where an address is stored [S4.11]', async () => {
    const page = await at('/cdn/dispatch/config', 'en')
    expect(await page.getByRole('radio', { name: 'Offline switch' }).isChecked()).toBe(true)
    const figures = ['Check ports', 'Check frequency', 'Failure rate'].map((name) => page.getByLabel(name).inputValue())
    expect(await Promise.all(figures)).toEqual(['80|443', '10', '80'])
    await page.getByRole('radio', { name: 'Timed switch' }).check()
    expect(await page.getByLabel('Cycle').inputValue()).toBe('60')
    for (const [name, field, address] of NOTICES) {
      await page.getByRole('switch', { name }).click()
      await page.getByLabel(field).fill(address)
    }
    await save(page, 'en')
    await page.reload()
    await settled(page)
    for (const [name] of NOTICES) expect(await page.getByRole('switch', { name }).isChecked()).toBe(true)
    expect((await stored('dispatch_config')).value).toMatchObject({
      ...{ DnsDispatchMode: 'timing', ModeTimingFrequency: 60, mailNotice: 'ops@tide.test', mailNoticeStatus: 1 },
      ...{ smsNotice: '13800138000', smsNoticeStatus: 1 },
    })
    await page.getByRole('switch', { name: 'Mail notification' }).click()
    await save(page, 'en')
    expect((await stored('dispatch_config')).value).toMatchObject({
      ...{ mailNotice: '', mailNoticeStatus: 0, smsNoticeStatus: 1 },
    })
  })

  it('shows where monitors bring their results, and takes them there with the token that it shows', async () => {
    const page = await at('/cdn/dispatch/config', 'en')
    const panel = page.getByRole('region', { name: 'Monitoring API' })
    const shown = async (name: string) =>
      (await panel.locator('.field', { hasText: name }).locator('.tg-mono').textContent())?.trim() ?? ''
    const [token, url] = [await shown('Token'), await shown('Import URL')]
    const headers = { token, 'content-type': 'application/json' }
    const body = JSON.stringify({ monitor: 'tokyo', results: [] })
    expect((await fetch(url, { headers })).status).toBe(200)
    expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(200)
    expect((await fetch(url, { method: 'POST', headers: { ...headers, token: 'forged' }, body })).status).toBe(401)
  })

  it('shows what monitors find: one alone is not believed, and once more say so, the node fails [S2.32]', async () => {
    const add = (name: string, address: string) =>
      sql<{ id: number }>(
        stack,
        `INSERT INTO node (name, group_id, address, enrolled_at) VALUES ($1, 1, $2, now()) RETURNING id::int`,
        [name, address],
      )
    const nodes = (await Promise.all([add('edge-east', '203.0.113.1'), add('edge-west', '203.0.113.2')])).flat()
    const { token: key, importUrl } = await stack.api.call('dispatch.key', {})
    /** Four rounds of the last half minute; `dead`: nodes that do not answer. */
    const bring = async (monitor: string, dead: readonly number[]) => {
      const now = Date.now()
      const results = nodes.flatMap(({ id: node }) =>
        [30, 20, 10, 0].map((ago) => {
          const ok = !dead.includes(node)
          return { node, port: 443, ok, ms: ok ? 31 : 3000, error: 'timeout', at: now - ago * 1000 }
        }),
      )
      const headers = { token: key, 'content-type': 'application/json' }
      const reply = await fetch(importUrl, { method: 'POST', headers, body: JSON.stringify({ monitor, results }) })
      expect(reply.status).toBe(200)
    }
    const east = nodes[0]?.id ?? 0
    await Promise.all([bring('lima', [east]), bring('oslo', []), bring('tokyo', [])])
    const page = await at('/cdn/dispatch/status', 'en')
    const row = page.locator('tr', { has: page.getByRole('button', { name: 'edge-east' }) })
    await row.getByText('Passing', { exact: true }).waitFor({ timeout: 60_000 })
    await row.getByText('1 of 3').waitFor()
    await row.getByText('lima').waitFor()
    await Promise.all([bring('paris', [east]), bring('quito', [east])])
    await row.getByText('would leave').waitFor({ timeout: 60_000 })
    await row.getByRole('button').click()
    const drawer = page.getByRole('dialog')
    await drawer.getByText('60% failed, 3 of 5 monitors: lima, paris, quito').waitFor()
    await drawer.getByText('No answer in time').first().waitFor()
    expect((await sql(stack, `SELECT FROM notice WHERE event = 'node_down'`)).length).toBeGreaterThan(0)
  })
})

describe('the DNS blacklist', () => {
  const LIST = '/path/of/the/list'
  /** As the command on the screen does it. */
  const fetched = async () => {
    const url = new URL('/ants-dns-api/sys/dns/black/compiled', stack.baseUrl)
    return new Uint8Array(await (await fetch(url, { headers: { token } })).arrayBuffer())
  }

  it('is filled from a file, checked and set on a phone; a dnsdist that fetches it then answers so', async () => {
    const at = (path: string) => new URL(`/dns-admin/#/dns/black/config${path}`, stack.baseUrl).href
    const who = { lang: 'en', token, console: 'dns-admin', width: 390, height: 844 } as const
    const page = await people.at(at('/'), who)
    await page.getByRole('button', { name: 'Import' }).click()
    const dialog = page.getByRole('dialog')
    const choose = (text: string) =>
      dialog
        .locator('input[type=file]')
        .setInputFiles({ ...{ name: 'list.txt', mimeType: 'text/plain' }, buffer: Buffer.from(text) })
    await choose('bad.example\nno domain\n')
    await dialog.getByRole('button', { name: 'Import' }).click()
    await dialog.getByText('line 2: domain format error: no domain').waitFor()
    await choose('# hosts\n127.0.0.1 localhost\n0.0.0.0 bad.example worse.example\n')
    await said(page, '2 domains added, 0 skipped', () => dialog.getByRole('button', { name: 'Import' }).click())
    await page.getByLabel('Check a name').fill('www.bad.example')
    await page.getByRole('button', { name: 'Check' }).click()
    await page.getByText('www.bad.example is blocked').waitFor()

    // The same screen without its final slash.
    const setting = await people.at(at('?tab=setting'), who)
    await setting.getByText('No server has fetched the list').waitFor()
    await setting.getByLabel('These addresses').check()
    await setting.getByRole('textbox', { name: /Addresses$/ }).fill('192.0.2.1')
    await setting.getByLabel('Exceptions').fill('fine.bad.example')
    await save(setting, 'en')
    expect(await setting.evaluate(() => document.documentElement.scrollWidth)).toBe(390)

    const { rules } = (await stack.api.call('black.rules', { file: LIST })).data
    const dnsdist = await Dnsdist.start(blackConfig.parse({}), [], {
      rules: (dir) => rules.replace(LIST, join(dir, 'black.cdb')),
    })
    try {
      dnsdist.put(await fetched())
      const answer = async (name: string) => (await dnsdist.ask(name)).answers.map(({ data }) => [...data].join('.'))
      await dnsdist.until(async () => (await answer('www.bad.example')).includes('192.0.2.1'))
      expect(await answer('worse.example')).toEqual(['192.0.2.1'])
      for (const name of ['fine.bad.example', 'other.example']) expect(await answer(name)).not.toContain('192.0.2.1')
    } finally {
      await dnsdist.stop()
    }
    await setting.reload()
    await setting.getByText('1 server has fetched the list in the last seven days.').waitFor()
    await setting.getByText('Has the present list').waitFor()
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
