/** Whom a node may count requests for: figures are what customers pay by. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemClock } from '../../platform/clock.ts'
import { batch, counter, line } from '../../testing/batches.ts'
import { openPlane, type TestPlane, until } from '../../testing/plane.ts'
import { createIngest } from './receive.ts'

let plane: TestPlane
const warnings: Record<string, unknown>[] = []
const refused: number[][] = []
const MINUTE = Math.floor(Date.now() / 60_000) * 60

beforeAll(async () => {
  plane = await openPlane()
  await plane.query("INSERT INTO node_group (id, name, cname_zone) VALUES (50, 'second', 'second.tidegate.test')")
})
afterAll(() => plane.close())

const ingest = (nodeId: number, body: unknown) =>
  createIngest({
    pool: plane.database.pool,
    clock: systemClock,
    log: { warn: (fields: object) => void warnings.push(fields as Record<string, unknown>) },
    servedSites: plane.plane.servedSites,
    onForeign: (...counts) => void refused.push(counts),
  })(nodeId, body)

/** Saves a site and waits until it is published. */
const site = async (domain: string, groupId: number) => {
  const { id, push } = await plane.save({ domains: [domain], groupId })
  await published(push)
  return id
}
const published = ({ scope, revision }: { scope: string; revision: number }) =>
  until(async () => {
    const [row] = await plane.query<{ published: number }>('SELECT published FROM config_published WHERE scope = $1', [
      scope,
    ])
    return (row?.published ?? 0) >= revision
  })

/** What the last batch left to be counted, by site. */
const counted = async () => {
  const [row] = await plane.query<{ counters: { s: number; r: number }[] }>(
    'SELECT counters FROM ingest_counter ORDER BY seq DESC LIMIT 1',
  )
  return Object.fromEntries((row?.counters ?? []).map((c) => [c.s, c.r]))
}

it('counts what a node says of its own sites and of none, and nothing of the sites of other groups', async () => {
  const node = await plane.enroll('n-own')
  const own = await site('own.example', 1)
  const foreign = await site('foreign.example', 50)
  const nowhere = 4_000_000
  const sites = [0, own, foreign, nowhere]
  const counters = sites.map((s, i) => counter(MINUTE, s, { requests: 1 + i }))
  const lines = [...sites, foreign].map((s) => line(MINUTE * 1000, s))
  const sent = batch({ counters, lines })
  expect(await ingest(node.id, sent)).toEqual({ duplicate: false })
  expect(await counted()).toEqual({ 0: 1, [own]: 2 })
  expect(await plane.query('SELECT lines FROM ingest_raw')).toEqual([{ lines: 2 }])
  expect(warnings.splice(0)).toEqual([
    expect.objectContaining({ nodeId: node.id, sites: [foreign, nowhere], count: 2, requests: 7, lines: 3 }),
  ])
  // Sent again, it is told of no second time.
  expect(await ingest(node.id, sent)).toEqual({ duplicate: true })
  expect(warnings.splice(0)).toHaveLength(1)
  expect(refused.splice(0)).toEqual([[node.id, 2, 7]])
  node.close()
})

it('counts what comes late of a site that was deleted or moved to another group', async () => {
  const node = await plane.enroll('n-late')
  const gone = await site('gone.example', 1)
  const moved = await site('moved.example', 1)
  const { push } = await plane.run('site.delete', { ids: [gone] })
  for (const ref of push) await published(ref)
  await published((await plane.save({ id: moved, domains: ['moved.example'], groupId: 50 })).push)
  await until(async () => {
    const left = await plane.query("SELECT FROM config_current WHERE scope = 'group:50' AND key = $1", [String(moved)])
    return left.length === 1
  })
  const counters = [counter(MINUTE, gone, { requests: 3 }), counter(MINUTE, moved, { requests: 4 })]
  await ingest(node.id, batch({ counters }))
  expect(await counted()).toEqual({ [gone]: 3, [moved]: 4 })
  expect(warnings).toEqual([])
  expect(refused).toEqual([])
  node.close()
})

it('counts what a node kept of the group that it served before it was enrolled anew into another', async () => {
  const before = await plane.enroll('n-moves')
  const first = await site('first.example', 1)
  const { scope, revision } = await before.pull(0)
  await before.ack({ scope, revision })
  before.close()
  const other = await site('other.example', 50)
  const stranger = await plane.enroll('n-stranger', 50)
  const after = await plane.enroll('n-moves', 50, true)
  expect(after.id).toBe(before.id)
  // The first call under the new certificate tells the control plane of the new group, as a node's always does before it sends figures.
  expect((await after.pull(0)).scope).toBe('group:50')
  const counters = [counter(MINUTE, first, { requests: 5 }), counter(MINUTE, other, { requests: 6 })]
  await ingest(after.id, batch({ counters }))
  expect(await counted()).toEqual({ [first]: 5, [other]: 6 })
  await ingest(stranger.id, batch({ counters }))
  expect(await counted()).toEqual({ [other]: 6 })
  expect(refused.splice(0)).toEqual([[stranger.id, 1, 5]])
  after.close()
  stranger.close()
})
