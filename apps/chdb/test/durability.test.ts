import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ClickHouseLogLevel, createClient } from '@clickhouse/client'
import { afterEach, expect, it } from 'vitest'
import { endStore, type StoreProcess, startStore } from './store-process.ts'

// The client prints every refusal that a test provokes.
const log = { level: ClickHouseLogLevel.OFF }

const undo: Array<() => Promise<void> | void> = []

afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step()
})

function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'tidegate-store-'))
  undo.push(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

async function start(dir: string, env: NodeJS.ProcessEnv = {}): Promise<StoreProcess> {
  const store = await startStore(dir, env)
  undo.push(() => endStore(store.child, 'SIGKILL'))
  return store
}

it('loses no acknowledged insert to kill -9', async () => {
  const dir = folder()
  const acknowledged: number[] = []
  let batch = 0
  for (let round = 0; round < 4; round++) {
    const store = await start(dir)
    const client = createClient({ url: store.url, log })
    await client.command({
      query: 'CREATE TABLE IF NOT EXISTS batches (batch UInt32, n UInt32) ENGINE = MergeTree ORDER BY (batch, n)',
    })
    const killAt = batch + 9 + round * 5
    const writers = Array.from({ length: 3 }, async () => {
      for (;;) {
        const mine = batch++
        if (mine === killAt) store.child.kill('SIGKILL')
        const values = Array.from({ length: 500 }, (_, n) => ({ batch: mine, n }))
        await client.insert({ table: 'batches', values, format: 'JSONEachRow' })
        acknowledged.push(mine)
      }
    })
    await Promise.allSettled(writers)
    await endStore(store.child, 'SIGKILL')
    await client.close()
  }
  const store = await start(dir)
  const client = createClient({ url: store.url, log })
  const answer = await client.query({
    query: 'SELECT batch, count()::UInt32 AS c FROM batches GROUP BY batch ORDER BY batch',
    format: 'JSONEachRow',
  })
  const found = new Map((await answer.json<{ batch: number; c: number }>()).map((row) => [row.batch, row.c]))
  expect(acknowledged.length).toBeGreaterThan(30)
  expect(acknowledged.filter((number) => found.get(number) !== 500)).toEqual([])
  expect([...found.values()].filter((count) => count !== 500)).toEqual([])
  const settings = await client.query({
    query: "SELECT name FROM system.merge_tree_settings WHERE name LIKE 'fsync%' AND value = '1' ORDER BY name",
    format: 'JSONEachRow',
  })
  expect(await settings.json()).toEqual([{ name: 'fsync_after_insert' }, { name: 'fsync_part_directory' }])
  await client.close()
})

it('refuses a folder that another process has open, and says which one', async () => {
  const dir = folder()
  const first = await start(dir)
  await expect(startStore(dir)).rejects.toThrow(`another process (${first.child.pid}) has this folder open`)
})

it('stops on SIGTERM after finishing what it was doing', async () => {
  const store = await start(folder())
  const client = createClient({ url: store.url, keep_alive: { enabled: false }, log })
  const running = client.query({ query: 'SELECT sleep(1), 7 AS n', format: 'JSONEachRow' })
  await client.ping()
  await endStore(store.child, 'SIGTERM')
  expect(await (await running).json()).toMatchObject([{ n: 7 }])
  expect(store.child.exitCode).toBe(0)
  await client.close()
})

it('keeps a statement within its memory and goes on', async () => {
  const store = await start(folder(), { TIDEGATE_CHDB_MEMORY: String(400 * 1024 * 1024) })
  const client = createClient({ url: store.url, log })
  const greedy = client.query({ query: 'SELECT length(groupArray(number)) FROM numbers(200000000)' })
  await expect(greedy).rejects.toMatchObject({ code: '241' })
  expect((await client.ping({ select: true })).success).toBe(true)
  await client.close()
})
