/** Lists as a person uses them: the whole of one as a file, columns and looks that are remembered, fields that come late under the page's policy. */
import { readFile } from 'node:fs/promises'
import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser, newPerson, type Person, settled } from './lib/browser.ts'
import { type Origin, startOrigin } from './lib/origin.ts'
import { ADMIN, Stack } from './stack.ts'

/** More than a page of 20. */
const SITES = 23

let stack: Stack
let origin: Origin
let browser: Browser
let person: Person
let page: Page
let siteId = 0

beforeAll(async () => {
  origin = await startOrigin('lists')
  stack = await Stack.start()
  browser = await launchBrowser()
  const { token } = await stack.api.call('auth.login', ADMIN)
  for (let i = 1; i <= SITES; i++) {
    const saved = await stack.api.call('site.save', {
      domains: [`list-${i}.example.test`],
      originProtocol: 'http',
      origins: [{ host: '127.0.0.1', port: origin.port }],
      remark: i === 1 ? '=HYPERLINK("http://x")' : `row ${i}`,
    })
    siteId = saved.id
  }
  person = await newPerson(browser, { token })
  page = person.page
})
afterAll(async () => {
  await browser?.close()
  await stack?.destroy()
  await origin?.close()
})

const open = async (path: string) => {
  await page.goto(`${stack.consoleUrl}#${path}`)
  await page.waitForFunction((wanted) => location.hash.startsWith(`#${wanted}`), path)
  await settled(page)
}
/** The page that is seen: others may be kept beside it. */
const seen = (selector: string) => page.locator(selector).filter({ visible: true })
const button = (name: string) => page.getByRole('button', { name, exact: true }).filter({ visible: true })
const heads = async () =>
  (await seen('.tg-table thead th').allTextContents()).map((text) => text.trim()).filter((text) => text !== '')
const openSettings = async () => {
  await button('Table settings').click()
  return page.getByRole('dialog', { name: 'Table settings' }).filter({ visible: true })
}
const close = async () => {
  await page.keyboard.press('Escape')
  await page.mouse.click(5, 400)
}
const faultsOfAxe = async () => {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).analyze()
  return violations.map((v) => [v.id, v.nodes.map((n) => n.target.join(' ')).slice(0, 3)])
}

