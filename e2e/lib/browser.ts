/** A person's browser: Debian's Chromium without a window, one for a test file, a context of its own for each person. */
import type { ConsoleId } from '@tidegate/contract/enums'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'

export type Theme = 'light' | 'dark'

export interface Person {
  context: BrowserContext
  page: Page
  /** What the page must not do: violations of its policy, errors that nobody caught. */
  faults: string[]
}

export interface PersonOptions {
  lang?: 'zh' | 'en'
  theme?: Theme
  width?: number
  height?: number
  /** A login's token; without one the person has to log in. */
  token?: string
  /** The console that the token is for; the administrators' unless said otherwise. */
  console?: ConsoleId
}

const PATIENCE_MS = 30_000

/** Debian's Chromium, which fetches nothing by itself. */
export const CHROMIUM = {
  executablePath: process.env.CHROMIUM_PATH || '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
}

export async function launchBrowser(): Promise<Browser> {
  return await chromium.launch(CHROMIUM)
}

/** Runs in the page before its own scripts. */
function watch() {
  document.addEventListener('securitypolicyviolation', (event) => {
    const { violatedDirective, sourceFile, lineNumber, blockedURI } = event
    ;(window as unknown as { tellFault: (text: string) => void }).tellFault(
      `policy ${violatedDirective} ${blockedURI} ${sourceFile}:${lineNumber}`,
    )
  })
}

/** Runs in the page before its own scripts; what is there already is left as it is, so that a reload finds the person's own choices. */
function remember({ prefs, token, console }: { prefs: string; token: string | undefined; console: string }) {
  if (localStorage.getItem(`${console}:prefs`) !== null) return
  for (const id of ['admin', 'dns-admin', 'user', 'dns-user']) localStorage.setItem(`${id}:prefs`, prefs)
  if (token !== undefined) localStorage.setItem(`${console}:token`, token)
}

/** Someone with a browser of this language, theme and size. Ended by `context.close()`. */
export async function newPerson(browser: Browser, options: PersonOptions = {}): Promise<Person> {
  const { lang = 'en', theme = 'light', width = 1440, height = 900, token } = options
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: theme,
    locale: lang === 'zh' ? 'zh-CN' : 'en-US',
  })
  context.setDefaultTimeout(PATIENCE_MS)
  const faults: string[] = []
  await context.exposeFunction('tellFault', (text: string) => faults.push(text))
  await context.addInitScript(watch)
  await context.addInitScript(remember, {
    prefs: JSON.stringify({ lang, theme }),
    token,
    console: options.console ?? 'admin',
  })
  const page = await context.newPage()
  page.on('pageerror', (error) => faults.push(`error ${error.message}`))
  page.on('console', (message) => {
    if (/Content Security Policy|Permissions policy/i.test(message.text())) faults.push(message.text())
  })
  return { context, page, faults }
}

/** Resolves once the page of the address is in front and has its heading, and nothing on it is still on its way: no skeleton, no turning wheel, no motion. */
export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(
    (unsettled) =>
      // The page before stays in front until the next one's code is here; without a strip of open pages nothing tells.
      (document.querySelector('.tab-on a')?.getAttribute('href') ?? location.hash).split('?')[0] ===
        location.hash.split('?')[0] &&
      // Pages in the background stay as they were left.
      [...document.querySelectorAll('h1')].some((e) => e.checkVisibility()) &&
      ![...document.querySelectorAll(unsettled)].some((e) => e.checkVisibility()) &&
      document.getAnimations().every((a) => a.playState !== 'running'),
    '.shell-progress, .ant-spin-spinning, .tg-bone',
  )
}
