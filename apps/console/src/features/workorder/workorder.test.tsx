// @vitest-environment jsdom
// @vitest-environment-options {"url":"http://localhost/admin/"}
import { configure, fireEvent, screen, waitFor } from '@testing-library/react'
import { WORK_ORDER_LABELS } from '@tidegate/contract/enums'
import type { QuickReply, WorkOrderRow } from '@tidegate/contract/operations/work-order'
import { contentText, workOrderLabel } from '@tidegate/contract/work-order'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { chooseLang } from '../../shared/i18n.ts'
import { useSession } from '../../shell/session.ts'
import { inBrowser } from '../../testing/browser.ts'
import { USER } from '../../testing/fixtures.ts'
import { press, showPage, tableRow, words } from '../../testing/page.tsx'
import { peer } from '../../testing/peer.ts'
import { polled } from '../../testing/polled.ts'
import { suggested } from './Composer.tsx'
import { Page as OrderPage } from './OrderPage.tsx'
import { Page as OrdersPage } from './OrdersPage.tsx'

inBrowser()
configure({ asyncUtilTimeout: 15_000 })
// The first look at a page on a busy machine takes long.
vi.setConfig({ testTimeout: 60_000 })
beforeEach(() => useSession.setState({ user: USER.user }))

const TIME = '2026-11-20T10:00:00Z'
const order = (id: number, more: Partial<WorkOrderRow> = {}): WorkOrderRow => {
  const row = {
    ...{ id, title: `Order ${id}`, categoryObj: { id: 1, title: 'Domains' }, userName: 'anna', userId: 2 },
    ...{ status: 0, replied: false, closeReason: '' as const, solved: null, rating: null, appealed: false },
    ...{ createDate: TIME, lastSubmitDate: TIME, unread: 0, assignee: null, waiting: true },
    ...more,
  }
  return { ...row, label: workOrderLabel(row) }
}
const ROWS = [
  order(1),
  order(2, { replied: true }),
  order(3, { status: 1 }),
  order(4, { status: 2, appealed: true }),
  order(5, { status: 3, closeReason: 'user', rating: 2, solved: false }),
  order(6, { status: 3, closeReason: 'rejected' }),
]
const reply = (id: number, shortcut: string): QuickReply => ({
  id,
  title: `R${id}`,
  shortcut,
  content: `C${id}`,
  sort: id,
})
const counts = Object.fromEntries(WORK_ORDER_LABELS.map((l, i) => [l, i])) as Record<
  (typeof WORK_ORDER_LABELS)[number],
  number
>
const page = { totalCount: 6, pageSize: 20, currPage: 1, totalPage: 1 }
const lists = {
  'workOrder.list': () => ({ data: { list: ROWS, ...page }, counts }),
  'workOrder.stats': () => ({ data: { waiting: 1, open: 2, firstAnswer: 90, rating: 4.25, rated: 4, solved: 0.75 } }),
  'workOrder.assignees': () => ({ list: [{ id: 1, name: 'admin' }] }),
  'workCategory.list': () => ({ list: [{ id: 1, title: 'Domains', sort: 1, enabled: true, orders: 6 }] }),
  'workReply.list': () => ({ list: [reply(1, 'hi'), reply(2, 'hello')] }),
}

describe('the list of work orders', () => {
  it.each([
    ['en', ['Pending', 'Processing', 'Completed', 'Appeal', 'Closed', 'Rejected']],
    ['zh', ['待处理', '处理中', '已完成', '申诉处理中', '已关闭', '已驳回']],
  ] as const)('calls each state by its label (%s) [S4.1]', async (lang, names) => {
    chooseLang(lang)
    peer(lists)
    showPage(OrdersPage)
    for (const [i, name] of names.entries()) {
      const row = await tableRow(`#${i + 1}`)
      expect(row.querySelector('.tg-status')?.textContent).toBe(name)
    }
    await waitFor(() => expect(document.querySelector('.order-labels')?.textContent).toContain(`${names[5]} 5`))
  })

  it('asks the server anew every 5000 ms while it is shown, and not sooner [S4.20 S9.1]', async () => {
    const { seen } = peer(lists)
    await polled(
      () => showPage(OrdersPage),
      () => seen.filter((s) => s.id === 'workOrder.list').length,
      5_000,
    )
  })
})

