/** Dispatching and the DNS blacklist in a browser against the whole product: monitors bring their results, a real dnsdist takes the list. */
import { join } from 'node:path'
import { blackConfig } from '@tidegate/contract/config/black'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { Dnsdist } from '../dns/test/harness.ts'
import { launchBrowser, settled } from './lib/browser.ts'
import { createPeople } from './lib/people.ts'
import { said } from './lib/said.ts'
import { sql } from './lib/stores.ts'
import { ADMIN, Stack } from './stack.ts'

const SAVE = { zh: /^保\s?存$/, en: 'Save' } as const

let stack: Stack
let browser: Browser
let token = ''
const people = createPeople(() => browser)

beforeAll(async () => {
  stack = await Stack.startControlPlane()
  browser = await launchBrowser()
  token = (await stack.api.call('auth.login', ADMIN)).token
})
afterEach(people.leave)
afterAll(async () => {
  await browser?.close()
  await stack?.destroy()
})

/** Someone of the staff at a screen. */
const at = (path: string, lang: 'zh' | 'en') => people.at(`${stack.consoleUrl}#${path}`, { lang, token })
const save = (page: Page) =>
  said(page, 'Configuration saved successfully', () => page.getByRole('button', { name: SAVE.en }).click())
const stored = async (key: string) => {
  const { data } = await stack.api.call('config.kinfo', { key })
  return { status: data.status, value: JSON.parse(data.paramValue) as Record<string, unknown> }
}

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
    await save(page)
    await page.reload()
    await settled(page)
    for (const [name] of NOTICES) expect(await page.getByRole('switch', { name }).isChecked()).toBe(true)
    expect((await stored('dispatch_config')).value).toMatchObject({
      ...{ DnsDispatchMode: 'timing', ModeTimingFrequency: 60, mailNotice: 'ops@tide.test', mailNoticeStatus: 1 },
      ...{ smsNotice: '13800138000', smsNoticeStatus: 1 },
    })
    await page.getByRole('switch', { name: 'Mail notification' }).click()
    await save(page)
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
    await save(setting)
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
