/** Getting in, staying in, and what the browser sends meanwhile: the login guard in a real browser against the whole product. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser, newPerson, type Person, type PersonOptions, settled } from './lib/browser.ts'
import { ADMIN, Stack } from './stack.ts'

let stack: Stack
let browser: Browser
let token = ''
const people: Person[] = []

beforeAll(async () => {
  stack = await Stack.startControlPlane()
  browser = await launchBrowser()
  token = (await stack.api.call('auth.login', ADMIN)).token
})
afterEach(async () => {
  const faults = people.flatMap((person) => person.faults)
  for (const person of people.splice(0)) await person.context.close()
  expect(faults).toEqual([])
})
afterAll(async () => {
  await browser?.close()
  await stack?.destroy()
})

const someone = async (options: PersonOptions = {}) => {
  const person = await newPerson(browser, options)
  people.push(person)
  return person
}
const go = async (page: Page, path: string) => await page.goto(`${stack.consoleUrl}#${path}`)
const untilHash = async (page: Page, wanted: string) =>
  await page.waitForFunction((hash) => location.hash === hash, wanted)
const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true })

describe('the guard', () => {
  it('routes by the hash: fixed routes, public pages and the way back [S2.1 S2.2 S2.4 S2.6 S2.7 S4.13]', async () => {
    const { page } = await someone({ lang: 'zh' })
    await go(page, '/')
    await heading(page, '登录').waitFor()
    await untilHash(page, '#/login')
    await go(page, '/debug')
    await heading(page, '系统诊断').waitFor()
    for (const base of ['/antsxdp/', '/ants-dns-api/', '/api/'])
      await page.getByRole('row', { name: base }).getByText('可访问').waitFor()
    await go(page, '/cdn/node/list?key=a')
    await untilHash(page, `#/login?redirect=${encodeURIComponent('/cdn/node/list?key=a')}`)
    await page.getByLabel('账号').fill(ADMIN.username)
    await page.getByLabel('密码', { exact: true }).fill(ADMIN.password)
    await page.getByRole('button', { name: '登录' }).click()
    await heading(page, '节点列表').waitFor()
    await untilHash(page, '#/cdn/node/list?key=a')
    await go(page, '/login')
    // One address after the other, before their pages have come.
    await untilHash(page, '#/home/overview')
    await go(page, '/404')
    await untilHash(page, '#/home/overview')
    await go(page, '/no/such')
    await heading(page, '页面不存在').waitFor()
  })

  it('sends the token in a header only, in all requests of a session', async () => {
    const person = await someone()
    const { page } = person
    const seen: { url: string; headers: Record<string, string>; body: string }[] = []
    page.on('request', (request) =>
      seen.push({ url: request.url(), headers: request.headers(), body: request.postData() ?? '' }),
    )
    await go(page, '/login')
    await page.getByLabel('Account').fill(ADMIN.username)
    await page.getByLabel('Password', { exact: true }).fill(ADMIN.password)
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.locator('.shell-main h1').first().waitFor()
    const held = await page.evaluate(() => localStorage.getItem('admin:token') ?? '')
    expect(held.length).toBeGreaterThan(20)
    for (const path of ['/cdn/node/list', '/cdn/site/list', '/cdn/tools/push']) {
      await go(page, path)
      await settled(page)
    }
    expect(seen.some((s) => s.headers.token === held)).toBe(true)
    for (const { url, headers, body } of seen) {
      expect(decodeURIComponent(url)).not.toContain(held)
      expect(url).not.toContain(ADMIN.password)
      expect(body).not.toContain(held)
      const { token: _token, ...rest } = headers
      expect(JSON.stringify(rest)).not.toContain(held)
    }
    expect(await person.context.cookies()).toEqual([])
    expect(page.url()).not.toContain(held)
  })

  it('tells another tab of the same browser when the login changes or ends [S4.17]', async () => {
    const { page, context } = await someone({ token })
    await go(page, '/cdn/node/list')
    await heading(page, 'Node list').waitFor()
    const other = await context.newPage()
    await go(other, '/debug')
    const second = (await stack.api.call('auth.login', ADMIN)).token
    await other.evaluate((fresh) => localStorage.setItem('admin:token', fresh), second)
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Login account changed').waitFor()
    expect(await other.getByRole('dialog').count()).toBe(0)
    await dialog.getByRole('button', { name: 'Refresh' }).click()
    await page.waitForFunction(() => document.querySelector('[role=dialog]') === null)
    await heading(page, 'Node list').waitFor()
    await other.evaluate(() => localStorage.removeItem('admin:token'))
    await dialog.getByText('Your login has expired, you need to log in again').waitFor()
    await dialog.getByRole('button', { name: 'Re-login' }).click()
    await heading(page, 'Log in').waitFor()
    await untilHash(page, `#/login?redirect=${encodeURIComponent('/cdn/node/list')}`)
  })

  it('keeps what was typed until the end of a login is confirmed, with one dialog and no toast [S8.2]', async () => {
    const own = (await stack.api.call('auth.login', ADMIN)).token
    const { page } = await someone({ token: own, lang: 'zh' })
    await go(page, '/cdn/site/list?add=1')
    const domains = page.getByPlaceholder('www.example.com')
    await domains.fill('draft.example.test')
    // The session ends on the server; the shell's own polling is the next to ask.
    await page.evaluate(
      async ([url, held]) =>
        void (await fetch(url as string, {
          method: 'POST',
          headers: { token: held as string, 'content-type': 'application/json' },
          body: '{}',
        })),
      ['/antsxdp/sys/logout', own],
    )
    await page.getByText('您的登录已失效，需要重新登录').waitFor()
    expect(await page.locator('.ant-modal-title', { hasText: '登录已过期' }).count()).toBe(1)
    expect(await page.locator('.ant-message-notice').count()).toBe(0)
    expect(await domains.inputValue()).toBe('draft.example.test')
    await page.getByRole('button', { name: '重新登录' }).click()
    await heading(page, '登录').waitFor()
  })

  it('reloads once by itself after a new release, and then offers a button [S8.5]', async () => {
    const { page } = await someone({ token })
    await go(page, '/cdn/node/list')
    await heading(page, 'Node list').waitFor()
    let loads = 0
    page.on('framenavigated', () => {
      loads += 1
    })
    const asked: string[] = []
    await page.route(/\/assets\/CachePage-.*\.js/, (route) => {
      asked.push(route.request().url())
      return route.abort()
    })
    await page.route(stack.consoleUrl, async (route) => {
      if (route.request().resourceType() === 'document') return await route.continue()
      await route.fulfill({
        contentType: 'text/html',
        body: '<html><head><script type="module" src="/assets/index-new.js"></script></head></html>',
      })
    })
    await page.evaluate(() => {
      ;(window as unknown as { before: boolean }).before = true
    })
    await page.evaluate(() => {
      location.hash = '#/cdn/site/cache'
    })
    await page.waitForFunction(() => (window as unknown as { before?: boolean }).before === undefined)
    const notice = page.getByRole('alert').filter({ hasText: 'This part could not be loaded' })
    await notice.getByRole('button', { name: 'Reload' }).waitFor()
    expect(asked.length).toBeGreaterThanOrEqual(2)
    await page.unroute(/\/assets\/CachePage-.*\.js/)
    await notice.getByRole('button', { name: 'Reload' }).click()
    await heading(page, 'Cache cleanup').waitFor()
    expect(loads).toBeGreaterThan(0)
  })

  it('takes the site’s default language on the first visit, and one’s own choice from then on [S1.3 S1.4 S1.5]', async () => {
    const context = await browser.newContext({ locale: 'en-US' })
    const page = await context.newPage()
    await go(page, '/login')
    // Chinese is the site's default, the browser's own language is English.
    await heading(page, '登录').waitFor()
    expect(await page.evaluate(() => localStorage.getItem('admin:prefs'))).toBeNull()
    await page.waitForFunction(() => document.title === '登录 - Tidegate')
    await page.getByRole('button', { name: '切换英文 Switch to English' }).click()
    await heading(page, 'Log in').waitFor()
    await page.reload()
    await heading(page, 'Log in').waitFor()
    await page.waitForFunction(() => document.title === 'Log in - Tidegate')
    await page.getByRole('button', { name: 'Switch to Chinese 切换中文' }).waitFor()
    await context.close()
  })
})
