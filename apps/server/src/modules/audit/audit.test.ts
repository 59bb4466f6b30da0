import { COUNT_CAP } from '@tidegate/contract/limits'
import type { AuditRow } from '@tidegate/contract/operations/audit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAdmin, loginAs } from '../../testing/admins.ts'
import { adminToken, call, type TestServer, testServer } from '../../testing/app.ts'

describe('the log of admins', () => {
  let server: TestServer
  let token: string
  beforeAll(async () => {
    server = await testServer()
    token = await adminToken(server)
  })
  afterAll(() => server.close())

  const list = async (body: Record<string, unknown> = {}) => {
    const reply = await call(server, 'sys/cdn/log/admins', { token, body })
    expect(reply.body).toMatchObject({ code: 1 })
    return reply.body.data as { list: AuditRow[]; totalCount: number; totalPage: number }
  }
  const query = (text: string, values: unknown[] = []) => server.built.context.database.pool.query(text, values)

  it('says who did what, when, from where and by which request', async () => {
    const reply = await call(server, 'sys/login', {
      body: { username: 'admin', password: 'wrong' },
      ip: '203.0.113.9',
      headers: { 'user-agent': 'Browser 1' },
    })
    const { list: rows } = await list()
    expect(rows[0]).toMatchObject({
      action: 'auth.login.failed',
      target: 'admin 1',
      actorKind: 'anonymous',
      ip: '203.0.113.9',
      requestId: reply.body.requestId,
      changed: false,
    })
    expect(rows[1]).toMatchObject({ action: 'auth.login', actorKind: 'admin', actorName: 'admin', actorId: 1 })
    const info = await call(server, `sys/cdn/log/admins/info/${rows[0]?.id}`, { method: 'GET', token })
    expect(info.body.data).toMatchObject({ userAgent: 'Browser 1', before: null, after: null })
    expect((await call(server, 'sys/cdn/log/admins/info/999999', { method: 'GET', token })).status).toBe(404)
  })

  it('gives the state before and after a change', async () => {
    await query(
      `INSERT INTO audit_log (actor_kind, actor_id, actor_name, ip, user_agent, request_id, action, target, before, after)
       VALUES ('admin', 1, 'admin', '192.0.2.1', '', 'request-7', 'node.save', 'node 7', '{"name": "a"}', '{"name": "b"}')`,
    )
    const [row] = (await list({ action: 'node.save' })).list
    expect(row?.changed).toBe(true)
    const info = await call(server, `sys/cdn/log/admins/info/${row?.id}`, { method: 'GET', token })
    expect(info.body.data).toMatchObject({ before: { name: 'a' }, after: { name: 'b' } })
  })

  it('is filtered by action, actor and time, and searched for names, objects, addresses and request ids', async () => {
    await createAdmin(server, 'Second', ['cdn:node:list'])
    await loginAs(server, 'Second')
    const filters = (await call(server, 'sys/cdn/log/admins/filters', { method: 'GET', token })).body.data as {
      actions: string[]
      actors: { id: number; name: string }[]
    }
    expect(filters.actions).toEqual(expect.arrayContaining(['auth.login', 'auth.login.failed', 'node.save']))
    expect(filters.actors.map((a) => a.name)).toEqual(['Second', 'admin'])
    const second = filters.actors.find((a) => a.name === 'Second')
    expect((await list({ actorId: second?.id })).list.map((r) => r.action)).toEqual(['auth.login'])
    for (const key of ['node 7', '192.0.2', 'REQUEST-7', 'second'])
      expect([key, (await list({ key })).totalCount]).toEqual([key, 1])
    expect((await list({ key: '%' })).totalCount).toBe(0)
    const future = new Date(Date.now() + 3_600_000).toISOString()
    expect((await list({ from: future })).totalCount).toBe(0)
    expect((await list({ to: future })).totalCount).toBeGreaterThan(3)
    const bad = await call(server, 'sys/cdn/log/admins', { token, body: { from: 'yesterday' } })
    expect(bad.body).toMatchObject({ code: 400, errors: [{ path: 'from' }] })
  })

  it('leaves out what customers did', async () => {
    await query(
      `INSERT INTO audit_log (actor_kind, actor_id, actor_name, ip, user_agent, request_id, action, target)
       VALUES ('user', 5, 'customer', '', '', '', 'user.only', 'user 5')`,
    )
    expect((await list({ key: 'customer' })).totalCount).toBe(0)
    const filters = await call(server, 'sys/cdn/log/admins/filters', { method: 'GET', token })
    expect(JSON.stringify(filters.body.data)).not.toMatch(/customer|user\.only/)
  })

  it('counts up to the cap, and pages on newest first', async () => {
    await query(
      `INSERT INTO audit_log (created_at, actor_kind, actor_id, actor_name, ip, user_agent, request_id, action, target)
       SELECT now() - interval '1 day' - i * interval '1 second', 'admin', 1, 'admin', '', '', '', 'site.save', 'site ' || i
       FROM generate_series(1, 12000) i`,
    )
    const first = await list({ action: 'site.save', limit: 10 })
    expect(first.totalCount).toBe(COUNT_CAP)
    expect(first.list.map((r) => r.target)).toEqual(Array.from({ length: 10 }, (_, i) => `site ${i + 1}`))
    const third = await list({ action: 'site.save', limit: 10, page: 3, key: 'admin' })
    expect(third.list[0]?.target).toBe('site 21')
    expect((await list({ action: 'site.save', order: 'asc', limit: 10 })).list[0]?.target).toBe('site 12000')
  })

  it('cannot be changed or deleted', async () => {
    for (const text of ['UPDATE audit_log SET actor_name = $$x$$', 'DELETE FROM audit_log'])
      await expect(query(text)).rejects.toThrow(/permission denied|append-only/)
  })
})
