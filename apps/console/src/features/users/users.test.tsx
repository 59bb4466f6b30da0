// @vitest-environment jsdom
// @vitest-environment-options {"url":"http://localhost/admin/"}
import { configure, fireEvent, screen, waitFor } from '@testing-library/react'
import type { CustomerRow } from '@tidegate/contract/operations/customer'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { chooseLang } from '../../shared/i18n.ts'
import { useSession } from '../../shell/session.ts'
import { inBrowser } from '../../testing/browser.ts'
import { EMPTY_LIST, USER } from '../../testing/fixtures.ts'
import { judged } from '../../testing/form.ts'
import { press, showPage, tableRow, words } from '../../testing/page.tsx'
import { peer, Refusal } from '../../testing/peer.ts'
import { Page } from './UsersPage.tsx'

inBrowser()
configure({ asyncUtilTimeout: 15_000 })
// The first look at a page on a busy machine takes long.
vi.setConfig({ testTimeout: 60_000 })
beforeEach(() => useSession.setState({ user: USER.user }))

const row = (id: number, username: string, more: Partial<CustomerRow> = {}): CustomerRow => ({
  id,
  username,
  enabled: true,
  mobile: '13800138000',
  email: '',
  wechat: '',
  balance: 123_456,
  verifyStatus: 'none',
  realName: '',
  note: '',
  sites: 2,
  lastLogin: '',
  lastLoginIp: '',
  createTime: '2026-03-01T00:00:00.000Z',
  ...more,
})
const LIST = () => ({
  data: {
    ...EMPTY_LIST.data,
    list: [row(1, 'plain-one'), row(2, 'waiting-one', { verifyStatus: 'pending', realName: '张三', enabled: false })],
    totalCount: 2,
    totalPage: 1,
  },
})

const INFO = {
  ...row(1, 'plain-one'),
  whiteIpStatus: 0,
  whiteIps: [],
  unvalidModel: [],
  lang: null,
  idCard: '',
  verifyAsked: '',
  verifyTime: '',
  verifyReason: '',
  passwordTime: '2026-03-01T00:00:00.000Z',
}

