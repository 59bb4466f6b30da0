// @vitest-environment jsdom
// @vitest-environment-options {"url":"http://localhost/admin/"}

import { configure, fireEvent, render, screen, waitFor } from '@testing-library/react'
import type { OutputOf } from '@tidegate/contract/operations/index'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { Routes, windowAddress } from '../../app/router.tsx'
import { chooseLang } from '../../shared/i18n.ts'
import { setToken } from '../../shared/token.ts'
import { inBrowser } from '../../testing/browser.ts'
import { EMPTY_LIST, MENU, SHELL_ANSWERS, USER } from '../../testing/fixtures.ts'
import { peer, Refusal } from '../../testing/peer.ts'

inBrowser()
configure({ asyncUtilTimeout: 30_000 })
vi.setConfig({ testTimeout: 90_000 })
beforeAll(async () => {
  await import('../Shell.tsx')
  await import('./PaletteHost.tsx')
  await import('../../features/menus/MenusPage.tsx')
}, 120_000)
beforeEach(() => {
  setToken('good')
  window.scrollTo = () => undefined
  Element.prototype.scrollIntoView = () => undefined
})

type SiteRow = OutputOf<'site.list'>['data']['list'][number]
const site = (id: number, domain: string): SiteRow => ({
  id,
  domains: [domain],
  cname: `c${id}.cdn.test`,
  enabled: true,
  groupId: 1,
  groupName: 'default',
  userId: null,
  userName: '',
  certId: null,
  remark: '',
  revision: 1,
  nodes: 0,
  nodesLive: 0,
  nodesRefused: 0,
  certNotAfter: '',
  originProtocol: 'http',
  origins: [],
  createTime: '2026-11-01T00:00:00Z',
  updateTime: '2026-11-01T00:00:00Z',
})

const answers = {
  ...SHELL_ANSWERS,
  'menu.list': () => new Refusal(500, { error: 'x', msg: 'no' }),
  'site.list': ({ key }: Record<string, unknown>) =>
    key === undefined
      ? EMPTY_LIST
      : { data: { ...EMPTY_LIST.data, list: [site(7, `shop.${String(key)}.test`)], totalCount: 1 } },
  'node.list': () => EMPTY_LIST,
}

const start = async (more: object = {}) => {
  const { seen } = peer({ ...answers, ...more })
  window.location.hash = '#/cdn/site/cache'
  render(<Routes address={windowAddress()} />)
  await waitFor(() => expect(document.querySelector('.shell-tools button')).toBeTruthy())
  return seen
}
const key = (name: string, init: KeyboardEventInit = {}, at: Element = document.body) =>
  void fireEvent.keyDown(at, { key: name, ...init })
const openPalette = async () => {
  key('k', { ctrlKey: true })
  return waitFor(() => {
    const field = document.querySelector<HTMLInputElement>('.palette [role="combobox"]')
    if (field === null) throw new Error('no palette')
    return field
  })
}
const options = () => [...document.querySelectorAll('.palette [role="option"]')]
const titles = () => options().map((o) => o.querySelector('.palette-title')?.textContent)
const lit = () => options().find((o) => o.getAttribute('aria-selected') === 'true')
const type = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } })

describe('the palette', () => {
  it('finds screens in both languages, marks what fits, and goes there by keys', async () => {
    await start()
    const field = await openPalette()
    type(field, 'all dom')
    await waitFor(() => expect(titles()[0]).toBe('All Domains'))
    expect([...(lit()?.querySelectorAll('.palette-title mark') ?? [])].map((m) => m.textContent)).toEqual([
      'All',
      'Dom',
    ])
    type(field, 'list（中')
    await waitFor(() => expect(titles()).toEqual(['Node List']))
    expect(lit()?.textContent).toContain('Node List（中）')
    type(field, 'site')
    await waitFor(() => expect(titles().length).toBeGreaterThan(2))
    const first = field.getAttribute('aria-activedescendant')
    fireEvent.keyDown(field, { key: 'ArrowDown' })
    expect(field.getAttribute('aria-activedescendant')).not.toBe(first)
    expect(lit()?.id).toBe(field.getAttribute('aria-activedescendant'))
    fireEvent.keyDown(field, { key: 'ArrowUp' })
    fireEvent.keyDown(field, { key: 'ArrowUp' })
    expect(lit()).toBe(options().at(-1))
    type(field, 'node list')
    await waitFor(() => expect(titles()[0]).toBe('Node List'))
    fireEvent.keyDown(field, { key: 'Enter' })
    await waitFor(() => expect(window.location.hash).toBe('#/cdn/node/list'))
    // Opened again it is empty, and what was chosen stands first.
    expect((await openPalette()).value).toBe('')
    await waitFor(() => expect(titles()[0]).toBe('Node List'))
    expect(screen.getByText('Recent')).toBeTruthy()
  })

  it('asks the lists that the login may read, once the typing rests, and says when nothing fits', async () => {
    const seen = await start()
    const field = await openPalette()
    const before = seen.length
    for (const text of ['e', 'ed', 'edge']) type(field, text)
    await waitFor(() => expect(titles()).toContain('shop.edge.test'))
    const asked = seen.slice(before).filter(({ input }) => input.key !== undefined)
    // Customers and administrators have no screen in this menu.
    expect(asked.map(({ id, input }) => [id, input.key]).sort()).toEqual([
      ['node.list', 'edge'],
      ['site.list', 'edge'],
    ])
    fireEvent.click(options().find((o) => o.textContent?.includes('shop.edge.test')) as Element)
    await waitFor(() => expect(window.location.hash).toBe('#/cdn/site/list/detail?id=7'))
  })

  it('says that nothing fits', async () => {
    await start({ 'site.list': () => EMPTY_LIST })
    type(await openPalette(), 'zzz')
    expect(await screen.findByText('Nothing matches "zzz"')).toBeTruthy()
    expect(options()).toEqual([])
  })

  it('offers only what the login may do', async () => {
    const nobody = { user: { ...USER.user, superAdmin: false, permissions: ['cdn:site:list'] } }
    const seen = await start({
      'admin.info': () => nobody,
      'menu.nav': () => ({ menuList: MENU, permissions: ['cdn:site:list'] }),
    })
    const field = await openPalette()
    await waitFor(() => expect(titles()).toContain('Lock screen'))
    for (const name of ['Add site', 'Purge cache', 'Push everything to the nodes']) expect(titles()).not.toContain(name)
    type(field, 'edge')
    await waitFor(() => expect(titles()).toContain('shop.edge.test'))
    expect(seen.some(({ id, input }) => id === 'node.list' && input.key !== undefined)).toBe(false)
  })

  it('runs commands: another language, and the question before everything is pushed', async () => {
    const push = vi.fn(() => ({}))
    await start({ 'push.all': push })
    type(await openPalette(), 'push every')
    await waitFor(() => expect(titles()).toEqual(['Push everything to the nodes']))
    fireEvent.keyDown(document.querySelector('.palette [role="combobox"]') as Element, { key: 'Enter' })
    const ok = await waitFor(() => {
      const found = [...document.querySelectorAll('.ant-modal-footer button')].find((b) => b.textContent === 'Push all')
      if (found === undefined) throw new Error('no question')
      return found
    })
    expect(push).not.toHaveBeenCalled()
    fireEvent.click(ok)
    await waitFor(() => expect(push).toHaveBeenCalledOnce())
    type(await openPalette(), 'switch to chi')
    await waitFor(() => expect(titles()).toEqual(['Switch to Chinese']))
    fireEvent.keyDown(document.querySelector('.palette [role="combobox"]') as Element, { key: 'Enter' })
    await waitFor(() => expect(document.documentElement.lang).toBe('zh-CN'))
    chooseLang('en')
  })
})

describe('the short cuts', () => {
  it('go where they say, show their sheet, and are letters while somebody types', async () => {
    await start()
    const field = document.body.appendChild(document.createElement('input'))
    key('g', {}, field)
    key('n', {}, field)
    key('?', {}, field)
    expect(window.location.hash).toBe('#/cdn/site/cache')
    expect(screen.queryByText('Keyboard shortcuts')).toBeNull()
    key('g')
    key('n')
    await waitFor(() => expect(window.location.hash).toBe('#/cdn/node/list'))
    // Not in this menu.
    key('g')
    key('u')
    expect(window.location.hash).toBe('#/cdn/node/list')
    key('?')
    expect(await screen.findByText('Keyboard shortcuts')).toBeTruthy()
    const listed = [...document.querySelectorAll('.palette-sheet dt')].map((dt) => dt.textContent)
    expect(listed).toEqual(expect.arrayContaining(['Overview', 'All Domains', 'Node List', 'Push']))
    expect(listed).not.toContain('Users')
    field.remove()
  })
})
