// @vitest-environment jsdom
// @vitest-environment-options {"url":"http://localhost/admin/"}
import { configure, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { chooseLang } from '../../shared/i18n.ts'
import { inBrowser } from '../../testing/browser.ts'
import { EMPTY_LIST } from '../../testing/fixtures.ts'
import { showPage } from '../../testing/page.tsx'
import { peer, Refusal } from '../../testing/peer.ts'
import { Page } from './AdminLogPage.tsx'
import { Page as UserLogPage } from './UserLogPage.tsx'

inBrowser()
configure({ asyncUtilTimeout: 15_000 })
// The first look at a page on a busy machine takes long.
vi.setConfig({ testTimeout: 60_000 })
// What a page fetches late is here before a test waits for it.
beforeAll(() => import('../../shared/list/ExportPanel.tsx'), 60_000)

const ROW = {
  id: 7,
  time: '2026-03-01T02:03:04.000Z',
  actorKind: 'admin',
  actorId: 1,
  actorName: 'root.one',
  ip: '192.0.2.7',
  requestId: 'abcdef0123456789',
  action: 'node.save',
  target: 'node 3',
  changed: true,
  acting: false,
  actingName: '',
}
const FILTERS = { data: { actions: ['node.save'], actors: [{ id: 1, name: 'root.one' }] } }

describe('the log of admins', () => {
  it('lists who did what to what from where, and shows the difference in a drawer', async () => {
    peer({
      'audit.list': () => ({ data: { ...EMPTY_LIST.data, list: [ROW], totalCount: 1, totalPage: 1 } }),
      'audit.filters': () => FILTERS,
      'audit.info': () => ({
        data: { ...ROW, userAgent: 'Browser', before: { name: 'a', x: 1 }, after: { name: 'b', x: 1 } },
      }),
    })
    showPage(Page)
    for (const text of ['root.one', 'Edit a node', 'node 3', '192.0.2.7', 'abcdef012345'])
      expect(await screen.findByText(text)).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: 'Show change' }))
    const diff = await screen.findByRole('region', { name: 'What changed' })
    expect(
      within(diff)
        .getAllByRole('row')
        .map((r) => r.textContent),
    ).toEqual(['FieldBeforeAfter', 'nameab'])
    fireEvent.click(within(diff).getByRole('checkbox', { name: 'Show 1 unchanged fields' }))
    expect(within(diff).getByText('x')).toBeTruthy()
  })

  it('asks the server for the days of the installation’s time zone, and keeps them in the address', async () => {
    const { seen } = peer({ 'audit.list': () => EMPTY_LIST, 'audit.filters': () => FILTERS })
    showPage(Page, '/cdn/log/admins?from=2026-03-01&to=2026-03-01&action=node.save&actor=1')
    await waitFor(() => expect(seen.some((s) => s.id === 'audit.list')).toBe(true))
    expect(seen.find((s) => s.id === 'audit.list')?.input).toMatchObject({
      from: '2026-02-28T16:00:00.000Z',
      to: '2026-03-01T16:00:00.000Z',
      action: 'node.save',
      actorId: 1,
    })
    expect(await screen.findByText('No entry matches')).toBeTruthy()
  })

  it('says in Chinese what failed, with a way to try again', async () => {
    chooseLang('zh')
    const { seen } = peer({ 'audit.list': () => new Refusal(403, { error: 'forbidden', msg: '没有权限' }) })
    showPage(Page)
    expect(await screen.findByRole('heading', { name: '管理员日志' })).toBeTruthy()
    expect(await screen.findByText('没有权限（代码 403，req-1）')).toBeTruthy()
    const before = seen.filter((s) => s.id === 'audit.list').length
    fireEvent.click(screen.getByRole('button', { name: '重试' }))
    await waitFor(() => expect(seen.filter((s) => s.id === 'audit.list').length).toBe(before + 1))
  })
})

