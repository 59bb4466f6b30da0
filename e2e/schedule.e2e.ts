/** The schedule's two screens in a browser, against the whole product. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser, newPerson, type Person, settled } from './lib/browser.ts'
import { sql } from './lib/stores.ts'
import { ADMIN, Stack } from './stack.ts'

let stack: Stack
let browser: Browser
let person: Person

beforeAll(async () => {
  stack = await Stack.startControlPlane()
  browser = await launchBrowser()
  const { token } = await stack.api.call('auth.login', ADMIN)
  person = await newPerson(browser, { token })
})
afterAll(async () => {
  await browser?.close()
  await stack?.destroy()
})

describe('the schedule', () => {
  it('makes a task, says what its expression means, runs it now and shows what came of it, pauses it', async () => {
    const { page } = person
    await page.goto(`${stack.consoleUrl}#/system/schedule/task`)
    await page.getByRole('heading', { name: 'Task list', exact: true }).waitFor()
    await page.getByRole('button', { name: 'New task' }).click()
    await page.getByLabel('Description', { exact: true }).fill('Nightly look')
    const cron = page.getByLabel('Cron expression', { exact: true })
    await cron.fill('61 * * * *')
    await page.getByText('is not a cron expression').first().waitFor()
    await cron.fill('5 4 * * *')
    await page.getByText('At 04:05').waitFor()
    expect(await page.locator('.schedule-meaning li').count()).toBe(5)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const row = page.getByRole('row').filter({ hasText: 'Nightly look' })
    await row.getByRole('button', { name: 'Run now' }).click()
    const drawer = page.getByRole('dialog')
    await drawer.getByText('Done', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await row.getByRole('button', { name: 'Pause' }).click()
    await row.getByText('Paused', { exact: true }).waitFor()
    await row.getByRole('link', { name: 'Log' }).click()
    await page.getByRole('heading', { name: 'Task log', exact: true }).waitFor()
    await settled(page)
    await page
      .getByRole('row')
      .filter({ hasText: 'Nightly look' })
      .getByText('Done', { exact: true })
      .filter({ visible: true })
      .first()
      .waitFor()
    expect(person.faults).toEqual([])
  })

  it('in Chinese: says what is wrong at its field, changes and deletes a task; what came with the product cannot be deleted [S2.39]', async () => {
    const chinese = await newPerson(browser, { token: (await stack.api.call('auth.login', ADMIN)).token, lang: 'zh' })
    const { page } = chinese
    const press = (name: RegExp) => page.getByRole('button', { name }).click()
    const SAVE = /^保\s?存$/
    await page.goto(`${stack.consoleUrl}#/system/schedule/task`)
    await page.getByRole('heading', { name: '任务列表', exact: true }).waitFor()
    await press(/新增任务$/)
    const drawer = page.getByRole('dialog')
    await drawer.getByLabel('描述', { exact: true }).fill('清理旧记录')
    const cron = drawer.getByLabel('Cron 表达式', { exact: true })
    await cron.fill('0 0 31 2 *')
    await drawer.getByText('该表达式永远不会到期').waitFor()
    await cron.fill('*/15 * * * *')
    await drawer.getByText('每隔 15 分钟').waitFor()
    await press(SAVE)
    await page.getByText('新增成功').waitFor()
    const row = page.getByRole('row').filter({ hasText: '清理旧记录' })
    await row.getByRole('button', { name: '编辑' }).click()
    await drawer.getByRole('radio', { name: '新的执行排队等待' }).check()
    await press(SAVE)
    await page.getByText('编辑成功').waitFor()
    await row.getByRole('button', { name: '立即执行' }).click()
    await page.getByText('任务已开始执行').waitFor()
    await drawer.getByText('成功', { exact: true }).waitFor()
    await drawer.getByText('admin', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await row.getByRole('button', { name: '删除' }).click()
    await press(/^取\s?消$/)
    await page.getByText('操作已取消').waitFor()
    await row.getByRole('button', { name: '删除' }).click()
    await drawer.getByRole('button', { name: /^删\s?除$/ }).click()
    await page.getByText('删除成功').waitFor()
    await row.waitFor({ state: 'detached' })
    const builtIn = page.getByRole('row').filter({ hasText: '清理任务日志' })
    await builtIn.getByRole('button', { name: '暂停' }).waitFor()
    expect(await builtIn.getByRole('button', { name: '删除' }).count()).toBe(0)
    await page.goto(`${stack.consoleUrl}#/system/schedule/log`)
    const run = page.getByRole('row').filter({ hasText: '清理旧记录' })
    await run.getByRole('button', { name: '详情' }).click()
    await drawer.getByText('执行进程', { exact: true }).waitFor()
    await settled(page)
    expect(chinese.faults).toEqual([])
  })

  it('leads from the overview to what a reconciliation of the figures found', async () => {
    const begin = Math.floor(Date.now() / 3_600_000) * 3_600 - 5 * 3_600
    // An hour of site 3 is lost; its minute, the node's and the total are there.
    const figures = '180, 0, 18000, 0, 0, 180, 0, 0, 0, 0'
    await sql(stack, `INSERT INTO rollup_minute SELECT $1, 3, ${figures}`, [begin])
    await sql(stack, `INSERT INTO rollup_total SELECT $1, ${figures}`, [begin])
    await sql(stack, `INSERT INTO rollup_node SELECT $1, ${figures}, 1`, [begin])
    const [task] = (await stack.api.call('schedule.list', { kind: 'usage.reconcile' })).data.list
    const { id } = await stack.api.call('schedule.run', { id: task?.id ?? 0 })
    const state = async () => (await stack.api.call('schedule.logInfo', { id })).data.state
    await expect.poll(state, { timeout: 60_000 }).toBe('done')
    const { page } = person
    await page.goto(`${stack.consoleUrl}#/home/overview`)
    await page.getByText('Usage figures differ: 1').click()
    const report = page.getByRole('dialog')
    await report.getByText('Site 3 (deleted)').waitFor()
    await report.getByRole('row', { name: 'Requests 180 0' }).waitFor()
    await settled(page)
    expect(person.faults).toEqual([])
  })
})
