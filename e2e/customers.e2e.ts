/** A customer's way in a browser: registers, adds a site, cleans its cache, sees the own figures; is helped by an administrator, and shut out. */
import { AxeBuilder } from '@axe-core/playwright'
import type { MenuItem } from '@tidegate/contract/operations/common'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApi } from './lib/api.ts'
import { launchBrowser, newPerson, settled } from './lib/browser.ts'
import { type Origin, startOrigin } from './lib/origin.ts'
import { waitFor } from './lib/wait.ts'
import { ADMIN, Stack } from './stack.ts'

const NAME = 'shop-owner'
const PASSWORD = 'Customer-1'
const DOMAIN = 'shop.customers.test'
const SHOTS = process.env.TIDEGATE_SHOTS

let stack: Stack
let origin: Origin
let browser: Browser
let adminToken = ''
let ownToken = ''
let siteId = 0

beforeAll(async () => {
  origin = await startOrigin('customers')
  stack = await Stack.start()
  browser = await launchBrowser()
  adminToken = (await stack.api.call('auth.login', ADMIN)).token
})
afterAll(async () => {
  await browser?.close()
  await stack?.destroy()
  await origin?.close()
})

const userUrl = (path: string) => `${stack.baseUrl}#${path}`
const shot = async (page: Page, name: string) => {
  if (SHOTS) await page.screenshot({ path: `${SHOTS}/${name}.png` })
}
const screensOf = (items: readonly MenuItem[]): string[] =>
  items.flatMap((item) => [...(item.type === 1 && !item.meta.hidden ? [item.url] : []), ...screensOf(item.children)])

/** The account is made by the operator: a captcha's answer cannot be read from outside. */
const makeAccount = () => stack.api.call('customer.save', { username: NAME, password: PASSWORD })

describe('a customer', () => {
  it('finds registration, and the way back in without a password, without a login [S2.41]', async () => {
    const person = await newPerson(browser, { lang: 'zh' })
    for (const [path, title] of [
      ['/register', '注册'],
      ['/forgot', '忘记密码'],
      ['/reset-password', '重置密码'],
    ] as const) {
      await person.page.goto(userUrl(path))
      await person.page.getByRole('heading', { name: title }).waitFor()
      await shot(person.page, `public${path.replace('/', '-')}`)
    }
    await person.page.goto(userUrl('/register'))
    await person.page.getByRole('button', { name: '注册' }).click()
    expect(await person.page.getByText('不能为空').count()).toBeGreaterThanOrEqual(3)
    await stack.api.call('register.info', {})
    expect(person.faults).toEqual([])
    await person.context.close()
  })

  it('logs in at / and is led through the first steps', async () => {
    await makeAccount()
    const person = await newPerson(browser, { lang: 'en', console: 'user' })
    const { page } = person
    await page.goto(userUrl('/login'))
    await page.getByLabel('Account').fill(NAME)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByRole('region', { name: 'First steps' }).waitFor()
    await shot(page, 'user-overview-empty')
    ownToken = (await page.evaluate(() => localStorage.getItem('user:token'))) ?? ''
    expect(ownToken).not.toBe('')

    await page.goto(userUrl('/cdn/site/list?add=1'))
    await page.getByPlaceholder('www.example.com').fill(DOMAIN)
    await page.getByLabel('Domain or IP').fill(origin.host)
    const form = page.getByRole('dialog')
    await form.getByLabel('Port').first().fill(String(origin.port))
    await form.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText(/live on 1\/1 nodes in/).waitFor()
    await shot(page, 'user-site-saved')
    const { data } = await stack.api.call('site.list', { key: DOMAIN })
    siteId = data.list[0]?.id ?? 0
    expect(data.list[0]).toMatchObject({ userName: NAME })
    expect((await stack.visit(DOMAIN, { path: '/a' })).body).toContain(DOMAIN)
    expect(person.faults).toEqual([])
    await person.context.close()
  })

  it('cleans the cache of the own domains and sees the own figures', async () => {
    const person = await newPerson(browser, { lang: 'zh', console: 'user', token: ownToken })
    const { page } = person
    const own = createApi(() => stack.baseUrl)
    await own.login(ADMIN.username, ADMIN.password)
    await stack.visit(DOMAIN, { path: '/a' })
    await page.goto(userUrl(`/cdn/site/cache?site=${DOMAIN}`))
    await page.getByRole('heading', { name: '缓存清理', level: 1 }).waitFor()
    await page
      .getByRole('button', { name: /清理|提交/ })
      .first()
      .click()
    await page.getByText('#', { exact: false }).first().waitFor()
    await shot(page, 'user-cache')
    await waitFor(async () => (await stack.figures()).total.requests >= 2, 'the requests in the figures', 30_000)
    await page.goto(userUrl('/home/overview?range=6h'))
    await page.getByRole('link', { name: DOMAIN }).waitFor()
    await settled(page)
    await shot(page, 'user-overview')
    expect(person.faults).toEqual([])
    await person.context.close()
  })

  it('has screens that axe finds no fault with, and that fit a phone of 390 px', async () => {
    const menu = await fetch(new URL('/api/sys/menu/nav', stack.baseUrl), { headers: { token: ownToken } })
    const paths = screensOf(((await menu.json()) as { menuList: MenuItem[] }).menuList)
    expect(paths).toEqual(
      expect.arrayContaining(['/home/overview', '/cdn/site/list', '/cdn/account/info', '/cdn/account/log']),
    )
    paths.push(`/cdn/site/list/detail?id=${siteId}`)
    const found: unknown[] = []
    const wide = await newPerson(browser, { lang: 'en', console: 'user', token: ownToken })
    const narrow = await newPerson(browser, {
      lang: 'zh',
      theme: 'dark',
      console: 'user',
      token: ownToken,
      width: 390,
      height: 844,
    })
    for (const path of paths) {
      await wide.page.goto(userUrl(path))
      await settled(wide.page)
      await shot(wide.page, `wide${path.replace(/\W/g, '-')}`)
      const { violations } = await new AxeBuilder({ page: wide.page }).setLegacyMode(true).analyze()
      for (const v of violations) found.push([path, v.id, v.nodes.map((n) => n.target.join(' ')).slice(0, 2)])
      await narrow.page.goto(userUrl(path))
      await settled(narrow.page)
      await shot(narrow.page, `narrow${path.replace(/\W/g, '-')}`)
      const width = await narrow.page.evaluate(() => document.documentElement.scrollWidth)
      if (width > 390) found.push([path, width])
    }
    expect([...found, ...wide.faults, ...narrow.faults]).toEqual([])
    await wide.context.close()
    await narrow.context.close()
  })
})

