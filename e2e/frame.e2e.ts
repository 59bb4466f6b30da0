/** The console's frame in a real browser: open pages, layouts, theme, full screen, lock. */
import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser, newPerson, type Person, type PersonOptions, settled } from './lib/browser.ts'
import { type Origin, startOrigin } from './lib/origin.ts'
import { ADMIN, Stack } from './stack.ts'

let stack: Stack
let origin: Origin
let browser: Browser
let token = ''
const sites: number[] = []
const people: Person[] = []

beforeAll(async () => {
  origin = await startOrigin('frame')
  stack = await Stack.start()
  browser = await launchBrowser()
  token = (await stack.api.call('auth.login', ADMIN)).token
  for (const domain of ['one.frame.test', 'two.frame.test']) sites.push((await stack.saveSite(domain, origin)).id)
})
afterEach(async () => {
  const faults = people.flatMap((person) => person.faults)
  for (const person of people.splice(0)) await person.context.close()
  expect(faults).toEqual([])
})
afterAll(async () => {
  await browser?.close()
  await stack?.destroy()
  await origin?.close()
})

const at = async (path: string, options: PersonOptions = {}): Promise<Page> => {
  const person = await newPerson(browser, { token, ...options })
  people.push(person)
  await goTo(person.page, path)
  return person.page
}
const goTo = async (page: Page, path: string) => {
  await page.goto(`${stack.consoleUrl}#${path}`)
  await page.waitForFunction((wanted) => location.hash.startsWith(`#${wanted}`), path)
  await settled(page)
}
const open = (page: Page) => page.locator('.tabs li a').allInnerTexts()
const tab = (page: Page, name: string) => page.locator('.tabs li a', { hasText: new RegExp(`^${name}$`) })
const untilHash = async (page: Page, wanted: string) => await page.waitForURL((url) => url.hash === wanted)
const box = async (page: Page, selector: string) => {
  const found = await page.locator(selector).boundingBox()
  if (found === null) throw new Error(`${selector} is not shown`)
  return found
}
const axe = async (page: Page) => {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).analyze()
  return violations.map((v) => [v.id, v.nodes.map((n) => n.target.join(' ')).slice(0, 3)])
}
const prefs = async (page: Page) =>
  JSON.parse((await page.evaluate(() => localStorage.getItem('admin:prefs'))) ?? '{}') as Record<string, unknown>

const TEN = [
  '/account/users/password',
  '/account/users/admins',
  '/account/role/list',
  '/account/role/menu',
  '/cdn/node/list',
  '/cdn/site/list',
  '/cdn/site/cache',
  '/cdn/tools/push',
  '/cdn/log/admins',
]

