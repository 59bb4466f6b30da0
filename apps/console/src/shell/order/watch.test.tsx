// @vitest-environment jsdom
// @vitest-environment-options {"url":"http://localhost/admin/"}
import { configure, screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { NEW_ORDERS } from '../../shared/order/api.ts'
import { useSound } from '../../shared/order/sound.ts'
import { queryClient } from '../../shared/query.ts'
import { inBrowser } from '../../testing/browser.ts'
import { MENU, USER } from '../../testing/fixtures.ts'
import { press, showPage } from '../../testing/page.tsx'
import { peer } from '../../testing/peer.ts'
import { polled } from '../../testing/polled.ts'
import { useSession } from '../session.ts'
import { OrderWatch } from './OrderWatch.tsx'

inBrowser()
configure({ asyncUtilTimeout: 15_000 })
// The first look at a page on a busy machine takes long.
vi.setConfig({ testTimeout: 60_000 })

const LIST = {
  ...{ menuId: 271, url: '/cdn/work-order/list', type: 1, children: [] },
  meta: { title: { zh: '工单', en: 'Work orders' } },
}
const played: string[] = []
let now = { newSum: 0, lastId: 0 }
beforeEach(() => {
  played.length = 0
  now = { newSum: 0, lastId: 0 }
  useSound.getState().look()
  useSession.setState({ user: USER.user, menu: [...MENU, LIST] })
  vi.stubGlobal(
    'Audio',
    class {
      constructor(readonly src: string) {}
      play() {
        played.push(this.src)
        return Promise.resolve()
      }
    },
  )
})

const answers = { 'workOrder.newMsg': () => now }
const poll = async (newSum: number, lastId: number) => {
  now = { newSum, lastId }
  await queryClient.refetchQueries({ queryKey: NEW_ORDERS })
  await waitFor(() => expect(localStorage.getItem('admin:sound:last')).toBe(String(lastId)))
}
const prompt = () => screen.queryByRole('region', { name: 'Notification sound' })

describe('the notification sound', () => {
  it('is asked for on the screens of work orders and where one waits, and not again [S4.19]', async () => {
    peer(answers)
    showPage(OrderWatch, '/home/overview')
    await poll(0, 3)
    expect(prompt()).toBeNull()
    await poll(1, 4)
    await waitFor(() => expect(prompt()).not.toBeNull())
    await press('Do not allow')
    expect([prompt(), localStorage.getItem('admin:sound'), played]).toEqual([null, '1', []])
    await poll(2, 5)
    expect([prompt(), played]).toEqual([null, []])
  })

  it('stores 2 when allowed, and rings at once as a sample [S4.19]', async () => {
    peer(answers)
    showPage(OrderWatch, '/cdn/work-order/list')
    await press('Allow')
    expect(localStorage.getItem('admin:sound')).toBe('2')
    expect(played).toEqual([expect.stringMatching(/ring\.wav$/)])
  })

  it('asks what is new every 5000 ms on every page, and not sooner [S9.1]', async () => {
    const { seen } = peer(answers)
    await polled(
      () => showPage(OrderWatch, '/home/overview'),
      () => seen.filter((s) => s.id === 'workOrder.newMsg').length,
      5_000,
    )
  })

  it('rings for what is new alone, and once over several tabs', async () => {
    localStorage.setItem('admin:sound', '2')
    useSound.getState().look()
    peer(answers)
    now = { newSum: 3, lastId: 8 }
    showPage(OrderWatch)
    showPage(OrderWatch)
    await poll(3, 8)
    expect(played).toEqual([])
    await poll(4, 9)
    await waitFor(() => expect(played.length).toBe(1))
    // An order that was answered is nothing new.
    await poll(3, 9)
    expect(played.length).toBe(1)
  })
})
