/** Tasks and their log through the API, over an engine that ticks when the test says so. */
import { MAX_RUN_ATTEMPTS, MAX_TASK_QUEUE } from '@tidegate/contract/limits'
import type { RunRow, TaskRow } from '@tidegate/contract/operations/schedule'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Part } from '../../platform/part.ts'
import { type TaskContext, taskKind } from '../../platform/task.ts'
import { createAdmin, loginAs } from '../../testing/admins.ts'
import { adminToken, call, type Reply, type TestServer, testServer } from '../../testing/app.ts'

const words = { zh: '测试任务', en: 'Test task' }
const TASK = {
  ...{ kind: 'test.work', params: { days: 30 }, cron: '5 4 * * *', description: 'Mine' },
  ...{ timeout: 60, overlap: 'skip', lost: 'retry', status: 1 },
}

let server: TestServer
let token = ''
/** What the next run does. */
let work: (context: TaskContext) => Promise<Record<string, number> | undefined> = async () => undefined

beforeAll(async () => {
  server = await testServer()
  token = await adminToken(server)
  const kind = taskKind({
    ...{ kind: 'test.work', title: words, about: words, cron: '5 4 * * *' },
    params: z.strictObject({ days: z.int().min(1).max(365).default(7) }),
    fields: { days: { zh: '天数', en: 'Days' } },
    run: (_params, context) => work(context),
  })
  const part: Part = { name: 'test', tasks: [kind] }
  ;(server.built.parts as Part[]).push(part)
  await server.built.schedule.ensure()
})
afterAll(() => server.close())
beforeEach(async () => {
  work = async () => undefined
  await query(
    'DELETE FROM task_run; DELETE FROM scheduled_task WHERE NOT builtin; UPDATE scheduled_task SET next_at = NULL WHERE builtin',
  )
})

const query = (text: string) => server.built.context.database.pool.query(text)
const post = (path: string, body: object = {}, lang: 'zh' | 'en' = 'en', as = token) =>
  call(server, `sys/schedule/${path}`, { token: as, body, headers: { lang } })
const info = async (path: string, id: number) =>
  (await call(server, `sys/schedule/${path}/info/${id}`, { method: 'GET', token })).body.data as Record<string, unknown>
const save = async (more: object = {}) => Number((await post('task/save', { ...TASK, ...more })).body.id)
const start = (id: number) => post('task/run', { id })
const runs = async (body: object = {}) =>
  ((await post('log/list', { order: 'asc', ...body })).body.data as { list: RunRow[] }).list
const states = async () => (await runs()).map((run) => run.state)
const tasks = async (body: object) => ((await post('task/list', body)).body.data as { list: TaskRow[] }).list
const errors = (reply: Reply) => [reply.status, reply.body.errors]
/** Lets everything that waits run to its end. */
const workOff = async () => {
  await server.built.schedule.engine.tick()
  await server.built.schedule.engine.idle()
}

describe('a task', () => {
  const NEVER = ['never comes due', '该表达式永远不会到期'] as const
  const WRONG: [field: string, change: object, en: string, zh: string][] = [
    ['params.days', { params: { days: 0 } }, 'must not be less than 1', '不能小于 1'],
    ['params.days', { params: { days: 366 } }, 'must not be greater than 365', '不能大于 365'],
    ['params.days', { params: { days: 'many' } }, 'is not in the right form', '格式不正确'],
    ['params', { params: { weeks: 1 } }, 'is not a known field', '未知字段'],
    ['cron', { cron: '0 0 31 2 *' }, ...NEVER],
    ['cron', { cron: '' }, 'is required', '不能为空'],
    ['timeout', { timeout: 0 }, 'must not be less than 1', '不能小于 1'],
    ['timeout', { timeout: 86_401 }, 'must not be greater than 86400', '不能大于 86400'],
  ]
  it.each(WRONG)('is refused at its field %s: %j', async (path, change, en, zh) => {
    expect(errors(await post('task/save', { ...TASK, ...change }, 'en'))).toEqual([400, [{ path, msg: en }]])
    expect(errors(await post('task/save', { ...TASK, ...change }, 'zh'))).toEqual([400, [{ path, msg: zh }]])
    expect(await tasks({ key: 'Mine' })).toEqual([])
  })

  it.each([
    ['kind', { kind: 'no.such' }],
    ['cron', { cron: '61 * * * *' }],
    ['cron', { cron: '* * * *' }],
    ['overlap', { overlap: 'never' }],
    ['lost', { lost: 'maybe' }],
    ['description', { description: 'x'.repeat(201) }],
  ])('is refused at its field %s for %j', async (path, change) => {
    const reply = await post('task/save', { ...TASK, ...change })
    expect([reply.status, (reply.body.errors as { path: string }[]).map((e) => e.path)]).toEqual([400, [path]])
  })

  it('keeps id, parameters, expression and description, is found by its words, and stays of its kind [S2.39]', async () => {
    const id = await save({ params: {} })
    expect(await info('task', id)).toMatchObject({ ...TASK, id, params: { days: 7 }, builtin: false, title: words })
    await save({ id, description: 'Yours', cron: '*/10 * * * *' })
    expect(await info('task', id)).toMatchObject({
      id,
      params: { days: 30 },
      description: 'Yours',
      cron: '*/10 * * * *',
    })
    for (const [key, count] of [
      ['yours', 1],
      ['test.work', 2],
      ['测试任务', 2],
      ['nothing', 0],
    ] as const)
      expect([key, (await tasks({ key })).length]).toEqual([key, count])
    const other = await post('task/save', { ...TASK, id, kind: 'schedule.retention', params: {} })
    expect([other.status, (other.body.errors as { path: string }[])[0]?.path]).toEqual([400, 'kind'])
  })

  it('that came with the product is paused and changed, not deleted', async () => {
    const [own] = await tasks({ kind: 'schedule.retention' })
    const id = own?.id ?? 0
    expect(own).toMatchObject({ builtin: true })
    const mine = await save()
    const reply = await post('task/delete', { ids: [mine, id] })
    expect(reply.body).toMatchObject({ code: 409, error: 'task_builtin' })
    // All or none.
    expect(await tasks({ key: 'Mine' })).toHaveLength(1)
    expect((await post('task/pause', { ids: [id], status: 0 })).status).toBe(200)
    expect(await info('task', id)).toMatchObject({ status: 0, nextTime: '' })
    expect((await post('task/delete', { ids: [mine] })).status).toBe(200)
    expect(await tasks({ key: 'Mine' })).toEqual([])
  })

  it('is not due while it is paused, and resumes at its next time, not for those that passed', async () => {
    const id = await save({ cron: '* * * * *' })
    await post('task/pause', { ids: [id], status: 0 })
    server.clock.advance(600)
    token = await adminToken(server)
    await workOff()
    expect(await runs()).toEqual([])
    await post('task/pause', { ids: [id], status: 1 })
    const { nextTime } = await info('task', id)
    expect(Date.parse(String(nextTime))).toBeGreaterThan(server.clock.now())
    server.clock.advance(60)
    await workOff()
    expect(await runs()).toMatchObject([{ taskId: id, state: 'done', trigger: 'clock' }])
  })
})

