/** A work order in two browsers: a customer asks in Chinese, the staff answers in English, to the end of an appeal. */
import { Buffer } from 'node:buffer'
import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApi } from './lib/api.ts'
import { launchBrowser, newPerson, type Person, settled } from './lib/browser.ts'
import { chosen, png, pngOf } from './lib/images.ts'
import { waitFor } from './lib/wait.ts'
import { ADMIN, Stack } from './stack.ts'

const CUSTOMER = { username: 'asker', password: 'Customer-1' }
const SHOTS = process.env.TIDEGATE_SHOTS

let stack: Stack
let browser: Browser
let staff: Person
let customer: Person
let detail = ''
let ownToken = ''

/** Counts in the page what is rung. */
const listen = () => {
  const heard: string[] = []
  ;(window as unknown as { heard: string[] }).heard = heard
  HTMLMediaElement.prototype.play = function play(this: HTMLMediaElement) {
    heard.push(new URL(this.src).pathname)
    return Promise.resolve()
  }
}
const heard = async (page: Page) => await page.evaluate(() => (window as unknown as { heard: string[] }).heard)

beforeAll(async () => {
  stack = await Stack.startControlPlane()
  browser = await launchBrowser()
  await stack.api.call('customer.save', CUSTOMER)
  await stack.api.call('workReply.save', { title: 'Checked', shortcut: 'ok', content: 'We have checked it.' })
  const { token } = await stack.api.call('auth.login', ADMIN)
  const own = await createApi(() => stack.baseUrl).call('auth.userLogin', CUSTOMER)
  ownToken = own.token
  staff = await newPerson(browser, { token, lang: 'en' })
  customer = await newPerson(browser, { token: own.token, lang: 'zh', console: 'user' })
  await staff.context.addInitScript(listen)
})
afterAll(async () => {
  await browser?.close()
  await stack?.destroy()
})

const shot = async ({ page }: Person, name: string) => {
  if (SHOTS) await page.screenshot({ path: `${SHOTS}/${name}.png` })
}
const goTo = async ({ page }: Person, base: string, path: string) => {
  await page.goto(`${base}#${path}`)
  await settled(page)
}
const badge = (person: Person) => person.page.locator('.shell-count').first()
const axe = async ({ page }: Person) => {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).analyze()
  return violations.map((v) => [v.id, v.nodes.map((n) => n.target.join(' ')).slice(0, 3)])
}

