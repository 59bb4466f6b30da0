/** The two logs of the staff's consoles: what their screens need of the server is the same for both. */
import type { AuditRow } from '@tidegate/contract/operations/audit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { adminToken, call, type TestServer, testServer } from '../../testing/app.ts'

const ROWS = 25
const LOGS = [
  { name: 'admins', kind: 'admin', list: 'audit.list', other: 'users' },
  { name: 'users', kind: 'user', list: 'userLog.list', other: 'admins' },
] as const

describe('a log of the staff’s consoles', () => {
  let server: TestServer
  let token: string
  beforeAll(async () => {
    server = await testServer()
    token = await adminToken(server)
    for (const { kind } of LOGS)
      await server.built.context.database.pool.query(
        `INSERT INTO audit_log (created_at, actor_kind, actor_id, actor_name, ip, user_agent, request_id, action, target, before, after)
         SELECT timestamptz '2026-03-02 00:00:00Z' - i * interval '1 hour', $1, 5, $1 || '-' || i, '198.51.100.' || i, 'Browser ' || i,
           'request-' || i, CASE WHEN i % 5 = 0 THEN 'site.delete' ELSE 'site.save' END, 'site ' || i, '{"name": "a"}', '{"name": "b"}'
         FROM generate_series(1, $2::int) i`,
        [kind, ROWS],
      )
  })
  afterAll(() => server.close())

  it.each(LOGS)(
    'of $name is listed, searched, filtered, paged, opened and saved as CSV; the log of $other is another [S2.35]',
    async ({ name, kind, list: id, other }) => {
      const path = `sys/cdn/log/${name}`
      const list = async (body: object) => {
        const reply = await call(server, path, {
          token,
          body: { from: '2026-02-01T00:00:00Z', to: '2026-03-02T00:00:00Z', ...body },
        })
        expect(reply.body).toMatchObject({ code: 1 })
        return reply.body.data as { list: AuditRow[]; totalCount: number; currPage: number; totalPage: number }
      }
      const whole = await list({ limit: 100 })
      expect(whole.list.map((r) => r.actorName)).toEqual(Array.from({ length: ROWS }, (_, i) => `${kind}-${i + 1}`))
      const [first] = whole.list
      expect(first).toMatchObject({ actorKind: kind, ip: '198.51.100.1', requestId: 'request-1', action: 'site.save' })
      expect(first).toMatchObject({ target: 'site 1', changed: true, time: '2026-03-01T23:00:00.000Z' })

      const second = await list({ limit: 10, page: 2 })
      expect(second).toMatchObject({ totalCount: ROWS, currPage: 2, totalPage: 3 })
      expect(second.list.map((r) => r.target)).toEqual(Array.from({ length: 10 }, (_, i) => `site ${i + 11}`))
      expect((await list({ sidx: 'time', order: 'asc', limit: 10 })).list[0]?.target).toBe(`site ${ROWS}`)

      for (const key of [`${kind}-25`.toUpperCase(), 'site 25', '198.51.100.25', 'request-25'])
        expect([key, (await list({ key })).list.map((r) => r.target)]).toEqual([key, ['site 25']])
      expect((await list({ action: 'site.delete' })).totalCount).toBe(ROWS / 5)
      const span = { from: '2026-03-01T20:00:00Z', to: '2026-03-01T22:00:00Z' }
      expect((await list(span)).list.map((r) => r.target)).toEqual(['site 3', 'site 4'])
      const filters = (await call(server, `${path}/filters`, { method: 'GET', token })).body.data as {
        actions: string[]
      }
      expect(filters.actions).toEqual(expect.arrayContaining(['site.delete', 'site.save']))

      const info = (base: string) => call(server, `sys/cdn/log/${base}/info/${first?.id}`, { method: 'GET', token })
      const detail = { userAgent: 'Browser 1', before: { name: 'a' }, after: { name: 'b' } }
      expect((await info(name)).body.data).toMatchObject({ ...first, ...detail })
      expect((await info(other)).status).toBe(404)

      const started = await call(server, 'sys/export/start', {
        token,
        body: { list: id, query: { action: 'site.delete', ...span, from: '2026-02-01T00:00:00Z' } },
      })
      const job = server.built.parts.flatMap((part) => part.jobs ?? []).find((one) => one.name === 'export.run')
      await job?.run({ id: started.body.id })
      const file = await call(server, `sys/export/download/${String(started.body.id)}`, { token })
      expect(file.headers['content-type']).toBe('text/csv; charset=utf-8')
      const lines = String(file.body.text).split('\r\n').slice(1, -1)
      expect(lines).toHaveLength(ROWS / 5)
      expect(lines[0]).toContain(`${kind}-5`)
    },
  )
})
