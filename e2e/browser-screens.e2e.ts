/** Every screen and dialog in both themes, on a desk and on a phone: readable by everyone, within the window, within the page's policy. */
import { AxeBuilder } from '@axe-core/playwright'
import { PAGE_SIZES } from '@tidegate/contract/limits'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { launchBrowser, newPerson, overflow, settled } from './lib/browser.ts'
import { makeCertificate } from './lib/certificate.ts'
import { type Origin, startOrigin } from './lib/origin.ts'
import { ADMIN, Stack } from './stack.ts'

const SITES = 23

let stack: Stack
let origin: Origin
let browser: Browser
let token = ''
let siteId = 0

beforeAll(async () => {
  origin = await startOrigin('first')
  stack = await Stack.start()
  const { api } = stack
  token = (await api.call('auth.login', ADMIN)).token
  const { certPem, keyPem } = await makeCertificate(['www.shop.test'])
  const { id: certId } = await api.call('cert.save', { certPem, keyPem })
  const saved = await stack.saveSite('www.shop.test', origin, { settings: { certId } })
  siteId = saved.id
  await stack.saveSite('www.shop.test', origin, { id: siteId, remark: 'second version', settings: { certId } })
  let last = saved.push
  for (let i = 1; i < SITES; i++) last = (await stack.saveSite(`site-${i}.a-rather-long-name.test`, origin)).push
  const { list } = (await api.call('site.list', {})).data
  const off = await api.call('site.enable', { ids: [list[0]?.id ?? 0], enabled: false })
  await stack.pushed(off.push[0] ?? last)
  await api.call('cache.purge', { kind: 'url', entries: ['http://www.shop.test/a.css', 'http://www.shop.test/b.css'] })
  await api.call('node.enrollToken', { name: 'edge-frankfurt-1', groupId: 1 })
  for (let i = 0; i < 5; i++) await stack.visit('www.shop.test', { path: `/${i}` })
  await stack.visit('nobody.test')
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser?.close()
  await stack?.destroy()
  await origin?.close()
})

interface Screen {
  name: string
  path: string
  /** What a person does there before looking. */
  act?: (page: Page) => Promise<void>
}

const dialog = (page: Page) => page.getByRole('dialog').first().waitFor()
const detail = (tab: string) => `/cdn/site/list/detail?id=${siteId}&tab=${tab}`

const screens = (): Screen[] => [
  { name: 'overview', path: '/home/overview' },
  {
    name: 'chart as table',
    path: '/home/overview?range=1h',
    act: async (page) => await page.getByRole('button', { name: 'Show as table' }).first().click(),
  },
  { name: 'nodes', path: '/cdn/node/list' },
  {
    name: 'node',
    path: '/cdn/node/list',
    act: async (page) => {
      await page.getByRole('button', { name: 'local', exact: true }).click()
      await dialog(page)
    },
  },
  {
    name: 'editing a node',
    path: '/cdn/node/list',
    act: async (page) => {
      await page.getByRole('button', { name: 'Edit' }).first().click()
      await dialog(page)
    },
  },
  {
    name: 'deleting a node',
    path: '/cdn/node/list',
    act: async (page) => {
      await page.getByRole('button', { name: 'Delete' }).first().click()
      await dialog(page)
    },
  },
  { name: 'installing a node', path: '/cdn/node/list?install=1', act: dialog },
  { name: 'sites', path: '/cdn/site/list' },
  { name: 'no site found', path: '/cdn/site/list?key=nothing-is-called-so' },
  {
    name: 'chosen sites',
    path: '/cdn/site/list',
    act: async (page) => await page.locator('tbody tr[data-row-key] input[type=checkbox]').first().click(),
  },
  {
    name: 'table settings',
    path: '/cdn/site/list',
    act: async (page) => await page.getByRole('button', { name: 'Table settings' }).click(),
  },
  {
    name: 'adding a site, with errors',
    path: '/cdn/site/list?add=1',
    act: async (page) => {
      await page.getByPlaceholder('www.example.com').fill('shop..test')
      await page.locator('.ant-drawer button[type=submit]').click()
      await page.getByText('shop..test: domain format error').waitFor()
    },
  },
  { name: 'site, basic', path: detail('basic') },
  { name: 'site, origin', path: detail('origin') },
  { name: 'site, cache', path: detail('cache') },
  { name: 'site, HTTPS', path: detail('https') },
  { name: 'site, history', path: detail('history') },
  {
    name: 'unsaved changes',
    path: detail('basic'),
    act: async (page) => await page.getByRole('textbox', { name: 'Remark' }).fill('changed'),
  },
  { name: 'cache cleanup', path: '/cdn/site/cache' },
  { name: 'pushes', path: '/cdn/tools/push' },
  {
    name: 'answers to a push',
    path: '/cdn/tools/push',
    act: async (page) => {
      await page.getByRole('button', { name: 'Feedback' }).first().click()
      await page.getByText('seen through the listener').first().waitFor()
    },
  },
  {
    name: 'own menu',
    path: '/cdn/tools/push',
    act: async (page) => await page.getByRole('button', { name: `Account ${ADMIN.username}` }).click(),
  },
  {
    name: 'password',
    path: '/cdn/tools/push',
    act: async (page) => {
      await page.getByRole('button', { name: `Account ${ADMIN.username}` }).click()
      await page.getByRole('menuitem', { name: 'Change password' }).click()
      await dialog(page)
    },
  },
  { name: 'nowhere', path: '/cdn/nowhere' },
]

