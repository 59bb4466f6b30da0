// @vitest-environment jsdom
// @vitest-environment-options {"url":"http://localhost/admin/"}
import { configure, fireEvent, screen, waitFor } from '@testing-library/react'
import type { AdminRow } from '@tidegate/contract/operations/admin'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { chooseLang } from '../../shared/i18n.ts'
import { useSession } from '../../shell/session.ts'
import { inBrowser } from '../../testing/browser.ts'
import { EMPTY_LIST, USER } from '../../testing/fixtures.ts'
import { judged } from '../../testing/form.ts'
import { press, showPage, tableRow, words } from '../../testing/page.tsx'
import { peer, Refusal } from '../../testing/peer.ts'
import { Page } from './AdminsPage.tsx'

inBrowser()
configure({ asyncUtilTimeout: 15_000 })
// The first look at a page on a busy machine takes long.
vi.setConfig({ testTimeout: 120_000 })
beforeEach(() => useSession.setState({ user: USER.user }))

const row = (id: number, username: string, more: Partial<AdminRow> = {}): AdminRow => ({
  id,
  username,
  enabled: true,
  superAdmin: false,
  roles: [{ id: 5, name: 'Editor' }],
  unvalidModel: [],
  lastLogin: '',
  lastLoginIp: '',
  createTime: '2026-03-01T00:00:00.000Z',
  passwordTime: '2026-03-01T00:00:00.000Z',
  own: false,
  manageable: true,
  ...more,
})
const LIST = () => ({
  data: {
    ...EMPTY_LIST.data,
    list: [
      row(1, 'root-one', { superAdmin: true, own: true }),
      row(2, 'editor-one', { unvalidModel: ['/cdn/gone'] }),
      row(3, 'strong-one', { manageable: false }),
    ],
    totalCount: 3,
    totalPage: 1,
  },
})
const title = (en: string) => ({ zh: `${en}中`, en })
const OPTIONS = () => ({
  data: {
    roles: [
      { id: 1, name: 'super', description: '', superRole: true, grantable: true },
      { id: 5, name: 'Editor', description: '', superRole: false, grantable: true },
    ],
    screens: [
      { menuId: 2, parentId: null, url: '/cdn', type: 0, title: title('CDN') },
      { menuId: 21, parentId: 2, url: '/cdn/push', type: 1, title: title('Push') },
      { menuId: 22, parentId: 2, url: '/cdn/push', type: 1, title: title('Push') },
    ],
  },
})
const AT = '2026-03-01T00:00:00.000Z'
const sent = (seen: readonly { id: string; input: unknown }[], id: string) =>
  seen.filter((s) => s.id === id).map((s) => s.input)

