import type { RoleRow } from '@tidegate/contract/operations/role'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAdmin, loginAs } from '../../testing/admins.ts'
import { ADMIN_PASSWORD, adminToken, call, type TestServer, testServer } from '../../testing/app.ts'

describe('roles', () => {
  let server: TestServer
  let root: string
  beforeAll(async () => {
    server = await testServer()
    root = await adminToken(server)
  })
  afterAll(() => server.close())
  const post = (path: string, body: unknown, token = root) => call(server, path, { token, body })
  const list = async (body: object = {}) => ((await post('sys/role/list', body)).body.data as { list: RoleRow[] }).list

  it('have a name, a description and permissions, and say how many have them [S6.1]', async () => {
    const id = (
      await post('sys/role/save', {
        name: ' Editor ',
        description: 'Edits',
        permissions: ['cdn:site:save', 'cdn:site:list'],
      })
    ).body.id
    await post('sys/user/save', { username: 'editor', password: ADMIN_PASSWORD, roleIds: [id] })
    expect((await list({ key: 'EDIT' }))[0]).toEqual({
      id,
      name: 'Editor',
      description: 'Edits',
      superRole: false,
      permissions: ['cdn:site:list', 'cdn:site:save'],
      admins: 1,
      manageable: true,
    })
    await post('sys/role/update', { id, name: 'Reader', permissions: ['cdn:site:list'] })
    expect((await list({ key: 'reader' }))[0]).toMatchObject({ description: '', permissions: ['cdn:site:list'] })
    const token = await loginAs(server, 'editor')
    const info = await call(server, 'sys/user/info', { method: 'GET', token })
    expect(info.body.user).toMatchObject({ permissions: ['cdn:site:list'] })
    expect((await post('sys/role/delete', { ids: [id] })).body).toMatchObject({ code: 409, error: 'in_use' })
    const unused = (await post('sys/role/save', { name: 'Unused' })).body.id
    expect((await post('sys/role/delete', { ids: [unused] })).status).toBe(200)
    expect((await list({ key: 'unused' })).length).toBe(0)
  })

  it('have names of their own and permissions that exist; that of the super administrator stays as it is', async () => {
    await post('sys/role/save', { name: 'Twice' })
    expect((await post('sys/role/save', { name: 'Twice' })).body).toMatchObject({ errors: [{ path: 'name' }] })
    expect((await post('sys/role/save', { name: ' ' })).body).toMatchObject({ errors: [{ path: 'name' }] })
    expect((await post('sys/role/save', { name: 'Odd', permissions: ['no:such'] })).body).toMatchObject({
      errors: [{ path: 'permissions.0' }],
    })
    expect((await list())[0]).toMatchObject({ name: 'super', superRole: true, manageable: false, admins: 1 })
    expect((await post('sys/role/update', { id: 1, name: 'weak' })).body.error).toBe('fixed_entry')
    expect((await post('sys/role/delete', { ids: [1] })).body.error).toBe('fixed_entry')
    expect((await post('sys/role/update', { id: 9999, name: 'none' })).body.error).toBe('not_found')
  })

  it('are made of permissions, each a name and a value, that stand at their screens, marked where the caller holds them [S6.1]', async () => {
    await createAdmin(server, 'lister', ['account:role:list'])
    const reply = await call(server, 'sys/menu/allPerms', { method: 'GET', token: await loginAs(server, 'lister') })
    const menu = reply.body.menuList as {
      menuId: number
      parentId: number | null
      permissions: { value: string; held: boolean; name: { zh: string; en: string } }[]
    }[]
    const held = menu.flatMap((m) => m.permissions).filter((p) => p.held)
    expect(held.map((p) => p.value)).toEqual(['account:role:list'])
    expect(menu.find((m) => m.menuId === 232)?.permissions.map((p) => p.value)).toEqual([
      'cdn:site:delete',
      'cdn:site:list',
      'cdn:site:save',
    ])
    for (const { value, name } of menu.flatMap((m) => m.permissions))
      expect([value, /[\u4e00-\u9fff]/.test(name.zh), name.en !== '']).toEqual([value, true, true])
    const ids = new Set(menu.map((m) => m.menuId))
    expect(menu.filter((m) => m.parentId !== null && !ids.has(m.parentId))).toEqual([])
  })
})
