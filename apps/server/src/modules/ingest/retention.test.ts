import pg from 'pg'
import { expect, it } from 'vitest'
import { batch, counter, servesEverything } from '../../testing/batches.ts'
import { testDatabase } from '../../testing/database.ts'
import { foldCounters } from './fold.ts'
import { createIngest } from './receive.ts'
import { statsRetention } from './retention.ts'

const DAY = 86_400_000

it('keeps minutes 35 days, hours, totals and known losses 400, days for ever, batch ids 30', async () => {
  const database = await testDatabase()
  const pool = new pg.Pool({ connectionString: database.appUrl })
  const now = Date.UTC(2026, 10, 21)
  for (const age of [1, 29, 31, 36, 401]) {
    const then = now - age * DAY
    const one = batch({ counters: [counter(then / 1000, 1, { requests: 1 })], dropped: 1 })
    await createIngest({ ...servesEverything, pool, clock: { now: () => then } })(1, one)
  }
  await foldCounters(pool, 'UTC')
  expect(await statsRetention(pool, now)).toEqual({
    rollup_minute: 2,
    rollup_node: 2,
    rollup_hour: 1,
    rollup_total: 1,
    stats_loss: 1,
    ingest_batch: 3,
  })
  expect((await pool.query('SELECT FROM rollup_day')).rowCount).toBe(5)
  expect((await pool.query('SELECT FROM rollup_minute')).rowCount).toBe(3)
  await pool.end()
  await database.drop()
})
