import type { AdminRow } from '@tidegate/contract/operations/admin'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAdmin, loginAs } from '../../testing/admins.ts'
import { ADMIN_PASSWORD, adminToken, call, type TestServer, testServer } from '../../testing/app.ts'

const MANAGE = [
  'account:users:admins',
  'account:users:admins:save',
  'account:users:admins:delete',
  'account:users:admins:password',
]
const ROLES = ['account:role:list', 'account:role:save', 'account:role:delete']
const SUPER = 1

describe('accounts of administrators', () => {
  let server: TestServer
  let root: string
  beforeAll(async () => {
    server = await testServer()
    root = await adminToken(server)
  })
  afterAll(() => server.close())

  const post = (path: string, body: unknown, token = root) => call(server, path, { token, body })
  const list = async (body: object = {}, token = root) =>
    ((await post('sys/user/list', { limit: 200, ...body }, token)).body.data as { list: AdminRow[] }).list
  const named = async (username: string) => (await list()).find((a) => a.username === username)
  const role = async (name: string, permissions: readonly string[]) =>
    Number((await post('sys/role/save', { name, permissions })).body.id)
  const add = async (username: string, fields: object = {}) =>
    Number((await post('sys/user/save', { username, password: ADMIN_PASSWORD, ...fields })).body.id)
  const alive = async (token: string) => (await call(server, 'sys/user/info', { method: 'GET', token })).status === 200
  const error = async (path: string, body: unknown, token = root) => (await post(path, body, token)).body.error

  it('are made with roles, listed with their last login, found by name, state and role', async () => {
    const purger = await role('purger', ['cdn:cache:list'])
    const id = await add('Purger.1', { roleIds: [purger], unvalidModel: ['/cdn/site/list'] })
    expect(await named('Purger.1')).toMatchObject({ id, enabled: true, lastLogin: '', roles: [{ name: 'purger' }] })
    await loginAs(server, 'purger.1')
    const row = await named('Purger.1')
    expect(Date.parse(row?.lastLogin ?? '')).toBeGreaterThan(0)
    expect(row).toMatchObject({
      lastLoginIp: '127.0.0.1',
      unvalidModel: ['/cdn/site/list'],
      manageable: true,
      own: false,
    })
    expect((await list({ key: 'PURGER' })).map((a) => a.username)).toEqual(['Purger.1'])
    expect((await list({ roleId: purger })).map((a) => a.username)).toEqual(['Purger.1'])
    expect((await list({ enabled: false })).length).toBe(0)
    const options = (await call(server, 'sys/user/options', { method: 'GET', token: root })).body.data
    expect(options).toMatchObject({
      roles: expect.arrayContaining([expect.objectContaining({ name: 'purger', grantable: true })]),
    })
    expect(JSON.stringify(options)).toContain('/account/users/admins')
  })

  it.each([
    ['abc', 'username'],
    ['a'.repeat(33), 'username'],
    ['with space', 'username'],
    ['名字名字', 'username'],
  ])('refuses the name %s', async (username, path) => {
    const reply = await post('sys/user/save', { username, password: 'good-1' })
    expect(reply.body).toMatchObject({ code: 400, errors: [{ path }] })
  })

  it.each(['abc', 'x'.repeat(33), '密码密码'])('refuses the password %s', async (password) => {
    const reply = await post('sys/user/save', { username: 'fine-name', password })
    expect(reply.body).toMatchObject({ code: 400, errors: [{ path: 'password' }] })
    const reset = await post('sys/user/password/reset', { id: 5, newPassword: password })
    expect(reset.body).toMatchObject({ code: 400, errors: [{ path: 'newPassword' }] })
  })

  it('refuses a name that exists in whatever case, a role and a screen that do not', async () => {
    expect((await post('sys/user/save', { username: 'ADMIN', password: 'good-1' })).body).toMatchObject({
      errors: [{ path: 'username', msg: 'is in use already: ADMIN' }],
    })
    for (const [fields, path] of [
      [{ roleIds: [999] }, 'roleIds.0'],
      [{ unvalidModel: ['/no/such'] }, 'unvalidModel.0'],
    ] as const)
      expect((await post('sys/user/save', { username: 'nobody', password: 'good-1', ...fields })).body).toMatchObject({
        errors: [{ path }],
      })
    expect(await named('nobody')).toBeUndefined()
  })

  it('end their logins at once when disabled, deleted, or given another password', async () => {
    const id = await add('shortlived')
    const first = await loginAs(server, 'shortlived')
    await post('sys/user/update', { id, username: 'shortlived', enabled: false })
    expect(await alive(first)).toBe(false)
    const refused = await call(server, 'sys/login', { body: { username: 'shortlived', password: ADMIN_PASSWORD } })
    expect(refused.body.error).toBe('account_disabled')
    await post('sys/user/update', { id, username: 'shortlived', enabled: true })
    const second = await loginAs(server, 'shortlived')
    await post('sys/user/password/reset', { id, newPassword: 'another-1' })
    expect(await alive(second)).toBe(false)
    const third = await call(server, 'sys/login', { body: { username: 'shortlived', password: 'another-1' } })
    expect(await alive(String(third.body.token))).toBe(true)
    await post('sys/user/delete', { ids: [id] })
    expect(await alive(String(third.body.token))).toBe(false)
  })

  it('lose a right in the middle of a login', async () => {
    const reader = await role('reader', ['cdn:node:list'])
    const id = await add('reader', { roleIds: [reader] })
    const token = await loginAs(server, 'reader')
    expect((await post('sys/cdn/node/list', {}, token)).status).toBe(200)
    await post('sys/user/update', { id, username: 'reader', roleIds: [] })
    expect((await post('sys/cdn/node/list', {}, token)).status).toBe(403)
  })

  it('cannot be disabled or deleted as super administrator; nobody ends or limits himself; the last super stays', async () => {
    const other = await add('second-root', { roleIds: [SUPER] })
    const own = { id: 1, username: 'admin', roleIds: [SUPER] }
    expect(
      await error('sys/user/update', { id: other, username: 'second-root', roleIds: [SUPER], enabled: false }),
    ).toBe('super_protected')
    expect(await error('sys/user/delete', { ids: [other] })).toBe('super_protected')
    expect(await error('sys/user/delete', { ids: [1] })).toBe('self_protected')
    expect(await error('sys/user/update', { ...own, enabled: false })).toBe('self_protected')
    expect(await error('sys/user/update', { ...own, unvalidModel: ['/account/users/admins'] })).toBe('self_protected')
    expect(await error('sys/user/password/reset', { id: 1, newPassword: 'other-1' })).toBe('self_protected')
    expect((await post('sys/user/update', { id: other, username: 'second-root', roleIds: [] })).status).toBe(200)
    expect(await error('sys/user/update', { ...own, roleIds: [] })).toBe('last_super')
    expect((await post('sys/user/delete', { ids: [other] })).status).toBe(200)
    expect(await alive(root)).toBe(true)
  })

  it('stand in the log with what was before and after, without passwords', async () => {
    const id = await add('audited')
    await post('sys/user/update', { id, username: 'audited.2' })
    const log = (await post('sys/cdn/log/admins', { key: `admin ${id}` })).body.data as {
      list: { id: number; action: string }[]
    }
    const update = log.list.find((r) => r.action === 'admin.update')
    const info = await call(server, `sys/cdn/log/admins/info/${update?.id}`, { method: 'GET', token: root })
    expect(info.body.data).toMatchObject({ before: { username: 'audited' }, after: { username: 'audited.2' } })
    expect(JSON.stringify(info.body)).not.toMatch(/argon2|first-Password1/)
  })

  it('cannot reach beyond their own rights', async () => {
    await createAdmin(server, 'manager', [...MANAGE, ...ROLES, 'cdn:node:list'])
    const manager = await loginAs(server, 'manager')
    const strong = await role('strong', ['cdn:site:delete'])
    const strongAdmin = await add('strong-one', { roleIds: [strong] })
    const fields = { password: 'good-1' }
    for (const roleIds of [[SUPER], [strong]])
      expect(await error('sys/user/save', { username: 'puppet', ...fields, roleIds }, manager)).toBe('beyond_rights')
    for (const [path, body] of [
      ['sys/user/update', { id: strongAdmin, username: 'strong-one', enabled: false }],
      ['sys/user/password/reset', { id: strongAdmin, newPassword: 'good-1' }],
      ['sys/user/delete', { ids: [strongAdmin] }],
      ['sys/user/password/reset', { id: 1, newPassword: 'good-1' }],
      ['sys/user/delete', { ids: [1] }],
      ['sys/role/save', { name: 'more', permissions: ['cdn:site:delete'] }],
      ['sys/role/update', { id: strong, name: 'strong', permissions: [] }],
      ['sys/role/delete', { ids: [strong] }],
    ] as const)
      expect([path, await error(path, body, manager)]).toEqual([path, 'beyond_rights'])
    const seen = await list({}, manager)
    expect(seen.find((a) => a.id === strongAdmin)?.manageable).toBe(false)
    expect(seen.find((a) => a.username === 'manager')).toMatchObject({ own: true, manageable: true })
  })

  it('never gain a right by any sequence of role and account changes', async () => {
    const held = [...MANAGE, ...ROLES, 'cdn:node:list', 'cdn:cache:list']
    await createAdmin(server, 'climber', held)
    const climber = await loginAs(server, 'climber')
    const self = await named('climber')
    const ownRole = self?.roles[0]?.id ?? 0
    const powers = ['cdn:node:list', 'cdn:cache:list', 'cdn:site:delete', 'cdn:push:run', 'account:role:menu']
    const permissions = fc.subarray(powers)
    const step = fc.oneof(
      fc.record({
        path: fc.constant('sys/role/update'),
        permissions: permissions.map((p) => ({ id: ownRole, name: 'role of climber', permissions: [...held, ...p] })),
      }),
      fc.record({
        path: fc.constant('sys/role/save'),
        permissions: fc.tuple(fc.uuid(), permissions).map(([name, p]) => ({ name, permissions: p })),
      }),
      fc.record({
        path: fc.constant('sys/user/update'),
        permissions: fc
          .subarray([SUPER, ownRole, ownRole + 1, ownRole + 2, ownRole + 3])
          .map((roleIds) => ({ id: self?.id, username: 'climber', roleIds: [ownRole, ...roleIds] })),
      }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 4 }), async (steps) => {
        for (const { path, permissions: body } of steps) await post(path, body, climber)
        const info = await call(server, 'sys/user/info', { method: 'GET', token: climber })
        const user = info.body.user as { permissions: string[]; superAdmin: boolean }
        expect(user.superAdmin).toBe(false)
        expect(user.permissions.filter((p) => !held.includes(p))).toEqual([])
      }),
      { numRuns: 25 },
    )
  })
})
