/**
 * How long a change takes on the node itself, from the news to a request through the listener that sees it, with 10,000 sites
 * loaded: the bundled agent, a real nginx, a real TLS peer. Beside it the engine's own part and the way to the acknowledgement.
 * Run: node --import tsx bench/agent-apply.bench.ts [sites] [changes]
 */
import { performance } from 'node:perf_hooks'
import { purge, settings, site, startOrigin } from '../apps/agent/src/testing/bodies.ts'
import { ControlPlane } from '../apps/agent/src/testing/control-plane.ts'
import { NodeUnderTest } from '../apps/agent/src/testing/node.ts'
import { until } from '../apps/agent/src/testing/wait.ts'

const SITES = Number(process.argv[2] ?? 10_000)
const CHANGES = Number(process.argv[3] ?? 200)
const GOAL_MS = 20

function percentile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? 0
}

function row(name: string, values: number[]): void {
  const figures = [0.5, 0.99, 1].map((share) => percentile(values, share).toFixed(1).padStart(8))
  process.stdout.write(`${name.padEnd(44)}${figures.join('')}\n`)
}

const plane = await ControlPlane.start()
const node = await NodeUnderTest.make(plane)
const origin = await startOrigin('bench')
try {
  const sites = Array.from({ length: SITES }, (_, index) => site(index + 1, `h${index + 1}.example`, origin.port))
  const first = plane.put([settings(), ...sites])
  await node.start()
  await until(
    () => node.output,
    () => plane.acknowledged(first),
    120_000,
  )
  const full = plane.lastAck()
  const measure = async (change: (index: number) => Parameters<ControlPlane['put']>[0]) => {
    const figures = { live: [] as number[], apply: [] as number[], acknowledged: [] as number[] }
    for (let index = 0; index < CHANGES; index++) {
      const begun = performance.now()
      const revision = plane.put(change(index))
      await until(
        () => node.output.slice(-2000),
        () => plane.acknowledged(revision),
      )
      figures.acknowledged.push(performance.now() - begun)
      figures.live.push(plane.lastAck()?.totalMs ?? 0)
      figures.apply.push(plane.lastAck()?.applyMs ?? 0)
    }
    return figures
  }
  const saved = await measure((index) => [site((index % SITES) + 1, `n${index}.example`, origin.port)])
  const purged = await measure((index) => [purge((index % SITES) + 1, index + 1)])
  process.stdout.write(`${`${SITES} sites, ${CHANGES} changes, ms`.padEnd(44)}     p50     p99     max\n`)
  row('change: told -> live through the listener', saved.live)
  row('  of it in the engine', saved.apply)
  row('change: sent -> acknowledged, durable', saved.acknowledged)
  row('purge: told -> live through the listener', purged.live)
  row('purge: sent -> acknowledged, durable', purged.acknowledged)
  row('the whole configuration at first', [full?.totalMs ?? 0])
  const met = percentile(saved.live, 0.99) <= GOAL_MS && percentile(purged.live, 0.99) <= GOAL_MS
  process.stdout.write(`goal p99 <= ${GOAL_MS} ms for both: ${met ? 'met' : 'missed'}\n`)
} finally {
  await node.destroy()
  await plane.stop()
  await origin.stop()
}
process.exit(0)
