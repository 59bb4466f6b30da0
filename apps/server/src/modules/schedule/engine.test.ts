import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { MAX_RUN_OUTPUT } from '@tidegate/contract/limits'
import type { TestDatabase } from '@tidegate/testkit/database'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type Database, openDatabase } from '../../platform/db.ts'
import { createLog } from '../../platform/log.ts'
import { type TaskKind, taskKind } from '../../platform/task.ts'
import { type FakeClock, fakeClock } from '../../testing/app.ts'
import { testDatabase } from '../../testing/database.ts'
import { createEngine, type Engine, type EngineDeps } from './engine.ts'

const words = { zh: 'test', en: 'test' }
const START = Date.parse('2026-03-01T00:00:30Z')

/** A promise that the test settles. */
const gate = () => {
  let open: () => void = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open: () => open() }
}

describe('the schedule', () => {
  let database: TestDatabase
  let app: Database
  let clock: FakeClock
  let engines: Engine[]
  let alerts: string[]
  beforeEach(async () => {
    database = await testDatabase()
    app = openDatabase(database.appUrl, () => {})
    clock = fakeClock(START)
    engines = []
    alerts = []
  })
  afterEach(async () => {
    for (const engine of engines) await engine.stop()
    await app.close()
    await database.drop()
  })

  const kindOf = (run: TaskKind['run']) =>
    taskKind({ kind: 'test.work', title: words, about: words, params: z.looseObject({}), cron: '* * * * *', run })
  const engineOf = (run: TaskKind['run'], more: Partial<EngineDeps> = {}) => {
    const engine = createEngine({
      db: app.db,
      clock,
      log: createLog('silent', 'test'),
      kinds: () => [kindOf(run)],
      timeZone: () => 'UTC',
      alert: async (_tx, _run, reason) => void alerts.push(reason),
      ...more,
    })
    engines.push(engine)
    return engine
  }
  const query = async <T>(text: string, values: unknown[] = []): Promise<T[]> =>
    (await app.pool.query(text, values)).rows as T[]
  /** Tasks that are due at `next`. */
  const tasks = (count: number, change: Record<string, string | number> = {}) => {
    const row = {
      overlap: 'skip',
      lost: 'retry',
      timeout: 60,
      cron: '* * * * *',
      next: '2026-03-01T00:00:00Z',
      ...change,
    }
    return query(
      `INSERT INTO scheduled_task (kind, params, cron, enabled, timeout_s, overlap, lost_rule, next_at, time_zone, created_at)
       SELECT 'test.work', jsonb_build_object('n', n), $2, true, $3, $4, $5, $6, 'UTC', now() FROM generate_series(1, $1) n`,
      [count, row.cron, row.timeout, row.overlap, row.lost, row.next],
    )
  }
  const states = async () =>
    (await query<{ state: string }>('SELECT state FROM task_run ORDER BY id')).map((one) => one.state)

  it('runs each of 500 due ticks once, with two runners at once [S2.39]', async () => {
    await tasks(500)
    const seen: unknown[] = []
    const run: TaskKind['run'] = async ({ n }) => void seen.push(n)
    const [a, b] = [engineOf(run), engineOf(run)]
    await Promise.all([a.tick(), b.tick(), a.tick(), b.tick()])
    // What a runner could not claim because the other was at it is claimed at its next tick.
    await Promise.all([a.tick(), b.tick()])
    await Promise.all([a.idle(), b.idle()])
    expect(seen).toHaveLength(500)
    expect(new Set(seen).size).toBe(500)
    expect(new Set(await states())).toEqual(new Set(['done']))
    expect(await query("SELECT FROM scheduled_task WHERE next_at <> '2026-03-01T00:01:00Z'")).toEqual([])
    const runners = await query<{ n: number }>('SELECT count(*) AS n FROM task_run GROUP BY runner')
    expect(runners).toHaveLength(2)
  })

  it('runs what was missed once, and leaves out what is paused', async () => {
    await tasks(1)
    await tasks(1)
    await query('UPDATE scheduled_task SET enabled = false, next_at = NULL WHERE id = 2')
    clock.advance(5 * 3600)
    const engine = engineOf(async () => undefined)
    await engine.tick()
    await engine.tick()
    await engine.idle()
    expect(await query('SELECT task_id, state, due_at FROM task_run')).toEqual([
      { task_id: 1, state: 'done', due_at: new Date('2026-03-01T00:00:00Z') },
    ])
    expect(await query('SELECT next_at FROM scheduled_task WHERE id = 1')).toEqual([
      { next_at: new Date('2026-03-01T05:01:00Z') },
    ])
  })

  it.each([
    { overlap: 'skip', after: ['running', 'skipped', 'skipped'], end: ['done', 'skipped', 'skipped'], most: 1 },
    { overlap: 'queue', after: ['running', 'waiting', 'waiting'], end: ['done', 'done', 'done'], most: 1 },
    { overlap: 'parallel', after: ['running', 'running', 'running'], end: ['done', 'done', 'done'], most: 3 },
  ])('by the overlap rule $overlap', async ({ overlap, after, end, most }) => {
    await tasks(1, { overlap })
    const hold = gate()
    let now = 0
    let peak = 0
    const run: TaskKind['run'] = async () => {
      now += 1
      peak = Math.max(peak, now)
      await hold.opened
      now -= 1
      return undefined
    }
    const [a, b] = [engineOf(run), engineOf(run)]
    for (let i = 0; i < 3; i++) {
      await a.tick()
      await b.tick()
      clock.advance(60)
    }
    expect(await states()).toEqual(after)
    hold.open()
    await a.idle()
    await b.idle()
    expect(await states()).toEqual(end)
    expect(peak).toBe(most)
  })

  it('ends a run that takes too long by its signal, and tells of it', async () => {
    await tasks(1, { timeout: 1 })
    const engine = engineOf(
      (_params, { signal }) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('heard')))),
    )
    await engine.tick()
    await engine.idle()
    expect(await query('SELECT state, error FROM task_run')).toEqual([
      { state: 'timeout', error: 'took longer than 1 s' },
    ])
    expect(alerts).toEqual(['took longer than 1 s'])
  })

  it('marks a run that does not heed its signal', async () => {
    await tasks(1, { timeout: 1 })
    const engine = engineOf(() => new Promise(() => {}), { graceMs: 10 })
    await engine.tick()
    await engine.idle()
    expect(await states()).toEqual(['timeout'])
  })

  it('keeps result, progress and the end of the output, and the error of a failure', async () => {
    await tasks(2)
    const engine = engineOf(async ({ n }, { say, progress }) => {
      if (n === 2) throw new Error('no room')
      say('x'.repeat(MAX_RUN_OUTPUT))
      say('the end')
      progress(140)
      return { removed: 3 }
    })
    await engine.tick()
    await engine.idle()
    const found = await query<{ output: string }>(
      'SELECT state, result, progress, output, error FROM task_run ORDER BY id',
    )
    expect(found).toMatchObject([
      { state: 'done', result: { removed: 3 }, progress: 100, error: '' },
      { state: 'failed', result: {}, progress: null, error: 'no room', output: '' },
    ])
    expect(found[0]?.output).toHaveLength(MAX_RUN_OUTPUT)
    expect(found[0]?.output.endsWith('the end\n')).toBe(true)
    expect(alerts).toEqual(['no room'])
  })

  it('reckons anew when the zone changes, and goes with its days of summer time', async () => {
    clock = fakeClock(Date.parse('2026-03-28T12:00:00Z'))
    await tasks(1, { cron: '30 2 * * *', next: '2026-03-29T02:30:00Z' })
    await tasks(1, { cron: '0 12 L * *', next: '2026-03-31T12:00:00Z' })
    await engineOf(async () => undefined, { timeZone: () => 'Europe/Berlin' }).tick()
    const next = async () =>
      (await query<{ next_at: Date }>('SELECT next_at FROM scheduled_task ORDER BY id')).map((one) =>
        one.next_at.toISOString(),
      )
    // 02:30 does not exist on 29 March in Berlin: it runs when the hour that is left out ends.
    expect(await next()).toEqual(['2026-03-29T01:00:00.000Z', '2026-03-31T10:00:00.000Z'])
    clock.advance(86_400)
    await engineOf(async () => undefined, { timeZone: () => 'Europe/Berlin' }).tick()
    expect((await next())[0]).toBe('2026-03-30T00:30:00.000Z')
  })

  it.each([
    { lost: 'retry', end: ['lost', 'done'], told: [] },
    { lost: 'fail', end: ['lost'], told: ['the process that ran it ended'] },
  ])(
    'sees a worker that was killed in the middle: rule $lost',
    async ({ lost, end, told }) => {
      await tasks(1, { lost, next: new Date(Date.now() - 1000).toISOString() })
      const child = spawn(
        process.execPath,
        ['--import', 'tsx', `${import.meta.dirname}/../../testing/task-worker.ts`],
        {
          env: { ...process.env, DATABASE_URL: database.appUrl, LEASE_MS: '3000' },
          stdio: ['ignore', 'pipe', 'inherit'],
        },
      )
      await once(child.stdout, 'data')
      await query('UPDATE scheduled_task SET next_at = NULL')
      const engine = engineOf(async () => undefined, { leaseMs: 3000 })
      await engine.tick()
      expect(await states()).toEqual(['running'])
      // It beats: it is left alone for longer than the lease.
      const [first] = await query<{ beat_at: Date }>('SELECT beat_at FROM task_run')
      await expect
        .poll(
          async () =>
            (
              await query<{ far: boolean }>(
                `SELECT beat_at > $1::timestamptz + interval '3500 ms' AS far FROM task_run`,
                [first?.beat_at],
              )
            )[0]?.far,
          { timeout: 60_000 },
        )
        .toBe(true)
      await engine.tick()
      expect(await states()).toEqual(['running'])
      child.kill('SIGKILL')
      await once(child, 'exit')
      await expect
        .poll(
          async () => {
            await engine.tick()
            await engine.idle()
            return states()
          },
          { timeout: 60_000 },
        )
        .toEqual(end)
      expect(alerts).toEqual(told)
    },
    150_000,
  )

  it('does not let a runner write into a run that was taken from it', async () => {
    await tasks(1)
    const hold = gate()
    const slow = engineOf(async () => {
      await hold.opened
      return { mine: true }
    })
    await slow.tick()
    await query("UPDATE task_run SET beat_at = now() - interval '1 hour'")
    const other = engineOf(async () => ({ mine: false }))
    await other.tick()
    await other.idle()
    hold.open()
    await slow.idle()
    expect(await query('SELECT state, result, attempt, trigger FROM task_run ORDER BY id')).toEqual([
      { state: 'lost', result: {}, attempt: 1, trigger: 'clock' },
      { state: 'done', result: { mine: false }, attempt: 2, trigger: 'retry' },
    ])
  })

  it('hands a run on when its process is stopped', async () => {
    await tasks(1)
    const begun = gate()
    const first = engineOf(
      (_params, { signal }) =>
        new Promise((_resolve, reject) => {
          begun.open()
          signal.addEventListener('abort', () => reject(new Error('stop')))
        }),
    )
    await first.tick()
    await begun.opened
    await first.stop()
    expect(await states()).toEqual(['lost', 'waiting'])
  })
})
