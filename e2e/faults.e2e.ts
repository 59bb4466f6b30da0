/**
 * Every process of an installation is killed (kill -9) at seeded moments, under traffic and writes. What was acknowledged is written down
 * outside the system and must be there afterwards; visitors must not notice more than the engine's own restart.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Origin, startOrigin } from './lib/origin.ts'
import type { PartOfStack } from './lib/processes.ts'
import { seededRandom, tellSeed } from './lib/random.ts'
import { rawLines, sql } from './lib/stores.ts'
import { cacheControl, startTraffic, type Traffic } from './lib/traffic.ts'
import { waitFor } from './lib/wait.ts'
import { startWriter, type Writer } from './lib/writer.ts'
import { Stack } from './stack.ts'

const MOMENTS = 3
/** A killed worker takes its lines of the last 250 ms with it (edge/README.md). */
const LOST_WITH_WORKER_MS = 250
/** Connections that wait for a worker die with it; the next one is taken by another. */
const WORKER_GAP_MS = 250
/** The agent looks every 250 ms whether the master lives; then nginx must come up. */
const MASTER_GAP_MS = 5_000

/** A line is on its way to the figures for about two seconds. */
const REST_MS = 3_000

const random = seededRandom()
let stack: Stack
let origins: Origin[] = []
let writer: Writer
let traffic: Traffic
/** Of all requests so far: with a whole answer; without one, so that the engine may have counted them or not. */
const counted = { answered: 0, fresh: 0, unknown: 0 }
/** Answers whose line may be lost, by the documented bound. */
let mayBeLost = 0

beforeAll(async () => {
  origins = await Promise.all(['east', 'west', 'north'].map((marker) => startOrigin(marker, { cacheControl })))
  stack = await Stack.start()
  await goOn()
})
afterAll(async () => {
  await traffic?.stop()
  await writer?.stop().catch(() => {})
  await stack?.destroy()
  for (const origin of origins) await origin.close()
})

let round = 0
/** Starts a writer with sites of its own and visitors for them. */
async function goOn(): Promise<void> {
  const zone = `round${++round}.faults.test`
  const nodeRevision = () => stack.node.revision
  writer = startWriter({ api: stack.api, origins, random, zone, mostSites: 12, nodeRevision })
  traffic = startTraffic({ ports: () => stack.node, sites: writer.known, random, visitors: 2 })
  await writer.more(5)
  await traffic.more(50)
}

/** Stops both; from here on nothing but the test itself asks anything. */
async function pause(): Promise<void> {
  await writer.stop()
  await traffic.stop()
  counted.answered += traffic.answered()
  counted.fresh += traffic.fresh()
  counted.unknown += traffic.failures().length
}

/** Kills a part at a moment that the seed chooses, and waits until all of the installation works again. */
async function strike(part: PartOfStack): Promise<{ from: number; until: number }> {
  await traffic.more(random.between(1, 60))
  // Within the period of the timers of what is killed: saves, folds, seals.
  await delay(random.between(0, 300))
  const victim = random.pick(stack.processes(part))
  const from = performance.now()
  await stack.kill(part, victim)
  if (part === 'worker') mayBeLost += traffic.answeredBetween(from - LOST_WITH_WORKER_MS, performance.now())
  const wanted = part === 'worker' ? stack.processes('worker').length : 0
  await waitFor(
    () => {
      const now = stack.processes(part)
      return now.length > Math.max(0, wanted - 1) && now.every(({ pid }) => pid !== victim.pid)
    },
    () => `another ${part}\n${stack.explain()}`,
    30_000,
  )
  await writer.more(3)
  const { revision } = writer.sites().reduce((a, b) => (a.revision > b.revision ? a : b))
  await waitFor(
    () => stack.node.engineUp && stack.node.revision >= revision,
    () => `revision ${revision} on the node\n${stack.explain()}`,
    45_000,
  )
  await traffic.more(10)
  return { from, until: performance.now() }
}