describe('an administrator', () => {
  it('acts for the customer in a tab of its own, which says so, and ends it', async () => {
    const person = await newPerson(browser, { lang: 'en', token: adminToken })
    const { page } = person
    await page.goto(`${stack.consoleUrl}#/account/users/users?key=${NAME}`)
    await page.getByRole('button', { name: NAME, exact: true }).waitFor()
    await shot(page, 'users')
    await page.getByRole('button', { name: `More for ${NAME}` }).click()
    await page.getByRole('menuitem', { name: 'Act for the user' }).click()
    await page.getByLabel('Reason').fill('ticket 7')
    const opened = person.context.waitForEvent('page')
    await page.getByRole('button', { name: 'Act for the user' }).last().click()
    const tab = await opened
    await tab.getByRole('region', { name: "Acting in another's place" }).waitFor()
    await tab.getByText('ticket 7').waitFor()
    await settled(tab)
    await shot(tab, 'acting')
    expect(tab.url()).not.toContain('code=')
    // The administrator's own login in the other tab is as it was.
    expect(await page.evaluate(() => localStorage.getItem('admin:token'))).toBe(adminToken)
    expect(await tab.evaluate(() => localStorage.getItem('user:token'))).toBeNull()
    const closed = tab.waitForEvent('close').catch(() => undefined)
    await tab.getByRole('button', { name: 'End' }).click()
    await closed
    const { data } = await stack.api.call('userLog.list', { action: 'acting.enter' })
    expect(data.list[0]).toMatchObject({ actorName: NAME, actingName: ADMIN.username })
    await person.context.close()
  })

  it('shuts a customer out at once', async () => {
    const person = await newPerson(browser, { lang: 'zh', console: 'user', token: ownToken })
    await person.page.goto(userUrl('/cdn/site/list'))
    await person.page.getByRole('link', { name: DOMAIN }).first().waitFor()
    const { data } = await stack.api.call('customer.list', { key: NAME })
    await stack.api.call('customer.enable', { ids: [data.list[0]?.id ?? 0], enabled: false })
    await person.page.reload()
    await person.page.getByRole('heading', { name: '登录' }).waitFor()
    await person.context.close()
  })
})
