import type { TestDatabase } from '@tidegate/testkit/database'
import pg from 'pg'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openDatabase } from '../../platform/db.ts'
import { AppError } from '../../platform/errors.ts'
import { batch, counter, line, servesEverything } from '../../testing/batches.ts'
import { testDatabase } from '../../testing/database.ts'
import { foldCounters } from './fold.ts'
import { createIngest } from './receive.ts'
import { readIngestState } from './state.ts'

const ZONE = 'Asia/Shanghai'
const NOW = Date.UTC(2026, 10, 21, 15, 30, 20)
const MINUTE = Math.floor(NOW / 60_000) * 60

let database: TestDatabase
let pool: pg.Pool
const clock = { now: () => NOW }

beforeEach(async () => {
  database = await testDatabase()
  pool = openDatabase(database.appUrl, () => {}).pool
})
afterEach(async () => {
  await pool.end()
  await database.drop()
})

const ingestOn = (on = pool) => createIngest({ ...servesEverything, pool: on, clock })
const rows = async <T extends pg.QueryResultRow>(text: string) => (await pool.query<T>(text)).rows
const totals = async () =>
  (
    await rows(
      'SELECT coalesce(sum(requests), 0)::bigint AS requests, coalesce(sum(bytes_out), 0)::bigint AS bytes FROM rollup_total',
    )
  )[0]

it('counts a batch once however often it comes, one after the other or at the same moment [N10]', async () => {
  const ingest = ingestOn()
  const one = batch({ counters: [counter(MINUTE, 1, { requests: 7, bytesOut: 700 })], lines: [line(NOW, 1)] })
  const answers = await Promise.all(Array.from({ length: 8 }, () => ingest(3, one)))
  expect(answers.filter((a) => !a.duplicate)).toHaveLength(1)
  await foldCounters(pool, ZONE)
  expect(await ingest(3, one)).toEqual({ duplicate: true })
  await foldCounters(pool, ZONE)
  expect(await totals()).toEqual({ requests: 7, bytes: 700 })
  expect(await rows('SELECT lines FROM ingest_raw')).toEqual([{ lines: 1 }])
})

it('does not let one node use up the batch ids of another', async () => {
  const one = batch({ counters: [counter(MINUTE, 1, { requests: 1 })] })
  expect(await ingestOn()(3, one)).toEqual({ duplicate: false })
  expect(await ingestOn()(4, one)).toEqual({ duplicate: false })
})

it('adds up exactly what eight nodes send in parallel while it is being folded, replays included [N10]', async () => {
  const ingest = ingestOn()
  const nodes = [1, 2, 3, 4, 5, 6, 7, 8]
  let requests = 0
  let bytes = 0
  const send = async (node: number) => {
    for (let n = 0; n < 25; n++) {
      const counters = Array.from({ length: 12 }, (_, i) =>
        counter(MINUTE - (i % 3) * 60, 1 + (i % 4), { requests: node + n + i, bytesOut: (node + i) * 1_000_000_007 }),
      )
      for (const c of counters) {
        requests += c.requests
        bytes += c.bytesOut
      }
      const one = batch({ counters })
      await Promise.all([ingest(node, one), ...(n % 3 === 0 ? [ingest(node, one)] : [])])
    }
  }
  let sending = true
  const folding = (async () => {
    while (sending) await Promise.all([foldCounters(pool, ZONE), foldCounters(pool, ZONE)])
  })()
  await Promise.all(nodes.map(send))
  sending = false
  await folding
  await foldCounters(pool, ZONE)
  for (const table of ['rollup_minute', 'rollup_hour', 'rollup_day', 'rollup_node', 'rollup_total']) {
    const sum = await rows(`SELECT sum(requests)::bigint AS requests, sum(bytes_out)::bigint AS bytes FROM ${table}`)
    expect({ table, ...sum[0] }).toEqual({ table, requests, bytes })
  }
})

it('has stored all of a batch or nothing when its connection dies in the middle', async () => {
  const one = batch({
    counters: [counter(MINUTE, 1, { requests: 5 })],
    lines: Array.from({ length: 500 }, () => line(NOW, 1)),
  })
  const blocker = new pg.Client({ connectionString: database.ownerUrl })
  await blocker.connect()
  await blocker.query('BEGIN; LOCK TABLE ingest_raw IN EXCLUSIVE MODE')
  const sending = ingestOn()(1, one).then(
    () => 'stored',
    () => 'failed',
  )
  await killWaiter()
  expect(await sending).toBe('failed')
  await blocker.query('ROLLBACK')
  await blocker.end()
  expect(await rows('SELECT id FROM ingest_batch UNION ALL SELECT seq::text FROM ingest_counter')).toEqual([])
  expect(await ingestOn()(1, one)).toEqual({ duplicate: false })
  await foldCounters(pool, ZONE)
  expect((await totals())?.requests).toBe(5)
})

