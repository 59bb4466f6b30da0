/** A node whose control plane is away: it serves, restarts, and keeps what it counted. */
import { randomBytes } from 'node:crypto'
import { freePort } from '@tidegate/embedded/start'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Origin, startOrigin } from './lib/origin.ts'
import { seededRandom, tellSeed } from './lib/random.ts'
import { invite, RemoteNode } from './lib/remote-node.ts'
import { rawLines, sql } from './lib/stores.ts'
import { cacheControl, startTraffic, type Traffic } from './lib/traffic.ts'
import { waitFor } from './lib/wait.ts'
import { Stack } from './stack.ts'

const DOMAIN = 'shop.away.test'
const AWAY_MS = 60_000
/** The agent looks every 250 ms whether the engine lives; then it must come up. */
const ENGINE_GAP_MS = 5_000
/** An agent tries again after 30 s at the latest, and then has to get through what waits, on a busy machine too. */
const RECONNECT_MS = 120_000

const random = seededRandom()
let stack: Stack
let node: RemoteNode
let origin: Origin
let second: Origin
let traffic: Traffic | undefined
let siteId = 0
/** Requests with a whole answer, and without one, outside the visitors'. */
let asked = 0

beforeAll(async () => {
  origin = await startOrigin('first', { cacheControl })
  second = await startOrigin('second', { cacheControl })
  // A node far away has the control plane's address: it must be the same after a restart.
  const ports = { TIDEGATE_HTTP_PORT: String(await freePort()), TIDEGATE_AGENT_PORT: String(await freePort()) }
  stack = await Stack.startControlPlane({ env: ports })
  node = new RemoteNode(await invite(stack, 'far'))
})
afterAll(async () => {
  await traffic?.stop()
  await node?.destroy()
  await stack?.destroy()
  await origin?.close()
  await second?.close()
})

const ask = async (path: string) => {
  asked++
  return await node.visit(DOMAIN, { path })
}

/** Resolves with the figures once they tell at least that many requests. */
async function figures(least: number) {
  let seen = 0
  return await waitFor(
    async () => {
      const { total } = await stack.figures()
      seen = total.requests
      return total.requests >= least && node.status.spoolBytes === 0 && total
    },
    () =>
      `${least} requests in the figures (${seen} there, ${node.status.spoolBytes} bytes in the spool)\n${node.log.slice(-2_000)}`,
    RECONNECT_MS,
  )
}