describe('the list of admins', () => {
  it('offers for each account what the caller may do with it', async () => {
    peer({ 'admin.list': LIST })
    showPage(Page)
    expect(words(await tableRow('root-one'))).toEqual(['Edit'])
    expect(words(await tableRow('editor-one'))).toEqual(['Edit', 'Reset password', 'Sign-in security', 'Delete'])
    expect(words(await tableRow('strong-one'))).toEqual([])
  })

  it('adds an account: both passwords alike, the form of name and password as the contract has it', async () => {
    const { seen } = peer({
      'admin.list': LIST,
      'admin.options': OPTIONS,
      'admin.save': () =>
        new Refusal(400, {
          error: 'invalid_input',
          msg: 'no',
          errors: [{ path: 'username', msg: 'is in use already' }],
        }),
    })
    showPage(Page)
    await press('Add admin')
    const name = await screen.findByLabelText('Account', { selector: 'input' })
    const fill = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } })
    fireEvent.change(name, { target: { value: 'x y' } })
    fill('New password', '密码密码')
    fill('New password again', 'other')
    await press('Save')
    expect(await screen.findByText('a name has 4 to 32 letters, digits or @ . _ -')).toBeTruthy()
    expect(await screen.findByText('a password has 4 to 32 characters and no Chinese ones')).toBeTruthy()
    expect(await screen.findByText('The two passwords differ')).toBeTruthy()
    expect(seen.some((s) => s.id === 'admin.save')).toBe(false)
    fireEvent.change(name, { target: { value: 'new-one' } })
    fill('New password', 'good-1')
    fill('New password again', 'good-1')
    fireEvent.click(screen.getByText('Push'))
    await press('Save')
    expect(await screen.findByText('is in use already')).toBeTruthy()
    expect(seen.find((s) => s.id === 'admin.save')?.input).toEqual({
      username: 'new-one',
      password: 'good-1',
      enabled: true,
      roleIds: [],
      unvalidModel: ['/cdn/push'],
    })
  })

  it('shows the open logins of another and ends them, and removes the second factor when asked twice', async () => {
    const login = { console: 'admin', ip: '192.0.2.9', userAgent: '', own: false, createTime: AT, lastUse: AT }
    const state = {
      factors: [{ id: 4, kind: 'totp' as const, name: '', createTime: AT, lastUse: '' }],
      recoveryLeft: 8,
      logins: [{ ...login, id: 31 }],
      whiteIpStatus: 0,
      whiteIps: [],
    }
    const { seen } = peer({
      'admin.list': LIST,
      'adminSecurity.info': () => ({ data: state }),
      'adminSecurity.revoke': () => ({ count: 1 }),
      'adminSecurity.factorReset': () => ({}),
    })
    showPage(Page)
    const row = await tableRow('editor-one')
    await press('Sign-in security', () => row)
    expect(await screen.findByText('192.0.2.9')).toBeTruthy()
    await press('End')
    await waitFor(() => expect(sent(seen, 'adminSecurity.revoke')).toEqual([{ id: 2, sessionId: 31 }]))
    await press('Remove second factor')
    await screen.findByText(/of editor-one are removed/)
    expect(sent(seen, 'adminSecurity.factorReset')).toEqual([])
    await press('Remove', () => document.querySelector('.ant-modal'))
    await waitFor(() => expect(sent(seen, 'adminSecurity.factorReset')).toEqual([{ id: 2 }]))
  })

  it('keeps on editing what the tree does not show', async () => {
    const { seen } = peer({ 'admin.list': LIST, 'admin.options': OPTIONS, 'admin.update': () => ({ id: 2 }) })
    showPage(Page)
    const row = await tableRow('editor-one')
    await press('Edit', () => row)
    await screen.findByLabelText('Account', { selector: 'input' })
    await press('Save')
    expect(await screen.findByText('Edited successfully')).toBeTruthy()
    expect(seen.find((s) => s.id === 'admin.update')?.input).toMatchObject({
      id: 2,
      roleIds: [5],
      unvalidModel: ['/cdn/gone'],
    })
  })

  it('deletes only when the name was typed, and says so when it was called off', async () => {
    chooseLang('zh')
    const { seen } = peer({ 'admin.list': LIST, 'admin.delete': () => ({}) })
    showPage(Page)
    const row = await tableRow('editor-one')
    const dialog = () => document.querySelector('.ant-modal')
    await press('删除', () => row)
    await press('删除', dialog)
    expect(seen.some((s) => s.id === 'admin.delete')).toBe(false)
    await press('取消', dialog)
    expect(await screen.findByText('操作已取消')).toBeTruthy()
    await press('删除', () => row)
    const input = await waitFor(() => {
      const found = dialog()?.querySelector('input')
      if (!found) throw new Error('no dialog')
      return found
    })
    fireEvent.change(input, { target: { value: 'editor-one' } })
    await press('删除', dialog)
    expect(await screen.findByText('删除成功')).toBeTruthy()
    await waitFor(() => expect(seen.find((s) => s.id === 'admin.delete')?.input).toEqual({ ids: [2] }))
  })

  it('judges each field of a new account by the same rule as the server, in both languages [S5.10]', async () => {
    peer({ 'admin.list': LIST, 'admin.options': OPTIONS })
    showPage(Page)
    await press('Add admin')
    await waitFor(() => expect(document.querySelector('.ant-drawer form')).not.toBeNull())
    await judged([
      ['name', 'username'],
      ['password', 'password'],
    ])
  })
})