it('folds a counter once when the folder is killed in the middle', async () => {
  await ingestOn()(1, batch({ counters: [counter(MINUTE, 1, { requests: 5 })] }))
  const blocker = new pg.Client({ connectionString: database.ownerUrl })
  await blocker.connect()
  await blocker.query('BEGIN; LOCK TABLE rollup_total IN EXCLUSIVE MODE')
  const folding = foldCounters(pool, ZONE).then(
    () => 'folded',
    () => 'failed',
  )
  await killWaiter()
  expect(await folding).toBe('failed')
  await blocker.query('ROLLBACK')
  await blocker.end()
  expect(await rows('SELECT * FROM rollup_minute')).toEqual([])
  expect(await foldCounters(pool, ZONE)).toBe(1)
  expect((await totals())?.requests).toBe(5)
})

it('goes on counting for others when a node sends figures that are too big to add', async () => {
  const most = Number.MAX_SAFE_INTEGER
  for (let n = 0; n < 3; n++) {
    const counters = Array.from({ length: 2_000 }, () => counter(MINUTE, 1, { bytesOut: most }))
    await ingestOn()(1, batch({ counters }))
    await foldCounters(pool, ZONE)
  }
  await ingestOn()(2, batch({ counters: [counter(MINUTE, 2, { bytesOut: 5 })] }))
  await foldCounters(pool, ZONE)
  expect(await rows('SELECT site, bytes_out AS bytes FROM rollup_minute ORDER BY site')).toEqual([
    { site: 1, bytes: most },
    { site: 2, bytes: 5 },
  ])
})

it('takes a batch of 5,000 lines and refuses one of 5,001', async () => {
  const lines = Array.from({ length: 5_000 }, (_, i) => line(NOW - i, 1))
  expect(await ingestOn()(1, batch({ lines }))).toEqual({ duplicate: false })
  await expect(ingestOn()(1, batch({ lines: [...lines, line(NOW, 1)] }))).rejects.toThrow(AppError)
  expect(await rows('SELECT lines FROM ingest_raw')).toEqual([{ lines: 5_000 }])
})

it.each([
  ['no object', 'text'],
  ['a bad id', batch({ id: 'short' })],
  ['a negative counter', batch({ counters: [counter(MINUTE, 1, { requests: -1 })] })],
  ['a fraction', batch({ counters: [counter(MINUTE, 1, { bytesOut: 0.5 })] })],
  ['a line without fields', { ...batch(), lines: [{ ts: NOW }] }],
])('refuses %s and stores nothing of it', async (_, body) => {
  await expect(ingestOn()(1, body)).rejects.toMatchObject({ key: 'invalid_input' })
  expect(await rows('SELECT id FROM ingest_batch')).toEqual([])
})

it('puts minutes of a wrong clock to the bounds and says how many', async () => {
  const counters = [
    counter(MINUTE + 86_400, 1, { requests: 1 }),
    counter(60, 1, { requests: 2 }),
    counter(MINUTE - 6 * 86_400, 1, { requests: 4 }),
  ]
  await ingestOn()(1, batch({ counters, lines: [line(1, 1)] }))
  await foldCounters(pool, ZONE)
  expect(await rows('SELECT t, requests FROM rollup_minute ORDER BY t')).toEqual([
    { t: Math.floor((NOW / 1000 - 7 * 86_400) / 60) * 60, requests: 2 },
    { t: MINUTE - 6 * 86_400, requests: 4 },
    { t: Math.floor((NOW / 1000 + 120) / 60) * 60, requests: 1 },
  ])
  expect((await readIngestState(pool)).clamped).toBe(3)
})

it('keeps days by the time zone of the installation [S9.11]', async () => {
  // 15:59:00 and 16:00:00 UTC: midnight in Shanghai lies between them.
  const midnight = Date.UTC(2026, 10, 20, 16) / 1000
  const counters = [counter(midnight - 60, 1, { requests: 1 }), counter(midnight, 1, { requests: 2 })]
  await ingestOn()(1, batch({ counters }))
  await foldCounters(pool, ZONE)
  expect(await rows('SELECT day::text, requests FROM rollup_day ORDER BY day')).toEqual([
    { day: '2026-11-20', requests: 1 },
    { day: '2026-11-21', requests: 2 },
  ])
})

it('knows when the newest counters came, before and after they are folded, and what nodes dropped', async () => {
  expect((await readIngestState(pool)).newestAt).toBeNull()
  await ingestOn()(1, batch({ counters: [counter(MINUTE, 1, { requests: 1 })], dropped: 9 }))
  expect((await readIngestState(pool)).newestAt).toEqual(new Date(NOW))
  await foldCounters(pool, ZONE)
  expect(await readIngestState(pool)).toMatchObject({ newestAt: new Date(NOW), droppedNode: 9 })
})

/** Ends the connection that waits for a lock, as soon as there is one. */
const killWaiter = async () => {
  const boss = new pg.Client({ connectionString: database.superUrl })
  await boss.connect()
  const deadline = Date.now() + 10_000
  for (;;) {
    const { rowCount } = await boss.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    )
    if (rowCount) break
    if (Date.now() > deadline) throw new Error('nobody waits for a lock')
  }
  await boss.end()
}
