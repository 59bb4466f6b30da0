import type { MenuItem } from '@tidegate/contract/operations/common'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAdmin, loginAs } from '../../testing/admins.ts'
import { adminToken, call, type TestServer, testServer } from '../../testing/app.ts'

const urls = (items: MenuItem[]): string[] => items.flatMap((item) => [item.url, ...urls(item.children)])
const find = (items: MenuItem[], url: string): MenuItem | undefined => {
  for (const item of items) {
    const found = item.url === url ? item : find(item.children, url)
    if (found) return found
  }
  return undefined
}

/** Whoever is logged in may change the own password. */
const OWN_PASSWORD = ['/account', '/account/users', '/account/users/password']
const ACCOUNT = [
  '/account',
  '/account/users',
  '/account/users/admins',
  '/account/users/password',
  '/account/role',
  '/account/role/list',
  '/account/role/menu',
]

describe('the menu', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await testServer()
  })
  afterAll(() => server.close())
  const nav = async (token: string) => {
    const reply = await call(server, 'sys/menu/nav', { method: 'GET', token })
    return { list: reply.body.menuList as MenuItem[], permissions: reply.body.permissions as string[] }
  }

  it('lists the built screens in the order of their sections [S2.10 S7.9]', async () => {
    const { list } = await nav(await adminToken(server))
    expect(urls(list)).toEqual([
      '/home',
      '/home/overview',
      '/cdn',
      '/cdn/node',
      '/cdn/node/list',
      '/cdn/site/domain',
      '/cdn/site/list',
      '/cdn/site/list/detail',
      '/cdn/site/cache',
      '/cdn/log',
      '/cdn/log/admins',
      '/cdn/tools',
      '/cdn/tools/push',
      ...ACCOUNT,
    ])
    expect(find(list, '/cdn/site/domain')).toMatchObject({ menuId: 175, type: 0, meta: { redirect: '/cdn/site/list' } })
    expect(find(list, '/cdn/site/list')).toMatchObject({
      menuId: 232,
      meta: { title: { zh: '全部域名', en: 'All Domains' } },
    })
    expect(find(list, '/cdn/site/list/detail')?.meta).toMatchObject({ hidden: true, selectMenu: '/cdn/site/list' })
    expect(find(list, '/cdn/tools/push')?.meta.badge).toBe('task_count')
  })

  it('shows only what is permitted; a directory goes with its last child [S6.1]', async () => {
    await createAdmin(server, 'purger', ['cdn:cache:list', 'cdn:cache:purge'])
    const { list, permissions } = await nav(await loginAs(server, 'purger'))
    expect(urls(list)).toEqual(['/cdn', '/cdn/site/domain', '/cdn/site/cache', ...OWN_PASSWORD])
    expect(list[0]?.meta.redirect).toBe('/cdn/site/cache')
    expect(permissions).toEqual(['cdn:cache:list', 'cdn:cache:purge'])
  })

  it('takes away the screens of unvalidModel, and the server refuses their calls [S2.13]', async () => {
    await createAdmin(server, 'limited', ['cdn:node:list', 'cdn:push:list'])
    const token = await loginAs(server, 'limited')
    const push = () => call(server, 'sys/cdnsys/auth/push/list', { token })
    expect((await push()).status).toBe(200)
    await server.built.context.database.db.execute(
      sql`UPDATE admin SET unvalid_model = ARRAY['/cdn/tools/push'] WHERE username = 'limited'`,
    )
    expect(urls((await nav(token)).list)).toEqual(['/cdn', '/cdn/node', '/cdn/node/list', ...OWN_PASSWORD])
    expect((await push()).status).toBe(403)
    const info = await call(server, 'sys/user/info', { method: 'GET', token })
    expect(info.body.user).toMatchObject({ unvalidModel: ['/cdn/tools/push'], permissions: ['cdn:node:list'] })
  })

  it('keeps the whole seed menu, switched off, with the fixed ids [S2.11]', async () => {
    const { rows } = await server.built.context.database.pool.query<{ id: number; url: string; n: number }>(
      `SELECT id, url, (SELECT count(*) FROM menu WHERE NOT enabled) AS n FROM menu WHERE id IN (175, 176, 179, 232) ORDER BY id`,
    )
    expect(rows.map((row) => [row.id, row.url])).toEqual([
      [175, '/cdn/site/domain'],
      [176, '/cdn/site/rewrite'],
      [179, '/cdn/site/stream'],
      [232, '/cdn/site/list'],
    ])
    expect(rows[0]?.n).toBeGreaterThan(100)
  })

  it('gives page config to everybody, counts only to who is logged in [S2.14 S7.12]', async () => {
    for (const path of ['sys/common/index', 'sys_common/index']) {
      const open = await call(server, path, { method: 'GET' })
      expect(open.status).toBe(200)
      for (const key of ['wkCount', 'task_count', 'refused_count']) expect(open.body).not.toHaveProperty(key)
      const config = JSON.parse((open.body.web_config as { paramValue: string }).paramValue) as Record<string, unknown>
      expect(Object.keys(config).sort()).toEqual(['basic', 'contact', 'seo', 'userDir'])
      const own = await call(server, path, { method: 'GET', token: await adminToken(server) })
      expect(own.body).toMatchObject({ task_count: 0, refused_count: 0 })
    }
    const enums = await call(server, 'sys/common/enums', { method: 'GET' })
    expect(enums.body.data).toMatchObject({ pushStates: ['pending', 'done', 'refused'], menuTypes: { directory: 0 } })
  })
})
