import type { MenuItem } from '@tidegate/contract/operations/common'
import type { MenuRow } from '@tidegate/contract/operations/menu'
import { FIRST_OWN_MENU_ID } from '@tidegate/contract/operations/menu'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { adminToken, call, type TestServer, testServer } from '../../testing/app.ts'

const OWN = {
  parentId: 5,
  url: '/account/own',
  type: 0,
  sort: 9,
  enabled: true,
  consoles: ['admin'],
  meta: { title: { zh: '自定义', en: 'Own' }, icon: 'user' },
}

describe('the menu editor', () => {
  let server: TestServer
  let token: string
  beforeAll(async () => {
    server = await testServer()
    token = await adminToken(server)
  })
  afterAll(() => server.close())
  const post = (path: string, body: unknown = {}) => call(server, path, { token, body })
  const list = async () => (await call(server, 'sys/menu/list', { method: 'GET', token })).body.menuList as MenuRow[]
  const entry = async (id: number) => {
    const found = (await list()).find((e) => e.menuId === id)
    if (!found) throw new Error(`no entry ${id}`)
    const { menuId, level: _l, shipped: _s, exists: _e, ...fields } = found
    return { id: menuId, ...fields }
  }
  const nav = async () => JSON.stringify((await call(server, 'sys/menu/nav', { method: 'GET', token })).body.menuList)

  it('gives every entry with name, path, icon, level 1 to 3 and order, and its meta as JSON [S3.12]', async () => {
    const all = await list()
    const byId = new Map(all.map((e) => [e.menuId, e]))
    const depth = (e: MenuRow): number => {
      const above = e.parentId === null ? undefined : byId.get(e.parentId)
      return above === undefined ? 1 : depth(above) + 1
    }
    for (const e of all) {
      expect([e.menuId, e.level]).toEqual([e.menuId, depth(e)])
      expect([1, 2, 3]).toContain(e.level)
      expect([e.url.startsWith('/'), e.meta.title.zh !== '', e.meta.title.en !== '']).toEqual([true, true, true])
      expect(['number', 'number']).toEqual([typeof e.sort, typeof e.type])
    }
    expect(new Set(all.map((e) => e.level))).toEqual(new Set([1, 2, 3]))
    const sorts = (parentId: number | null) => all.filter((e) => e.parentId === parentId).map((e) => e.sort)
    for (const parent of [null, ...byId.keys()]) expect(sorts(parent)).toEqual([...sorts(parent)].sort((x, y) => x - y))
    expect(byId.get(2)).toMatchObject({ parentId: null, url: '/cdn', type: 0, meta: { icon: 'global' } })
    expect(byId.get(175)).toMatchObject({ level: 2, sort: 5, shipped: true, exists: true })
    expect(byId.get(232)).toMatchObject({ level: 3, url: '/cdn/site/list', type: 1, exists: true })
    expect(byId.get(176)).toMatchObject({ enabled: false, exists: false })
  })

  it('leads to the menu that consoles read: menuId, url, type, meta and children of each entry [S3.12]', async () => {
    const rows = new Map((await list()).map((e) => [e.menuId, e]))
    const reply = await call(server, 'sys/menu/nav', { method: 'GET', token })
    let seen = 0
    const look = (items: MenuItem[]) => {
      for (const item of items) {
        seen += 1
        expect(Object.keys(item).sort()).toEqual(['children', 'menuId', 'meta', 'type', 'url'])
        const row = rows.get(item.menuId)
        expect([item.url, item.type, item.meta.title]).toEqual([row?.url, row?.type, row?.meta.title])
        expect(item.children.map((child) => rows.get(child.menuId)?.parentId)).toEqual(
          item.children.map(() => item.menuId),
        )
        look(item.children)
      }
    }
    look(reply.body.menuList as MenuItem[])
    expect(seen).toBeGreaterThan(30)
  })

  it('keeps what meta says of isSub, redirect, levelHidden and selectMenu, and gives it to the consoles [S3.20]', async () => {
    const group = Number(
      (await post('sys/menu/save', { ...OWN, url: '/account/meta', meta: { ...OWN.meta, levelHidden: true } })).body.id,
    )
    const sub = {
      ...OWN,
      parentId: group,
      url: '/cdn/tools/push',
      type: 1,
      meta: { title: OWN.meta.title, isSub: true, selectMenu: '/cdn/node/list' },
    }
    const below = Number((await post('sys/menu/save', sub)).body.id)
    const first = { ...sub, url: '/cdn/node/list', sort: 1, meta: { title: OWN.meta.title } }
    const other = Number((await post('sys/menu/save', first)).body.id)
    const given = async () => {
      const reply = await call(server, 'sys/menu/nav', { method: 'GET', token })
      const all = (items: MenuItem[]): MenuItem[] => items.flatMap((item) => [item, ...all(item.children)])
      return new Map(all(reply.body.menuList as MenuItem[]).map((item) => [item.menuId, item.meta]))
    }
    expect((await given()).get(group)).toMatchObject({ levelHidden: true, redirect: '/cdn/node/list' })
    expect((await given()).get(below)).toMatchObject({ isSub: true, selectMenu: '/cdn/node/list' })
    const { id, ...rest } = await entry(group)
    await post('sys/menu/update', { id, ...rest, meta: { title: OWN.meta.title, redirect: '/cdn/tools/push' } })
    const changed = (await given()).get(group)
    expect(changed?.redirect).toBe('/cdn/tools/push')
    expect(changed).not.toHaveProperty('levelHidden')
    for (const one of [below, other, group]) expect((await post(`sys/menu/delete/${one}`)).status).toBe(200)
  })

  it('adds, changes, shows and deletes an entry of one’s own [S7.9]', async () => {
    const made = await post('sys/menu/save', OWN)
    const id = Number(made.body.id)
    expect(id).toBeGreaterThanOrEqual(FIRST_OWN_MENU_ID)
    const screen = {
      ...OWN,
      parentId: id,
      url: '/cdn/tools/push',
      type: 1,
      meta: { title: { zh: '推', en: 'Pushes again' } },
    }
    const below = Number((await post('sys/menu/save', screen)).body.id)
    expect(await nav()).toContain('Pushes again')
    expect((await post(`sys/menu/delete/${id}`)).body.error).toBe('in_use')
    await post('sys/menu/update', {
      ...screen,
      id: below,
      meta: { ...screen.meta, hidden: true, selectMenu: '/cdn/tools/push' },
    })
    expect(await entry(below)).toMatchObject({ meta: { hidden: true, selectMenu: '/cdn/tools/push' } })
    expect((await post(`sys/menu/delete/${below}`)).status).toBe(200)
    expect((await post(`sys/menu/delete/${id}`)).status).toBe(200)
    expect(await nav()).not.toContain('Pushes again')
    expect((await post(`sys/menu/delete/${id}`)).status).toBe(404)
  })

  it('renames, moves and hides what came with the release; never deletes it, nor changes what releases count on', async () => {
    const push = await entry(281)
    const meta = { ...push.meta, title: { zh: '发布', en: 'Deploys' } }
    expect((await post('sys/menu/update', { ...push, sort: 0, meta })).status).toBe(200)
    expect(await nav()).toContain('Deploys')
    for (const id of [175, 232, 176, 179, 281])
      expect([id, (await post(`sys/menu/delete/${id}`)).body.error]).toEqual([id, 'fixed_entry'])
    for (const change of [{ url: '/cdn/tools/pushes' }, { permission: null }, { type: 0 }])
      expect((await post('sys/menu/update', { ...push, ...change })).body.error).toBe('fixed_entry')
    expect((await post('sys/menu/update', { ...(await entry(522)), enabled: false })).body.error).toBe('fixed_entry')
  })

  it('switches on no screen that does not exist, for no console that lacks it', async () => {
    const later = await entry(201)
    expect((await post('sys/menu/update', { ...later, enabled: true })).body).toMatchObject({
      errors: [{ path: 'enabled' }],
    })
    const bad = { ...OWN, parentId: null, type: 1, url: '/cdn/tools/push', consoles: ['admin', 'dns-admin'] }
    expect((await post('sys/menu/save', bad)).body).toMatchObject({ errors: [{ path: 'enabled' }] })
  })

  it('keeps the tree: three levels, no circle, below a directory of the same consoles', async () => {
    const cases: [Record<string, unknown>, string][] = [
      [{ ...OWN, parentId: 232 }, 'parentId'],
      [{ ...OWN, parentId: 999 }, 'parentId'],
      [{ ...OWN, parentId: 2, consoles: ['dns-admin'] }, 'parentId'],
      [{ ...OWN, url: 'https://elsewhere.example' }, 'url'],
      [{ ...OWN, url: '//elsewhere.example' }, 'url'],
      [{ ...OWN, permission: 'no:such' }, 'permission'],
      [{ ...OWN, meta: { title: { zh: '', en: 'x' } } }, 'meta.title.zh'],
    ]
    for (const [body, path] of cases)
      expect((await post('sys/menu/save', body)).body).toMatchObject({ code: 400, errors: [{ path }] })
    expect((await post('sys/menu/update', { ...(await entry(2)), parentId: 21 })).body).toMatchObject({
      errors: [{ path: 'parentId' }],
    })
    expect((await post('sys/menu/update', { ...(await entry(2)), parentId: 1 })).body).toMatchObject({ code: 400 })
    expect((await post('sys/menu/update', { ...(await entry(175)), parentId: 21 })).body).toMatchObject({
      errors: [{ path: 'parentId' }],
    })
  })

  it('leads a directory to its redirect where that is permitted, else to its first screen [S3.20]', async () => {
    const site = await entry(175)
    const led = async (redirect: string) => {
      await post('sys/menu/update', { ...site, meta: { ...site.meta, redirect } })
      return nav()
    }
    expect(await led('/cdn/site/cache')).toContain('"redirect":"/cdn/site/cache"')
    expect(await led('/cdn/account/apikey')).toContain('"redirect":"/cdn/site/list"')
  })
})
