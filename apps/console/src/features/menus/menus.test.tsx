// @vitest-environment jsdom
// @vitest-environment-options {"url":"http://localhost/admin/"}
import { configure, fireEvent, screen } from '@testing-library/react'
import type { MenuRow } from '@tidegate/contract/operations/menu'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { useSession } from '../../shell/session.ts'
import { inBrowser } from '../../testing/browser.ts'
import { SHELL_ANSWERS, USER } from '../../testing/fixtures.ts'
import { press, showPage, tableRow, words } from '../../testing/page.tsx'
import { peer } from '../../testing/peer.ts'
import { Page } from './MenusPage.tsx'
import { menuTree, parentsFor } from './tree.ts'

inBrowser()
configure({ asyncUtilTimeout: 15_000 })
// The first look at a page on a busy machine takes long.
vi.setConfig({ testTimeout: 60_000 })
beforeEach(() => useSession.setState({ user: USER.user }))

const entry = (menuId: number, parentId: number | null, en: string, more: Partial<MenuRow> = {}): MenuRow => ({
  menuId,
  parentId,
  url: `/x/${menuId}`,
  type: 0,
  level: 1,
  sort: 1,
  enabled: true,
  consoles: ['admin'],
  permission: null,
  meta: { title: { zh: `${en}中`, en } },
  shipped: true,
  exists: true,
  ...more,
})
const ROWS = [
  entry(1, null, 'CDN'),
  entry(2, 1, 'Sites', { level: 2 }),
  entry(3, 2, 'All', { level: 3, type: 1 }),
  entry(4, null, 'DNS', { consoles: ['dns-admin'] }),
  entry(5, null, 'Mine', { shipped: false }),
  entry(6, null, 'Later', { type: 1, exists: false, enabled: false }),
]

describe('the tree', () => {
  it('has the entries of one console, each below its own', () => {
    const shape = menuTree(ROWS, 'admin').map((n) => [
      n.id,
      n.children?.map((c) => [c.id, c.children?.map((d) => d.id)]),
    ])
    expect(shape).toEqual([
      [1, [[2, [3]]]],
      [5, undefined],
      [6, undefined],
    ])
  })
  it('offers as parents the directories above the third level that the entry is not above of', () => {
    expect(parentsFor(ROWS, null, ['admin']).map((r) => r.menuId)).toEqual([1, 2, 5])
    expect(parentsFor(ROWS, ROWS[0] ?? null, ['admin']).map((r) => r.menuId)).toEqual([5])
    expect(parentsFor(ROWS, null, ['admin', 'dns-admin'])).toEqual([])
  })
})

describe('the menu editor', () => {
  it('deletes only entries that administrators made, and says which have no screen', async () => {
    peer({ 'menu.list': () => ({ menuList: ROWS }) })
    showPage(Page)
    expect(words(await tableRow('CDN'))).not.toContain('Delete')
    expect(words(await tableRow('Mine'))).toContain('Delete')
    expect((await tableRow('Later')).textContent).toContain('No screen yet')
  })

  it('sends the entry as it is but for what was changed', async () => {
    const { seen } = peer({
      ...SHELL_ANSWERS,
      'menu.list': () => ({ menuList: ROWS }),
      'menu.update': () => ({ id: 1 }),
    })
    showPage(Page)
    const row = await tableRow('CDN')
    await press('Edit', () => row)
    fireEvent.change(await screen.findByLabelText('English name'), { target: { value: 'Acceleration' } })
    expect(screen.getByLabelText('Path')).toHaveProperty('disabled', true)
    fireEvent.click(screen.getByLabelText('Hidden'))
    await press('Save')
    expect(await screen.findByText('Edited successfully')).toBeTruthy()
    expect(seen.find((s) => s.id === 'menu.update')?.input).toEqual({
      id: 1,
      parentId: null,
      url: '/x/1',
      type: 0,
      sort: 1,
      enabled: true,
      consoles: ['admin'],
      permission: null,
      meta: { title: { zh: 'CDN中', en: 'Acceleration' }, hidden: true },
    })
  })
})
