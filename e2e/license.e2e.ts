/** What the frame of the consoles says and keeps, against the whole product: the system license, rights that decide what is listed, saved views, a customer's own files. */
import { generateKeyPairSync, sign } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApi } from './lib/api.ts'
import { launchBrowser, newPerson, settled } from './lib/browser.ts'
import { ADMIN, Stack } from './stack.ts'

const CUSTOMER = { username: 'file-owner', password: 'Customer-1' }
const SHOTS = process.env.TIDEGATE_SHOTS

const supplier = generateKeyPairSync('ed25519')
const key = supplier.publicKey.export({ format: 'der', type: 'spki' }).toString('base64')
let stack: Stack
let browser: Browser
let token = ''
let dir = ''

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'tidegate-license-'))
  stack = await Stack.startControlPlane({ env: { TIDEGATE_LICENSE_KEYS: key } })
  browser = await launchBrowser()
  token = (await stack.api.call('auth.login', ADMIN)).token
})
afterAll(async () => {
  await browser?.close()
  await stack?.destroy()
  rmSync(dir, { recursive: true, force: true })
})

const go = async (page: Page, path: string) => {
  await page.goto(`${stack.consoleUrl}#${path}`)
  await page.waitForFunction((wanted) => location.hash.startsWith(`#${wanted}`), path)
  await settled(page)
}
const shot = async (page: Page, name: string) => {
  if (SHOTS) await page.screenshot({ path: join(SHOTS, `${name}.png`), fullPage: true })
}
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).filter({ visible: true })

/** A license file as a supplier makes it. */
const fileOf = (name: string, payload: object): string => {
  const text = JSON.stringify(payload)
  const signature = sign(null, Buffer.from(`tidegate-license-1\n${text}`), supplier.privateKey).toString('base64')
  const path = join(dir, name)
  writeFileSync(path, JSON.stringify({ tidegate: 'license', payload: text, signature }))
  return path
}

describe('the system license', () => {
  it('is seen by the super administrator, whose token the browser keeps; nothing is asked of any other machine [S6.5]', async () => {
    const person = await newPerson(browser)
    const { page } = person
    const hosts = new Set<string>()
    page.on('request', (request) => {
      if (/^(http|ws)/.test(request.url())) hosts.add(new URL(request.url()).host)
    })
    await page.goto(`${stack.consoleUrl}#/login`)
    await page.getByLabel('Account').fill(ADMIN.username)
    await page.getByLabel('Password', { exact: true }).fill(ADMIN.password)
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.locator('.shell-main h1').first().waitFor()
    const kept = await page.evaluate(() => [localStorage.getItem('admin:token'), ...Object.keys(sessionStorage)])
    expect(kept).toEqual([expect.stringMatching(/^[\w-]{43}$/)])
    await page.locator('.shell-profile').click()
    await page.getByText('admin · super administrator', { exact: true }).waitFor()
    await page.keyboard.press('Escape')

    await go(page, '/home/auth')
    await page.getByText('Community license', { exact: true }).waitFor()
    await shot(page, 'license-community')
    const { data } = await stack.api.call('license.info', {})
    expect(data).toMatchObject({ state: 'community', nodes: { limit: null }, sites: { used: 0 } })
    expect(data.product.commit).toMatch(/^([0-9a-f]{12}(-dirty)?)?$/)
    expect(Date.parse(data.product.built)).toBeLessThan(Date.now())
    const text = await page.locator('.license').textContent()
    for (const word of [
      data.product.version,
      data.product.commit,
      `PostgreSQL ${data.database.version}`,
      data.installation.id,
    ])
      expect(text).toContain(word)

    const term = { issued: '2026-01-05', supplier: 'Tide Supplies', holder: 'Harbour Ltd' }
    const input = page.locator('input[type=file]')
    await input.setInputFiles(fileOf('old.license', { ...term, id: 'OLD', until: '2026-02-01' }))
    await page.getByText('The license file expired on 2026-02-01').waitFor()
    await input.setInputFiles(
      fileOf('good.license', { ...term, id: 'A-77', installation: data.installation.id, limits: { nodes: 3 } }),
    )
    await page.getByText('Harbour Ltd').waitFor()
    await page.getByText('this installation', { exact: true }).waitFor()
    const rows = await page.locator('.license-table tbody tr').allInnerTexts()
    expect(rows.map((row) => row.replace(/\s+/g, ' '))).toEqual([
      expect.stringMatching(/^Nodes 0 .* 3$/),
      expect.stringMatching(/^Sites 0 .* no limit$/),
      expect.stringMatching(/^Customers 0 .* no limit$/),
    ])
    await shot(page, 'license-valid')
    expect([...hosts]).toEqual([new URL(stack.baseUrl).host])
    expect(person.faults).toEqual([])
    await person.context.close()
  })
})

