import type { MenuItem } from '@tidegate/contract/operations/common'
import { describe, expect, it } from 'vitest'
import { MENU } from '../testing/fixtures.ts'
import { chainTo, crumbs, directoryTo, firstPath, leadsTo, listed, litPaths, permitted, subPages } from './menu.ts'

const BUILT = [
  '/home/overview',
  '/cdn/node/list',
  '/cdn/site/list',
  '/cdn/site/list/detail',
  '/cdn/site/cache',
  '/cdn/tools/push',
]
const exists = (path: string) => BUILT.includes(path)
const urls = (menu: typeof MENU): string[] => menu.flatMap((m) => [m.url, ...urls(m.children)])

describe('the server’s menu', () => {
  it('offers only screens that exist, and no directory without one', () => {
    const menu = permitted(MENU, exists, [])
    expect(urls(menu)).not.toContain('/cdn/node/later')
    expect(menu.map((m) => m.url)).toEqual(['/home', '/cdn'])
  })
  it('takes away the route of paths that the user may not open', () => {
    const menu = permitted(MENU, exists, ['/cdn/site/cache'])
    expect(chainTo(menu, '/cdn/site/cache')).toEqual([])
  })
  it('keeps the route of a hidden entry, leaves it out of the list and lights its list', () => {
    const menu = permitted(MENU, exists, [])
    const chain = chainTo(menu, '/cdn/site/list/detail')
    expect(chain.at(-1)?.menuId).toBe(233)
    expect(litPaths(chain)).toEqual(['/cdn/site/list'])
    expect(urls(listed(menu))).not.toContain('/cdn/site/list/detail')
  })
  it('leads a directory to its first permitted child', () => {
    const menu = permitted(MENU, exists, ['/cdn/node/list'])
    expect(firstPath(menu.slice(1))).toBe('/cdn/site/list')
  })
})

type Meta = Partial<MenuItem['meta']>
let next = 1
const entry = (
  url: string,
  meta: Meta = {},
  children: MenuItem[] = [],
  type = children.length > 0 ? 0 : 1,
): MenuItem => ({
  menuId: next++,
  url,
  type,
  meta: { title: { zh: `${url}（中）`, en: url }, ...meta },
  children,
})

describe('what an entry’s meta says', () => {
  it('redirect: where a directory goes, if that may be opened', () => {
    const to = entry('/a', { redirect: '/a/two' }, [entry('/a/one'), entry('/a/two')])
    expect(leadsTo(to)).toBe('/a/two')
    expect(directoryTo([to], '/a/')).toBe('/a/two')
    expect(leadsTo(entry('/a', { redirect: '/a/gone' }, [entry('/a/one')]))).toBe('/a/one')
  })
  it('levelHidden: the level below is not listed; its pages share a row in the page', () => {
    const menu = [entry('/s', {}, [entry('/s/g', { levelHidden: true }, [entry('/s/g/one'), entry('/s/g/two')])])]
    expect(urls(listed(menu))).toEqual(['/s', '/s/g/one'])
    const chain = chainTo(menu, '/s/g/two')
    expect(subPages(chain).map((item) => item.url)).toEqual(['/s/g/one', '/s/g/two'])
    expect(litPaths(chain)).toContain('/s/g/one')
  })
  it('isSub: not listed, but in the head of its parent’s page', () => {
    const menu = [entry('/s', {}, [entry('/s/p', {}, [entry('/s/p/sub', { isSub: true })], 1), entry('/s/q')])]
    expect(urls(listed(menu))).toEqual(['/s', '/s/p', '/s/q'])
    for (const path of ['/s/p', '/s/p/sub'])
      expect(subPages(chainTo(menu, path)).map((item) => item.url)).toEqual(['/s/p', '/s/p/sub'])
    expect(litPaths(chainTo(menu, '/s/p/sub'))).toContain('/s/p')
    expect(subPages(chainTo(menu, '/s/q'))).toEqual([])
  })
  it('selectMenu: what is lit instead', () => {
    const menu = [entry('/s', {}, [entry('/s/list'), entry('/s/detail', { hidden: true, selectMenu: '/s/list' })])]
    expect(litPaths(chainTo(menu, '/s/detail'))).toEqual(['/s/list'])
  })
  it('title: never twice in the breadcrumb', () => {
    const same = { title: { zh: '账号', en: 'Account' } }
    const menu = [entry('/h'), entry('/x', same, [entry('/x/y', same, [entry('/x/y/z')])])]
    const titles = crumbs(chainTo(menu, '/x/y/z'), '/h', 'en').map((item) => item.meta.title.en)
    expect(titles).toEqual(['Account', '/x/y/z'])
  })
})
