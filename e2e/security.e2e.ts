/** One's own security in a real browser: an authenticator app, a passkey of Chromium's virtual authenticator, a key for programs. */
import { createHmac } from 'node:crypto'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startOidcProvider, type TestProvider } from '../apps/server/src/testing/oidc.ts'
import { launchBrowser, newPerson, type Person, settled } from './lib/browser.ts'
import { said } from './lib/said.ts'
import { ADMIN, Stack } from './stack.ts'

const SECURITY = '/account/users/password'

let stack: Stack
let browser: Browser
let person: Person
let provider: TestProvider | undefined
/** Passkeys need a name. */
let url = ''

beforeAll(async () => {
  stack = await Stack.startControlPlane()
  browser = await launchBrowser()
  url = stack.consoleUrl.replace('127.0.0.1', 'localhost')
  person = await newPerson(browser)
})
afterEach(() => expect(person.faults).toEqual([]))
afterAll(async () => {
  await browser?.close()
  await provider?.close()
  await stack?.destroy()
})

/** A code of RFC 6238 for a secret in base32, as an app computes it. */
const codeOf = (secret: string, step: number): string => {
  const bits = [...secret]
    .map((c) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(c).toString(2).padStart(5, '0'))
    .join('')
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', key).update(counter).digest()
  const at = (mac.at(-1) ?? 0) & 15
  return String((mac.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

const logIn = async (page: Page) => {
  await page.goto(`${url}#/login`)
  await page.getByLabel('Account').fill(ADMIN.username)
  await page.getByLabel('Password', { exact: true }).fill(ADMIN.password)
  await page.getByRole('button', { name: 'Log in' }).click()
}
const openSecurity = async (page: Page) => {
  // The login goes on to /console, and from there to the first page: not before is it done.
  await page.waitForFunction(() => !/^#\/(login|console)/.test(location.hash))
  await settled(page)
  await page.goto(`${url}#${SECURITY}`)
  await page.getByRole('region', { name: 'Second factor' }).waitFor()
  await settled(page)
}
/** Like another browser: the page holds the token too. */
const forget = async (page: Page) => {
  await page.evaluate(() => localStorage.removeItem('admin:token'))
  await page.reload()
}
const dialog = (page: Page) => page.getByRole('dialog').last()
/** Types the password into the dialog and goes on. */
const prove = async (page: Page, next = 'Next') => {
  await dialog(page).getByLabel('Your password').fill(ADMIN.password)
  await dialog(page).getByRole('button', { name: next }).click()
}
/** Takes note of the recovery codes and closes them. */
const keepCodes = async (page: Page) => {
  const codes = await dialog(page).locator('.security-codes li').allInnerTexts()
  await dialog(page).getByRole('button', { name: 'I have kept them' }).click()
  return codes
}

describe('one’s own security', () => {
  let secret = ''
  let codes: string[] = []

  it('takes an authenticator app, and asks for its code at the next login', async () => {
    const { page } = person
    await logIn(page)
    await openSecurity(page)
    await page.getByRole('button', { name: 'Set up an app' }).click()
    await prove(page)
    await dialog(page).locator('.security-qr svg').first().waitFor()
    secret = (await dialog(page).locator('.security-secret').textContent()) ?? ''
    // A code is good once, and for a step before and after its own: the login takes the next one.
    const step = Math.floor(Date.now() / 30_000)
    await dialog(page).getByLabel('Six digits').fill(codeOf(secret, step))
    await dialog(page).getByRole('button', { name: 'Confirm' }).click()
    await dialog(page).locator('.security-codes li').first().waitFor()
    codes = await keepCodes(page)
    expect(codes).toHaveLength(10)
    await page.getByRole('region', { name: 'Second factor' }).getByText('10 left').waitFor()

    await forget(page)
    await logIn(page)
    await page.getByRole('heading', { name: 'Second step' }).waitFor()
    expect(await page.evaluate(() => localStorage.getItem('admin:token'))).toBeNull()
    await page.getByLabel('Code').fill('000000')
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByText('The code is not right or was used already').waitFor()
    await page.getByLabel('Code').fill(codeOf(secret, step + 1))
    await page.getByRole('button', { name: 'Log in' }).click()
    await openSecurity(page)
  })

  it('takes a passkey, which opens the next login by a touch', async () => {
    const { page, context } = person
    const devtools = await context.newCDPSession(page)
    await devtools.send('WebAuthn.enable')
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await dialog(page).getByLabel('Name of this passkey').fill('My laptop')
    await prove(page)
    await page.getByRole('region', { name: 'Second factor' }).getByText('My laptop').waitFor()

    await forget(page)
    await logIn(page)
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await openSecurity(page)
    await page.getByRole('region', { name: 'Open logins' }).getByText('this one').waitFor()
  })

  it('lets in by a recovery code once, and gives up the app for the password', async () => {
    const { page } = person
    await forget(page)
    await logIn(page)
    await page.getByRole('button', { name: 'Use a recovery code' }).click()
    await page.getByLabel('Recovery code').fill(codes[0] ?? '')
    await page.getByRole('button', { name: 'Log in' }).click()
    await openSecurity(page)
    const factors = page.getByRole('region', { name: 'Second factor' })
    await factors.getByText('9 left').waitFor()
    await factors.getByRole('listitem').filter({ hasText: 'Authenticator app' }).getByText('Remove').click()
    await prove(page, 'Remove')
    await page.getByRole('button', { name: 'Set up an app' }).and(page.locator(':enabled')).waitFor()
  })

  it('makes a key for programs, shown once, that does what it names', async () => {
    const { page } = person
    const keys = page.getByRole('region', { name: 'API keys' })
    await keys.getByRole('button', { name: 'New key' }).click()
    await dialog(page).getByRole('textbox', { name: 'Name' }).fill('reporter')
    await dialog(page)
      .getByRole('treeitem')
      .filter({ hasText: 'Overview' })
      .locator('.ant-tree-checkbox')
      .first()
      .click()
    await dialog(page).getByRole('button', { name: 'Save', exact: true }).click()
    const key = (await page.locator('.security-secret').textContent()) ?? ''
    await dialog(page).getByRole('button', { name: 'I have kept them' }).click()
    await keys.getByText('reporter').waitFor()
    const ask = (path: string) => fetch(new URL(path, url), { headers: { token: key } }).then((r) => r.status)
    expect(await ask('/antsxdp/sys/user/info')).toBe(200)
    expect(await ask('/antsxdp/app/account/security/info')).toBe(403)
  })
})

const SECRET = 'outside-Secret'

/** Signs in at the provider's own pages (npm oidc-provider), which fetch a font from outside. */
const signIn = async (page: Page, account: string) => {
  await page.locator('input[name="login"]').fill(account)
  await page.locator('input[name="password"]').fill('anything')
  await page.locator('button[type="submit"]').click()
  await page.getByRole('button', { name: 'Continue' }).click()
}
const withoutFonts = (one: Person) => one.context.route(/fonts\.g/, (route) => route.abort())

describe('the operator’s OpenID provider', () => {
  it('is set up on its screen, linked with the own account, and lets in by its button', async () => {
    provider = await startOidcProvider(url, SECRET)
    const { page } = person
    await withoutFonts(person)
    await page.goto(`${url}#/system/login`)
    const panel = page.getByRole('region', { name: 'Login of admins by OpenID' })
    await panel.getByLabel('Issuer').fill(provider.issuer)
    await panel.getByLabel('Client ID').fill('tidegate')
    await panel.getByLabel('Client Secret').fill(SECRET)
    await panel.getByLabel('Name on the button').fill('Corp')
    await panel.getByRole('switch', { name: 'Enabled' }).click()
    await said(page, 'Configuration saved successfully', () =>
      panel.getByRole('button', { name: 'Save', exact: true }).click(),
    )

    await page.goto(`${url}#${SECURITY}`)
    await page.reload()
    await page.getByRole('region', { name: 'Corp' }).getByRole('button').click()
    await prove(page)
    await signIn(page, 'boss')
    await page.waitForFunction(() => !/^#\/(login|console)/.test(location.hash) && location.search === '')

    const other = await newPerson(browser)
    await withoutFonts(other)
    await other.page.goto(`${url}#/login`)
    await other.page.getByRole('button', { name: 'Log in with Corp' }).click()
    await signIn(other.page, 'boss')
    await other.page.waitForFunction(() => location.hash.startsWith('#/home/overview'))
    await settled(other.page)
    expect(new URL(other.page.url()).search).toBe('')
    expect(await other.page.evaluate(() => localStorage.getItem('admin:token'))).toMatch(/^[\w-]{43}$/)
    expect(other.faults).toEqual([])
    await other.context.close()

    const stranger = await newPerson(browser)
    await withoutFonts(stranger)
    await stranger.page.goto(`${url}#/login`)
    await stranger.page.getByRole('button', { name: 'Log in with Corp' }).click()
    await signIn(stranger.page, 'nobody')
    await stranger.page.getByText('No administrator here is linked with that account').waitFor()
    expect(await stranger.page.evaluate(() => localStorage.getItem('admin:token'))).toBeNull()
    await stranger.context.close()
  })
})
