import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { TestDatabase } from '@tidegate/testkit/database'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { testDatabase } from '../testing/database.ts'
import { type Database, openDatabase } from './db.ts'
import { addJob, type JobDefinition, startJobs } from './jobs.ts'
import { createLog } from './log.ts'
import { migrate } from './migrate.ts'

const log = createLog('silent', 'test')

describe('jobs', () => {
  let database: TestDatabase
  let app: Database
  beforeEach(async () => {
    database = await testDatabase()
    app = openDatabase(database.appUrl, () => {})
  })
  afterEach(async () => {
    await app.close()
    await database.drop()
  })
  const collect = (): { seen: unknown[]; job: JobDefinition } => {
    const seen: unknown[] = []
    return { seen, job: { name: 'test.job', run: async (payload) => void seen.push(payload) } }
  }

  it('exist only if their transaction commits, and run with the runtime role’s rights', async () => {
    const { seen, job } = collect()
    await app.db.transaction((tx) => addJob(tx, 'test.job', { n: 1 }))
    await expect(
      app.db.transaction(async (tx) => {
        await addJob(tx, 'test.job', { n: 2 })
        throw new Error('rolled back')
      }),
    ).rejects.toThrow('rolled back')
    const runner = await startJobs({ url: database.appUrl, jobs: [job], log })
    await app.db.transaction((tx) => addJob(tx, 'test.job', { n: 3 }))
    await expect.poll(() => seen.length, { timeout: 10_000 }).toBe(2)
    await runner.stop()
    expect(seen).toEqual(expect.arrayContaining([{ n: 1 }, { n: 3 }]))
  })

  it('of a process that was killed are run by another, not of one that lives', async () => {
    await addJob(app.db, 'test.slow', {})
    const child = spawn(process.execPath, ['--import', 'tsx', `${import.meta.dirname}/../testing/slow-worker.ts`], {
      env: { ...process.env, DATABASE_URL: database.appUrl },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(child.stdout, 'data')
    const ran: number[] = []
    const job: JobDefinition = { name: 'test.slow', run: async () => void ran.push(Date.now()) }
    const runner = await startJobs({ url: database.appUrl, jobs: [job], log, reapEvery: 200 })
    // Old enough to be looked at: it stays locked as long as its worker lives.
    await app.pool.query(`UPDATE graphile_worker._private_jobs SET locked_at = now() - interval '1 minute'`)
    await app.pool.query('SELECT pg_sleep(1)')
    expect(ran).toEqual([])
    const killed = Date.now()
    child.kill('SIGKILL')
    await expect.poll(() => ran.length, { timeout: 15_000 }).toBe(1)
    expect((ran[0] ?? 0) - killed).toBeLessThan(10_000)
    await runner.stop()
  })
})

describe('migrations', () => {
  it('refuse a database that is newer than the release, or whose past was edited', async () => {
    const database = await testDatabase()
    const owner = openDatabase(database.ownerUrl, () => {})
    const dir = `${import.meta.dirname}/../../migrations`
    expect(await migrate(database.ownerUrl, dir)).toEqual([])
    await owner.pool.query("INSERT INTO schema_migration (name, hash) VALUES ('9999_later.sql', 'x')")
    await expect(migrate(database.ownerUrl, dir)).rejects.toThrow(
      'newer than this release: it has migration 9999_later.sql',
    )
    await owner.pool.query("DELETE FROM schema_migration WHERE name = '9999_later.sql'")
    await owner.pool.query("UPDATE schema_migration SET hash = 'x' WHERE name = '0001_base.sql'")
    await expect(migrate(database.ownerUrl, dir)).rejects.toThrow('0001_base.sql was edited')
    await owner.close()
    await database.drop()
  })
})
