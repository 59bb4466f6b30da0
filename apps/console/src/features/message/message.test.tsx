// @vitest-environment jsdom
// @vitest-environment-options {"url":"http://localhost/admin/"}
import { configure, fireEvent, screen, waitFor } from '@testing-library/react'
import { SAMPLES } from '@tidegate/contract/testing/samples'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { chooseLang } from '../../shared/i18n.ts'
import { useSession } from '../../shell/session.ts'
import { inBrowser } from '../../testing/browser.ts'
import { EMPTY_LIST, USER } from '../../testing/fixtures.ts'
import { faultAt, typeAt } from '../../testing/form.ts'
import { press, showPage } from '../../testing/page.tsx'
import { peer } from '../../testing/peer.ts'
import { Page } from './MessagesPage.tsx'

inBrowser()
configure({ asyncUtilTimeout: 15_000 })
// The first look at a page on a busy machine takes long.
vi.setConfig({ testTimeout: 60_000 })
beforeEach(() => useSession.setState({ user: USER.user }))
// The editor writes HTML, which jsdom cannot select in: here it is typed.
vi.mock('@tidegate/ui/RichEditor.tsx', () => ({
  RichEditor: ({ id, value, onChange }: { id?: string; value?: string; onChange?: (html: string) => void }) => (
    <textarea id={id} value={value} onChange={(event) => onChange?.(event.target.value)} />
  ),
}))

const link = (href: string) => `<p>See <a href="${href}" target="_blank">there</a></p>`

describe('a message', () => {
  it.each([
    ['en', 'New message'],
    ['zh', '发布消息'],
  ] as const)(
    'has links that are URLs by the same rule as the server’s, and is saved with them (%s) [S5.10]',
    async (lang, add) => {
      chooseLang(lang)
      const { seen } = peer({
        'message.list': () => ({ ...EMPTY_LIST, unread: 0 }),
        'message.save': () => ({ id: 1 }),
      })
      showPage(Page)
      await press(add)
      await waitFor(() => expect(document.querySelector('.ant-drawer form')).not.toBeNull())
      for (const value of SAMPLES.url.wrong) {
        typeAt('content', link(value))
        await waitFor(() => expect([value, faultAt('content')]).toEqual([value, `${value}: ${SAMPLES.url[lang]}`]))
      }
      const right = [...SAMPLES.url.right, 'mailto:a@b.co', 'tel:13800138000', '#/account/message', '/home']
      for (const value of right) {
        typeAt('content', link(value))
        await waitFor(() => expect([value, faultAt('content')]).toEqual([value, '']))
      }
      typeAt('title', 'Works')
      fireEvent.submit(document.querySelector('.ant-drawer form') ?? document.body)
      await waitFor(() =>
        expect(seen.find((s) => s.id === 'message.save')?.input).toMatchObject({ content: link('/home') }),
      )
      expect(await screen.findByText(lang === 'en' ? 'Added successfully' : '新增成功')).toBeTruthy()
    },
  )
})
