/** Last-known-good on a real disk: torn tails, damage, compaction, two generations. */
import { appendFile, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { resourceHash } from '@tidegate/contract/node/hash'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createLog } from '../log.ts'
import { siteBody } from '../testing/bodies.ts'
import type { SiteItem } from './item.ts'
import { openStore, type Store } from './store.ts'

const quiet = createLog(() => undefined)
let dir: string

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'tga-store-'))
})
afterEach(async () => {
  await rm(dir, { recursive: true, force: true })
})

function item(id: number, host: string): SiteItem {
  const body = siteBody(id, host, { host: 'o.example', port: 80 })
  return { kind: 'site', key: String(id), hash: resourceHash(body), body, addresses: [['8.8.8.8']] }
}
const commit = (store: Store, revision: number, changes: Parameters<Store['commit']>[0]['changes']) =>
  store.commit({ revision, scope: 'g', changes, refused: [], cleared: [] })
const sitesFile = () => join(dir, 'state/sites.jsonl')
const lines = async () => (await readFile(sitesFile(), 'utf8')).trim().split('\n')

it('gives back what was committed, addresses and hashes included', async () => {
  const store = await openStore(dir, quiet)
  await commit(store, 1, [item(1, 'a'), item(2, 'b')])
  await commit(store, 2, [{ kind: 'site', key: '1', hash: '', body: null }])
  const again = await openStore(dir, quiet)
  expect(again.revision()).toBe(2)
  expect([...again.snapshot.sites()]).toEqual([item(2, 'b')])
  expect((await stat(sitesFile())).mode & 0o777).toBe(0o600)
})

it('appends a change and does not write the rest again', async () => {
  const store = await openStore(dir, quiet)
  await commit(
    store,
    1,
    Array.from({ length: 50 }, (_, id) => item(id, `h${id}`)),
  )
  await commit(store, 2, [item(7, 'h7')])
  expect(await lines()).toHaveLength(51)
})

it('writes a host’s old owner out before its new one, as the engine reads line by line', async () => {
  const store = await openStore(dir, quiet)
  await commit(store, 1, [item(1, 'a'), item(2, 'b')])
  await commit(store, 2, [item(2, 'a'), item(1, 'b')])
  const tail = (await lines()).slice(2).map((line) => JSON.parse(line))
  expect(tail.map((line) => [line.key, line.body?.hosts ?? null])).toEqual([
    ['2', null],
    ['1', null],
    ['2', ['a']],
    ['1', ['b']],
  ])
})

it('does without a line that a crash cut off, and goes on after it', async () => {
  const store = await openStore(dir, quiet)
  await commit(store, 1, [item(1, 'a')])
  await appendFile(sitesFile(), '{"kind":"site","key":"2","ha')
  const again = await openStore(dir, quiet)
  expect(again.snapshot.count('site')).toBe(1)
  await commit(again, 2, [item(3, 'c')])
  expect((await openStore(dir, quiet)).snapshot.count('site')).toBe(2)
})

it('compacts when dead lines outnumber the living ones, and keeps the generation before', async () => {
  const store = await openStore(dir, quiet)
  await commit(store, 1, [item(1, 'a')])
  const many = Array.from({ length: 1_500 }, () => item(1, 'a'))
  await commit(store, 2, many)
  await commit(store, 3, many)
  expect(await lines()).toHaveLength(1)
  expect((await readFile(join(dir, 'state.prev/sites.jsonl'), 'utf8')).trim().split('\n')).toHaveLength(1_501)
})

it('falls back to the generation before when the present one is damaged', async () => {
  const store = await openStore(dir, quiet)
  await commit(store, 1, [item(1, 'a')])
  await commit(
    store,
    2,
    Array.from({ length: 2_100 }, () => item(1, 'a')),
  )
  await commit(store, 3, [item(2, 'b')])
  await writeFile(sitesFile(), 'garbage\n')
  const again = await openStore(dir, quiet)
  expect(again.revision()).toBeLessThan(3)
  expect(again.snapshot.get('site', '1')).toBeDefined()
  await commit(again, 4, [item(3, 'c')])
  expect((await openStore(dir, quiet)).revision()).toBe(4)
})

it('takes nothing over when the disk refuses', async () => {
  const store = await openStore(dir, quiet)
  await commit(store, 1, [item(1, 'a')])
  await rm(join(dir, 'state'), { recursive: true })
  await writeFile(join(dir, 'state'), 'in the way')
  await expect(commit(store, 2, [item(2, 'b')])).rejects.toThrow()
  expect(store.revision()).toBe(1)
  expect(store.snapshot.count('site')).toBe(1)
  await rm(join(dir, 'state'))
  await commit(store, 3, [item(4, 'd')])
  const again = await openStore(dir, quiet)
  expect([again.revision(), again.snapshot.count('site')]).toEqual([3, 2])
})
