/** One installation with two sites, and people at its console: what the tests of the frame share. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { launchBrowser, newPerson, type Person, type PersonOptions, settled } from '../lib/browser.ts'
import { type Origin, startOrigin } from '../lib/origin.ts'
import { ADMIN, Stack } from '../stack.ts'

export let stack: Stack
let origin: Origin
let browser: Browser
let token = ''
export const sites: number[] = []
/** Who is there in the test that runs; nobody may have met a fault by its end. */
export const people: Person[] = []

/** Starts all of it before the file's first test, and ends it after the last. */
export const inOneInstallation = (): void => {
  beforeAll(async () => {
    origin = await startOrigin('frame')
    stack = await Stack.start()
    browser = await launchBrowser()
    token = (await stack.api.call('auth.login', ADMIN)).token
    for (const domain of ['one.frame.test', 'two.frame.test']) sites.push((await stack.saveSite(domain, origin)).id)
  })
  afterEach(async () => {
    const faults = people.flatMap((person) => person.faults)
    for (const person of people.splice(0)) await person.context.close()
    expect(faults).toEqual([])
  })
  afterAll(async () => {
    await browser?.close()
    await stack?.destroy()
    await origin?.close()
  })
}

export const at = async (path: string, options: PersonOptions = {}): Promise<Page> => {
  const person = await newPerson(browser, { token, ...options })
  people.push(person)
  await goTo(person.page, path)
  return person.page
}
export const goTo = async (page: Page, path: string) => {
  await page.goto(`${stack.consoleUrl}#${path}`)
  await page.waitForFunction((wanted) => location.hash.startsWith(`#${wanted}`), path)
  await settled(page)
}
export const open = (page: Page) => page.locator('.tabs li a').allInnerTexts()
export const tab = (page: Page, name: string) => page.locator('.tabs li a', { hasText: new RegExp(`^${name}$`) })
export const untilHash = async (page: Page, wanted: string) => await page.waitForURL((url) => url.hash === wanted)
export const box = async (page: Page, selector: string) => {
  const found = await page.locator(selector).boundingBox()
  if (found === null) throw new Error(`${selector} is not shown`)
  return found
}
export const prefs = async (page: Page) =>
  JSON.parse((await page.evaluate(() => localStorage.getItem('admin:prefs'))) ?? '{}') as Record<string, unknown>