describe('a work order', () => {
  it('may ring once the staff was asked; the choice is kept as 2 [S4.19]', async () => {
    await goTo(staff, stack.consoleUrl, '/cdn/work-order/list')
    const { page } = staff
    await page
      .getByRole('region', { name: 'Notification sound' })
      .getByRole('button', { name: 'Allow', exact: true })
      .click()
    expect(await page.evaluate(() => localStorage.getItem('admin:sound'))).toBe('2')
    expect(await heard(page)).toEqual([expect.stringMatching(/^\/assets\/ring-[\w-]+\.wav$/)])
    const sound = await fetch(new URL((await heard(page))[0] ?? '', stack.baseUrl))
    expect([sound.status, sound.headers.get('content-type')]).toEqual([200, 'audio/wav'])
    await page.reload()
    await settled(page)
    expect(await page.getByRole('region', { name: 'Notification sound' }).count()).toBe(0)
  })

  it('is opened with two pictures, and seen and heard by the staff on any page within a poll [S4.20 S2.14]', async () => {
    await goTo(staff, stack.consoleUrl, '/cdn/work-order/category')
    const second = await staff.context.newPage()
    await second.goto(`${stack.consoleUrl}#/cdn/work-order/list`)
    await settled(second)
    await goTo(customer, stack.baseUrl, '/cdn/work-order/list')
    const { page } = customer
    await page.getByRole('button', { name: '不允许' }).click()
    expect(await page.evaluate(() => localStorage.getItem('user:sound'))).toBe('1')
    await page.getByRole('button', { name: '提交工单' }).click()
    const form = page.locator('.ant-drawer')
    await form.getByRole('button', { name: /^提\s?交$/ }).click()
    // Title, category, text.
    await form.getByText('不能为空', { exact: true }).nth(2).waitFor()
    await form.getByLabel('标题').fill('网站打不开')
    await form.getByLabel('分类').click()
    await page.locator('.ant-select-item-option', { hasText: '技术支持 Technical' }).click()
    await form.getByLabel('内容').fill('从今天早上开始 <b>打不开</b>')
    const files = [60, 200].map((grey) => chosen(png(grey), `${grey}.png`))
    await page
      .locator('input[type=file]')
      .setInputFiles([
        ...files,
        chosen(Buffer.from('<html></html>'), 'page.png'),
        chosen(pngOf(1024 * 1024 + 1), 'large.png'),
      ])
    await page.getByText('page.png: 只支持').waitFor()
    await page.getByText('large.png: 图片不能超过 1 MB').waitFor()
    await page.getByRole('button', { name: '移除图片 2' }).waitFor()
    await page.getByRole('button', { name: /^提\s?交$/ }).click()
    await page.getByRole('heading', { name: '网站打不开' }).waitFor()
    detail = new URL(page.url()).hash.slice(1)
    expect(detail).toMatch(/^\/cdn\/work-order\/list\/detail\?id=\d+$/)
    await settled(page)
    await shot(customer, 'order-customer')

    await staff.page.locator('.shell-count', { hasText: '1' }).first().waitFor()
    await second.getByRole('link', { name: '网站打不开' }).waitFor()
    const rings = async () => (await heard(staff.page)).length + (await heard(second)).length
    await waitFor(async () => (await rings()) > 0, 'the sound', 20_000)
    expect(await rings()).toBe(1)
    await second.close()
  })

  it('is answered with a quick reply; the customer reads it, closes it unsolved and appeals once [S2.24 S2.8 S4.2 S7.23]', async () => {
    await goTo(staff, stack.consoleUrl, '/cdn/work-order/list')
    await shot(staff, 'order-list')
    expect(await axe(staff)).toEqual([])
    const { page } = staff
    await page.getByRole('link', { name: '网站打不开' }).click()
    await page.getByText('从今天早上开始 <b>打不开</b>').waitFor()
    expect(await page.locator('.order-message .ant-image img').count()).toBe(2)
    await page.locator('.order-message .ant-image').first().click()
    await page.locator('.ant-image-preview').waitFor()
    await page.keyboard.press('Escape')
    await page.locator('.ant-image-preview').waitFor({ state: 'hidden' })
    await page.getByRole('textbox', { name: 'Message', exact: true }).fill('/ok')
    await page.keyboard.press('Enter')
    expect(await page.getByRole('textbox', { name: 'Message', exact: true }).inputValue()).toBe('We have checked it.')
    // Typed and not sent: it is there in another tab.
    const again = await staff.context.newPage()
    await again.goto(`${stack.consoleUrl}#${detail}`)
    expect(await again.getByRole('textbox', { name: 'Message', exact: true }).inputValue()).toBe('We have checked it.')
    await again.close()
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.locator('.order-own', { hasText: 'We have checked it.' }).waitFor()
    await settled(page)
    await shot(staff, 'order-staff')
    expect(await axe(staff)).toEqual([])

    const asker = customer.page
    await asker.locator('.order-other', { hasText: 'We have checked it.' }).waitFor()
    await asker.getByText('未解决').click()
    await asker.locator('.ant-rate-star').nth(1).click()
    await asker.getByRole('button', { name: '评价并关闭' }).click()
    await asker.getByRole('heading', { name: '申诉' }).waitFor()
    expect(await axe(customer)).toEqual([])
    await asker.getByRole('textbox', { name: '说明' }).fill('还是打不开')
    await asker.getByRole('button', { name: '提交申诉' }).click()
    await asker.locator('.order-side').getByText('申诉处理中').waitFor()
  })

  it('is completed by the staff, which both sides see; nothing on the way broke the page’s policy [S4.1]', async () => {
    const { page } = staff
    await page.locator('.order-event', { hasText: '还是打不开' }).waitFor()
    await page.getByRole('button', { name: 'Complete', exact: true }).click()
    await page.getByRole('button', { name: 'Confirm', exact: true }).click()
    await page.locator('.order-side').getByText('Completed').waitFor()
    await customer.page.locator('.order-side').getByText('已完成').waitFor()
    await badge(staff).waitFor({ state: 'detached' })
    await shot(customer, 'order-end')
    for (const [path, name] of [
      ['/cdn/work-order/category', 'order-categories'],
      ['/cdn/work-order/reply', 'order-replies'],
    ] as const) {
      await goTo(staff, stack.consoleUrl, path)
      await shot(staff, name)
    }
    await customer.page.setViewportSize({ width: 390, height: 844 })
    await settled(customer.page)
    await shot(customer, 'order-phone')
    const wide = await customer.page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    expect([wide, ...staff.faults, ...customer.faults]).toEqual([0])
  })

  it('takes nine pictures and no more; what is refused, with its reason, may be appealed', async () => {
    const { page } = customer
    await goTo(customer, stack.baseUrl, '/cdn/work-order/list')
    await page.getByRole('button', { name: '提交工单' }).click()
    const form = page.locator('.ant-drawer')
    await form.getByLabel('标题').fill('请驳回')
    await form.getByLabel('分类').click()
    await page.locator('.ant-select-item-option', { hasText: '财务 Billing' }).click()
    await form.getByLabel('内容').fill('十张图片')
    await form
      .locator('input[type=file]')
      .setInputFiles(Array.from({ length: 10 }, (_, i) => chosen(png(i * 20), `${i}.png`)))
    await page.getByText('最多 9 张图片').waitFor()
    await form.getByRole('button', { name: '移除图片 9' }).waitFor()
    expect(await form.locator('.order-add-picture').count()).toBe(0)
    await form.getByRole('button', { name: /^提\s?交$/ }).click()
    await page.getByRole('heading', { name: '请驳回' }).waitFor()
    // Pages that were left stay open behind this one.
    const shown = page.locator('.order-message .ant-image img').filter({ visible: true })
    await shown.nth(8).waitFor()
    expect(await shown.count()).toBe(9)

    const clerk = staff.page
    await goTo(staff, stack.consoleUrl, new URL(page.url()).hash.slice(1))
    await clerk.getByRole('button', { name: 'Reject', exact: true }).click()
    const dialog = clerk.getByRole('dialog')
    const confirm = dialog.getByRole('button', { name: 'Confirm', exact: true })
    expect(await confirm.isDisabled()).toBe(true)
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('Not a question of ours')
    await confirm.click()
    await clerk.getByText('Operation successful').waitFor()
    await clerk.locator('.order-side').getByText('Rejected', { exact: true }).waitFor()
    await page.locator('.order-side').getByText('已驳回', { exact: true }).waitFor()
    await page.locator('.order-event', { hasText: 'Not a question of ours' }).waitFor()
    await page.getByRole('heading', { name: '申诉' }).waitFor()
  })
})

