import { operations } from '@tidegate/contract/operations/index'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAdmin, loginAs } from '../../testing/admins.ts'
import { adminToken, call, type TestServer, testServer } from '../../testing/app.ts'
import { createCustomer } from '../../testing/customers.ts'

type Json = Record<string, unknown>

describe('API keys', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await testServer()
    await createAdmin(server, 'programmer', [
      'cdn:account:apikey',
      'cdn:site:list',
      'account:role:list',
      'account:role:save',
      'account:users:admins',
    ])
  })
  afterAll(() => server.close())

  const sql = (text: string, values: unknown[] = []) => server.built.context.database.pool.query(text, values)
  const post = (path: string, token: string, body: Json = {}, ip = '127.0.0.1') =>
    call(server, path, { body, token, ip })
  const make = async (token: string, body: Json) => {
    const reply = await post('app/apikey/save', token, { name: 'build', ...body })
    expect([reply.status, reply.body.errors]).toEqual([200, undefined])
    return { id: Number(reply.body.id), key: String(reply.body.key) }
  }
  const list = async (token: string) =>
    (await post('app/apikey/list', token)).body.data as {
      list: Json[]
      scopes: { value: string; name: Json; title: Json }[]
    }

  it('open just what their scopes name, as their owner with their name in the log [N14]', async () => {
    const token = await loginAs(server, 'programmer')
    const { key } = await make(token, { scopes: ['cdn:site:list', 'account:role:save'] })
    expect(key).toMatch(/^tgk_[\w-]{43}$/)
    expect((await post('sys/cdn/site/list', key)).status).toBe(200)
    expect((await post('sys/user/list', key)).body).toMatchObject({ code: 403, error: 'forbidden' })
    const saved = await post('sys/role/save', key, { name: 'keyed' })
    expect(saved.status).toBe(200)
    const { rows } = await sql(`SELECT actor_name, actor_kind FROM audit_log WHERE action = 'role.save'`)
    expect(rows).toEqual([{ actor_name: 'programmer [build]', actor_kind: 'admin' }])
  })

  it('reach nothing that is the owner’s alone, and of what every login may only reading', async () => {
    const root = await adminToken(server)
    const { permissions } = (await call(server, 'sys/user/info', { method: 'GET', token: root })).body.user as {
      permissions: string[]
    }
    const { key } = await make(root, { scopes: permissions })
    const customer = await createCustomer(server, 'keyed.one')
    const own = await make(customer.token, { scopes: ['cdn:account:apikey'] })
    const closed = operations.filter(
      (op) => op.ownOnly || (op.permission === 'login' && op.effect === 'write' && !op.byKey),
    )
    expect(closed.map((op) => op.id)).toEqual(
      expect.arrayContaining(['apikey.save', 'admin.password', 'account.password', 'security.totp', 'auth.logout']),
    )
    for (const op of closed) {
      const path = op.path.replace(/\{\w+\}/g, '1')
      const used = op.audience === 'user' ? own.key : key
      const reply = await call(server, path, { method: op.method, token: used })
      expect([op.id, reply.status]).toEqual([op.id, 403])
    }
    expect((await call(server, 'sys/menu/nav', { method: 'GET', token: key })).status).toBe(200)
  })

  it('are offered permissions by the names that the roles’ screen has, a customer’s too', async () => {
    const root = await adminToken(server)
    const { menuList } = (await call(server, 'sys/menu/allPerms', { method: 'GET', token: root })).body as {
      menuList: { permissions: { value: string; name: Json }[] }[]
    }
    const names = new Map(menuList.flatMap(({ permissions }) => permissions.map((p) => [p.value, p.name])))
    const { scopes } = await list(root)
    expect(scopes.length).toBeGreaterThan(20)
    expect(scopes.map(({ value, name }) => [value, name])).toEqual(scopes.map(({ value }) => [value, names.get(value)]))
    const customers = (await list((await createCustomer(server, 'reads.names')).token)).scopes
    expect(customers.find((s) => s.value === 'cdn:site:save')?.name).toEqual(names.get('cdn:site:save'))
    // On one screen no two permissions have the same name.
    const shown = customers.map(({ name, title }) => JSON.stringify([title, name]))
    expect(new Set(shown).size).toBe(shown.length)
  })

  it('save lists as files, those whose permission they have', async () => {
    const token = await loginAs(server, 'programmer')
    const { key } = await make(token, { scopes: ['cdn:site:list'] })
    const run = server.built.parts.flatMap((part) => part.jobs ?? []).find((job) => job.name === 'export.run')?.run
    const made = async (who: string, list: string) => {
      const { id } = (await post('sys/export/start', who, { list })).body
      await run?.({ id })
      return id
    }
    const file = await post(`sys/export/download/${await made(key, 'site.list')}`, key)
    expect([file.status, file.headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8'])
    expect((await post('sys/export/start', key, { list: 'role.list' })).body.error).toBe('forbidden')
    // Nor is a file of such a list the key's that its owner has made.
    expect((await post(`sys/export/download/${await made(token, 'role.list')}`, key)).body.error).toBe('forbidden')
  })

  it('cannot be given more than the owner has, and lose what the owner loses', async () => {
    const token = await loginAs(server, 'programmer')
    const beyond = await post('app/apikey/save', token, { name: 'x', scopes: ['cdn:site:list', 'account:role:delete'] })
    expect(beyond.body.errors).toEqual([{ path: 'scopes.1', msg: 'is not a permission of yours: account:role:delete' }])
    const { key } = await make(token, { name: 'fading', scopes: ['account:users:admins'] })
    expect((await post('sys/user/list', key)).status).toBe(200)
    await sql(`DELETE FROM role_permission WHERE permission = 'account:users:admins'`)
    expect((await post('sys/user/list', key)).status).toBe(403)
    await sql(`UPDATE admin SET enabled = false WHERE username = 'programmer'`)
    expect((await post('sys/user/list', key)).status).toBe(401)
    await sql(`UPDATE admin SET enabled = true WHERE username = 'programmer'`)
  })

  it('are good from their addresses and the account’s only, until they expire, are switched off or deleted', async () => {
    const { id, token } = await createCustomer(server, 'bounded.one')
    const at = (key: string, ip = '127.0.0.1') =>
      call(server, '/api/sys/menu/nav', { method: 'GET', token: key, ip }).then((r) => r.status)
    const scopes = ['cdn:account:apikey']
    const walled = await make(token, { scopes, allowedIps: ['192.0.2.0/24'] })
    expect(await at(walled.key)).toBe(401)
    expect(await at(walled.key, '192.0.2.9')).toBe(200)
    await sql(`UPDATE customer SET white_ip_status = 1, white_ips = '{127.0.0.1}' WHERE id = $1`, [id])
    expect(await at(walled.key, '192.0.2.9')).toBe(401)
    await sql('UPDATE customer SET white_ip_status = 0 WHERE id = $1', [id])

    const expireTime = new Date(server.clock.now() + 60_000).toISOString()
    const brief = await make(token, { scopes, expireTime })
    expect(await at(brief.key)).toBe(200)
    server.clock.advance(61)
    expect(await at(brief.key)).toBe(401)
    const past = await post('app/apikey/save', token, { name: 'x', scopes, expireTime })
    expect(past.body.errors).toEqual([{ path: 'expireTime', msg: 'must be later than now' }])

    const plain = await make(token, { name: 'plain', scopes })
    await post('app/apikey/enable', token, { id: plain.id, enabled: false })
    expect(await at(plain.key)).toBe(401)
    await post('app/apikey/enable', token, { id: plain.id, enabled: true })
    expect(await at(plain.key)).toBe(200)
    const renamed = await post('app/apikey/save', token, { id: plain.id, name: 'renamed', scopes })
    expect(renamed.body).not.toHaveProperty('key')
    expect((await list(token)).list.find((k) => k.id === plain.id)).toMatchObject({
      name: 'renamed',
      hint: plain.key.slice(0, 10),
      lastUseIp: '127.0.0.1',
      lastUse: new Date(server.clock.now()).toISOString(),
    })
    await post('app/apikey/delete', token, { ids: [plain.id] })
    expect(await at(plain.key)).toBe(401)
  })

  it('of others are neither seen nor touched, and stand nowhere as they are', async () => {
    const one = await createCustomer(server, 'holder.one')
    const two = await createCustomer(server, 'holder.two')
    const { id, key } = await make(one.token, { scopes: ['cdn:account:apikey'] })
    expect((await list(two.token)).list).toEqual([])
    for (const [path, body] of [
      ['save', { id, name: 'mine', scopes: ['cdn:account:apikey'] }],
      ['enable', { id, enabled: false }],
      ['delete', { ids: [id] }],
    ] as const)
      expect((await post(`app/apikey/${path}`, two.token, body)).body).toMatchObject({ error: 'not_found' })
    const { rows } = await sql('SELECT k::text AS t FROM api_key k')
    expect(JSON.stringify(rows)).not.toContain(key)
    expect(server.logged()).not.toContain(key)
    for (const forged of ['tgk_', `tgk_${'A'.repeat(43)}`, `${key}x`, key.slice(0, -1)])
      expect((await call(server, '/api/sys/menu/nav', { method: 'GET', token: forged })).status).toBe(401)
  })
})
