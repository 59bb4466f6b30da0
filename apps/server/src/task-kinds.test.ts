import { afterAll, beforeAll, expect, it } from 'vitest'
import { adminToken, call, type TestServer, testServer } from './testing/app.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer()
})
afterAll(() => server.close())

interface Kind {
  kind: string
  title: { zh: string; en: string }
  about: { zh: string; en: string }
  params: Record<string, unknown>
  fields: { name: string; title: { zh: string; en: string } }[]
}

/** What the product must do by the clock, and the parameters that each can be set by. */
const KINDS: readonly [what: string, kind: string, params: readonly string[]][] = [
  ['expiry notices', 'cert.expiry', ['days']],
  ['certificate renewal', 'cert.renew', ['share', 'minDays', 'perRun']],
  ['backup', 'backup.make', ['keep', 'keepDays', 'keepSafety']],
  ['clean-up of the log of notices', 'notify.retention', ['days']],
  ['clean-up of the log of tasks', 'schedule.retention', ['days']],
  ['clean-up of figures and raw lines', 'stats.retention', ['minute', 'hour', 'total', 'raw', 'batch']],
  ['rollups', 'stats.rollup', ['batches']],
  ['reconciliation', 'usage.reconcile', ['days', 'tolerance', 'worst', 'repair']],
]

it.each(KINDS)('has %s as a kind of task, %s, with the schema of its parameters', async (_what, kind, params) => {
  const token = await adminToken(server)
  const { body } = await call(server, 'sys/schedule/task/kinds', { method: 'GET', token })
  const found = (body.data as Kind[]).find((one) => one.kind === kind)
  expect(found?.fields.map(({ name }) => name)).toEqual(params)
  expect(Object.keys(found?.params ?? {})).toEqual(params)
  for (const words of [found?.title, found?.about, ...(found?.fields ?? []).map(({ title }) => title)])
    expect([words?.zh, words?.en]).not.toContain('')
})
