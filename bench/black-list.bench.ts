/** The DNS blacklist in the control plane at a million names: import, compilation, lists and checks. Run: node --import tsx bench/black-list.bench.ts [names] */
import { performance } from 'node:perf_hooks'
import type { InputOf, OperationId, OutputOf } from '@tidegate/contract/operations/index'
import { operationById } from '@tidegate/contract/operations/index'
import pg from 'pg'
import { adminToken, testServer } from '../apps/server/src/testing/app.ts'
import { heading, line, percentile, startCluster } from './lib/plane.ts'

const NAMES = Number(process.argv[2] ?? 1_000_000)
const ROUNDS = 60
const GOAL_MS = 50

const end = await startCluster()
const server = await testServer()
const token = await adminToken(server)
const handlers = server.built.parts.find((part) => part.name === 'black')?.handlers
const caller = { ...(await server.built.identity.authenticate(token, '127.0.0.1')), lang: 'en', ip: '127.0.0.1' }
const run = async <Id extends OperationId>(id: Id, input: object): Promise<OutputOf<Id>> => {
  const parsed = operationById(id).input.parse(input) as InputOf<Id>
  const handler = (handlers as Record<string, (...given: unknown[]) => Promise<unknown>> | undefined)?.[id]
  return (await handler?.(parsed, { userAgent: '', requestId: 'bench', ...caller })) as OutputOf<Id>
}

const nameOf = (i: number) => {
  const mixed = ((i * 2_654_435_761) % 2 ** 32).toString(36)
  return i % 3 === 0 ? `ads${i}.${mixed}.example` : `${mixed}-tracker-${i}.test`
}
async function* file() {
  for (let i = 0; i < NAMES; i += 2_000)
    yield Buffer.from(
      Array.from({ length: Math.min(2_000, NAMES - i) }, (_, k) => `0.0.0.0 ${nameOf(i + k)}\n`).join(''),
    )
}
const timed = async (what: string, work: () => Promise<unknown>) => {
  const from = performance.now()
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  const spent = `${((performance.now() - from) / 1_000).toFixed(1)} s, processor of this process ${((user + system) / 1e6).toFixed(1)} s`
  process.stdout.write(`${what.padEnd(48)}  ${spent}\n`)
}

process.stdout.write(`blacklist in the control plane, ${NAMES} names\n`)
await timed('imported from a hosts file', () => run('black.import', { file: file(), category: 'bench' }))
const owner = new pg.Client({ connectionString: server.database.ownerUrl })
await owner.connect()
await owner.query('VACUUM (ANALYZE) dns_black')
await owner.end()
const drained = async () => {
  const { body, size } = (await run('black.compiled', {})) as unknown as {
    body: AsyncIterable<Uint8Array>
    size: number
  }
  for await (const _ of body);
  process.stdout.write(`${'compiled file'.padEnd(48)}  ${(size / 1_048_576).toFixed(1)} MiB\n`)
}
await timed('compiled and sent', drained)
await run('black.save', { domains: 'one-more.example' })
await timed('compiled and sent after one more name', drained)

const CASES: Record<string, (i: number) => [OperationId, object]> = {
  'newest first': () => ['black.list', {}],
  'by name': () => ['black.list', { sidx: 'domain', order: 'asc' }],
  'page 400': () => ['black.list', { page: 400 }],
  'search: one name': (i) => ['black.list', { key: nameOf(i * 7_919) }],
  'search: what is below a name': () => ['black.list', { key: '*.example' }],
  'search: what names begin with': (i) => ['black.list', { key: `ads${i}` }],
  'search: begins with, newest first': () => ['black.list', { key: 'ads', sidx: 'createTime' }],
  'search: nothing': () => ['black.list', { key: 'no-such-name' }],
  'switched off': () => ['black.list', { enabled: false }],
  'one category': () => ['black.list', { category: 'bench' }],
  'check a name': (i) => ['black.check', { domain: `www.${nameOf(i * 7_919)}` }],
  state: () => ['black.state', {}],
}
heading('lists and checks')
let worst = 0
for (const [name, of] of Object.entries(CASES)) {
  const times: number[] = []
  for (let i = 0; i < ROUNDS; i++) {
    const [id, input] = of(i)
    const from = performance.now()
    await run(id, input)
    if (i >= 10) times.push(performance.now() - from)
  }
  worst = Math.max(worst, percentile(times, 0.5))
  line(name, times)
}
await timed('all deleted', () => run('black.clear', {}))
await server.close()
await end()
process.stdout.write(`\ngoal p50 <= ${GOAL_MS} ms: ${worst <= GOAL_MS ? 'met' : `MISSED (${worst.toFixed(1)} ms)`}\n`)
process.exit(worst <= GOAL_MS ? 0 : 1)
