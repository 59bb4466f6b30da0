/**
 * A whole installation from its production bundles, with 10,000 sites: how soon a save in the console and a purge are seen by a visitor
 * of the edge, and whether visitors are answered while a node takes the whole configuration. The sites are rows of the database that
 * the server's own compiler publishes (push.all). Run: node --import tsx bench/live.bench.ts [sites] [changes]
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { siteSettings } from '@tidegate/contract/operations/site'
import { openCluster } from '@tidegate/embedded/cluster'
import pg from 'pg'
import { type Api, createApi } from '../e2e/lib/api.ts'
import { type Origin, startOrigin } from '../e2e/lib/origin.ts'
import { waitFor } from '../e2e/lib/wait.ts'
import { ADMIN, Stack } from '../e2e/stack.ts'
import { heading, insertSites, line, percentile } from './lib/plane.ts'

const SITES = Number(process.argv[2] ?? 10_000)
const CHANGES = Number(process.argv[3] ?? 100)
const GOAL_MS = 300
const NODE_GOAL_MS = 20
const PURGES_OF_AN_ACCOUNT = 2
const SEEN_WITHIN_MS = 20_000
const say = (text: string) => process.stdout.write(`${text}\n`)

async function openSql(stack: Stack): Promise<pg.Client> {
  const { ownerUrl } = await openCluster({ dir: join(stack.dataDir, 'postgres'), runDir: stack.runDir })
  const client = new pg.Client({ connectionString: ownerUrl })
  client.on('error', () => {}) // The installation ends before this connection does when something failed.
  await client.connect()
  return client
}

/** Asks until `good` says yes; milliseconds since `begun`. */
async function seen(begun: number, good: () => Promise<boolean>): Promise<number> {
  while (!(await good())) {
    if (performance.now() - begun > SEEN_WITHIN_MS) throw new Error('the change is not seen')
    await delay(1)
  }
  return performance.now() - begun
}

/** Milliseconds on the node of each change since, from the news to a request through its listener; from the agent's log. */
function onTheNode(stack: Stack, since: number): number[] {
  const lines = readFileSync(join(stack.dataDir, 'logs', 'agent.log'), 'utf8').split('\n')
  return lines.flatMap((text) => {
    if (!text.includes('"revision_live"')) return []
    const { time, totalMs } = JSON.parse(text.slice(text.indexOf('{'))) as { time: string; totalMs: number }
    return Date.parse(time) >= since ? [totalMs] : []
  })
}

/** A visitor of one site, request after request, until told to stop. */
function visitor(stack: Stack, host: string): { stop: () => Promise<number[]> } {
  const times: number[] = []
  let over = false
  const visits = (async () => {
    while (!over) {
      const begun = performance.now()
      const { status } = await stack.visit(host)
      if (status !== 200) throw new Error(`a visitor got ${status}`)
      times.push(performance.now() - begun)
    }
  })()
  // Whoever stops the visitor hears of it.
  visits.catch(() => {})
  return {
    stop: async () => {
      over = true
      await visits
      return times
    },
  }
}

async function fill(stack: Stack, origin: Origin, db: pg.Client): Promise<void> {
  const { push } = await stack.saveSite('steady.example', origin)
  await stack.pushed(push)
  const quiet = visitor(stack, 'steady.example')
  await delay(2_000)
  const before = await quiet.stop()
  await insertSites(db, SITES, siteSettings.parse({}), { host: origin.host, httpPort: origin.port, httpsPort: 443 })
  await db.query('VACUUM (ANALYZE) site, site_domain')
  const visits = visitor(stack, 'steady.example')
  const begun = performance.now()
  const all = await stack.api.call('push.all', {})
  const answered = performance.now() - begun
  const ref = all.push[0]
  if (!ref) throw new Error('nothing was published')
  await waitFor(() => stack.node.sites >= SITES, `the node to have ${SITES} sites\n${stack.explain()}`, 120_000)
  await stack.pushed(ref, 120_000)
  const whole = performance.now() - begun
  say(
    `${SITES} sites: compiled and committed in ${(answered / 1000).toFixed(1)} s, on the node and acknowledged after ${(whole / 1000).toFixed(1)} s`,
  )
  heading('a visitor, a new connection each time')
  line('nothing else to do', before)
  line('while the node takes the whole configuration', await visits.stop())
}

