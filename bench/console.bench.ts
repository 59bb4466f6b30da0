/**
 * The console in Chromium against a whole installation: how long a page takes to open first (beyond its own reads) and to come back, what processor
 * time of the page's own thread that is (which the machine's other work does not blur), and what ten open pages hold.
 * Run: node --import tsx bench/console.bench.ts [rounds]
 */
import type { BrowserContext, CDPSession, Page } from 'playwright-core'
import { launchBrowser, newPerson, settled } from '../e2e/lib/browser.ts'
import { ADMIN, Stack } from '../e2e/stack.ts'
import { percentile } from './lib/plane.ts'

const ROUNDS = Number(process.argv[2] ?? 20)
const GOALS = { first: 300, back: 150, heap: 70, leak: 8 } as const
const PATHS = [
  '/home/overview',
  '/cdn/node/list',
  '/cdn/site/list',
  '/cdn/site/cache',
  '/cdn/tools/push',
  '/cdn/log/admins',
  '/account/users/admins',
  '/account/users/password',
  '/account/role/list',
  '/account/role/menu',
]

/** Milliseconds from the change of the address until the page has painted with its own heading, and how long its reads took of that. */
const change = (page: Page, path: string) =>
  page.evaluate(
    (to) =>
      new Promise<{ all: number; reads: number }>((done) => {
        performance.clearResourceTimings()
        const old = document.querySelector('.tab-on')?.textContent
        const since = performance.now()
        location.hash = to
        const look = () => {
          const on = document.querySelector('.tab-on')?.textContent
          const waits = [...document.querySelectorAll('.shell-progress, .tg-bone, .ant-spin-spinning')]
          const headed = [...document.querySelectorAll('h1')].some((e) => e.checkVisibility())
          if (on === old || !headed || waits.some((e) => e.checkVisibility())) return requestAnimationFrame(look)
          return setTimeout(() => {
            const all = performance.now() - since
            const calls = performance.getEntriesByType('resource').filter((e) => /\/(antsxdp|api)\//.test(e.name))
            const ends = calls.map((e) => (e as PerformanceResourceTiming).responseEnd - since)
            const starts = calls.map((e) => e.startTime - since)
            const reads = calls.length === 0 ? 0 : Math.min(all, Math.max(...ends)) - Math.min(...starts)
            done({ all, reads: Math.max(0, reads) })
          })
        }
        requestAnimationFrame(look)
      }),
    path,
  )

/** MB that JavaScript holds after everything unreachable was given back. */
const heapMb = async (cdp: CDPSession) => {
  await cdp.send('HeapProfiler.collectGarbage')
  const { usedSize } = await cdp.send('Runtime.getHeapUsage')
  return usedSize / 1e6
}

/** Milliseconds that the page's thread has computed so far, drawing included. */
const threadMs = async (cdp: CDPSession) => {
  const { metrics } = await cdp.send('Performance.getMetrics')
  return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0)
}

/** A change of the page with the thread's time for it. */
const timed = async (page: Page, cdp: CDPSession, path: string) => {
  const before = await threadMs(cdp)
  return { ...(await change(page, path)), thread: (await threadMs(cdp)) - before }
}

const watched = async (context: BrowserContext, page: Page) => {
  const cdp = await context.newCDPSession(page)
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' })
  return cdp
}

/** `goal`: null for what is only stated. */
const print = (name: string, values: number[], goal: number | null, unit: string): boolean => {
  const p95 = percentile(values, 0.95)
  const p50 = percentile(values, 0.5)
  const met = goal === null || p95 <= goal
  const told = goal === null ? '' : `, goal ${goal}: ${met ? 'met' : 'MISSED'}`
  process.stdout.write(
    `${name.padEnd(44)} p50 ${p50.toFixed(1).padStart(7)} p95 ${p95.toFixed(1).padStart(7)} ${unit}${told}\n`,
  )
  return met
}

const stack = await Stack.start()
const browser = await launchBrowser()
let met = true
try {
  const { token } = await stack.api.call('auth.login', ADMIN)
  const someone = async () => {
    const person = await newPerson(browser, { token })
    // The loader of TypeScript wraps inner functions in a helper that a page does not have.
    await person.context.addInitScript('globalThis.__name = (it) => it')
    return person
  }
  const first: number[] = []
  const firstThread: number[] = []
  for (let round = 0; round < Math.max(1, Math.ceil(ROUNDS / 5)); round++) {
    const { page, context } = await someone()
    const cdp = await watched(context, page)
    await page.goto(`${stack.consoleUrl}#${PATHS[0]}`)
    await settled(page)
    for (const path of PATHS.slice(1)) {
      const { all, reads, thread } = await timed(page, cdp, path)
      first.push(all - reads)
      firstThread.push(thread)
    }
    await context.close()
  }
  met = print('first open, beyond its reads', first, GOALS.first, 'ms') && met
  print('  of it, time of the page’s thread', firstThread, null, 'ms')

  const { page, context } = await someone()
  const cdp = await watched(context, page)
  for (const path of PATHS) {
    await page.goto(`${stack.consoleUrl}#${path}`)
    await settled(page)
  }
  const ten = await heapMb(cdp)
  met = print('heap with ten pages open', [ten], GOALS.heap, 'MB') && met
  const back: number[] = []
  const backThread: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    for (const path of PATHS) {
      const { all, thread } = await timed(page, cdp, path)
      back.push(all)
      backThread.push(thread)
    }
  }
  met = print('return to an open page', back, GOALS.back, 'ms') && met
  print('  of it, time of the page’s thread', backThread, null, 'ms')
  met = print(`heap grown by ${back.length} returns`, [(await heapMb(cdp)) - ten], GOALS.leak, 'MB') && met
} finally {
  await browser.close()
  await stack.destroy()
}
process.exit(met ? 0 : 1)