const rows = Array.from({ length: 20 }, (_, i) => ({ ...ROW, id: i + 1, target: `node ${i + 1}` }))
const LIST = () => ({ data: { list: rows, totalCount: 45, pageSize: 20, currPage: 1, totalPage: 3 } })
const DETAIL = () => ({ data: { ...ROW, userAgent: 'Browser', before: { name: 'a' }, after: { name: 'b' } } })
const FILE = { id: 9, rows: 45, bytes: 900, cut: false, error: '', createTime: ROW.time, expires: ROW.time }

describe('a log of the staff’s consoles', () => {
  const LOGS = [
    ['audit', Page, { en: 'Admin log', zh: '管理员日志' }],
    ['userLog', UserLogPage, { en: 'User log', zh: '用户日志' }],
  ] as const
  const ops = (log: 'audit' | 'userLog') => ({
    [`${log}.list`]: LIST,
    [`${log}.filters`]: () => FILTERS,
    [`${log}.info`]: DETAIL,
  })

  it.each(LOGS)('%s: has list, search, filters, paging and a detail [S2.35]', async (log, LogPage, title) => {
    const { seen } = peer(ops(log))
    showPage(LogPage)
    const asked = () => seen.findLast((s) => s.id === `${log}.list`)?.input ?? {}
    expect(await screen.findByRole('heading', { name: title.en })).toBeTruthy()
    expect(await screen.findByText('node 20')).toBeTruthy()
    expect(screen.getByText('Total 45')).toBeTruthy()
    const search = document.querySelector('.tool-search input') ?? document.body
    fireEvent.change(search, { target: { value: 'root' } })
    fireEvent.keyDown(search, { key: 'Enter' })
    await waitFor(() => expect(asked()).toMatchObject({ key: 'root' }))
    fireEvent.mouseDown(screen.getByRole('combobox', { name: 'What' }))
    fireEvent.click(await screen.findByText('Edit a node', { selector: '.ant-select-item-option-content' }))
    await waitFor(() => expect(asked()).toMatchObject({ key: 'root', action: 'node.save' }))
    fireEvent.click(document.querySelector('.tg-pager-pages .ant-pagination-item-2') ?? document.body)
    await waitFor(() => expect(asked()).toMatchObject({ page: 2, limit: 20, key: 'root', action: 'node.save' }))
    fireEvent.click(screen.getAllByRole('button', { name: 'Show change' })[0] ?? document.body)
    expect(await screen.findByRole('region', { name: 'What changed' })).toBeTruthy()
    expect(seen.find((s) => s.id === `${log}.info`)?.input).toMatchObject({ id: '1' })
    chooseLang('zh')
    expect(await screen.findByRole('heading', { name: title.zh })).toBeTruthy()
  })

  it.each(LOGS)('%s: is saved as CSV, the whole of what is looked for [S2.35]', async (log, LogPage) => {
    const made = vi.fn(() => 'blob:file')
    vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: made, revokeObjectURL: () => {} }))
    let state: 'running' | 'done' = 'running'
    const { seen } = peer({
      ...ops(log),
      'export.start': () => ({ id: 9 }),
      'export.list': () => ({
        data: {
          ...EMPTY_LIST.data,
          list: seen.some((s) => s.id === 'export.start') ? [{ ...FILE, list: `${log}.list`, state }] : [],
        },
      }),
      'export.download': () => ({}),
    })
    showPage(LogPage, '/log?key=root&action=node.save')
    await screen.findByText('node 20')
    fireEvent.click(screen.getByRole('button', { name: 'Export the list' }))
    fireEvent.click(await screen.findByRole('button', { name: 'Export all rows' }))
    await waitFor(() =>
      expect(seen.find((s) => s.id === 'export.start')?.input).toEqual({
        list: `${log}.list`,
        query: { key: 'root', action: 'node.save' },
      }),
    )
    state = 'done'
    await waitFor(() => expect(seen.some((s) => s.id === 'export.download')).toBe(true))
    await waitFor(() => expect(made).toHaveBeenCalledTimes(1))
  })
})
