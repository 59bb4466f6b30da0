/** Every screen of the administrators' menus and of the customers' for DNS: readable for everybody in both themes, and whole on a phone. */
import type { ConsoleId } from '@tidegate/contract/enums'
import type { MenuItem } from '@tidegate/contract/operations/common'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApi } from './lib/api.ts'
import { axe } from './lib/axe.ts'
import { launchBrowser, newPerson, type Person, settled } from './lib/browser.ts'
import { type Origin, startOrigin } from './lib/origin.ts'
import { ADMIN, Stack } from './stack.ts'

let stack: Stack
let origin: Origin
let browser: Browser
let token = ''
let paths: string[] = []

/** A customer's login. */
const customer = async () => {
  const account = { username: 'screens-customer', password: 'Customer-1' }
  await stack.api.call('customer.save', account)
  return (await createApi(() => stack.baseUrl).call('auth.userLogin', account)).token
}
const screensOf = (items: readonly MenuItem[]): string[] =>
  items.flatMap((item) => [...(item.type === 1 && !item.meta.hidden ? [item.url] : []), ...screensOf(item.children)])

beforeAll(async () => {
  origin = await startOrigin('screens')
  stack = await Stack.start()
  browser = await launchBrowser()
  token = (await stack.api.call('auth.login', ADMIN)).token
  paths = screensOf((await stack.api.call('menu.nav', {})).menuList)
  const site = await stack.api.call('site.save', {
    domains: ['a-rather-long-name-of-a-shop.example.test'],
    originProtocol: 'http',
    origins: [{ host: '127.0.0.1', port: origin.port }],
  })
  paths.push(`/cdn/site/list/detail?id=${site.id}`)
})
afterAll(async () => {
  await browser?.close()
  await stack?.destroy()
  await origin?.close()
})

/** Opens every screen in one tab and asks each for what is wrong with it. */
const walk = async (
  person: Person,
  faultsOf: (page: Page) => Promise<unknown[]>,
  { url = stack.consoleUrl, screens = paths } = {},
) => {
  const found: unknown[] = []
  for (const path of screens) {
    await person.page.goto(`${url}#${path}`)
    await person.page.waitForFunction((wanted) => location.hash.startsWith(`#${wanted}`), path)
    await settled(person.page)
    for (const fault of await faultsOf(person.page)) found.push([path, fault])
  }
  await person.context.close()
  return [...found, ...person.faults]
}

/** What is wider than the window; tables scroll within themselves. */
const overflow = async (page: Page) =>
  await page.evaluate(() =>
    document.documentElement.scrollWidth > window.innerWidth ? [`${document.documentElement.scrollWidth} px wide`] : [],
  )

/** The screens of another console that the administrators' one of the CDN has not. */
const others = async (id: ConsoleId, held: string) => {
  const base = id === 'dns-admin' ? '/ants-dns-api' : '/api'
  const answer = await fetch(new URL(`${base}/sys/menu/nav`, stack.baseUrl), { headers: { token: held, console: id } })
  const { menuList } = (await answer.json()) as { menuList: MenuItem[] }
  const all = screensOf(menuList)
  return id === 'dns-admin' ? all.filter((path) => path === '/home/overview' || !paths.includes(path)) : all
}

describe('every screen of the DNS consoles', () => {
  it.each([
    ['dns-admin', '/dns-admin/', 3],
    ['dns-user', '/dns/', 5],
  ] as const)('has nothing that axe finds fault with and fits a phone (%s)', async (id, place, least) => {
    const held = id === 'dns-admin' ? token : await customer()
    const screens = await others(id, held)
    expect(screens.length).toBeGreaterThanOrEqual(least)
    const person = await newPerson(browser, { token: held, console: id, lang: 'zh', width: 390, height: 844 })
    const both = async (page: Page) => [...(await axe(page)), ...(await overflow(page))]
    expect(await walk(person, both, { url: new URL(place, stack.baseUrl).href, screens })).toEqual([])
  })
})

describe('every screen of the menu', () => {
  it('is there', () => {
    expect(paths.length).toBeGreaterThanOrEqual(5)
  })

  it.each([
    ['en', 'light'],
    ['zh', 'dark'],
  ] as const)('has nothing that axe finds fault with (%s, %s)', async (lang, theme) => {
    expect(await walk(await newPerson(browser, { token, lang, theme }), axe)).toEqual([])
  })

  it.each([
    ['zh', 'light'],
    ['en', 'dark'],
  ] as const)('fits a phone of 390 px (%s, %s)', async (lang, theme) => {
    const person = await newPerson(browser, { token, lang, theme, width: 390, height: 844 })
    expect(await walk(person, overflow)).toEqual([])
  })

  it.each(['zh', 'en'] as const)('says in full on a phone what a filter is set to (%s)', async (lang) => {
    const person = await newPerson(browser, { token, lang, width: 390, height: 844 })
    const cut = (page: Page) =>
      page.evaluate(() => {
        const texts = [...document.querySelectorAll<HTMLElement>('.tool-select, .tool-select *')]
        // A pixel is what rounding makes of a part of one.
        return texts.filter((e) => e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 0).map((e) => e.textContent)
      })
    expect(await walk(person, cut, { screens: ['/cdn/site/list?certDays=14'] })).toEqual([])
  })
})