describe('the list of users', () => {
  it('shows balance, real name and state, and offers a review only where one waits [S9.9]', async () => {
    peer({ 'customer.list': LIST })
    showPage(Page)
    const plain = await tableRow('plain-one')
    expect(plain.textContent).toContain('¥1,234.56')
    expect(words(plain)).toEqual(['plain-one', 'Edit', '···'])
    const waiting = await tableRow('waiting-one')
    expect(waiting.textContent).toContain('张三')
    expect(waiting.textContent).toContain('Disabled')
    expect(words(waiting)).toEqual(['waiting-one', 'Review', 'Edit', '···'])
  })

  it('offers only what the rights are there for', async () => {
    useSession.setState({ user: { ...USER.user, superAdmin: false }, permissions: new Set(['account:users:users']) })
    peer({ 'customer.list': LIST })
    showPage(Page)
    expect(words(await tableRow('waiting-one'))).toEqual(['waiting-one'])
  })

  it('tells of each of many what became of it, and keeps what failed chosen', async () => {
    const { seen } = peer({
      'customer.list': LIST,
      'customer.enable': ({ ids }) =>
        (ids as number[]).includes(2) ? new Refusal(409, { error: 'x', msg: 'is being reviewed' }) : {},
    })
    showPage(Page)
    await tableRow('plain-one')
    fireEvent.click(document.querySelector('thead input[type=checkbox]') as Element)
    await press('Disable', () => document.querySelector('.tg-bulk'))
    const results = await screen.findByRole('region', { name: 'Results', hidden: true })
    expect([...results.querySelectorAll('li')].map((li) => li.textContent?.trim())).toEqual([
      expect.stringMatching(/^waiting-one .*is being reviewed/),
      'plain-one done',
    ])
    expect(document.querySelector('.tg-bulk')?.textContent).toContain('1 chosen')
    expect(seen.filter(({ id }) => id === 'customer.enable').map(({ input }) => input.ids)).toEqual([[1, 2], [1], [2]])
  })

  it('tells a customer’s log in the words of the log’s own screen', async () => {
    const entry = {
      id: 9,
      time: '2026-03-01T00:00:00.000Z',
      actorKind: 'user',
      actorId: 1,
      actorName: 'plain-one',
      action: 'site.save',
      target: 'site 1',
      ip: '192.0.2.7',
      requestId: '',
      changed: false,
      acting: false,
      actingName: '',
    }
    peer({
      'customer.list': LIST,
      'customer.info': () => ({ data: INFO }),
      'userLog.list': () => ({ data: { ...EMPTY_LIST.data, list: [entry], totalCount: 1, totalPage: 1 } }) as never,
    })
    showPage(Page)
    await press('plain-one', () => document.querySelector('.tg-table'))
    fireEvent.click(await screen.findByRole('tab', { name: 'Log', hidden: true }))
    const row = await tableRow('192.0.2.7')
    expect(row.textContent).toContain('Save a site')
    expect(row.textContent).toContain('site.save')
  })

  it.each([
    ['zh', '登录安全', '微信登录', '解绑', '微信已解绑'],
    ['en', 'Sign-in security', 'Login by WeChat', 'Unlink', 'WeChat was unlinked'],
  ] as const)(
    'shows (%s) the WeChat account that logs in as a customer, and unlinks it when asked twice',
    async (lang, tab, title, unlink, done) => {
      chooseLang(lang)
      let linked = true
      const state = { factors: [], recoveryLeft: 0, logins: [], whiteIpStatus: 0, whiteIps: [] }
      const { seen } = peer({
        'customer.list': LIST,
        'customer.info': () => ({ data: INFO }),
        'userSecurity.info': () => ({
          data: { ...state, wechat: linked ? { nickname: 'olivia', time: '2026-03-02T00:00:00.000Z' } : null },
        }),
        'userSecurity.wechatUnlink': () => {
          linked = false
          return {}
        },
      })
      showPage(Page)
      await press('plain-one', () => document.querySelector('.tg-table'))
      fireEvent.click(await screen.findByRole('tab', { name: tab, hidden: true }))
      const find = () => document.querySelector(`section[aria-label="${title}"]`)
      const panel = await waitFor(() => find() ?? Promise.reject(new Error('no panel')))
      expect(panel.textContent).toContain('olivia')
      await press(unlink, () => panel)
      const asked = () => seen.filter((one) => one.id === 'userSecurity.wechatUnlink').map((one) => one.input)
      await waitFor(() => expect(document.querySelector('.ant-modal')?.textContent).toContain('plain-one'))
      expect(asked()).toEqual([])
      await press(unlink, () => document.querySelector('.ant-modal'))
      await screen.findByText(done)
      expect(asked()).toEqual([{ id: 1 }])
      await waitFor(() => expect(find()).toBeNull())
    },
  )

  it('rejects a real name with a reason, in Chinese', async () => {
    chooseLang('zh')
    const { seen } = peer({
      'customer.list': LIST,
      'customer.info': () => ({ data: null }) as never,
      'customer.verify': () => ({}),
    })
    showPage(Page)
    const waiting = await tableRow('waiting-one')
    await press('审核', () => waiting)
    fireEvent.click(await screen.findByText('驳回'))
    await press('驳回', () => document.querySelector('.ant-modal'))
    expect(await screen.findByText('不能为空')).toBeTruthy()
    expect(seen.some((s) => s.id === 'customer.verify')).toBe(false)
    fireEvent.change(screen.getByLabelText('原因'), { target: { value: '照片不清' } })
    await press('驳回', () => document.querySelector('.ant-modal'))
    await waitFor(() =>
      expect(seen.find((s) => s.id === 'customer.verify')?.input).toEqual({
        id: 2,
        approve: false,
        reason: '照片不清',
      }),
    )
  })

  it('judges each field of a new account by the same rule as the server, in both languages [S5.10]', async () => {
    peer({ 'customer.list': LIST, 'customer.options': () => ({ data: { screens: [] } }) })
    showPage(Page)
    await press('Add user')
    await waitFor(() => expect(document.querySelector('.ant-drawer form')).not.toBeNull())
    await judged([
      ['name', 'username'],
      ['password', 'password'],
      ['phone', 'mobile'],
      ['email', 'email'],
    ])
  })
})
