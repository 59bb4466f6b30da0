/** The pages that are open at once: what they keep, how they are closed, what is asked before. */
import { expect, it } from 'vitest'
import { at, goTo, open, sites, tab, untilHash } from './world.ts'

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

export const testOpenPages = () => {
  it('keep what was typed and where they were scrolled to; the eleventh takes the place of the one used least recently', async () => {
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
}
