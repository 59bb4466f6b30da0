import { readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { EXPORT_KEEP_HOURS, EXPORT_MAX_ACTIVE } from '@tidegate/contract/limits'
import { operationById } from '@tidegate/contract/operations/index'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAdmin, loginAs } from '../../testing/admins.ts'
import { adminToken, call, type TestServer, testServer } from '../../testing/app.ts'

const MAX = 450

describe('exports', () => {
  let server: TestServer
  let token: string
  const job = (name: string, payload: unknown = {}) =>
    server.built.parts
      .flatMap((part) => part.jobs ?? [])
      .find((one) => one.name === name)
      ?.run(payload)
  const query = (text: string, values: unknown[] = []) => server.built.context.database.pool.query(text, values)
  const start = (body: Record<string, unknown>, as = token, lang = 'en') =>
    call(server, 'sys/export/start', { token: as, body, headers: { lang } })
  const info = async (id: number, as = token) =>
    (await call(server, `sys/export/info/${id}`, { method: 'GET', token: as })).body.data as Record<string, unknown>
  const fetchFile = (id: number, as = token) => call(server, `sys/export/download/${id}`, { token: as })
  /** Starts, runs and fetches: the lines without their ends. */
  const made = async (body: Record<string, unknown>, as = token, lang = 'en') => {
    const id = Number((await start(body, as, lang)).body.id)
    await job('export.run', { id })
    const reply = await fetchFile(id, as)
    expect([reply.status, reply.body.errors]).toEqual([200, undefined])
    return { id, reply, lines: String(reply.body.text).split('\r\n').slice(0, -1) }
  }
  const logRows = (action: string, n: number) =>
    query(
      `INSERT INTO audit_log (created_at, actor_kind, actor_id, actor_name, ip, user_agent, request_id, action, target)
       SELECT now() - interval '1 day' - i * interval '1 second', 'admin', 1, 'admin', '', '', '', $1, 'site ' || i
       FROM generate_series(1, $2::int) i`,
      [action, n],
    )

  beforeAll(async () => {
    server = await testServer({}, { exportMaxRows: MAX })
    token = await adminToken(server)
    await logRows('walk.long', MAX - 30)
    await logRows('walk.longer', MAX + 30)
  })
  afterAll(() => server.close())

  it('write the whole list of many pages, each row once and in the list’s order, with a mark for UTF-8', async () => {
    const { id, reply, lines } = await made({ list: 'audit.list', query: { action: 'walk.long', order: 'asc' } })
    expect(lines[0]).toBe('\u{FEFF}Id,Time,Kind of actor,Who,What,On what,From,Request')
    const targets = lines.slice(1).map((line) => line.split(',')[5])
    expect(targets).toEqual(Array.from({ length: MAX - 30 }, (_, i) => `site ${MAX - 30 - i}`))
    expect(reply.headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(reply.headers['content-disposition']).toMatch(/^attachment; filename="admin-log-\d{8}-\d{4}\.csv"/)
    expect(await info(id)).toMatchObject({ state: 'done', rows: MAX - 30, cut: false, error: '' })
    const path = join(server.dataDir, 'exports', `${id}.csv`)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect((await stat(path)).size).toBe(Number(reply.headers['content-length']))
  })

  it('stop at the most rows that a file may have, and say so', async () => {
    const { id, lines } = await made({ list: 'audit.list', query: { action: 'walk.longer' } })
    expect(lines).toHaveLength(MAX + 1)
    expect(await info(id)).toMatchObject({ rows: MAX, cut: true })
  })

  it('have the columns asked for, titles in the caller’s language, times in the installation’s zone [S9.11]', async () => {
    await query(
      `INSERT INTO audit_log (created_at, actor_kind, actor_id, actor_name, ip, user_agent, request_id, action, target)
       VALUES ('2026-03-01T20:03:04Z', 'admin', 1, '=cmd()', '', '', '', 'walk.zone', 'a "b", c')`,
    )
    const body = { list: 'audit.list', query: { action: 'walk.zone' }, columns: ['target', 'time', 'actorName'] }
    expect((await made(body, token, 'zh')).lines).toEqual([
      '\u{FEFF}对象,时间,操作者',
      `"a ""b"", c",2026-03-02 04:03:04,'=cmd()`,
    ])
  })

  it('are there for sites, nodes, customers, the logs of admins and customers, admins and roles', async () => {
    const lists = server.built.parts.flatMap((part) => part.exports ?? []).map((one) => one.list)
    for (const list of [
      'site.list',
      'node.list',
      'customer.list',
      'audit.list',
      'userLog.list',
      'admin.list',
      'role.list',
    ] as const) {
      expect(lists).toContain(list)
      const { lines } = await made({ list })
      const listed = await call(server, operationById(list).path, { token, body: { limit: 200 } })
      const total = (listed.body.data as { totalCount: number }).totalCount
      expect([list, lines.length - 1]).toEqual([list, Math.min(total, MAX)])
    }
  })

  it('name the field that is wrong', async () => {
    const fields = async (body: Record<string, unknown>) =>
      ((await start(body)).body.errors as { path: string }[]).map((e) => e.path)
    expect(await fields({ list: 'cert.delete' })).toEqual(['list'])
    expect(await fields({ list: 'audit.list', query: { from: 'yesterday' } })).toEqual(['query.from'])
    expect(await fields({ list: 'audit.list', columns: ['time', 'password'] })).toEqual(['columns.1'])
  })

  it('need the list’s permission at the start and once more at the download, and are nobody else’s', async () => {
    await createAdmin(server, 'reader', ['cdn:log:admins'])
    await createAdmin(server, 'other', ['cdn:log:admins'])
    const [reader, other] = [await loginAs(server, 'reader'), await loginAs(server, 'other')]
    expect((await start({ list: 'role.list' }, reader)).body).toMatchObject({ code: 403, error: 'forbidden' })
    const { id } = await made({ list: 'audit.list', query: { action: 'walk.zone' } }, reader)
    expect((await fetchFile(id, other)).body).toMatchObject({ code: 404 })
    expect(await info(id, other)).toBeUndefined()
    const mine = await call(server, 'sys/export/list', { token: reader })
    expect((mine.body.data as { list: unknown[] }).list).toHaveLength(1)
    await query(`DELETE FROM role_permission WHERE role_id = (SELECT id FROM role WHERE name = 'role of reader')`)
    expect((await fetchFile(id, reader)).body).toMatchObject({ code: 403, error: 'forbidden' })
  })

  it('see what the caller may see: an account’s own mark and reach are those of who asked', async () => {
    await createAdmin(server, 'looker', ['account:role:list'])
    const { id } = await made({ list: 'role.list' }, await loginAs(server, 'looker'))
    const { rows } = await query('SELECT caller FROM export_job WHERE id = $1', [id])
    expect(rows[0]).toMatchObject({ caller: { name: 'looker', superAdmin: false, permissions: ['account:role:list'] } })
  })

  it('wait their turn: an account may have a few under way, and each can be fetched only when it is whole', async () => {
    const ids: number[] = []
    for (let i = 0; i < EXPORT_MAX_ACTIVE; i++) ids.push(Number((await start({ list: 'role.list' })).body.id))
    expect((await start({ list: 'role.list' })).body).toMatchObject({ code: 409, error: 'export_busy' })
    expect((await fetchFile(ids[0] ?? 0)).body).toMatchObject({ code: 409, error: 'export_unready' })
    for (const id of ids) await job('export.run', { id })
    expect((await start({ list: 'role.list' })).status).toBe(200)
  })

  it('begin anew when their worker died, and say why they failed', async () => {
    const { id } = (await start({ list: 'role.list' })).body as { id: number }
    await query(`UPDATE export_job SET state = 'running', row_count = 77 WHERE id = $1`, [id])
    await job('export.run', { id })
    expect(await info(id)).toMatchObject({ state: 'done' })
    const bad = Number((await start({ list: 'role.list' })).body.id)
    await query(`UPDATE export_job SET query = '{"sidx": 7}' WHERE id = $1`, [bad])
    await job('export.run', { id: bad })
    expect(await info(bad)).toMatchObject({ state: 'failed', error: 'Internal server error' })
    expect(await readdir(join(server.dataDir, 'exports'))).not.toContain(`${bad}.csv.part`)
  })

  it('are refused, and given up, while the disk is short of room', async () => {
    const { disk } = server.built.context
    const real = disk.state
    const id = Number((await start({ list: 'role.list' })).body.id)
    disk.state = () => ({ ...real(), low: true })
    expect((await start({ list: 'role.list' })).body).toMatchObject({ code: 503, error: 'low_disk' })
    await job('export.run', { id })
    disk.state = real
    expect(await info(id)).toMatchObject({ state: 'failed' })
    expect(String((await info(id)).error)).toMatch(/disk/)
  })

  it('leave a trace of start and download', async () => {
    const { id } = await made({ list: 'role.list' })
    const { rows } = await query(`SELECT action FROM audit_log WHERE target = $1 ORDER BY id`, [`export ${id}`])
    expect(rows.map((row) => row.action)).toEqual(['export.start', 'export.download'])
  })

  it('are gone after a day, file and row, with what a crash left behind', async () => {
    const { id } = await made({ list: 'role.list' })
    const dir = join(server.dataDir, 'exports')
    await writeFile(join(dir, '999999.csv.part'), 'x')
    server.clock.advance(EXPORT_KEEP_HOURS * 3600)
    token = await adminToken(server)
    expect((await fetchFile(id)).body).toMatchObject({ code: 404 })
    const clean = server.built.parts.flatMap((part) => part.tasks ?? []).find((one) => one.kind === 'export.retention')
    await clean?.run({}, { signal: AbortSignal.timeout(60_000), say: () => {}, progress: () => {} })
    expect(await readdir(dir)).toEqual([])
    expect((await query('SELECT id FROM export_job WHERE id = $1', [id])).rows).toEqual([])
  })
})