describe('kill -9 under traffic and writes', () => {
  it.each(['server', 'agent', 'postmaster', 'store'] as const)(
    'of the %s is noticed by no visitor [N3]',
    async (part) => {
      tellSeed(random)
      for (let moment = 0; moment < MOMENTS; moment++) await strike(part)
      expect(traffic.failures()).toEqual([])
      expect(traffic.wrong()).toEqual([])
    },
  )

  it('lost nothing that was acknowledged so far, and counted every request once [N10 N13]', async () => {
    tellSeed(random)
    await pause()
    await expectLedger()
    expect(counted.unknown).toBe(0)
    await expectCounted(counted.answered, counted.answered)
  })

  it('of an engine worker costs at most the requests that it had in hand', async () => {
    tellSeed(random)
    await goOn()
    for (let moment = 0; moment < MOMENTS; moment++) {
      const failed = traffic.failures().length
      const { from } = await strike('worker')
      for (const { begin } of traffic.failures().slice(failed)) expect(begin).toBeLessThan(from + WORKER_GAP_MS)
      expectWrongOnly(from, WORKER_GAP_MS)
    }
  })

  it('of the engine itself is over within its restart, with the last good configuration [N3]', async () => {
    tellSeed(random)
    for (let moment = 0; moment < MOMENTS; moment++) {
      const failed = traffic.failures().length
      const { from } = await strike('master')
      for (const { end } of traffic.failures().slice(failed)) expect(end).toBeLessThan(from + MASTER_GAP_MS)
      expectWrongOnly(from, MASTER_GAP_MS)
    }
  })

  it('lost nothing that was acknowledged, and no line beyond what a killed worker had in hand [N3 N10]', async () => {
    tellSeed(random)
    await pause()
    await expectLedger()
    await expectCounted(counted.answered - mayBeLost, counted.answered + counted.unknown)
  })

  it('of the launcher leaves everything running; the next one takes it over and stops it all', async () => {
    tellSeed(random)
    await goOn()
    const [master, postmaster] = [stack.process('master'), stack.process('postmaster')]
    await stack.killLauncher()
    await traffic.more(50)
    await writer.more(5)
    await stack.launch()
    await traffic.more(50)
    await writer.more(5)
    expect(stack.process('master')).toEqual(master)
    expect(stack.process('postmaster')).toEqual(postmaster)
    for (const part of ['server', 'agent', 'store'] as const) expect(stack.processes(part)).toHaveLength(1)
    expect(traffic.failures()).toEqual([])
    expect(traffic.wrong()).toEqual([])
    await pause()
    await expectLedger()
    await expectCounted(counted.answered - mayBeLost, counted.answered + counted.unknown)
    await stack.interrupt()
    expect(stack.everyProcess()).toEqual([])
  })
})

/** A request that the outer half of the engine has when the inner half dies is answered with 502; nothing else may go wrong, nor later. */
function expectWrongOnly(from: number, limitMs: number): void {
  for (const { got, at } of traffic.wrong().filter((one) => one.at > from)) {
    expect(got).toBe('status 502')
    expect(at).toBeLessThan(from + limitMs)
  }
}

/** Every acknowledged save is in the API with its content, and the edge serves it. */
async function expectLedger(): Promise<void> {
  for (const site of writer.sites()) {
    await stack.pushed(site)
    const { data } = await stack.api.call('site.info', { id: site.id })
    const origin = origins.find(({ marker }) => marker === site.marker)
    expect(data).toMatchObject({ domains: [site.domain], remark: site.marker, version: site.version })
    expect(data.origins).toMatchObject([{ host: origin?.host, httpPort: origin?.port }])
    const answer = await stack.visit(site.domain, { path: `/after/${site.version}` })
    counted.answered++
    counted.fresh++
    expect(answer.body).toBe(`${site.marker} ${site.domain} /after/${site.version}\n`)
  }
}

/** The figures and the raw lines come to rest at the same number of requests, and it is within the bounds. */
async function expectCounted(least: number, most: number): Promise<void> {
  let last = { requests: 0, lines: 0, since: performance.now() }
  // What comes late must not be counted twice: the figures are believed once they have not moved for a while.
  const { requests } = await waitFor(
    async () => {
      const { requests } = (await stack.figures()).total
      const { lines } = await rawLines(stack)
      if (requests !== last.requests || lines !== last.lines) last = { requests, lines, since: performance.now() }
      const rests = performance.now() - last.since > REST_MS && stack.node.spoolBytes === 0
      return rests && requests >= least && lines >= requests && last
    },
    () => `${least} requests in the figures and the raw lines, there are ${JSON.stringify(last)}\n${stack.explain()}`,
    60_000,
  )
  expect(requests).toBeLessThanOrEqual(most)
  expect(await rawLines(stack)).toEqual({ lines: requests, requests })
  const served = origins.reduce((sum, origin) => sum + origin.served(), 0)
  expect(served).toBeGreaterThanOrEqual(counted.fresh)
  const [audit] = await sql<{ n: number }>(stack, `SELECT count(*)::int AS n FROM audit_log WHERE action = 'site.save'`)
  expect(audit?.n).toBeGreaterThanOrEqual(writer.acknowledged())
}