const answers = (row: WorkOrderRow) => ({
  ...lists,
  'workOrder.detail': () => ({
    data: {
      ...row,
      senderInfos: [
        {
          ...{
            id: 1,
            sender: 'user' as const,
            name: 'anna',
            actingName: 'admin',
            event: '' as const,
            internal: false,
          },
          ...{ content: contentText('<img src=x onerror=1>', [`/uploads/${'a'.repeat(32)}.png`]), createdate: TIME },
        },
        {
          ...{ id: 2, sender: 'admin' as const, name: 'clerk', actingName: '', event: '' as const, internal: true },
          ...{ content: contentText('for us', []), createdate: TIME },
        },
      ],
    },
  }),
  'workOrder.send': () => ({ id: 9 }),
})

describe('one work order', () => {
  it('shows plain text, pictures, notes and who acted; sends what was typed [S2.8]', async () => {
    const { seen } = peer(answers(order(7)))
    showPage(OrderPage, '/cdn/work-order/list/detail?id=7')
    expect((await screen.findByText('<img src=x onerror=1>')).tagName).toBe('P')
    expect(document.querySelectorAll('.order-talk img').length).toBe(1)
    expect(document.querySelector('.order-note')?.textContent).toContain('for us')
    expect(document.querySelector('.order-other')?.textContent).toContain('sent by admin')
    expect(seen.find((s) => s.id === 'workOrder.detail')?.input).toEqual({ id: '7' })
    fireEvent.change(screen.getByLabelText('Message'), { target: { value: 'Done' } })
    expect(localStorage.getItem('admin:draft:order 7')).toContain('Done')
    await press('Send')
    await waitFor(() => expect(localStorage.getItem('admin:draft:order 7')).toBeNull())
    expect(seen.find((s) => s.id === 'workOrder.send')?.input).toEqual({
      ...{ id: 7, content: '{"text":"Done"}', internal: false },
    })
  })

  it.each([
    [order(1), ['Complete', 'Reject', 'Close']],
    [order(3, { status: 1 }), ['Close', 'Reopen']],
    [order(4, { status: 2 }), ['Complete', 'Reject', 'Close']],
    [order(6, { status: 3, closeReason: 'rejected' }), ['Reopen']],
  ] as const)('offers what its state allows', async (row, wanted) => {
    peer(answers(row))
    showPage(OrderPage, `/cdn/work-order/list/detail?id=${row.id}`)
    await screen.findByText('for us')
    const side = document.querySelector('.order-side') ?? document
    expect(words(side).filter((w) => w !== '')).toEqual(wanted)
  })
})

describe('a move of the staff', () => {
  it('is asked for once more, with what the customer shall read', async () => {
    const moving = { ...answers(order(8)), 'workOrder.move': () => ({}) }
    const { seen } = peer(moving)
    showPage(OrderPage, '/cdn/work-order/list/detail?id=8')
    await press('Complete')
    fireEvent.change(await screen.findByLabelText('Reason'), { target: { value: 'found it' } })
    await press('Confirm')
    await waitFor(() =>
      expect(seen.find((s) => s.id === 'workOrder.move')?.input).toEqual({
        id: 8,
        action: 'complete',
        reason: 'found it',
      }),
    )
  })
})

describe('quick replies', () => {
  it('are meant by a slash and the first letters of a shortcut', () => {
    const list = [reply(1, 'hi'), reply(2, 'hello'), reply(3, '')]
    const ids = (text: string) => suggested(text, list).map((r) => r.id)
    expect([ids('/'), ids('/h'), ids('/he'), ids('/x'), ids('h'), ids('a /h')]).toEqual([
      [1, 2],
      [1, 2],
      [2],
      [],
      [],
      [],
    ])
  })
})
