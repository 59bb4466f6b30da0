// @vitest-environment jsdom
// @vitest-environment-options {"url":"http://localhost/"}
import { configure, fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { chooseLang } from '../../shared/i18n.ts'
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
  ...{ id, title: `Notice ${id}`, type: 3, status: 1, readStatus, link: '' },
  createtime: '2026-11-20T10:00:00Z',
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
    'message.notices': () => ({
      data: { ...EMPTY_LIST.data, list: [row(7, left === 0 ? 1 : 0)], totalCount: 1 },
      unread: left,
    }),
    'message.read': () => {
      left = 0
      return { unread: left }
    },
  }
}
const bell = () => document.querySelector<HTMLButtonElement>('.shell-tool') ?? document.body
const badge = () => document.querySelector('.shell-badge')?.textContent ?? ''

describe('the bell of a customer', () => {
  it.each([
    ['en', 'Message notification', 'View more', 'Mark all as read'],
    ['zh', '消息通知', '查看更多', '全部已读'],
  ] as const)(
    'lists every message of theirs, leads to more, and marks all as read (%s) [S2.23 S2.42 S4.16]',
    async (lang, title, more, all) => {
      chooseLang(lang)
      const { seen } = peer(answers(2))
      showPage(BellButton)
      await waitFor(() => expect(badge()).toBe('2'))
      fireEvent.click(bell())
      expect(await screen.findByText(title)).toBeTruthy()
      expect(await screen.findByText('Notice 7')).toBeTruthy()
      expect(screen.getByText(more).closest('a')?.getAttribute('href')).toBe('/account/message')
      expect(seen.find((s) => s.id === 'message.notices')?.input).toEqual({
        ...{ sidx: 'id', order: 'desc', page: 1, limit: 100 },
      })
      expect(seen.some((s) => s.id === 'message.list')).toBe(false)
      await press(all)
      await waitFor(() => expect(badge()).toBe(''))
      expect(seen.find((s) => s.id === 'message.read')?.input).toEqual({ all: 1 })
    },
  )
})