/** What axe finds, one line a place. */
const obstacles = async (page: Page): Promise<string[]> => {
  const { violations } = await new AxeBuilder({ page }).analyze()
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.html.slice(0, 120)}`),
  )
}

/** What is wrong with what the page shows now. On a phone it is the same document in another layout: there only the fit is looked at. */
const look = async (page: Page, name: string, phone: boolean): Promise<string[]> => {
  await settled(page)
  const wider = await overflow(page)
  const found = phone ? [] : await obstacles(page)
  return [...(wider > 0 ? [`wider than the window by ${wider} px`] : []), ...found].map((what) => `${name}: ${what}`)
}

it.each([
  ['light', 1440],
  ['dark', 1440],
  ['light', 390],
] as const)(
  'every screen and dialog is accessible, fits and keeps the policy (%s, %i px)',
  async (theme, width) => {
    const phone = width < 500
    const size = { theme, width, height: phone ? 844 : 900 }
    const inside = await newPerson(browser, { ...size, token })
    const found: string[] = []
    for (const { name, path, act } of screens()) {
      // Loaded anew: what the screen before has opened is gone.
      await inside.page.goto('about:blank')
      await inside.page.goto(`${stack.consoleUrl}#${path}`)
      await settled(inside.page)
      await act?.(inside.page)
      found.push(...(await look(inside.page, name, phone)))
    }
    await inside.context.close()
    const outside = await newPerson(browser, size)
    await outside.page.goto(stack.consoleUrl)
    await outside.page.getByRole('button', { name: 'Log in' }).click()
    await outside.page.getByText('Enter your account').waitFor()
    found.push(...(await look(outside.page, 'login', phone)))
    await outside.context.close()
    expect([...found, ...inside.faults, ...outside.faults]).toEqual([])
  },
  300_000,
)

it('opens the menu of a phone over the page, and closes it on the new one', async () => {
  const { page, context, faults } = await newPerson(browser, { width: 390, height: 844, token })
  await page.goto(`${stack.consoleUrl}#/home/overview`)
  await page.getByRole('button', { name: 'Menu' }).click()
  const drawer = page.getByRole('dialog')
  await drawer
    .getByRole('link', { name: 'Home' })
    .or(drawer.getByRole('heading', { name: 'CDN' }))
    .first()
    .waitFor()
  expect(await look(page, 'menu', false)).toEqual([])
  await drawer.getByRole('link', { name: 'Node List' }).click()
  await page.getByRole('heading', { name: 'Node list' }).waitFor()
  await drawer.waitFor({ state: 'hidden' })
  await context.close()
  expect(faults).toEqual([])
})

it('pages its lists: 20 a page of seven sizes, total, sizes, previous, pages, next, jump in this order [S9.2]', async () => {
  const { page, context, faults } = await newPerson(browser, { token })
  await page.goto(`${stack.consoleUrl}#/cdn/site/list`)
  const pager = page.getByRole('navigation', { name: 'Pages' })
  const rows = page.locator('tbody tr[data-row-key]')
  await pager.waitFor()
  expect(await rows.count()).toBe(20)
  const parts = [
    pager.getByText(`Total ${SITES}`),
    pager.locator('.ant-select', { hasText: '20 / page' }),
    pager.locator('.tg-pager-pages .ant-pagination-prev'),
    pager.locator('.tg-pager-pages .ant-pagination-item-1'),
    pager.locator('.tg-pager-pages .ant-pagination-item-2'),
    pager.locator('.tg-pager-pages .ant-pagination-next'),
    pager.getByRole('spinbutton', { name: 'Page to go to' }),
  ]
  const places: number[] = []
  for (const part of parts) places.push((await part.boundingBox())?.x ?? Number.NaN)
  expect(places).toEqual([...places].sort((a, b) => a - b))
  await pager.getByRole('spinbutton', { name: 'Page to go to' }).fill('2')
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => url.hash.includes('page=2'))
  await expect.poll(async () => await rows.count()).toBe(SITES - 20)
  await pager.getByRole('combobox', { name: 'Rows per page' }).click()
  const options = page.locator('.ant-select-item-option')
  await options.first().waitFor()
  expect(await options.allTextContents()).toEqual(PAGE_SIZES.map((n) => `${n} / page`))
  await options.getByText('50 / page').click()
  await expect.poll(async () => await rows.count()).toBe(SITES)
  await context.close()
  expect(faults).toEqual([])
})
