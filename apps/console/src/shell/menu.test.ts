import { describe, expect, it } from 'vitest'
import { MENU } from '../testing/fixtures.ts'
import { chainTo, firstPath, listed, litPaths, permitted } from './menu.ts'

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
