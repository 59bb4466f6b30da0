/** A newcomer's first hour in the console, in a real browser, on the real engines. */

import { freePorts } from '@tidegate/testkit/ports'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser, type PersonOptions, settled } from './lib/browser.ts'
import { errorsOf } from './lib/fields.ts'
import { type Origin, startOrigin } from './lib/origin.ts'
import { createPeople } from './lib/people.ts'
import { waitFor } from './lib/wait.ts'
import { ADMIN, Stack } from './stack.ts'

const DOMAIN = 'www.shop.test'
const SECOND = 'm.shop.test'
const CACHE = 'x-cache'

let stack: Stack
let origin: Origin
let browser: Browser
let token = ''
const people = createPeople(() => browser)

beforeAll(async () => {
  origin = await startOrigin('first')
  stack = await Stack.start()
  browser = await launchBrowser()
  token = (await stack.api.call('auth.login', ADMIN)).token
})
afterEach(people.leave)
afterAll(async () => {
  await browser?.close()
  await stack?.destroy()
  await origin?.close()
})

const stranger = async (path: string, options: PersonOptions = {}): Promise<Page> => {
  const { page } = await people.join(options)
  await page.goto(`${stack.consoleUrl}${path}`)
  return page
}
/** Someone at an address of the console, logged in unless told otherwise. */
const at = (path: string, options: PersonOptions = {}) => stranger(`#${path}`, { token, ...options })
const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true })
const hash = (page: Page) => new URL(page.url()).hash
const untilHash = async (page: Page, wanted: string) => await page.waitForURL((url) => url.hash === wanted)
const logIn = async (page: Page, password: string) => {
  await page.getByLabel('Account').fill(ADMIN.username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Log in' }).click()
}
describe('getting in', () => {
  it('is led from the bare address to the login, by the hash [S2.1 S2.2]', async () => {
    const page = await stranger('')
    await heading(page, 'Log in').waitFor()
    expect(hash(page)).toBe('#/login')
    await page.goto(`${stack.consoleUrl}#/`)
    await untilHash(page, '#/login')
    expect(new URL(page.url()).pathname).toBe('/admin/')
  })

  it('is brought back after the login to the page that was wanted, and with a login never sees the form', async () => {
    const page = await stranger('#/cdn/site/list?key=shop')
    await heading(page, 'Log in').waitFor()
    expect(hash(page)).toBe(`#/login?redirect=${encodeURIComponent('/cdn/site/list?key=shop')}`)
    await logIn(page, ADMIN.password)
    await heading(page, 'All domains').waitFor()
    expect(hash(page)).toBe('#/cdn/site/list?key=shop')
    await page.goto(`${stack.consoleUrl}#/login`)
    await untilHash(page, '#/home/overview')
  })

  it('is not led out of the console by a crafted link', async () => {
    const page = await stranger(`#/login?redirect=${encodeURIComponent('//elsewhere.test/')}`)
    await logIn(page, ADMIN.password)
    await untilHash(page, '#/home/overview')
    expect(new URL(page.url()).origin).toBe(new URL(stack.consoleUrl).origin)
  })

  it('sees the overview with the node green, and leaves through the profile menu', async () => {
    const page = await stranger('#/login')
    await logIn(page, ADMIN.password)
    await heading(page, 'Overview').waitFor()
    await page.locator('.tg-figure-cell', { hasText: 'Nodes online' }).getByText('1 / 1').waitFor()
    await page.getByText('Nothing needs a person now').waitFor()
    await page.getByRole('button', { name: `Account ${ADMIN.username}` }).click()
    await page.getByRole('menuitem', { name: 'Log out' }).click()
    await heading(page, 'Log in').waitFor()
    expect(await page.evaluate(() => localStorage.getItem('admin:token'))).toBeNull()
    await page.goto(`${stack.consoleUrl}#/cdn/node/list`)
    await heading(page, 'Log in').waitFor()
  })
})

describe('a site', () => {
  const BAD = [
    'ab',
    'shop',
    'shop..test',
    '-shop.test',
    'shop-.test',
    'a shop.test',
    `${'a'.repeat(64)}.test`,
    `${'a123456789.'.repeat(23)}test`,
    'www.*.test',
    '*.*.test',
    '203.0.113.7',
  ]
  const GOOD = ['a.b', `${'a'.repeat(63)}.test`, '*.shop.test', 'bücher.example', '例子.test']

  it.each([
    ['en', 'Domains', 'domain format error'],
    ['zh', '域名', '域名格式错误'],
  ] as const)('names each domain that is no domain, and no other (%s) [S5.7]', async (lang, label, msg) => {
    const page = await at('/cdn/site/list?add=1', { lang })
    await page.getByPlaceholder('www.example.com').fill([...BAD, ...GOOD].join('\n'))
    await page.locator('.ant-drawer button[type=submit]').click()
    expect(await errorsOf(page, label)).toEqual(BAD.map((name) => `${name}: ${msg}`))
  })

  it.each([
    ['en', 'Origins', 'enter a domain name or an IP address', 'Domains', 'is required'],
    ['zh', '源站地址', '请输入域名或 IP 地址', '域名', '不能为空'],
  ] as const)(
    'names the origin that is none, and what is missing (%s)',
    async (lang, origins, host, domains, required) => {
      const page = await at('/cdn/site/list?add=1', { lang })
      await page.locator('.origin-host').fill('not a host')
      await page.locator('.ant-drawer button[type=submit]').click()
      expect(await errorsOf(page, origins)).toEqual([host])
      expect(await errorsOf(page, domains)).toEqual([required])
    },
  )

  it('is added with a domain and an origin, seen going live, and answers from the origin, then from the cache', async () => {
    const page = await at('/cdn/site/list?add=1')
    await page.getByPlaceholder('www.example.com').fill(DOMAIN)
    await page.locator('.origin-host').fill(origin.host)
    await page.getByLabel('HTTP port').fill(String(origin.port))
    await page.locator('.ant-drawer button[type=submit]').click()
    const push = page.getByRole('region', { name: 'Push' })
    await push.getByText('seen through the listener').waitFor()
    expect(await push.locator('.push-head').textContent()).toMatch(/live on 1\/1 nodes in [\d.,]+ (ms|s)[\s\S]*r\d+/)
    expect(await push.locator('.push-node').textContent()).toMatch(/local[\s\S]*Live[\s\S]*r\d+[\s\S]*[\d.]+ ms/)
    const first = await stack.visit(DOMAIN, { path: '/page' })
    expect([first.status, first.headers[CACHE], first.body]).toEqual([200, 'MISS', `first ${DOMAIN} /page\n`])
    expect((await stack.visit(DOMAIN, { path: '/page' })).headers[CACHE]).toBe('HIT')
    await page.getByRole('dialog').filter({ has: push }).getByRole('button', { name: 'Close' }).click()
    const row = page.getByRole('row', { name: DOMAIN })
    await row.getByText('Live on 1/1 nodes').waitFor()
  })

  it('is looked at from a node as a visitor of its edge sees it, and DNS is asked of a server that is not there', async () => {
    const page = await at('/cdn/tools/lookup?tab=http')
    await page.getByLabel('URL').fill(`http://${DOMAIN}/page`)
    await page.getByLabel("The node's own edge").check()
    await page.getByRole('button', { name: 'Send' }).click()
    const answer = page.getByRole('region', { name: 'Answer' })
    await answer.getByText('200 OK').waitFor()
    await answer.getByRole('row', { name: 'X-Cache HIT' }).waitFor()
    await answer.getByText(`first ${DOMAIN} /page`).waitFor()
    await page.getByRole('tab', { name: 'DNS' }).click()
    await page.getByLabel('Name', { exact: true }).fill('a.example')
    await page.getByLabel('Name server').fill(`127.0.0.1:${(await freePorts(1))[0]}`)
    await page.getByRole('button', { name: 'Look up' }).click()
    await page.getByText('The name server cannot be reached').waitFor()
  })

  it('is purged, with the acknowledgement of the node', async () => {
    const page = await at(`/cdn/site/cache?site=${DOMAIN}`)
    const entries = page.getByRole('textbox', { name: 'Entries', exact: true })
    expect(await entries.inputValue()).toBe(`https://${DOMAIN}`)
    await page.getByRole('button', { name: 'Purge' }).click()
    const task = page.getByRole('region', { name: /^Task \d+$/ })
    await task.getByText(/^purged on 1\/1 nodes in [\d.,]+ (ms|s)$/).waitFor()
    expect(await task.locator('.push-node').textContent()).toMatch(/local[\s\S]*Done[\s\S]*[\d.]+ (ms|s)/)
    expect((await stack.visit(DOMAIN, { path: '/page' })).headers[CACHE]).toBe('MISS')
    expect(origin.served('/page')).toBe(2)
  })

  it.each([
    [
      'en',
      'must begin with http:// or https://',
      'wildcard domains are not possible',
      'is there twice',
      'is not one of your domains',
    ],
    ['zh', '必须以 http:// 或 https:// 开头', '不支持泛域名', '存在重复项', '不是您的域名'],
  ] as const)(
    'is not purged by entries that are none: each line is named (%s) [S5.14]',
    async (lang, start, wild, twice, foreign) => {
      const page = await at('/cdn/site/cache', { lang })
      const [label, line] = lang === 'en' ? ['Entries', 'Line'] : ['清理内容', '第']
      const lines = [`ftp://${DOMAIN}`, `http://${DOMAIN}`, 'http://*.shop.test', `http://${DOMAIN}`, DOMAIN]
      const field = page.getByRole('textbox', { name: label, exact: true })
      await field.fill(lines.join('\n'))
      await page.locator('form button[type=submit]').click()
      const texts = await errorsOf(page, label)
      expect(texts).toEqual([
        expect.stringMatching(`${line} ?1.*${start}`),
        expect.stringMatching(`${line} ?3.*${wild}`),
        expect.stringMatching(`${line} ?4.*${twice}`),
        expect.stringMatching(`${line} ?5.*${start}`),
      ])
      await field.fill('http://foreign.test')
      await page.locator('form button[type=submit]').click()
      await page.getByText(foreign).waitFor()
      expect(await errorsOf(page, label)).toEqual([expect.stringMatching(`${line} ?1.*${foreign}.*foreign\\.test`)])
    },
  )

  it('is changed at its page, and rolled back in its history', async () => {
    const page = await at('/cdn/site/list')
    await page.getByRole('link', { name: DOMAIN }).click()
    const domains = page.getByRole('textbox', { name: 'Domains', exact: true })
    await domains.fill(`${DOMAIN}\n${SECOND}`)
    await page
      .getByRole('region', { name: 'Unsaved changes: 1' })
      .getByRole('button', { name: 'Save', exact: true })
      .click()
    const push = page.getByRole('region', { name: 'Push' })
    await push.getByText('seen through the listener').waitFor()
    expect((await stack.visit(SECOND, { path: '/page' })).body).toBe(`first ${SECOND} /page\n`)
    await page.getByRole('tab', { name: 'History' }).click()
    const old = page.getByRole('row', { name: 'Created' })
    await old.getByRole('button', { name: 'Roll back to this' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Roll back to this' }).click()
    await page.getByRole('row', { name: 'Rolled back' }).waitFor()
    await push.getByText('seen through the listener').waitFor()
    expect((await stack.visit(SECOND)).status).toBe(404)
    expect((await stack.visit(DOMAIN, { path: '/page' })).status).toBe(200)
  })
})

describe('what is happening', () => {
  it('moves the overview within seconds', async () => {
    const page = await at('/home/overview?range=1h')
    const figure = page.locator('.tg-figure-cell', { hasText: 'Requests' }).first().locator('.tg-figure')
    const read = async () => Number((await figure.textContent())?.replaceAll(',', ''))
    await page.getByRole('combobox', { name: 'Refresh every' }).click()
    await page.locator('.ant-select-item-option').getByText('5 s', { exact: true }).click()
    const before = await read()
    for (let i = 0; i < 10; i++) await stack.visit(DOMAIN, { path: `/figure/${i}` })
    await waitFor(async () => (await read()) >= before + 10, 'ten requests more on the overview', 20_000)
    await page.getByRole('region', { name: 'Top sites' }).getByRole('link', { name: DOMAIN }).waitFor()
  })

  it('has the node check its own engine, and shows that it passes, with the results behind it', async () => {
    const page = await at('/cdn/dispatch/status')
    const row = page.locator('tr', { hasText: '127.0.0.1' })
    // Three rounds of ten seconds after the start; the screen reads again by itself.
    await row.getByText('Passing', { exact: true }).waitFor({ timeout: 120_000 })
    await row.getByText('0 of 1').waitFor()
    await row.getByRole('button').click()
    const drawer = page.getByRole('dialog')
    await drawer.getByText('It has not failed so far.').waitFor()
    expect(await drawer.getByRole('row').count()).toBeGreaterThan(6)
  })

  it('counts the pushes that a node has not answered in the top bar and in the menu', async () => {
    const page = await at('/cdn/tools/push')
    await page.getByRole('link', { name: 'Pushes: 0 waiting, 0 refused' }).waitFor()
    const { pid } = stack.process('agent')
    process.kill(pid, 'SIGSTOP')
    try {
      await stack.saveSite('late.shop.test', origin)
      await page.getByRole('link', { name: 'Pushes: 1 waiting, 0 refused' }).getByText('1', { exact: true }).waitFor()
      const entry = page.getByRole('navigation', { name: 'CDN' }).getByRole('link', { name: /^Push/ })
      await entry.locator('.shell-count', { hasText: /^1$/ }).waitFor()
    } finally {
      process.kill(pid, 'SIGCONT')
    }
    await page.getByRole('link', { name: 'Pushes: 0 waiting, 0 refused' }).waitFor()
    await page.getByRole('row', { name: 'late.shop.test' }).getByText('Done').waitFor()
  })

  it('shows what the node holds in its shared memory: keys by their beginning, value, time left [S7.31]', async () => {
    const { push } = await stack.saveSite('held.memory.test', origin)
    await stack.pushed(push)
    const [node] = (await stack.api.call('tools.memoryNodes', {})).data
    const nodeId = node?.id ?? 0
    const held = await stack.api.call('tools.memory', { nodeId, dict: 'tg_hosts', prefix: 'held.' })
    const id = held.data.list[0]?.value
    expect(held.data).toMatchObject({ list: [{ key: 'held.memory.test', form: 'text', ttl: 0 }], next: '' })
    await stack.api.call('cache.purge', { kind: 'url', entries: ['http://held.memory.test/x'] })
    const purge = await waitFor(
      async () =>
        (await stack.api.call('tools.memory', { nodeId, dict: 'tg_purges', prefix: `${id} 0 u held.memory.test/x` }))
          .data.list[0],
      'the purge in the memory of the node',
      20_000,
    )
    expect(purge.ttl).toBeGreaterThan(86_400)
    const page = await at('/cdn/tools/memory?dict=tg_hosts&key=held.')
    await page
      .getByRole('row', { name: /held\.memory\.test/ })
      .getByText('No end')
      .waitFor()
  })

  it('shows the install command of a new node once', async () => {
    const page = await at('/cdn/node/list')
    await page.getByRole('button', { name: 'Install a node' }).click()
    const drawer = page.getByRole('dialog')
    await drawer.getByLabel('Node name').fill('edge-1')
    await drawer.getByRole('button', { name: 'Get the command' }).click()
    const command = (await drawer.locator('.node-command code').textContent()) ?? ''
    const words = command.split(/\s+/).filter((word) => word.length >= 24)
    expect(words.length).toBeGreaterThan(0)
    await drawer.getByText(/^Expires in 1[45]:\d\d$/).waitFor()
    await drawer.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('row', { name: 'edge-1' }).getByText('Never seen').waitFor()
    await page.getByRole('button', { name: 'Install a node' }).click()
    await drawer.getByLabel('Node name').waitFor()
    await settled(page)
    const html = await page.content()
    for (const word of words) expect(html).not.toContain(word)
  })
})

describe('finding the way', () => {
  it('opens a working screen behind every entry of the menu, and nothing behind another address [S2.10 S2.12]', async () => {
    const { menuList } = await stack.api.call('menu.nav', {})
    const page = await at('/home/overview')
    const sections = page.getByRole('navigation', { name: 'Sections' })
    await sections.waitFor()
    expect(await sections.getByRole('link').allInnerTexts()).toEqual(menuList.map((item) => item.meta.title.en))
    const screens = (items: typeof menuList): typeof menuList =>
      items.flatMap((item) => (item.type === 1 && item.meta.hidden !== true ? [item] : screens(item.children)))
    for (const section of menuList) {
      await sections.getByRole('link', { name: section.meta.title.en }).click()
      const side = page.getByRole('navigation', { name: section.meta.title.en, exact: true })
      await side.waitFor()
      for (const screen of screens(section.type === 1 ? [section] : section.children)) {
        // By its address: one title may be a part of another, and a badge is a part of the name.
        await side.locator(`a[href="#${screen.url}"]`).click()
        await untilHash(page, `#${screen.url}`)
        await settled(page)
        expect(await page.locator('main h1').filter({ visible: true }).count(), screen.url).toBe(1)
        expect(await page.locator('main [role=alert]').filter({ visible: true }).count(), screen.url).toBe(0)
      }
    }
    await page.goto(`${stack.consoleUrl}#/cdn/nowhere`)
    await heading(page, 'Page not found').waitFor()
  })

  it('goes home by the breadcrumb, which is /console and leads to the first screen [S2.6]', async () => {
    const page = await at('/cdn/tools/push')
    const home = page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Home' })
    expect(await home.getAttribute('href')).toBe('#/console')
    await home.click()
    await untilHash(page, '#/home/overview')
    await heading(page, 'Overview').waitFor()
    expect(await page.getByRole('navigation', { name: 'Breadcrumb' }).textContent()).toMatch(/^\W*Overview$/)
  })

  it('switches the language, and the theme, and finds both again after a reload', async () => {
    const page = await at('/cdn/node/list')
    await page.getByRole('button', { name: '切换中文' }).click()
    await heading(page, '节点列表').waitFor()
    await page.getByRole('button', { name: '主题', exact: true }).click()
    await page.locator('.theme-modes').getByText('深色', { exact: true }).click()
    await page.waitForFunction(() => document.documentElement.dataset.theme === 'dark')
    await page.reload()
    await heading(page, '节点列表').waitFor()
    expect(await page.evaluate(() => [document.documentElement.lang, document.documentElement.dataset.theme])).toEqual([
      'zh-CN',
      'dark',
    ])
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe('rgb(12, 15, 20)')
    await page.getByRole('button', { name: '切换英文' }).click()
    await heading(page, 'Node list').waitFor()
  })
})

// Last: from here on this address has to read a captcha.
it('is told that the password is wrong, and after the third time reads a captcha', async () => {
  const page = await stranger('#/login')
  const captcha = page.getByLabel('Captcha', { exact: true })
  for (let tries = 1; tries <= 3; tries++) {
    await logIn(page, `wrong-${tries}`)
    await page.getByText('The account or password is not right').waitFor()
    await page.getByRole('button', { name: 'Log in' }).waitFor()
    expect(await captcha.count()).toBe(tries < 3 ? 0 : 1)
    // The same text again would be there before the answer.
    if (tries < 3) await page.reload()
  }
  await page.waitForFunction(() => {
    const image = document.querySelector<HTMLImageElement>('.login-captcha img')
    return image?.complete === true && image.naturalWidth > 40
  })
  await logIn(page, ADMIN.password)
  await page.getByText('Enter the captcha', { exact: true }).waitFor()
  await captcha.fill('????')
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByText('The captcha is wrong or has expired').waitFor()
})
