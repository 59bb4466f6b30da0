/**
 * Lighthouse's desktop measures of the login and of the first pages behind it, against the console's budgets. Run: node --import tsx
 * bench/lighthouse.bench.ts [rounds]. The figure of a page is the median of its rounds; the times are Lighthouse's own model of a 10 Mbit/s line.
 * Lighthouse is fetched by the first run into its own folder.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type BrowserContext, chromium } from 'playwright-core'
import { CHROMIUM } from '../e2e/lib/browser.ts'
import { ADMIN, Stack } from '../e2e/stack.ts'
import { percentile } from './lib/plane.ts'

/** Of what Lighthouse finds, what is used here. */
interface Result {
  runtimeError?: { message: string }
  categories: Record<string, { score: number | null; auditRefs: readonly { id: string; weight: number }[] }>
  audits: Record<string, { score: number | null; numericValue?: number; title: string; displayValue?: string }>
}
interface Lighthouse {
  default: (url: string, flags: object, config: object) => Promise<{ lhr: Result } | undefined>
  desktopConfig: object
}

const HOME = join(import.meta.dirname, 'lighthouse')
if (!existsSync(join(HOME, 'node_modules'))) {
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: HOME, stdio: 'inherit' })
}
const entry = createRequire(join(HOME, 'package.json')).resolve('lighthouse')
const { default: lighthouse, desktopConfig } = (await import(pathToFileURL(entry).href)) as Lighthouse

const ROUNDS = Number(process.argv[2] ?? 3)

/** What is measured of a page, its goal, and whether more is better. */
const MEASURES: readonly { name: string; unit: string; goal: number; more?: true; of: (result: Result) => number }[] = [
  { name: 'performance', unit: '', goal: 95, more: true, of: (r) => score(r, 'performance') },
  { name: 'accessibility', unit: '', goal: 100, more: true, of: (r) => score(r, 'accessibility') },
  { name: 'largest contentful paint', unit: 'ms', goal: 1200, of: (r) => audit(r, 'largest-contentful-paint') },
  { name: 'total blocking time', unit: 'ms', goal: 100, of: (r) => audit(r, 'total-blocking-time') },
  { name: 'cumulative layout shift', unit: '', goal: 0.02, of: (r) => audit(r, 'cumulative-layout-shift') },
]
const score = ({ categories }: Result, id: string) => Math.round((categories[id]?.score ?? 0) * 100)
const audit = ({ audits }: Result, id: string) => audits[id]?.numericValue ?? Number.POSITIVE_INFINITY

/** What lowers a score: the audits that a page fails, with what they name first. */
const complaints = ({ audits, categories }: Result): string[] =>
  ['accessibility', 'performance'].flatMap((id) =>
    (categories[id]?.auditRefs ?? []).flatMap(({ id: name, weight }) => {
      const found = audits[name]
      return found === undefined || weight === 0 || (found.score ?? 1) >= 0.9
        ? []
        : [`${name}: ${found.displayValue ?? found.title}`]
    }),
  )

const openPort = (profile: string): number =>
  Number(readFileSync(join(profile, 'DevToolsActivePort'), 'utf8').split('\n')[0])

/** One measured visit, in the browser whose profile holds the login if there is one. */
const visit = async (url: string, port: number): Promise<Result> => {
  const flags = {
    port,
    logLevel: 'error',
    onlyCategories: ['performance', 'accessibility'],
    disableStorageReset: true,
  } as const
  const result = await lighthouse(url, flags, desktopConfig)
  if (result === undefined || result.lhr.runtimeError !== undefined)
    throw new Error(`Lighthouse gave up ${url}: ${result?.lhr.runtimeError?.message}`)
  return result.lhr
}

/** A page of another address each time: the same with another fragment would not be loaded anew. */
const measure = async (name: string, url: string, port: number): Promise<boolean> => {
  const results: Result[] = []
  for (let round = 0; round < ROUNDS; round++) results.push(await visit(url, port))
  process.stdout.write(`\n${name}\n`)
  let met = true
  for (const { name: what, unit, goal, more, of } of MEASURES) {
    const value = percentile(results.map(of), 0.5)
    const good = more ? value >= goal : value <= goal
    met &&= good
    process.stdout.write(
      `  ${what.padEnd(26)} ${value.toFixed(goal < 1 ? 3 : 0).padStart(6)} ${unit}, goal ${goal}: ${good ? 'met' : 'MISSED'}\n`,
    )
  }
  for (const line of new Set(results.flatMap(complaints))) process.stdout.write(`  - ${line}\n`)
  return met
}

const remember = async (context: BrowserContext, url: string, token: string) => {
  const page = await context.newPage()
  await page.goto(url)
  await page.evaluate((held) => localStorage.setItem('admin:token', held), token)
  await page.close()
}

const stack = await Stack.start()
const profile = mkdtempSync(join(tmpdir(), 'tidegate-lighthouse-'))
const browser = await chromium.launchPersistentContext(profile, {
  ...CHROMIUM,
  args: [...CHROMIUM.args, '--remote-debugging-port=0'],
})
let met = true
try {
  const port = openPort(profile)
  met = (await measure('login', stack.consoleUrl, port)) && met
  const { token } = await stack.api.call('auth.login', ADMIN)
  await remember(browser, stack.consoleUrl, token)
  met = (await measure('first page behind it', `${stack.consoleUrl}#/console`, port)) && met
  met = (await measure('list of sites', `${stack.consoleUrl}#/cdn/site/list`, port)) && met
} finally {
  await browser.close()
  rmSync(profile, { recursive: true, force: true })
  await stack.destroy()
}
process.exit(met ? 0 : 1)
