import type { MenuItem } from '@tidegate/contract/operations/common'
import { SCREENS } from '@tidegate/contract/screens'
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

const ANYBODYS = '/account/users/password'
/** Whoever is logged in may change the own password. */
const OWN_PASSWORD = ['/account', '/account/users', ANYBODYS]

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
    const screens = urls(list).filter((url) => find(list, url)?.type === 1)
    // A screen may exist before what it belongs to does; none is listed that does not.
    expect(screens.filter((url) => !(SCREENS.admin as readonly string[]).includes(url))).toEqual([])
    expect(screens).toEqual(
      expect.arrayContaining(['/home/overview', '/cdn/node/list', '/cdn/site/list', '/system/website']),
    )
    const sections = ['/home', '/cdn', '/cloud', '/account', '/system']
    expect(list.map((item) => item.url)).toEqual(sections.filter((url) => list.some((item) => item.url === url)))
    const cdn = [
      '/cdn/global',
      '/cdn/node',
      '/cdn/product',
      '/cdn/dispatch',
      '/cdn/site/domain',
      '/cdn/finance',
      '/cdn/log',
    ]
    const groups = find(list, '/cdn')?.children.map((item) => item.url) ?? []
    expect(groups.filter((url) => cdn.includes(url))).toEqual(cdn.filter((url) => groups.includes(url)))
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

  it('shows each entry of both consoles to who holds its permission, and to nobody else [S6.1]', async () => {
    const id = await createAdmin(server, 'one-by-one', [])
    const token = await loginAs(server, 'one-by-one')
    const { rows } = await server.built.context.database.pool.query<{
      url: string
      permission: string
      consoles: string[]
    }>(
      `SELECT url, permission, consoles FROM menu WHERE enabled AND type = 1 AND permission IS NOT NULL AND consoles && '{admin,dns-admin}'`,
    )
    const permissions = [...new Set(rows.map((row) => row.permission))]
    expect(permissions.length).toBeGreaterThan(20)
    for (const permission of ['', ...permissions]) {
      await server.built.context.database.db.execute(sql`
        WITH gone AS (DELETE FROM role_permission WHERE role_id IN (SELECT role_id FROM admin_role WHERE admin_id = ${id}) AND permission <> ${permission})
        INSERT INTO role_permission (role_id, permission)
        SELECT r.role_id, p.value FROM admin_role r, permission p WHERE r.admin_id = ${id} AND p.value = ${permission}`)
      for (const [name, base] of [
        ['admin', '/antsxdp/'],
        ['dns-admin', '/ants-dns-api/'],
      ] as const) {
        const reply = await call(server, `${base}sys/menu/nav`, { method: 'GET', token })
        const seen = urls(reply.body.menuList as MenuItem[]).filter((url) => rows.some((row) => row.url === url))
        const wanted = rows.filter((row) => row.permission === permission && row.consoles.includes(name))
        expect([permission, name, seen.sort()]).toEqual([permission, name, wanted.map((row) => row.url).sort()])
      }
    }
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

  it('has every screen of the product in its table, each of the staff’s with a permission (but one’s own password), and titles in both languages', async () => {
    const under = (base: string, names: string) => names.split(' ').map((name) => `${base}/${name}`)
    const common = [
      ...under('/home', 'overview auth'),
      ...under('/cloud', 'dns ca storage'),
      ...under('/account/users', 'users admins password'),
      ...under('/account/role', 'list menu'),
      '/account/message',
      ...under('/system', 'overview website payment verify mail sms wechat login api install'),
      ...under('/system/schedule', 'task log'),
      ...under('/cdn/work-order', 'list list/detail category reply'),
    ]
    const screens: Record<string, string[]> = {
      admin: [
        ...common,
        ...under('/cdn/global', 'node firewall list error-page collect'),
        ...under('/cdn/node', 'dns list group monitor'),
        ...under('/cdn/product', 'list attr sold usage'),
        ...under('/cdn/dispatch', 'config status'),
        ...under('/cdn/site', 'list cache cert forbid monitor rewrite stream stream-monitor analysis'),
        ...under('/cdn/finance', 'orders recharge'),
        ...under('/cdn/log', 'users admins'),
        ...under('/cdn/tools', 'push variable memory lookup'),
      ],
      'dns-admin': [
        ...common,
        ...under('/dns', 'zone/list line/list recursive/config httpdns/config black/config/ node/list'),
        ...under('/dns/dispatch', 'config status'),
        ...under('/dns/plan', 'list attr sold usage'),
        ...under('/dns/finance', 'orders recharge'),
        ...under('/dns/log', 'users admins query'),
      ],
      user: [
        '/home/overview',
        ...under('/cdn/site', 'list cache cert forbid monitor rewrite stream stream-monitor analysis'),
        ...under('/cdn/plan', 'purchase mine usage'),
        ...under('/cdn/finance', 'recharge orders bills'),
        '/cdn/work-order/list',
        ...under('/cdn/account', 'info apikey log'),
        '/account/message',
      ],
      'dns-user': [
        '/home/overview',
        '/dns/zone/list',
        '/dns/monitor',
        ...under('/dns/plan', 'purchase mine usage'),
        ...under('/dns/finance', 'recharge orders bills'),
        ...under('/dns/account', 'info apikey log'),
        '/cdn/work-order/list',
        '/account/message',
      ],
    }
    const { rows } = await server.built.context.database.pool.query<{
      url: string
      consoles: string[]
      permission: string | null
      meta: { title: { zh: string; en: string } }
    }>('SELECT url, consoles, permission, meta FROM menu WHERE type = 1')
    for (const [name, urls] of Object.entries(screens)) {
      const own = new Map(rows.filter((r) => r.consoles.includes(name)).map((r) => [r.url, r]))
      for (const url of urls) expect([name, url, own.has(url)]).toEqual([name, url, true])
    }
    // A customer holds everything that is not taken away by path, so a screen of theirs may go without.
    const free = (url: string, consoles: string[]) =>
      url === ANYBODYS || consoles.every((name) => name.endsWith('user'))
    for (const { url, consoles, meta, permission } of rows)
      expect([url, meta.title.zh !== '' && meta.title.en !== '', permission !== null || free(url, consoles)]).toEqual([
        url,
        true,
        true,
      ])
  })

  it('keeps the screens that are not built in the table, switched off, with the fixed ids', async () => {
    const { rows } = await server.built.context.database.pool.query<{ id: number; url: string; n: number }>(
      `SELECT id, url, (SELECT count(*) FROM menu WHERE NOT enabled) AS n FROM menu WHERE id IN (175, 176, 179, 232) ORDER BY id`,
    )
    expect(rows.map((row) => [row.id, row.url])).toEqual([
      [175, '/cdn/site/domain'],
      [176, '/cdn/site/rewrite'],
      [179, '/cdn/site/stream'],
      [232, '/cdn/site/list'],
    ])
    expect(rows[0]?.n).toBeGreaterThan(0)
  })

  it('gives page config to everybody, counts only to who is logged in [S2.14]', async () => {
    for (const path of ['sys/common/index', 'sys_common/index']) {
      const open = await call(server, path, { method: 'GET' })
      expect(open.status).toBe(200)
      for (const key of ['wkCount', 'task_count', 'refused_count']) expect(open.body).not.toHaveProperty(key)
      const config = JSON.parse((open.body.web_config as { paramValue: string }).paramValue) as Record<string, unknown>
      expect(Object.keys(config).sort()).toEqual(['basic', 'contact', 'priceUnit', 'seo', 'userDir'])
      expect(open.body).toMatchObject({ rewrite: 0, ai_waf: 0, user_dir: '/', dns_rewrite: null, otherSite: null })
      const own = await call(server, path, { method: 'GET', token: await adminToken(server) })
      expect(own.body).toMatchObject({ wkCount: 0, task_count: 0, refused_count: 0 })
    }
    const enums = await call(server, 'sys/common/enums', { method: 'GET' })
    expect(enums.body.data).toMatchObject({ pushStates: ['pending', 'done', 'refused'], menuTypes: { directory: 0 } })
  })
})