describe('categories and quick replies', () => {
  it('are added, changed and deleted; a category in use stays, a shortcut stands once', async () => {
    const { page } = staff
    const drawer = page.locator('.ant-drawer')
    const press = (name: string, within = page.locator('body')) =>
      within.getByRole('button', { name, exact: true }).click()
    const row = (text: string) => page.getByRole('row').filter({ hasText: text })
    const { id: categoryId } = await stack.api.call('workCategory.save', { title: 'Used', sort: 9 })
    const asked = await fetch(new URL('/api/app/tb/work/order/wol/save', stack.baseUrl), {
      method: 'POST',
      headers: { token: ownToken, 'content-type': 'application/json' },
      body: JSON.stringify({ title: 'In use', categoryId, content: JSON.stringify({ text: 'Something' }) }),
    })
    expect(asked.status).toBe(200)
    await goTo(staff, stack.consoleUrl, '/cdn/work-order/category')
    await page.getByRole('heading', { name: 'Work-order sorts' }).waitFor()
    await press('Add a category')
    await press('Save', drawer)
    await drawer.getByText('is required', { exact: true }).waitFor()
    await drawer.getByLabel('Name').fill('技术支持 Technical')
    await press('Save', drawer)
    await drawer.getByText('is in use already: 技术支持 Technical').waitFor()
    await drawer.getByLabel('Name').fill('Certificates')
    await press('Save', drawer)
    await page.getByText('Added successfully').waitFor()
    await press('Edit', row('Certificates'))
    await drawer.getByRole('switch').click()
    await press('Save', drawer)
    await page.getByText('Edited successfully').waitFor()
    await row('Certificates').getByText('Disabled').waitFor()
    await press('Delete', row('Used'))
    await press('Delete', page.locator('.ant-modal'))
    await page.getByText('It is in use and cannot be deleted').waitFor()
    await press('Cancel', page.locator('.ant-modal'))
    await page.getByText('Operation cancelled').waitFor()
    await press('Delete', row('Certificates'))
    await page.getByText('Delete this Category?').waitFor()
    await press('Delete', page.locator('.ant-modal'))
    await page.getByText('Deleted successfully').waitFor()
    await row('Certificates').waitFor({ state: 'detached' })

    await goTo(staff, stack.consoleUrl, '/cdn/work-order/reply')
    await press('Add a quick reply')
    await drawer.getByLabel('Name').fill('Again')
    await drawer.getByLabel('Shortcut').fill('Not So')
    await drawer.getByLabel('Content').fill('Please try again.')
    await press('Save', drawer)
    await drawer.getByText('has 1 to 20 small letters, digits or _ -').waitFor()
    await drawer.getByLabel('Shortcut').fill('ok')
    await press('Save', drawer)
    await drawer.getByText('is in use already: ok').waitFor()
    await drawer.getByLabel('Shortcut').fill('again')
    await press('Save', drawer)
    await row('Again').getByText('/again').waitFor()
    await page.setViewportSize({ width: 390, height: 844 })
    await settled(page)
    // What a row can do is there without moving the table.
    await row('Again').getByRole('button', { name: 'Delete', exact: true }).click({ trial: true })
    const end = await row('Again').getByRole('button', { name: 'Delete', exact: true }).boundingBox()
    expect((end?.x ?? 390) + (end?.width ?? 0)).toBeLessThanOrEqual(390)
    await press('Delete', row('Again'))
    await press('Delete', page.locator('.ant-modal'))
    await row('Again').waitFor({ state: 'detached' })
    expect(staff.faults).toEqual([])
  })
})
