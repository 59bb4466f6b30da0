/** The schedule's two screens in a browser, against the whole product. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser, newPerson, type Person, settled } from './lib/browser.ts'
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
    await page.getByRole('button', { name: 'Save' }).click()
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
})
