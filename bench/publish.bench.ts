/**
 * From a save in the console to "published" and to a node that has the change, with 10,000 sites loaded. The node is a real TLS peer
 * with its stream open; the engine's part of the way is bench/agent-apply.bench.ts.
 * Run: node --import tsx bench/publish.bench.ts [sites] [changes]
 */
import { performance } from 'node:perf_hooks'
import { siteSettings } from '@tidegate/contract/operations/site'
import { openDatabase } from '../apps/server/src/platform/db.ts'
import { testDatabase } from '../apps/server/src/testing/database.ts'
import { openPlane } from '../apps/server/src/testing/plane.ts'
import { heading, insertSites, line, percentile, startCluster, vacuum } from './lib/plane.ts'

const SITES = Number(process.argv[2] ?? 10_000)
const CHANGES = Number(process.argv[3] ?? 100)
const GOAL_MS = 300

const end = await startCluster()
const database = await testDatabase()
const loader = openDatabase(database.appUrl, () => {})
await insertSites(loader.pool, SITES, siteSettings.parse({}))
await loader.close()
await vacuum(database.ownerUrl)

const started = performance.now()
const plane = await openPlane({ database })
process.stdout.write(
  `first publication of ${SITES} sites by the resync: ${((performance.now() - started) / 1000).toFixed(2)} s\n`,
)
const node = await plane.enroll('bench')
const full = performance.now()
const first = await node.pull(0)
process.stdout.write(
  `full configuration to a new node: ${first.resources.length} resources in ${(performance.now() - full).toFixed(0)} ms\n`,
)
await node.ack({ scope: first.scope, revision: first.revision })

let since = first.revision
const stream = node.stream()
await stream.next()
const saves: number[] = []
const published: number[] = []
const pulled: number[] = []
const acknowledged: number[] = []
const change = async (work: () => Promise<unknown>) => {
  const at = performance.now()
  const [answer] = await Promise.all([
    work().then(() => saves.push(performance.now() - at)),
    (async () => {
      await stream.next()
      published.push(performance.now() - at)
      const delta = await node.pull(since)
      pulled.push(performance.now() - at)
      since = delta.revision
      await node.ack({ scope: delta.scope, revision: delta.revision })
      acknowledged.push(performance.now() - at)
    })(),
  ])
  return answer
}
const report = (name: string) => {
  heading(name)
  line('the save itself answered', saves)
  line('node told', published)
  line('node has the change', pulled)
  line('acknowledgement stored', acknowledged)
}
for (let i = 0; i < CHANGES; i++) {
  await change(() =>
    plane.save({
      id: 1 + i * 37,
      domains: [`www.site-${1 + i * 37}.example`],
      remark: `${i}`,
      settings: { readTimeout: 5 + (i % 50) },
    }),
  )
}
report(`${CHANGES} changed sites, ${SITES} loaded`)
const worst = percentile(pulled, 0.99)
for (const list of [saves, published, pulled, acknowledged]) list.length = 0
for (let i = 0; i < CHANGES; i++) {
  await plane.query('DELETE FROM purge_task')
  await change(() => plane.run('cache.purge', { kind: 'url', entries: [`http://www.site-${1 + i * 37}.example/${i}`] }))
}
report(`${CHANGES} purges, ${SITES} sites loaded`)
const worstPurge = percentile(pulled, 0.99)
node.close()
await plane.close()
await end()
const ok = worst <= GOAL_MS && worstPurge <= GOAL_MS
process.stdout.write(`\ngoal p99 <= ${GOAL_MS} ms with the node's own 20 ms: ${ok ? 'met' : 'MISSED'}\n`)
process.exit(ok ? 0 : 1)