const idOf = (n: number) => 1 + ((n * 97) % SITES)

async function saves(stack: Stack, origin: Origin, db: pg.Client): Promise<number[]> {
  const { rows } = await db.query<{ id: number; domains: string[] }>(
    "SELECT id::int, domains FROM site WHERE slug LIKE 'bench%' AND enabled ORDER BY id",
  )
  const times: number[] = []
  for (let n = 0; n < CHANGES; n++) {
    const site = rows[idOf(n) % rows.length]
    if (!site) throw new Error('no site')
    const host = `new-${n}.example`
    const begun = performance.now()
    const save = stack.saveSite(host, origin, { id: site.id, domains: [...site.domains, host] })
    const [ms] = await Promise.all([seen(begun, async () => (await stack.visit(host)).status === 200), save])
    times.push(ms)
  }
  return times
}

/** Logged-in accounts enough for the purges: each may order two a minute. */
async function accounts(stack: Stack, db: pg.Client): Promise<Api[]> {
  const count = Math.ceil(CHANGES / PURGES_OF_AN_ACCOUNT)
  await db.query(
    `WITH made AS (INSERT INTO admin (username, password_hash, created_at, password_at)
       SELECT 'bench' || n, password_hash, now(), now() FROM admin, generate_series(1, $1::int) n WHERE username = $2 RETURNING id)
     INSERT INTO admin_role (admin_id, role_id) SELECT made.id, role.id FROM made, role WHERE role.is_super`,
    [count, ADMIN.username],
  )
  const apis: Api[] = []
  for (let n = 1; n <= count; n++) {
    const api = createApi(() => stack.baseUrl)
    await api.login(`bench${n}`, ADMIN.password)
    apis.push(api)
  }
  return apis
}

async function purges(stack: Stack, apis: Api[]): Promise<number[]> {
  const times: number[] = []
  for (let n = 0; n < CHANGES; n++) {
    const host = `new-${n}.example`
    const stateOf = async () => (await stack.visit(host, { path: '/page' })).headers['x-cache']
    await stateOf()
    if ((await stateOf()) !== 'HIT') throw new Error('not in the cache')
    const api = apis[n % apis.length]
    const begun = performance.now()
    const order = api?.call('cache.purge', { kind: 'url', entries: [`http://${host}/page`] })
    const [ms] = await Promise.all([seen(begun, async () => (await stateOf()) !== 'HIT'), order])
    times.push(ms)
  }
  return times
}

const origin = await startOrigin('bench')
const stack = await Stack.start()
try {
  const db = await openSql(stack)
  await fill(stack, origin, db)
  let since = Date.now()
  const saved = await saves(stack, origin, db)
  const savedThere = onTheNode(stack, since)
  const apis = await accounts(stack, db)
  since = Date.now()
  const purged = await purges(stack, apis)
  const purgedThere = onTheNode(stack, since)
  await db.end()
  heading(`${CHANGES} changes, ${SITES} sites, from the call of the API to a visitor who sees it`)
  line('a saved site is live', saved)
  line('  of it on the node, from the news on', savedThere)
  line('a purged page is gone', purged)
  line('  of it on the node, from the news on', purgedThere)
  const met =
    [saved, purged].every((times) => percentile(times, 0.99) <= GOAL_MS) &&
    [savedThere, purgedThere].every((times) => percentile(times, 0.99) <= NODE_GOAL_MS)
  say(`\ngoal p99 <= ${GOAL_MS} ms, on the node <= ${NODE_GOAL_MS} ms: ${met ? 'met' : 'MISSED'}`)
  if (!met) process.exitCode = 1
} finally {
  await stack.destroy()
  await origin.close()
}