describe('open pages', () => {
  it('keep what was typed and where they were scrolled to; the eleventh takes the place of the one used least recently [S4.15]', async () => {
    const page = await at('/cdn/log/admins', { height: 420 })
    await page.evaluate(() => window.scrollTo(0, 120))
    expect(await page.evaluate(() => window.scrollY)).toBe(120)
    await goTo(page, '/account/users/password')
    expect(await page.evaluate(() => window.scrollY)).toBe(0)
    await page.getByLabel('New password', { exact: true }).fill('typed, not saved')
    await tab(page, 'Admin Logs').click()
    await page.getByRole('heading', { name: 'Admin log' }).waitFor()
    expect(await page.evaluate(() => window.scrollY)).toBe(120)

    for (const path of TEN.slice(1)) await goTo(page, path)
    await goTo(page, `/cdn/site/list/detail?id=${sites[0]}`)
    expect((await open(page)).length).toBe(10)
    await tab(page, 'Reset Password').click()
    await untilHash(page, '#/account/users/password')
    expect(await page.getByLabel('New password', { exact: true }).inputValue()).toBe('typed, not saved')

    // The other site is another page; the admins' list was used longest ago.
    await goTo(page, `/cdn/site/list/detail?id=${sites[1]}`)
    const names = await open(page)
    expect(names.length).toBe(10)
    expect(names).not.toContain('Admins')
    expect(names).toContain('one.frame.test')
    expect(names).toContain('two.frame.test')
    await goTo(page, '/account/users/password')
    expect(await page.getByLabel('New password', { exact: true }).inputValue()).toBe('typed, not saved')
    expect((await open(page)).length).toBe(10)
  })

  it('are closed by button, middle click, key and menu, and a list comes back with its filter', async () => {
    const page = await at('/cdn/site/list', { lang: 'zh' })
    await page.getByPlaceholder('搜索域名、CNAME').fill('two')
    await page.keyboard.press('Enter')
    await page.locator('.tabs a[href*="key=two"]').waitFor()
    for (const path of ['/cdn/node/list', '/cdn/tools/push', '/account/role/list']) await goTo(page, path)
    expect(await open(page)).toEqual(['全部域名', '节点列表', '推送任务', '角色管理'])
    await page.getByRole('link', { name: 'CDN', exact: true }).click()
    await page.locator('.shell-menu').getByRole('link', { name: '全部域名' }).click()
    await untilHash(page, '#/cdn/site/list?key=two')
    expect(await page.getByPlaceholder('搜索域名、CNAME').inputValue()).toBe('two')

    await tab(page, '推送任务').click({ button: 'middle' })
    expect(await open(page)).toEqual(['全部域名', '节点列表', '角色管理'])
    await page.getByRole('button', { name: '关闭 全部域名' }).click()
    // The page used last before takes its place.
    await untilHash(page, '#/cdn/node/list')
    await tab(page, '节点列表').focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await page.locator('.tab-on', { hasText: '角色管理' }).waitFor()
    await page.keyboard.press('Delete')
    await untilHash(page, '#/cdn/node/list')
    await goTo(page, '/account/role/menu')
    await tab(page, '菜单管理').click({ button: 'right' })
    await page.getByRole('menuitem', { name: '关闭其他' }).click()
    await page.waitForFunction(() => document.querySelectorAll('.tab').length === 1)
    expect(await open(page)).toEqual(['菜单管理'])
    await goTo(page, '/account/role/list')
    await page.getByRole('button', { name: '已打开页面的操作' }).click()
    await page.getByRole('menuitem', { name: '全部关闭' }).click()
    await untilHash(page, '#/home/overview')
    await page.locator('.tab-on', { hasText: '概览' }).waitFor()
    expect(await open(page)).toEqual(['概览'])
  })

  it('ask before an unsaved form is closed or reloaded, not before one goes to another page', async () => {
    const page = await at(`/cdn/site/list/detail?id=${sites[0]}`)
    await page.locator('.page input[type=text]').first().waitFor()
    const before = await page.evaluate(() => document.querySelectorAll('.tg-save-bar').length)
    expect(before).toBe(0)
    await page.locator('.page textarea').first().fill('one.frame.test\nthree.frame.test')
    await page.locator('.tg-save-bar').waitFor()
    await page.getByRole('link', { name: 'Back' }).click()
    await untilHash(page, '#/cdn/site/list')
    await page.locator('.tab', { hasText: 'one.frame.test' }).hover()
    await page.getByRole('button', { name: 'Close one.frame.test' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Stay' }).click()
    await tab(page, 'one.frame.test').click()
    await page.locator('.tg-save-bar').waitFor()
    await page.getByRole('banner').getByRole('button', { name: 'Refresh' }).click()
    await page.getByRole('button', { name: 'Leave without saving' }).click()
    await page.locator('.tg-save-bar').waitFor({ state: 'detached' })
    await untilHash(page, `#/cdn/site/list/detail?id=${sites[0]}`)
  })

  it('keep what was typed into an open drawer in the background', async () => {
    const page = await at('/cdn/site/list?add=1')
    await page.getByPlaceholder('www.example.com').fill('typed.example.test')
    await page.evaluate(() => {
      location.hash = '#/cdn/node/list'
    })
    await untilHash(page, '#/cdn/node/list')
    await page.getByRole('heading', { name: 'Node list' }).waitFor()
    await page.evaluate(() => history.back())
    await untilHash(page, '#/cdn/site/list?add=1')
    await page.getByPlaceholder('www.example.com').waitFor()
    expect(await page.getByPlaceholder('www.example.com').inputValue()).toBe('typed.example.test')
  })

  it('keep what was typed into an open dialog in the background', async () => {
    const page = await at('/cdn/site/list')
    await page.getByRole('row', { name: 'one.frame.test' }).getByRole('checkbox').check()
    await page.locator('.tg-toolbar').getByRole('button', { name: 'Delete' }).click()
    const field = page.getByRole('dialog').getByRole('textbox')
    await field.fill('one.frame')
    for (let round = 0; round < 2; round++) {
      await page.evaluate(() => {
        location.hash = '#/cdn/node/list'
      })
      await page.getByRole('heading', { name: 'Node list' }).waitFor()
      await field.waitFor({ state: 'detached' })
      await page.evaluate(() => history.back())
      await field.waitFor()
      expect(await field.inputValue()).toBe('one.frame')
    }
    // It is as alive as before: the word as it has to be typed is taken, nothing else is.
    const ok = page.getByRole('dialog').getByRole('button', { name: 'Delete' })
    expect(await ok.isDisabled()).toBe(true)
    await field.fill('one.frame.test')
    expect(await ok.isDisabled()).toBe(false)
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await field.waitFor({ state: 'detached' })
  })
})

describe('layout', () => {
  // Width, device, side bar's width (0: slides in).
  const WIDTHS = [
    [1440, 'pc', 220],
    [1367, 'pc', 220],
    [1366, 'pc', 70],
    [1100, 'pc', 70],
    [992, 'pc', 70],
    [991, 'pad', 0],
    [800, 'pad', 0],
    [769, 'pad', 0],
    [768, 'phone', 0],
    [390, 'phone', 0],
  ] as const

  it('follows the width: the side bar collapses, then slides in; pc, pad, phone; nothing is wider than the window [S2.28]', async () => {
    const page = await at('/cdn/node/list', { lang: 'en' })
    const found: unknown[] = []
    for (const [width, device] of WIDTHS) {
      await page.setViewportSize({ width, height: 800 })
      await page.waitForFunction((wanted) => document.documentElement.dataset.device === wanted, device)
      await settled(page)
      const widths = await page
        .locator('.shell-aside')
        .evaluateAll((found) => found.map((e) => e.getBoundingClientRect().width))
      found.push([width, device, widths[0] ?? 0])
      expect(await page.locator('.tabs').count()).toBe(device === 'phone' ? 0 : 1)
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    }
    expect(found).toEqual(WIDTHS)
    await page.getByRole('button', { name: 'Menu', exact: true }).click()
    const drawer = page.locator('.shell-drawer')
    await drawer.getByRole('button', { name: 'Tools' }).click()
    await drawer.getByRole('link', { name: 'Push' }).click()
    await untilHash(page, '#/cdn/tools/push')
    await drawer.getByRole('link', { name: 'Push' }).waitFor({ state: 'hidden' })
  })

  it('is top to bottom with a dark header, a light aside and main part, 220 or 70 px of side bar and three sizes of table text, for who chose nothing [S9.10]', async () => {
    const page = await at('/cdn/node/list', { lang: 'en' })
    // Nothing is stored, and the system would rather have it dark.
    await page.evaluate(() => localStorage.removeItem('admin:prefs'))
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.reload()
    await settled(page)
    const colour = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((e) => getComputedStyle(e).backgroundColor)
    expect(await page.locator('.shell-ltr').count()).toBe(0)
    expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe('light')
    expect([await colour('.shell-top'), await colour('.shell-aside'), await colour('body')]).toEqual([
      'rgb(17, 24, 39)',
      'rgb(255, 255, 255)',
      'rgb(245, 246, 248)',
    ])
    expect((await box(page, '.shell-top')).y).toBe(0)
    expect((await box(page, '.shell-aside')).width).toBe(220)
    await page.getByRole('button', { name: 'Collapse menu' }).click()
    await page.waitForFunction(() => document.querySelector('.shell-aside')?.getBoundingClientRect().width === 70)

    const sizes: string[] = []
    await page.getByRole('button', { name: 'Table settings' }).click()
    const settings = page.getByRole('dialog', { name: 'Table settings' })
    for (const [name, size] of [
      ['Medium', 'medium'],
      ['Small', 'small'],
      ['Mini', 'mini'],
    ]) {
      await settings.getByText(name ?? '', { exact: true }).click()
      await page.locator(`.tg-table-${size}`).waitFor()
      sizes.push(await page.locator(`.tg-table-${size} .ant-table`).evaluate((e) => getComputedStyle(e).fontSize))
    }
    expect(sizes).toEqual(['14px', '13px', '12px'])
  })

  it('lets every screen be reached from a collapsed side bar', async () => {
    const page = await at('/home/overview', { width: 1100, lang: 'zh' })
    await page.getByRole('link', { name: 'CDN', exact: true }).click()
    await page.locator('.shell-aside').getByRole('button', { name: '站点管理' }).click()
    await page.getByRole('menuitem', { name: '缓存清理' }).click()
    await untilHash(page, '#/cdn/site/cache')
  })

  it('puts the bar over everything, or the side bar over the full height with all sections; remembered in every tab [S2.27]', async () => {
    const page = await at('/cdn/node/list', { lang: 'en' })
    const other = await people[0]?.context.newPage()
    if (other === undefined) throw new Error('no second tab')
    await goTo(other, '/account/role/list')
    expect([(await box(page, '.shell-top')).x, (await box(page, '.shell-aside')).y]).toEqual([0, 48])
    await page.getByRole('button', { name: 'Theme' }).click()
    const drawer = page.getByRole('dialog', { name: 'Theme settings' })
    await drawer.getByRole('radio', { name: 'Left to right' }).check()
    expect([(await box(page, '.shell-top')).x, (await box(page, '.shell-aside')).y]).toEqual([220, 0])
    await other.locator('.shell-ltr').waitFor()

    const colours = drawer.getByRole('radiogroup', { name: 'Colour' }).getByRole('radio')
    const seen = new Set<string>()
    for (let i = 0; i < (await colours.count()); i++) {
      await colours.nth(i).check()
      seen.add(await page.evaluate(() => document.documentElement.style.getPropertyValue('--tg-accent')))
    }
    expect([...seen]).toEqual(['#2f5bea', '#0e7c86', '#0b7a4b', '#6b4ee6', '#b3541e', '#c0264d', '#334155'])
    expect(await other.evaluate(() => document.documentElement.style.getPropertyValue('--tg-accent'))).toBe('#334155')

    await drawer.getByText('Dark', { exact: true }).click()
    await other.waitForFunction(() => document.documentElement.dataset.theme === 'dark')
    const toggles = {
      'Full screen': 'fullscreen',
      'Lock screen': 'lock',
      Refresh: 'refresh',
      Language: 'i18n',
      Messages: 'message',
    }
    for (const name of Object.keys(toggles)) await drawer.getByRole('switch', { name, exact: true }).click()
    expect((await prefs(page)).header).toEqual({
      message: false,
      fullscreen: false,
      lock: false,
      refresh: false,
      i18n: false,
    })
    for (const name of ['Full screen', 'Lock screen', 'Refresh', 'Switch to Chinese'])
      await other.getByRole('banner').getByRole('button', { name }).waitFor({ state: 'detached' })
    expect(await axe(page)).toEqual([])
    await page.reload()
    await page.locator('.shell-ltr').waitFor()
    expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark')
    expect(await page.evaluate(() => document.documentElement.style.getPropertyValue('--tg-accent'))).toBe('#334155')
    expect(await page.getByRole('banner').getByRole('button', { name: 'Refresh' }).count()).toBe(0)
    expect(await page.getByRole('navigation', { name: 'Menu' }).getByRole('button', { name: 'Account' }).count()).toBe(
      1,
    )
    expect(await axe(page)).toEqual([])
  })
})

describe('full screen', () => {
  it('fills the screen and comes back; where it cannot, it says so', async () => {
    const page = await at('/cdn/node/list', { lang: 'zh' })
    await page.getByRole('button', { name: '全屏', exact: true }).click()
    await page.getByRole('button', { name: '退出全屏' }).waitFor()
    expect(await page.evaluate(() => document.fullscreenElement === document.documentElement)).toBe(true)
    await page.getByRole('button', { name: '退出全屏' }).click()
    await page.waitForFunction(() => document.fullscreenElement === null)
    await page.evaluate(() => Object.defineProperty(document, 'fullscreenEnabled', { value: false }))
    await page.getByRole('button', { name: '全屏', exact: true }).click()
    await page.getByText('当前浏览器不支持全屏').waitFor()
  })
})

describe('the lock screen', () => {
  it('leaves nothing of the page in any tab, over reloads, until the password is right; what was typed is still there [S2.26]', async () => {
    const page = await at('/account/users/password', { lang: 'en' })
    await page.getByLabel('New password', { exact: true }).fill('typed before the lock')
    const other = await people[0]?.context.newPage()
    if (other === undefined) throw new Error('no second tab')
    await goTo(other, '/cdn/site/list')
    await page.getByRole('banner').getByRole('button', { name: 'Lock screen' }).click()
    for (const one of [page, other]) {
      await one.getByRole('heading', { name: 'Locked' }).waitFor()
      const text = await one.evaluate(() => document.documentElement.outerHTML)
      for (const word of ['shell-top', 'shell-aside', 'one.frame.test', 'New password', 'Site Management'])
        expect(text.includes(word), word).toBe(false)
      expect(await one.title()).toMatch(/^Locked - /)
    }
    expect(await axe(page)).toEqual([])
    // Not by the address, not by a reload, not by a new tab.
    await other.evaluate(() => {
      location.hash = '#/cdn/node/list'
    })
    await other.reload()
    await other.getByRole('heading', { name: 'Locked' }).waitFor()
    expect(await other.locator('.shell').count()).toBe(0)
    // The focus goes round within the lock.
    for (let i = 0; i < 6; i++) {
      await page.keyboard.press('Tab')
      expect(await page.evaluate(() => document.activeElement?.closest('.lock, body')?.tagName)).toMatch(/MAIN|BODY/)
    }

    await page.getByLabel('Password').fill('not the password')
    await page.getByRole('button', { name: 'Unlock' }).click()
    await page.getByRole('alert').filter({ hasText: /\S/ }).waitFor()
    expect(await page.locator('.shell').count()).toBe(0)
    await page.getByLabel('Password').fill(ADMIN.password)
    await page.keyboard.press('Enter')
    await page.locator('.shell').waitFor()
    expect(await page.getByLabel('New password', { exact: true }).inputValue()).toBe('typed before the lock')
    await other.getByRole('heading', { name: 'Node list' }).waitFor()
  })

  it('can be left by logging out, which opens no tab', async () => {
    const own = (await stack.api.call('auth.login', ADMIN)).token
    const page = await at('/cdn/site/list', { lang: 'zh', theme: 'dark', token: own })
    const other = await people[0]?.context.newPage()
    if (other === undefined) throw new Error('no second tab')
    await goTo(other, '/cdn/node/list')
    await page.getByRole('button', { name: '锁屏' }).click()
    await other.getByRole('heading', { name: '已锁屏' }).waitFor()
    expect(await axe(other)).toEqual([])
    await page.getByRole('button', { name: '退出登录' }).click()
    for (const one of [page, other]) {
      await one.waitForURL((url) => url.hash.startsWith('#/login'))
      await one.locator('.login, form').first().waitFor()
      expect(await one.locator('.shell').count()).toBe(0)
    }
  })
})
