// @vitest-environment jsdom
// @vitest-environment-options {"url":"http://localhost/admin/"}
import type { Location } from 'react-router'
import { describe, expect, it } from 'vitest'
import { registerUnsaved } from '../../shared/unsaved.ts'
import { MENU } from '../../testing/fixtures.ts'
import { closed, keysToClose, MAX_PAGES, NOTHING_OPEN, type Open, renewed, shown, tabKey, useTabs } from './tabs.ts'
import { wayOf } from './way.ts'

const at = (pathname: string, search = ''): Location => ({ pathname, search, hash: '', state: null, key: 'k' })
const page = (path: string, search = '') => ({ key: path, path, location: at(path, search) })
const clean = () => false
const openAll = (...paths: string[]): Open =>
  paths.reduce((open, path) => shown(open, page(path), 0, clean), NOTHING_OPEN as Open)
const paths = (open: Open) => open.tabs.map((tab) => tab.path)

describe('the open pages', () => {
  it('hold one page once, from its new address', () => {
    const open = shown(openAll('/a', '/b'), page('/a', '?key=x'), 30, clean)
    expect(paths(open)).toEqual(['/a', '/b'])
    expect(open.tabs[0]?.location.search).toBe('?key=x')
    expect(open.active).toBe('/a')
    // The page that was left remembers where the window stood.
    expect(open.tabs[1]?.scroll).toBe(30)
  })
  it('are ten: the eleventh closes the least recently used, but none with unsaved input while another is left', () => {
    const ten = openAll(...Array.from({ length: MAX_PAGES }, (_, i) => `/${i}`))
    expect(ten.tabs.length).toBe(10)
    const used = shown(ten, page('/0'), 0, clean)
    expect(paths(shown(used, page('/new'), 0, clean))).not.toContain('/1')
    const kept = paths(shown(used, page('/new'), 0, (key) => key === '/1'))
    expect([kept.includes('/1'), kept.includes('/2'), kept.length]).toEqual([true, false, 10])
  })
  it('grow beyond ten rather than lose what was typed, and shrink to ten as soon as they can', () => {
    const ten = openAll(...Array.from({ length: MAX_PAGES }, (_, i) => `/${i}`))
    const dirty = new Set(paths(ten))
    const twelve = shown(
      shown(ten, page('/x'), 0, (key) => dirty.has(key)),
      page('/y'),
      0,
      (key) => key !== '/y',
    )
    expect(paths(twelve)).toEqual([...dirty, '/x', '/y'])
    // Three were saved: the two of them used longest ago go.
    const saved = shown(twelve, page('/y'), 0, (key) => !['/2', '/3', '/7'].includes(key))
    expect(paths(saved)).toEqual(['/0', '/1', '/4', '/5', '/6', '/7', '/8', '/9', '/x', '/y'])
  })
  it('give way to the page used last when the one in front is closed', () => {
    const open = shown(openAll('/a', '/b', '/c'), page('/a'), 0, clean)
    expect(closed(open, ['/a']).active).toBe('/c')
    expect(closed(open, ['/b']).active).toBe('/a')
    expect(closed(open, ['/a', '/b', '/c'])).toEqual({ tabs: [], active: null })
  })
  it('begin anew one by one', () => {
    const open = renewed(openAll('/a', '/b'), '/a')
    expect(open.tabs.map((tab) => tab.round)).toEqual([1, 0])
  })
  it.each([
    ['one', ['/b']],
    ['others', ['/a', '/c', '/d']],
    ['left', ['/a']],
    ['right', ['/c', '/d']],
    ['all', ['/a', '/b', '/c', '/d']],
  ] as const)('close %s', (way, expected) => {
    expect(keysToClose(openAll('/a', '/b', '/c', '/d').tabs, '/b', way)).toEqual(expected)
  })
  it('tell details apart by their object, lists not by their filter', () => {
    expect(tabKey('/x', '?id=7&tab=https', true)).toBe('/x?id=7')
    expect(tabKey('/x', '?id=7', false)).toBe('/x')
  })
  it('remember unsaved input of a page in the background and forget it with the page', () => {
    const { show, close } = useTabs.getState()
    show(page('/a'))
    const undo = registerUnsaved('/a', () => true)
    show(page('/b'))
    // React undoes the effects of a page that is hidden.
    undo()
    for (let i = 0; i < 9; i++) show(page(`/${i}`))
    expect(useTabs.getState().tabs.map((tab) => tab.path)).toContain('/a')
    expect(useTabs.getState().tabs.map((tab) => tab.path)).not.toContain('/b')
    close(['/a'])
    show(page('/a'))
    show(page('/c'))
    expect(useTabs.getState().tabs.length).toBe(MAX_PAGES)
    useTabs.getState().reset()
  })
  it('take the focus out of a field while its page is still the one in front', () => {
    const { show, reset } = useTabs.getState()
    const field = document.body.appendChild(document.createElement('input'))
    const inFront: (string | null)[] = []
    field.addEventListener('blur', () => inFront.push(useTabs.getState().active))
    show(page('/a'))
    field.focus()
    show(page('/a', '?key=x'))
    expect(document.activeElement).toBe(field)
    show(page('/b'))
    expect(inFront).toEqual(['/a'])
    field.remove()
    reset()
  })
})

describe('an address', () => {
  it('leads to a page, to where its directory goes, back from the helper, or nowhere', () => {
    expect(wayOf(MENU, '/cdn/site/list/', '?key=x')).toEqual({
      kind: 'page',
      path: '/cdn/site/list',
      key: '/cdn/site/list',
    })
    expect(wayOf(MENU, '/cdn/site/list/detail', '?id=3')).toMatchObject({ key: '/cdn/site/list/detail?id=3' })
    expect(wayOf(MENU, '/cdn/tools', '')).toEqual({ kind: 'redirect', to: '/cdn/tools/push' })
    expect(wayOf(MENU, '/redirect/cdn/site/list', '?key=x')).toEqual({
      kind: 'redirect',
      to: '/cdn/site/list?key=x',
      renew: '/cdn/site/list',
    })
    expect(wayOf(MENU, '/no/such', '')).toEqual({ kind: 'unknown' })
    for (const outside of [
      '/redirect//host.example',
      '/redirect/\\host.example',
      '/redirect/redirect/a',
      '/redirect/login',
    ])
      expect(wayOf(MENU, outside, '')).toEqual({ kind: 'unknown' })
  })
})
