/**
 * One edge node with 10,000 sites and as many certificates: memory, cold start, and how soon a change and a purge are seen by a
 * request after they were posted. Every figure is measured in this run.
 *
 *   npx tsx bench/edge-node.bench.ts [changes, 200]
 */
import { performance } from 'node:perf_hooks'
import type { EngineItem } from '@tidegate/contract/node/engine'
import { makeCertificate } from '../edge/test/certificates.ts'
import { Edge, keepAll, purgeItem, siteItem } from '../edge/test/harness.ts'
import { Origin } from '../edge/test/origin.ts'

const CHANGES = Number(process.argv[2] ?? 200)
const SITES = 10_000
const MIB = 1024 * 1024
const hostOf = (id: number) => `s${id}.bench.example`

const quantile = (values: number[], at: number) =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * at))]!

function report(name: string, values: number[]): void {
  console.log(
    `${name}: p50 ${quantile(values, 0.5).toFixed(1)} ms, p99 ${quantile(values, 0.99).toFixed(1)} ms of ${values.length}`,
  )
}

async function memory(edge: Edge): Promise<void> {
  const { dicts, luaHeap } = await edge.status()
  const used = Object.values(dicts).reduce((sum, dict) => sum + dict.capacity - dict.free, 0)
  const capacity = Object.values(dicts).reduce((sum, dict) => sum + dict.capacity, 0)
  console.log(
    `shared memory ${(used / MIB).toFixed(1)} MiB used of ${(capacity / MIB).toFixed(1)}, Lua heap of a worker ${(luaHeap / MIB).toFixed(1)} MiB`,
  )
  for (const [name, dict] of Object.entries(dicts)) {
    console.log(`  ${name} ${((dict.capacity - dict.free) / MIB).toFixed(1)} of ${dict.capacity / MIB} MiB`)
  }
}

async function timed(run: () => Promise<void>): Promise<number> {
  const begun = performance.now()
  await run()
  return performance.now() - begun
}

/** Asks until the answer is the one wanted; how long it took since `posted` counts, retries included. */
async function seen(ask: () => Promise<boolean>): Promise<void> {
  while (!(await ask())) {}
}

async function main(): Promise<void> {
  const origin = await new Origin((seenRequest, response) => response.end(String(seenRequest.headers.host))).start()
  const edge = await Edge.start({ workers: 1 })
  try {
    await measure(edge, origin.port)
  } finally {
    await edge.destroy()
    await origin.stop()
  }
}

async function measure(edge: Edge, port: number): Promise<void> {
  const certificate = makeCertificate(['bench.example'])
  const items: EngineItem[] = [Edge.allowPrivate()]
  const site = (id: number, hostHeader = '') =>
    siteItem(id, [hostOf(id)], port, {
      origin: { hostHeader },
      https: { cert: String(id) },
      cache: { rules: [keepAll(3600)] },
    })
  for (let id = 1; id <= SITES; id += 1) {
    items.push(site(id))
    const body = {
      id,
      certPem: certificate.cert,
      keyPem: certificate.key,
      names: [hostOf(id)],
      notAfter: 2_000_000_000,
    }
    items.push({ kind: 'cert', key: String(id), body })
  }
  const whole = await timed(async () => {
    const { refused } = await edge.apply(items, true)
    if (refused.length > 0) throw new Error(JSON.stringify(refused[0]))
  })
  console.log(`a full batch of ${items.length} items: ${whole.toFixed(0)} ms`)
  await edge.end('SIGTERM')
  const cold = await timed(() => edge.launch())
  console.log(`cold start to the first answer of the admin socket: ${cold.toFixed(0)} ms`)
  for (let id = 1; id <= SITES; id += 50) {
    await Promise.all(Array.from({ length: 50 }, (_, n) => edge.get(hostOf(id + n), '/warm')))
  }
  await memory(edge)
  const changes: number[] = []
  const purges: number[] = []
  for (let n = 1; n <= CHANGES; n += 1) {
    const batch = JSON.stringify({ revision: n + 10, full: false, items: [site(n, `v${n}.example`)] })
    changes.push(
      await timed(async () => {
        await edge.admin('/apply', batch)
        await seen(async () => (await edge.get(hostOf(n), `/c${n}`)).body === `v${n}.example`)
      }),
    )
    await edge.get(hostOf(n), '/p')
    const purge = JSON.stringify({ revision: n + 10, full: false, items: [purgeItem(n, 'url', `${hostOf(n)}/p`, n)] })
    purges.push(
      await timed(async () => {
        await edge.admin('/apply', purge)
        await seen(async () => (await edge.get(hostOf(n), '/p')).headers['x-cache'] === 'MISS')
      }),
    )
  }
  report('change posted -> seen by a request', changes)
  report('purge posted -> seen by a request', purges)
}

await main()
