/** The console's frame in a real browser: open pages, layouts, theme, full screen, lock. */
import { describe, expect, it } from 'vitest'
import { testOpenPages } from './frame/open-pages.ts'
import { at, box, goTo, inOneInstallation, people, prefs, stack, untilHash } from './frame/world.ts'
import { axe } from './lib/axe.ts'
import { settled } from './lib/browser.ts'
import { ADMIN } from './stack.ts'

inOneInstallation()
describe('open pages, of which there are ten at most [S4.15]', testOpenPages)

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
    for (const [width, device, side] of WIDTHS) {
      await page.setViewportSize({ width, height: 800 })
      await page.waitForFunction(
        ([device, side]) =>
          document.documentElement.dataset.device === device &&
          (document.querySelector('.shell-aside')?.getBoundingClientRect().width ?? 0) === side,
        [device, side] as const,
      )
      await settled(page)
      expect(await page.locator('.shell-aside').count()).toBe(side === 0 ? 0 : 1)
      expect(await page.locator('.tabs').count()).toBe(device === 'phone' ? 0 : 1)
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    }
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
