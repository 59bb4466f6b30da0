// @vitest-environment jsdom
// @vitest-environment-options {"url":"http://localhost/admin/"}
import { QueryClientProvider } from '@tanstack/react-query'
import { configure, fireEvent, render, screen, waitFor } from '@testing-library/react'
import type { ColumnPrefs } from '@tidegate/ui/columns'
import { DEFAULT_TABLE, UiContext } from '@tidegate/ui/context'
import { App } from 'antd'
import { useState } from 'react'
import { MemoryRouter, useLocation, useSearchParams } from 'react-router'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { inBrowser } from '../../testing/browser.ts'
import { setAccountId } from '../account.ts'
import { chooseLang } from '../i18n.ts'
import { queryClient } from '../query.ts'
import { ViewsButton } from './ViewsButton.tsx'
import { acceptViews, MAX_VIEWS, searchOf, useViewStore, viewsOf, withView } from './views.ts'

inBrowser()
configure({ asyncUtilTimeout: 15_000 })
vi.setConfig({ testTimeout: 60_000 })
beforeEach(() => {
  useViewStore.setState({ all: {} })
  setAccountId(7)
})

const HIDDEN: ColumnPrefs = { order: [], hidden: ['remark'], pins: {} }
let columns: Readonly<Record<string, ColumnPrefs>> = {}

/** A list as far as views see it: its address, its columns, its button. */
const List = () => {
  const [prefs, setPrefs] = useState<Readonly<Record<string, ColumnPrefs>>>({})
  const [, setSearch] = useSearchParams()
  columns = prefs
  return (
    <UiContext
      value={{
        lang: 'en',
        timeZone: 'Asia/Shanghai',
        mode: 'light',
        accent: 'blue',
        table: DEFAULT_TABLE,
        setTable: () => undefined,
        columns: prefs,
        setColumns: (id, one) => setPrefs(one === null ? {} : { [id]: one }),
      }}
    >
      <output>{useLocation().search}</output>
      <button type="button" onClick={() => setPrefs({ 'site.list': HIDDEN })}>
        hide
      </button>
      <button type="button" onClick={() => setSearch('key=other&page=3')}>
        go
      </button>
      <ViewsButton table="site.list" />
    </UiContext>
  )
}
const show = (path: string) =>
  render(
    <QueryClientProvider client={queryClient}>
      <App>
        <MemoryRouter initialEntries={[path]}>
          <List />
        </MemoryRouter>
      </App>
    </QueryClientProvider>,
  )
const address = () => document.querySelector('output')?.textContent
const openPanel = async () => {
  fireEvent.click(screen.getByRole('button', { name: /Saved views|已存视图/ }))
  return await screen.findByRole('dialog', { name: /Saved views|已存视图/ })
}
const saveAs = (name: string) => {
  fireEvent.change(screen.getByLabelText('Name of the view'), { target: { value: name } })
  fireEvent.submit(screen.getByLabelText('Name of the view'))
}
const stored = () => viewsOf(acceptViews(JSON.parse(localStorage.getItem('admin:views') ?? '{}')), 7, 'site.list')

describe('saved views', () => {
  it('name filters, order, rows of a page and columns, and bring them back', async () => {
    show('/list?page=4&sidx=id&order=asc&key=abc&limit=50')
    fireEvent.click(screen.getByText('hide'))
    await openPanel()
    saveAs('  Mine ')
    const view = { name: 'Mine', search: 'key=abc&limit=50&order=asc&sidx=id', columns: HIDDEN }
    expect(stored()).toEqual([view])
    const entry = await screen.findByRole('button', { name: 'Mine' })
    expect(entry.getAttribute('aria-current')).toBe('true')
    fireEvent.click(screen.getByText('go'))
    await waitFor(() => expect(entry.getAttribute('aria-current')).toBe('false'))
    fireEvent.click(entry)
    expect(address()).toBe('?key=abc&limit=50&order=asc&sidx=id')
    expect(columns).toEqual({ 'site.list': HIDDEN })
    // Back at the button that opened it.
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Saved views' }))
  })

  it('are replaced under the same name, renamed, and deleted with a way back', async () => {
    show('/list?key=one')
    await openPanel()
    saveAs('First')
    fireEvent.click(screen.getByText('go'))
    fireEvent.change(screen.getByLabelText('Name of the view'), { target: { value: 'First' } })
    expect(screen.getByRole('button', { name: 'Replace this view' })).toBeTruthy()
    fireEvent.submit(screen.getByLabelText('Name of the view'))
    expect(stored()).toEqual([{ name: 'First', search: 'key=other', columns: null }])
    saveAs('Second')

    fireEvent.click(screen.getByRole('button', { name: 'Rename Second' }))
    const box = await screen.findByLabelText('New name of Second')
    expect(document.activeElement).toBe(box)
    fireEvent.change(box, { target: { value: 'First' } })
    expect(document.querySelector('.views [role=alert]')?.textContent).toBe('There is a view of this name')
    fireEvent.submit(box)
    expect(stored().map((v) => v.name)).toEqual(['First', 'Second'])
    fireEvent.change(box, { target: { value: 'Third' } })
    fireEvent.submit(box)
    expect(stored().map((v) => v.name)).toEqual(['First', 'Third'])

    fireEvent.click(await screen.findByRole('button', { name: 'Delete First' }))
    expect(stored().map((v) => v.name)).toEqual(['Third'])
    fireEvent.click(screen.getByRole('button', { name: 'Undo' }))
    expect(stored().map((v) => v.name)).toEqual(['First', 'Third'])
  })

  it('are each account’s own, and each list’s', async () => {
    useViewStore.getState().set(8, 'site.list', [{ name: 'Another’s', search: '', columns: null }])
    useViewStore.getState().set(7, 'node.list', [{ name: 'Of nodes', search: '', columns: null }])
    show('/list')
    await openPanel()
    expect(screen.queryByText('Another’s')).toBeNull()
    expect(screen.queryByText('Of nodes')).toBeNull()
  })

  it('are so many at most, and say so; in Chinese too', async () => {
    const many = Array.from({ length: MAX_VIEWS }, (_, i) => ({ name: `v${i}`, search: `key=${i}`, columns: null }))
    useViewStore.getState().set(7, 'site.list', many)
    chooseLang('zh')
    show('/list')
    await openPanel()
    const box = screen.getByLabelText('视图名称')
    fireEvent.change(box, { target: { value: 'one more' } })
    expect(document.querySelector('.views [role=alert]')?.textContent).toBe('每个列表最多 20 个视图')
    fireEvent.submit(box)
    expect(viewsOf(useViewStore.getState().all, 7, 'site.list')).toHaveLength(MAX_VIEWS)
  })
})

describe('what is stored of views', () => {
  it('is taken only as far as it is understood', () => {
    expect(acceptViews(null)).toEqual({})
    expect(
      acceptViews({ '7 site.list': [{ name: 'a', search: 'key=1', columns: { hidden: ['x', 5] } }, 3, { name: '' }] }),
    ).toEqual({
      '7 site.list': [{ name: 'a', search: 'key=1', columns: { order: [], hidden: ['x'], pins: {} } }],
    })
  })
  it('leaves out what is of the moment, and puts one view in the place of its namesake', () => {
    expect(searchOf(new URLSearchParams('page=3&add=1&b=2&a=1'))).toBe('a=1&b=2')
    const [a, b] = ['a', 'b'].map((name) => ({ name, search: '', columns: null })) as [never, never]
    expect(withView([a, b], { name: 'a', search: 'x', columns: null })).toEqual([
      { name: 'a', search: 'x', columns: null },
      b,
    ])
  })
})