describe('a run', () => {
  it('by hand says who began it, what it came to and how long it took; also of a paused task [S2.39]', async () => {
    work = async ({ say, progress }) => {
      say('looked at 12')
      progress(50)
      server.clock.advance(3)
      return { removed: 12 }
    }
    const id = await save({ status: 0 })
    const run = Number((await start(id)).body.id)
    expect(await info('log', run)).toMatchObject({ state: 'waiting', trigger: 'hand', by: 'admin', duration: null })
    await workOff()
    expect(await info('log', run)).toMatchObject({
      ...{ taskId: id, state: 'done', params: { days: 30 }, result: { removed: 12 }, output: 'looked at 12\n' },
      ...{ duration: 3000, error: '', attempt: 1 },
    })
    expect(await info('task', id)).toMatchObject({ active: 0, last: { id: run, state: 'done' } })
    expect(await runs({ state: 'failed' })).toEqual([])
    expect(await runs({ taskId: id, key: 'ADMIN' })).toHaveLength(1)
  })

  it.each([
    ['skip', 1],
    ['queue', MAX_TASK_QUEUE],
    ['parallel', MAX_TASK_QUEUE],
  ])('is refused as busy where the overlap rule %s leaves no room', async (overlap, room) => {
    const id = await save({ overlap })
    for (let i = 0; i < room; i++) expect((await start(id)).status).toBe(200)
    const refused = await post('task/run', { id }, 'zh')
    expect(refused.body).toMatchObject({ code: 409, error: 'task_busy', msg: '任务正在执行或等待执行' })
    await workOff()
    // Runs of one process begin in turn; what has no place yet waits for the next tick.
    const over = async () => {
      await workOff()
      return states()
    }
    await expect.poll(over, { timeout: 60_000 }).toEqual(Array(room).fill('done'))
    expect((await start(id)).status).toBe(200)
  })

  it('that takes too long is ended by its time, and the staff is told once a day', async () => {
    await call(server, 'sys/notify/channel/save', { token, body: { mail: { to: 'staff@example.net' } } })
    work = ({ signal }) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('heard it'))))
    const id = await save({ timeout: 1 })
    for (let i = 0; i < 2; i++) {
      await start(id)
      await workOff()
    }
    expect(await states()).toEqual(['timeout', 'timeout'])
    expect((await runs())[0]).toMatchObject({ error: 'took longer than 1 s' })
    const { rows } = await query("SELECT address, vars FROM notice WHERE event = 'task_failed'")
    expect(rows).toMatchObject([
      { address: 'staff@example.net', vars: { task: 'Mine', reason: 'took longer than 1 s' } },
    ])
  })

  it('of a worker that was lost is tried again by the task’s rule, so often and not more', async () => {
    const died = async (lost: string) => {
      await query('DELETE FROM task_run')
      const id = await save({ lost })
      await start(id)
      let release = () => {}
      work = () =>
        new Promise((resolve) => {
          release = () => resolve(undefined)
        })
      for (let i = 0; i <= MAX_RUN_ATTEMPTS; i++) {
        await server.built.schedule.engine.tick()
        // Another process's, which has been silent for long; what this one comes to counts no more.
        await query("UPDATE task_run SET runner = 'gone', beat_at = now() - interval '1 hour' WHERE state = 'running'")
        release()
        await server.built.schedule.engine.idle()
      }
      return (await runs()).map(({ state, attempt, trigger }) => `${state} ${attempt} ${trigger}`)
    }
    expect(await died('fail')).toEqual(['lost 1 hand'])
    expect(await died('retry')).toEqual(['lost 1 hand', 'lost 2 retry', 'lost 3 retry'])
  })

  it('is begun by who may, and seen by who may see the log', async () => {
    const id = await save()
    await createAdmin(server, 'looker', ['system:schedule:task'])
    const looker = await loginAs(server, 'looker')
    const status = async (path: string, body: object) => (await post(path, body, 'en', looker)).status
    expect(await status('task/list', {})).toBe(200)
    for (const [path, body] of [
      ['task/run', { id }],
      ['task/save', TASK],
      ['task/pause', { ids: [id], status: 0 }],
      ['task/delete', { ids: [id] }],
      ['log/list', {}],
    ] as const)
      expect([path, await status(path, body)]).toEqual([path, 403])
  })
})