describe('rights', () => {
  it('decide what is listed and what opens; what is hidden keeps its page, what is taken away does not [S6.1 S2.13]', async () => {
    const { id: roleId } = await stack.api.call('role.save', {
      name: 'Two screens',
      permissions: ['cdn:push:list', 'account:users:users', 'home:auth'],
    })
    const { id } = await stack.api.call('admin.save', {
      username: 'limited-one',
      password: CUSTOMER.password,
      roleIds: [roleId],
    })
    const own = createApi(() => stack.baseUrl)
    await own.login('limited-one', CUSTOMER.password)
    const login = await own.call('auth.login', { username: 'limited-one', password: CUSTOMER.password })
    const person = await newPerson(browser, { token: login.token })
    const { page } = person
    const sections = page.locator('.shell-sections a')
    const missing = () => page.getByRole('heading', { name: 'Page not found' }).waitFor()
    await go(page, '/home/auth')
    expect((await sections.allInnerTexts()).filter((name) => name !== '')).toEqual(['Home', 'CDN', 'Account'])
    // Seen, but not to be changed.
    expect(await page.locator('input[type=file]').count()).toBe(0)
    for (const path of ['/cdn/site/list', '/account/users/admins', '/system/website']) {
      await page.goto(`${stack.consoleUrl}#${path}`)
      await missing()
    }
    await expect(own.call('site.list', {})).rejects.toMatchObject({ status: 403 })

    const entry = (await stack.api.call('menu.list', {})).menuList.find((one) => one.url === '/cdn/tools/push')
    if (entry === undefined) throw new Error('no entry for pushes')
    const { menuId, level: _level, shipped: _shipped, exists: _exists, ...fields } = entry
    const hide = (hidden: boolean) =>
      stack.api.call('menu.update', { id: menuId, ...fields, meta: { ...fields.meta, hidden } } as never)
    await hide(true)
    await page.reload()
    await go(page, '/cdn/tools/push')
    expect(await page.locator('.shell-menu a[href="#/cdn/tools/push"]').count()).toBe(0)
    await hide(false)

    await stack.api.call('admin.update', {
      id,
      username: 'limited-one',
      enabled: true,
      roleIds: [roleId],
      unvalidModel: ['/cdn/tools/push'],
    })
    await page.reload()
    await missing()
    expect((await sections.allInnerTexts()).filter((name) => name !== '')).toEqual(['Home', 'Account'])
    await expect(own.call('push.list', {})).rejects.toMatchObject({ status: 403 })
    expect(person.faults).toEqual([])
    await person.context.close()
  })
})

describe('a list', () => {
  it('comes back as it was saved under a name, by keyboard alone, also after a reload', async () => {
    const person = await newPerson(browser, { token })
    const { page } = person
    await go(page, '/account/users/admins?key=adm&enabled=1')
    await button(page, 'Saved views').focus()
    await page.keyboard.press('Enter')
    const panel = page.getByRole('dialog', { name: 'Saved views' })
    await panel.getByLabel('Name of the view').waitFor()
    await page.waitForFunction(() => document.activeElement?.tagName === 'INPUT')
    await page.keyboard.type('Admins that are on')
    await page.keyboard.press('Enter')
    await panel.getByRole('button', { name: 'Admins that are on', exact: true }).waitFor()
    await shot(page, 'views')
    await page.keyboard.press('Escape')
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Saved views')
    await go(page, '/account/users/admins')
    await page.reload()
    await settled(page)
    await button(page, 'Saved views').click()
    await panel.getByRole('button', { name: 'Admins that are on', exact: true }).press('Enter')
    await page.waitForFunction(() => location.hash === '#/account/users/admins?enabled=1&key=adm')
    await settled(page)
    expect(await page.locator('.tg-table tbody tr[data-row-key]').filter({ visible: true }).count()).toBe(1)
    expect(person.faults).toEqual([])
    await person.context.close()
  })

  it('is a customer’s own file: the own rows, and no one else’s', async () => {
    const { id } = await stack.api.call('customer.save', CUSTOMER)
    await stack.api.call('customer.save', { ...CUSTOMER, username: 'someone-else' })
    const site = (userId: number, domain: string) =>
      stack.api.call('site.save', {
        userId,
        domains: [domain],
        originProtocol: 'http',
        origins: [{ host: '127.0.0.1' }],
      })
    await site(id, 'mine.files.test')
    await site(id + 1, 'theirs.files.test')
    const own = createApi(() => stack.baseUrl)
    const { token: held } = await own.call('auth.userLogin', CUSTOMER)
    const person = await newPerson(browser, { token: held, console: 'user', lang: 'zh' })
    const { page } = person
    for (const [path, name, has] of [
      ['/cdn/site/list', 'sites', 'mine.files.test'],
      ['/cdn/account/log', 'log', 'auth.userLogin'],
    ] as const) {
      await page.goto(`${stack.baseUrl}#${path}`)
      await settled(page)
      await button(page, '导出列表').click()
      const started = page.waitForEvent('download')
      await button(page, '导出全部').click()
      const file = await started
      expect(file.suggestedFilename()).toMatch(new RegExp(`^${name}-\\d{8}-\\d{4}\\.csv$`))
      const text = await readFile(await file.path(), 'utf8')
      expect(text).toContain(has)
      expect(text).not.toContain('theirs')
      await page.keyboard.press('Escape')
    }
    expect(person.faults).toEqual([])
    await person.context.close()
  })
})
