// @vitest-environment jsdom
// @vitest-environment-options {"url":"http://localhost/admin/"}
import { configure, fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { chooseLang } from '../../shared/i18n.ts'
import { queryClient } from '../../shared/query.ts'
import { inBrowser } from '../../testing/browser.ts'
import { EMPTY_LIST, MENU, USER } from '../../testing/fixtures.ts'
import { press, showPage } from '../../testing/page.tsx'
import { peer } from '../../testing/peer.ts'
import { useSession } from '../session.ts'
import { BellButton } from './BellButton.tsx'

inBrowser()
configure({ asyncUtilTimeout: 15_000 })
// The first look at a page on a busy machine takes long.
vi.setConfig({ testTimeout: 60_000 })

const row = (id: number, readStatus: number) => ({
  ...{ id, title: `Notice ${id}`, type: 2, status: 1, readStatus, link: '', target: 'all' as const },
  ...{ createtime: '2026-11-20T10:00:00Z', expireTime: '', state: 'out' as const, reads: 0 },
})
const screenOfMessages = {
  ...{ menuId: 531, url: '/account/message', type: 1, children: [] },
  meta: { title: { zh: '消息', en: 'Messages' } },
}
beforeEach(() => useSession.setState({ user: USER.user, menu: [...MENU, screenOfMessages] }))

const answers = (unread: number) => {
  let left = unread
  return {
    'message.unread': () => ({ unread: left }),
    'message.list': () => ({ data: { ...EMPTY_LIST.data, list: [row(7, 0), row(6, 1)], totalCount: 2 }, unread: left }),
    'message.info': () => ({
      data: {
        ...row(7, 0),
        content:
          '<h2>Works</h2><p onclick="x()">from two<img src="https://elsewhere.example/p.png"><script>1</script></p>',
        users: [],
      },
    }),
    'message.read': () => {
      left -= 1
      return { unread: left }
    },
  }
}
const bell = () => document.querySelector<HTMLButtonElement>('.shell-tool') ?? document.body
const badge = () => document.querySelector('.shell-badge')?.textContent ?? ''

describe('the bell of the staff', () => {
  it.each([
    ['en', 'Publish announcement', 'Message management'],
    ['zh', '发布公告', '消息管理'],
  ] as const)(
    'opens a drawer of the enabled announcements that are out, with its title and the way to their management (%s) [S2.23 S2.42 S9.3]',
    async (lang, title, link) => {
      chooseLang(lang)
      const { seen } = peer(answers(100))
      showPage(BellButton)
      await waitFor(() => expect(badge()).toBe('99+'))
      fireEvent.click(bell())
      expect(await screen.findByText(title)).toBeTruthy()
      expect(await screen.findByText('Notice 7')).toBeTruthy()
      expect(screen.getByText('Notice 6')).toBeTruthy()
      const asked = seen.find((s) => s.id === 'message.list')?.input
      expect(asked).toEqual({ sidx: 'id', order: 'desc', page: 1, limit: 100, type: 2, status: 1, drawer: 1 })
      expect(screen.getByText(link).closest('a')?.getAttribute('href')).toBe('/account/message')
    },
  )

  it.each([
    [0, ''],
    [1, '1'],
    [99, '99'],
    [100, '99+'],
  ])('counts %i unread messages as "%s" [S9.3 S2.23]', async (unread, shown) => {
    peer(answers(unread))
    showPage(BellButton)
    await waitFor(() => expect(queryClient.getQueryData(['message', 'unread'])).toMatchObject({ unread }))
    await waitFor(() => expect(badge()).toBe(shown))
  })

  it('opens a message in a dialog with title, time and clean text; it is read then, and the count drops by one [S2.23 S4.16 S7.22]', async () => {
    chooseLang('zh')
    const { seen } = peer(answers(3))
    showPage(BellButton)
    await waitFor(() => expect(badge()).toBe('3'))
    fireEvent.click(bell())
    expect(await screen.findByText('发布公告')).toBeTruthy()
    fireEvent.click(await screen.findByText('Notice 7'))
    await waitFor(() => expect(document.querySelector('.ant-modal-title')?.textContent).toBe('Notice 7'))
    const dialog = document.querySelector('.ant-modal')
    await waitFor(() => expect(dialog?.querySelector('.tg-rich')?.innerHTML).toBe('<h2>Works</h2><p>from two</p>'))
    expect(dialog?.querySelector('time')?.textContent).toContain('2026-11-20 18:00:00')
    await waitFor(() => expect(badge()).toBe('2'))
    expect(seen.filter((s) => s.id === 'message.read').map((s) => s.input)).toEqual([{ ids: [7] }])
    await press('关闭')
  })
})
