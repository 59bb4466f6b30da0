/** What a delta comes down to, given what the node runs. */
import type { ConfigDelta, Resource } from '@tidegate/contract/node/config'
import { resourceHash } from '@tidegate/contract/node/hash'
import { expect, it } from 'vitest'
import { mergeReports } from '../control/acks.ts'
import { purge, site, type site as siteOf } from '../testing/bodies.ts'
import { checkDelta, checkResource } from './check.ts'
import { createSnapshot } from './snapshot.ts'

type Put = ReturnType<typeof siteOf>
const resource = ({ kind, key, body }: Put): Resource => ({ kind, key, body, hash: resourceHash(body), revision: 1 })
const delta = (base: number, puts: Put[]): ConfigDelta => ({
  version: 1,
  scope: 'g',
  base,
  revision: 2,
  resources: puts.map(resource),
})

function snapshotOf(puts: Put[]) {
  const snapshot = createSnapshot()
  for (const put of puts) {
    const checked = checkResource(resource(put))
    if ('reason' in checked) throw new Error(checked.detail)
    snapshot.accept(checked)
  }
  return snapshot
}
const names = (list: ReadonlyArray<{ kind: string; key: string; body: unknown }>) =>
  list.map(({ kind, key, body }) => `${body === null ? '-' : '+'}${kind} ${key}`).sort()

it('takes a full configuration in place of what the node has, touching only what differs', () => {
  const held = snapshotOf([site(1, 'a', 80), site(2, 'b', 80)])
  const checked = checkDelta(delta(0, [site(2, 'b', 80), site(3, 'c', 80)]), held)
  expect(names(checked.changes)).toEqual(['+site 3', '-site 1'])
  expect(names(checked.same)).toEqual(['+site 2'])
})

it('never lets a purge number go back, nor forgets it with a full configuration', () => {
  const held = snapshotOf([site(1, 'a', 80), site(2, 'b', 80), purge(1, 9), purge(2, 5)])
  expect(checkDelta(delta(1, [purge(1, 8)]), held).changes).toEqual([])
  expect(names(checkDelta(delta(1, [purge(1, 10)]), held).changes)).toEqual(['+purge 1'])
  // Site 2 is gone and takes its purges along; site 1 keeps its own.
  expect(names(checkDelta(delta(0, [site(1, 'a', 80)]), held).changes)).toEqual(['-purge 2', '-site 2'])
})

it('ignores fields that it does not know', () => {
  const put = site(1, 'a', 80)
  const newer = { ...put, body: { ...(put.body as object), later: true } }
  expect(checkResource(resource(newer))).toMatchObject({ kind: 'site', key: '1' })
})

it('keeps the refusals of an acknowledgement that was not delivered yet', () => {
  const refused = (key: string) => ({ kind: 'site', key, reason: 'schema', detail: key })
  const report = (revision: number, keys: string[], now: string[]) => ({
    scope: 'g',
    revision,
    ok: true,
    tried: revision,
    error: '',
    refused: keys.map(refused),
    refusedNow: now,
    totalMs: 1,
    applyMs: 1,
    probed: true,
  })
  const merged = mergeReports(report(1, ['1', '2'], ['site 1', 'site 2']), report(2, ['3'], ['site 1', 'site 3']))
  expect(merged.revision).toBe(2)
  expect(merged.refused.map(({ key }) => key).sort()).toEqual(['1', '3'])
})
