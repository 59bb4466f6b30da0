/** The four consoles as data of the server: which entries each lists, and that each of them has a screen. */
import { CONSOLES, type ConsoleId } from '@tidegate/contract/enums'
import type { MenuItem } from '@tidegate/contract/operations/common'
import { SCREENS } from '@tidegate/contract/screens'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ADMIN_PASSWORD, call, type TestServer, testServer } from '../../testing/app.ts'
import { createCustomer } from '../../testing/customers.ts'

interface Row {
  id: number
  parent_id: number | null
  url: string
  type: number
  enabled: boolean
  consoles: ConsoleId[]
}

const BASES: Record<ConsoleId, string> = {
  admin: '/antsxdp/',
  'dns-admin': '/ants-dns-api/',
  user: '/api/',
  'dns-user': '/api/',
}
const NAME = 'four-consoles'
const bare = (path: string) => (path.length > 1 ? path.replace(/\/+$/, '') : path)
const screensOf = (items: readonly MenuItem[]): string[] =>
  items.flatMap((item) => [...(item.type === 1 ? [item.url] : []), ...screensOf(item.children)])
const directoriesOf = (items: readonly MenuItem[]): MenuItem[] =>
  items.flatMap((item) => [...(item.type === 0 ? [item] : []), ...directoriesOf(item.children)])

describe('a console’s menu', () => {
  let server: TestServer
  let rows: Row[]
  beforeAll(async () => {
    server = await testServer()
    await createCustomer(server, NAME)
    const found = await server.built.context.database.pool.query<Row>(
      'SELECT id::int, parent_id::int, url, type, enabled, consoles FROM menu WHERE type < 2',
    )
    rows = found.rows
  })
  afterAll(() => server.close())

  const login = async (console: ConsoleId): Promise<string> => {
    const staff = console.endsWith('admin')
    const body = { username: staff ? 'admin' : NAME, password: ADMIN_PASSWORD }
    const reply = await call(server, `${BASES[console]}${staff ? 'sys' : 'app'}/login`, { body, headers: { console } })
    return String(reply.body.token)
  }
  const menuOf = async (console: ConsoleId): Promise<MenuItem[]> => {
    const reply = await call(server, `${BASES[console]}sys/menu/nav`, { method: 'GET', token: await login(console) })
    expect(reply.body).toMatchObject({ code: 1 })
    return reply.body.menuList as MenuItem[]
  }

  it.each(CONSOLES)(
    'of %s lists exactly the entries that are switched on for it, each with a screen that exists [S1.1]',
    async (console) => {
      const menu = await menuOf(console)
      const on = rows.filter((r) => r.type === 1 && r.enabled && r.consoles.includes(console)).map((r) => r.url)
      expect(on.length).toBeGreaterThan(0)
      expect(screensOf(menu).sort()).toEqual(on.sort())
      expect(on.map(bare).filter((url) => !(SCREENS[console] as readonly string[]).includes(url))).toEqual([])
      // A directory leads to one of the screens below it.
      for (const directory of directoriesOf(menu)) {
        const below = screensOf(directory.children)
        expect([directory.url, below.includes(directory.meta.redirect ?? '')]).toEqual([directory.url, true])
      }
    },
  )

  it('has no entry that is switched on without a screen, and no directory without an entry', () => {
    const stray = rows.filter(
      (r) =>
        r.type === 1 && r.enabled && r.consoles.some((c) => !(SCREENS[c] as readonly string[]).includes(bare(r.url))),
    )
    expect(stray.map((r) => [r.url, r.consoles])).toEqual([])
    const holds = (id: number): boolean =>
      rows.some((r) => r.parent_id === id && r.enabled && (r.type === 1 || holds(r.id)))
    const hollow = rows.filter((r) => r.type === 0 && r.enabled && !holds(r.id))
    expect(hollow.map((r) => r.url)).toEqual([])
  })

  it('is that of its audience and variant, though account and calls are the same [S1.1]', async () => {
    const menus: Record<string, string[]> = {}
    for (const c of CONSOLES) menus[c] = screensOf(await menuOf(c))
    expect(new Set(Object.values(menus).map((m) => m.join())).size).toBe(CONSOLES.length)
    expect(menus.admin).toContain('/cdn/site/list')
    expect(menus['dns-admin']).not.toContain('/cdn/site/list')
    expect(menus['dns-admin']).toContain('/dns/log/admins')
    expect(menus.admin).not.toContain('/dns/log/admins')
    expect(menus.user).toContain('/cdn/account/info')
    expect(menus['dns-user']).toContain('/dns/account/info')
    // A customer's login opens no console of the staff, and the other way round.
    for (const [console, other] of [
      ['user', 'admin'],
      ['dns-user', 'dns-admin'],
    ] as const) {
      const body = { username: NAME, password: ADMIN_PASSWORD }
      expect((await call(server, `${BASES[other]}sys/login`, { body, headers: { console: other } })).status).toBe(401)
      expect((await call(server, `/api/sys/user/list`, { token: await login(console) })).status).toBe(403)
      expect((await call(server, `/api/app/account/info`, { method: 'GET', token: await login(other) })).status).toBe(
        403,
      )
    }
  })
})