describe('a node far away', () => {
  it('joins with the token of the install command and serves what is saved [N1 N12]', async () => {
    await node.start()
    await node.untilStatus('the engine', (status) => status.engineUp)
    const saved = await stack.saveSite(DOMAIN, origin)
    siteId = saved.id
    expect(await stack.pushed(saved.push)).toMatchObject({
      state: 'done',
      feedback: [{ nodeName: 'far', state: 'done' }],
    })
    for (const path of ['/kept/dir/a', '/kept/dir/b']) await ask(path)
    expect((await ask('/kept/dir/a')).headers['x-cache']).toBe('HIT')
  })

  it('serves for a minute while the control plane is away, over a restart of the agent and a death of the engine [N2 N3]', async () => {
    tellSeed(random)
    const { id } = await stack.api.call('cache.purge', { kind: 'dir', entries: [`http://${DOMAIN}/kept/dir/`] })
    await waitFor(
      async () => (await stack.api.call('cache.task', { id })).data.state === 'done',
      'the purge of the folder',
      10_000,
    )
    const known = [{ domain: DOMAIN, mayAnswer: () => new Set(['first']) }]
    traffic = startTraffic({ ports: () => node.status, sites: () => known, random, visitors: 1 })
    await traffic.more(20)
    await stack.interrupt()
    const since = performance.now()
    expect(stack.everyProcess()).toEqual([])
    await traffic.more(50)

    await node.stop('SIGKILL')
    await traffic.more(50)
    await node.start()
    await node.untilStatus('the configuration from the disk', ({ alerts }) => alerts.includes('config_from_disk'))
    expect(node.status).toMatchObject({ engineUp: true, sites: 1 })
    await traffic.more(50)
    // A control plane, an agent and an engine that are away trouble visitors only by the engine.
    expect(traffic.failures()).toEqual([])

    const killed = performance.now()
    await node.killMaster()
    await node.untilStatus('the engine again', () => node.log.split('engine_started').length === 3)
    await traffic.more(50)
    for (const { end } of traffic.failures()) expect(end).toBeLessThan(killed + ENGINE_GAP_MS)
    expect(traffic.wrong().filter(({ at, got }) => at > killed + ENGINE_GAP_MS || got !== 'status 502')).toEqual([])
    // What was purged stays purged over the engine's death; it was not asked for since.
    expect((await ask('/kept/dir/b')).headers['x-cache']).toBe('MISS')
    expect(origin.served('/kept/dir/b')).toBe(2)
    await waitFor(
      () => performance.now() - since > AWAY_MS,
      'the control plane to be away for a while',
      AWAY_MS + 1_000,
    )
    await traffic.more(10)
  })

  it('converges when the control plane is back, and every request is counted once [N3 N10]', async () => {
    tellSeed(random)
    await stack.launch()
    const saved = await stack.saveSite(DOMAIN, second, { id: siteId })
    expect((await stack.pushed(saved.push, RECONNECT_MS)).state).toBe('done')
    await traffic?.stop()
    expect((await ask('/fresh/after')).body).toBe(`second ${DOMAIN} /fresh/after\n`)
    const answered = (traffic?.answered() ?? 0) + asked
    const { requests } = await figures(answered)
    expect(requests).toBeLessThanOrEqual(answered + (traffic?.failures().length ?? 0))
    const raw = await waitFor(
      async () => {
        const found = await rawLines(stack)
        return found.lines >= requests && found
      },
      `${requests} raw lines`,
      RECONNECT_MS,
    )
    expect(raw).toEqual({ lines: requests, requests })
  })

  it('drops raw lines, and says how many, when its spool is full; counters stay exact [N10]', async () => {
    const before = (await stack.figures()).total.requests
    const linesBefore = (await rawLines(stack)).lines
    await node.stop('SIGTERM')
    await node.start({ TIDEGATE_SPOOL_MAX_MB: '1' })
    await node.untilStatus('the connection', ({ controlPlane, engineUp }) => engineUp && controlPlane === 'connected')
    await stack.interrupt()
    // Lines that hardly compress, three times what the spool holds.
    const SENT = 2_400
    let sent = 0
    const flood = async () => {
      while (sent < SENT) {
        sent++
        const { status } = await node.visit(DOMAIN, { path: `/fresh/${randomBytes(1_400).toString('base64url')}` })
        expect(status).toBe(200)
      }
    }
    await Promise.all([flood(), flood()])
    await node.untilStatus(
      'a full spool',
      ({ alerts, droppedLines }) => alerts.includes('spool_full') && droppedLines > 0,
    )
    // An agent that ends in order seals what it has counted and says a last time how much it dropped.
    await node.stop('SIGTERM')
    const droppedBefore = node.status.droppedLines
    await stack.launch()
    await node.start({ TIDEGATE_SPOOL_MAX_MB: '1' })
    const { requests } = await figures(before + SENT)
    expect(requests).toBe(before + SENT)
    const dropped = droppedBefore + node.status.droppedLines
    expect(dropped).toBeGreaterThan(0)
    expect(dropped).toBeLessThan(SENT)
    const raw = await waitFor(
      async () => {
        const found = await rawLines(stack)
        return found.lines >= linesBefore + SENT - dropped && found
      },
      'the raw lines that were kept',
      RECONNECT_MS,
    )
    expect(raw.lines).toBe(linesBefore + SENT - dropped)
    const [state] = await sql<{ dropped: number }>(stack, 'SELECT dropped_node::int AS dropped FROM stats_state')
    expect(state?.dropped).toBe(dropped)
  })
})