describe('a list', () => {
  it('is exported whole: every page of it, safe for a spreadsheet', async () => {
    await open('/cdn/site/list')
    expect(await seen('.tg-table tbody tr[data-row-key]').count()).toBe(20)
    await button('Export the list').click()
    const started = page.waitForEvent('download')
    await button('Export all rows').click()
    const file = await started
    expect(file.suggestedFilename()).toMatch(/^sites-\d{8}-\d{4}\.csv$/)
    const text = await readFile(await file.path(), 'utf8')
    const lines = text.split('\r\n').slice(0, -1)
    expect(lines[0]).toMatch(/^\u{FEFF}Id,Domains,CNAME,/u)
    const domains = lines.slice(1).map((line) => line.split(',')[1])
    expect(domains).toEqual(Array.from({ length: SITES }, (_, i) => `list-${SITES - i}.example.test`))
    await settled(page)
    expect(text).toContain(`"'=HYPERLINK(""http://x"")"`)
    await page.getByText('The export was downloaded').waitFor()
    expect(await faultsOfAxe()).toEqual([])
  })

  it('keeps its columns as they were put, over a reload', async () => {
    await open('/cdn/site/list')
    const before = await heads()
    expect(before.slice(0, 4)).toEqual(['Domain / CNAME', 'State', 'Certificate', 'Origin'])
    const settings = await openSettings()
    await settings.getByRole('button', { name: 'Move State up', exact: true }).click()
    await settings.getByRole('checkbox', { name: 'Certificate', exact: true }).click()
    expect(await faultsOfAxe()).toEqual([])
    await page.reload()
    await settled(page)
    expect((await heads()).slice(0, 3)).toEqual(['State', 'Domain / CNAME', 'Origin'])
    await open('/account/role/list')
    expect(await heads()).toContain('Permissions')
  })

  it('looks as every other table was told to look, over a reload [S2.29] [S3.14]', async () => {
    const heightOf = async () =>
      Math.round((await seen('.tg-table tbody tr[data-row-key]').first().boundingBox())?.height ?? 0)
    for (const [word, size, height] of [
      ['Medium', 'medium', 46],
      ['Small', 'small', 38],
      ['Mini', 'mini', 32],
    ] as const) {
      await open('/cdn/site/list')
      await (await openSettings()).getByText(word, { exact: true }).click()
      await close()
      await open('/account/role/list')
      expect(await seen(`.tg-table-${size}`).count()).toBe(1)
      // The last row has no line below it.
      expect(Math.abs((await heightOf()) - height)).toBeLessThanOrEqual(1)
    }
    await open('/cdn/site/list')
    const settings = await openSettings()
    await settings.getByRole('switch', { name: 'Striped' }).click()
    await settings.getByRole('switch', { name: 'Border' }).click()
    await settings.getByText('Right', { exact: true }).click()
    await close()
    await seen('.tg-pager-size').click()
    await page.getByText('50 / page', { exact: true }).filter({ visible: true }).last().click()
    await page.waitForFunction(() => location.hash.includes('limit=50'))
    await settled(page)
    expect(await seen('.tg-table tbody tr[data-row-key]').count()).toBe(SITES)
    await open('/cdn/log/admins')
    await page.reload()
    await settled(page)
    expect(await seen('.tg-table-mini.tg-striped.tg-bordered').count()).toBe(1)
    expect(await seen('.tg-pager-size').textContent()).toContain('50 / page')
    const cell = seen('.tg-table tbody tr[data-row-key] td').first()
    expect(await cell.evaluate((td) => getComputedStyle(td).textAlign)).toBe('right')
  })

  it('keeps its header in sight under the page’s bars', async () => {
    await open('/cdn/site/list')
    await page.setViewportSize({ width: 1440, height: 500 })
    await seen('.tg-table tbody tr[data-row-key]').last().scrollIntoViewIfNeeded()
    const bar = await seen('[data-sticky-top]').last().boundingBox()
    const head = await seen('.tg-table thead').first().boundingBox()
    // A line of one pixel lies between the two.
    expect(Math.abs((head?.y ?? 0) - (bar?.y ?? 0) - (bar?.height ?? 0))).toBeLessThanOrEqual(1)
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  it('asks what to delete when nothing is chosen', async () => {
    await open('/cdn/site/list')
    await button('Delete chosen').click()
    await page.getByText('Select what to delete').waitFor()
  })
})

describe('fields', () => {
  it('choose days of the installation’s zone, which stand in the address', async () => {
    await open('/cdn/log/admins')
    await page.getByRole('group', { name: 'Days' }).locator('input').first().click()
    const preset = page.locator('.ant-picker-presets li').filter({ visible: true })
    await preset.nth(7).waitFor()
    expect(await preset.count()).toBe(8)
    expect(await faultsOfAxe()).toEqual([])
    await preset.first().click()
    const today = new Date().toLocaleDateString('sv-SE', { timeZone: 'Asia/Shanghai' })
    await page.waitForFunction((day) => location.hash.includes(`from=${day}&to=${day}`), today)
  })

  it('edit a certificate in an editor that the page’s policy allows', async () => {
    await open(`/cdn/site/list/detail?id=${siteId}&tab=https`)
    await button('Upload certificate').first().click()
    const editor = page.getByRole('textbox', { name: 'Certificate (PEM)' })
    await page.locator('.cm-content').nth(1).waitFor()
    await editor.click()
    await page.keyboard.type('-----BEGIN CERTIFICATE-----')
    expect(await editor.textContent()).toBe('-----BEGIN CERTIFICATE-----')
    // The editor's own styles are in force.
    expect(
      await page
        .locator('.cm-gutters')
        .first()
        .evaluate((e) => getComputedStyle(e).display),
    ).toBe('flex')
    expect(await faultsOfAxe()).toEqual([])
    await page.locator('.ant-drawer').getByRole('button', { name: 'Upload certificate' }).click()
    await page.locator('.cm-content[aria-invalid="true"]').first().waitFor()
  })

  it('lose the focus before their page goes out of sight: a calendar left open is closed', async () => {
    await open('/cdn/log/users')
    await page.getByRole('group', { name: 'Days' }).filter({ visible: true }).locator('input').first().click()
    await page.locator('.ant-picker-presets').filter({ visible: true }).waitFor()
    await open('/cdn/site/list')
    await open('/cdn/log/users')
    await page.locator('.ant-picker-presets').filter({ visible: true }).waitFor({ state: 'hidden' })
    expect(await seen('.ant-picker-focused').count()).toBe(0)
  })
})

describe('all of it', () => {
  it('broke no rule of the page’s policy, and threw nothing', () => {
    expect(person.faults).toEqual([])
  })
})

describe('the palette', () => {
  it('opens by keys, keeps the focus, finds a site on the server and goes there', async () => {
    await open('/account/role/list')
    await page.keyboard.press('Control+k')
    const field = page.getByRole('combobox', { name: 'Search and commands' })
    await field.waitFor()
    expect(await field.evaluate((e) => e === document.activeElement)).toBe(true)
    expect(await faultsOfAxe()).toEqual([])
    await page.keyboard.type('list-17')
    const found = page.getByRole('option', { name: /list-17\.example\.test/ })
    await found.waitFor()
    expect(await found.locator('mark').allTextContents()).toContain('list-17')
    expect(await faultsOfAxe()).toEqual([])
    // The focus stays inside.
    for (let i = 0; i < 4; i++) {
      await page.keyboard.press('Tab')
      expect(await page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('combobox')
    }
    while ((await found.getAttribute('aria-selected')) !== 'true') await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => location.hash.includes('/cdn/site/list/detail?id='))
    await settled(page)
    await page.getByText('list-17.example.test').filter({ visible: true }).first().waitFor()
    await field.waitFor({ state: 'detached' })
  })

  it('lists the short cuts, which are letters while somebody types', async () => {
    await open('/account/role/list')
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    expect(await faultsOfAxe()).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor({ state: 'hidden' })
    await page.keyboard.press('g')
    await page.keyboard.press('s')
    await page.waitForFunction(() => location.hash.startsWith('#/cdn/site/list'))
    await settled(page)
    await seen('.tg-tools input').first().click()
    await page.keyboard.type('gn?')
    expect(await seen('.tg-tools input').first().inputValue()).toBe('gn?')
    expect(await page.evaluate(() => location.hash.startsWith('#/cdn/site/list'))).toBe(true)
  })
})
