// @vitest-environment jsdom
// @vitest-environment-options {"url":"http://localhost/admin/"}
import { configure, fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { chooseLang } from '../shared/i18n.ts'
import { useSession } from '../shell/session.ts'
import { ThemeProvider } from '../shell/ThemeProvider.tsx'
import { inBrowser } from '../testing/browser.ts'
import { USER } from '../testing/fixtures.ts'
import { press, showPage, tableRow, words } from '../testing/page.tsx'
import { peer } from '../testing/peer.ts'
import { loadPage } from './registry.ts'

inBrowser()
configure({ asyncUtilTimeout: 15_000 })
// The first look at a page on a busy machine takes long.
vi.setConfig({ testTimeout: 90_000 })
beforeEach(() => useSession.setState({ user: USER.user }))

const AT = '2026-03-01T00:00:00.000Z'
const paged = <Row,>(row: Row) => ({ list: [row], totalCount: 45, pageSize: 20, currPage: 1, totalPage: 3 })
const title = (en: string) => ({ zh: `${en}中`, en })
const CUSTOMER = {
  ...{ id: 1, username: 'plain-one', enabled: true, mobile: '', email: '', wechat: '', balance: 0 },
  ...{
    verifyStatus: 'none' as const,
    realName: '',
    note: '',
    sites: 0,
    lastLogin: '',
    lastLoginIp: '',
    createTime: AT,
  },
}
const ADMIN = {
  ...{ id: 2, username: 'editor-one', enabled: true, superAdmin: false, roles: [], unvalidModel: [], lastLogin: '' },
  ...{ lastLoginIp: '', createTime: AT, passwordTime: AT, own: false, manageable: true },
}
const ROLE = { id: 5, name: 'Editor', description: '', superRole: false, permissions: [], admins: 0, manageable: true }
const ENTRY = {
  ...{ menuId: 100_001, parentId: null, url: '/own', type: 0, level: 1, sort: 1, enabled: true, permission: null },
  ...{ consoles: ['admin' as const], meta: { title: title('Own') }, shipped: false, exists: true },
}
const MESSAGE = {
  ...{ id: 7, title: 'Notice seven', type: 2, status: 1, readStatus: 0, link: '', createtime: AT },
  ...{ target: 'all' as const, expireTime: '', state: 'out' as const, reads: 0 },
}
const ANSWERS = {
  'customer.list': () => ({ data: paged(CUSTOMER) }),
  'customer.options': () => ({ data: { screens: [] } }),
  'admin.list': () => ({ data: paged(ADMIN) }),
  'admin.options': () => ({ data: { roles: [], screens: [] } }),
  'role.list': () => ({ data: paged(ROLE) }),
  'menu.list': () => ({ menuList: [ENTRY] }),
  'menu.allPerms': () => ({ menuList: [] }),
  'message.list': () => ({ data: paged(MESSAGE), unread: 0 }),
}

interface Screen {
  path: string
  /** Heading in both languages. */
  en: string
  zh: string
  /** The list behind it; null: the screen is a form. */
  list: keyof typeof ANSWERS | null
  /** A cell of the one row, and what can be done with it. */
  row: string
  actions: readonly string[]
  /** Opens the form for a new one; absent: nothing is added there. */
  add?: string
  /** Has a search over its pages. */
  search?: boolean
}

const SCREENS: readonly Screen[] = [
  {
    ...{ path: '/account/users/users', en: 'Users', zh: '用户列表', list: 'customer.list', row: 'plain-one' },
    ...{ actions: ['plain-one', 'Edit'], add: 'Add user', search: true },
  },
  {
    ...{ path: '/account/users/admins', en: 'Admins', zh: '管理员', list: 'admin.list', row: 'editor-one' },
    ...{ actions: ['Edit', 'Reset password', 'Delete'], add: 'Add admin', search: true },
  },
  { path: '/account/users/password', en: 'Reset password', zh: '重置密码', list: null, row: '', actions: [] },
  {
    ...{ path: '/account/role/list', en: 'Roles', zh: '角色', list: 'role.list', row: 'Editor' },
    ...{ actions: ['Edit', 'Delete'], add: 'Add role', search: true },
  },
  {
    ...{ path: '/account/role/menu', en: 'Menus', zh: '菜单', list: 'menu.list', row: 'Own' },
    ...{ actions: ['Edit', 'Delete'], add: 'Add entry' },
  },
  {
    ...{ path: '/account/message', en: 'Messages', zh: '消息管理', list: 'message.list', row: 'Notice seven' },
    ...{ actions: ['Edit', 'Delete'], add: 'New message', search: true },
  },
]

const open = async (path: string) => {
  const { Page } = await loadPage(path)
  showPage(Page, path, ThemeProvider)
}

describe('the screens of accounts and permissions', () => {
  it.each(SCREENS)(
    '$path opens in both languages and shows what is there [S2.37]',
    async ({ path, en, zh, list, row, actions }) => {
      const { seen } = peer(ANSWERS)
      await open(path)
      expect(await screen.findByRole('heading', { level: 1, name: en })).toBeTruthy()
      if (list === null) expect(document.querySelectorAll('form input[type=password]')).toHaveLength(3)
      else {
        const shown = words(await tableRow(row))
        expect(shown).toEqual(expect.arrayContaining([...actions]))
        expect(seen.some((s) => s.id === list)).toBe(true)
      }
      chooseLang('zh')
      expect(await screen.findByRole('heading', { level: 1, name: zh })).toBeTruthy()
    },
  )

  it.each(SCREENS.filter((s) => s.add !== undefined))(
    '$path has a form for a new entry [S2.37]',
    async ({ path, add = '', row }) => {
      peer(ANSWERS)
      await open(path)
      await tableRow(row)
      await press(add)
      await waitFor(() => expect(document.querySelector('.ant-drawer form input')).not.toBeNull())
    },
  )

  it.each(SCREENS.filter((s) => s.search === true))(
    '$path is searched, and paged [S2.37]',
    async ({ path, row, list }) => {
      const { seen } = peer(ANSWERS)
      await open(path)
      await tableRow(row)
      const asked = () => seen.findLast((s) => s.id === list)?.input ?? {}
      fireEvent.click(document.querySelector('.tg-pager-pages .ant-pagination-item-2') ?? document.body)
      await waitFor(() => expect(asked()).toMatchObject({ page: 2, limit: 20 }))
      const search = document.querySelector('.tool-search input') ?? document.body
      fireEvent.change(search, { target: { value: 'one' } })
      fireEvent.keyDown(search, { key: 'Enter' })
      await waitFor(() => expect(asked()).toMatchObject({ page: 1, key: 'one' }))
    },
  )
})
