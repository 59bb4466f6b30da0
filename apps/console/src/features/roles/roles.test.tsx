// @vitest-environment jsdom
// @vitest-environment-options {"url":"http://localhost/admin/"}
import { configure, fireEvent, screen } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { chooseLang } from '../../shared/i18n.ts'
import { useSession } from '../../shell/session.ts'
import { inBrowser } from '../../testing/browser.ts'
import { EMPTY_LIST, USER } from '../../testing/fixtures.ts'
import { buttons, press, showPage, tableRow, words } from '../../testing/page.tsx'
import { peer } from '../../testing/peer.ts'
import { Page } from './RolesPage.tsx'

inBrowser()
configure({ asyncUtilTimeout: 15_000 })
// The first look at a page on a busy machine takes long.
vi.setConfig({ testTimeout: 60_000 })
beforeEach(() => useSession.setState({ user: USER.user }))

const ROW = {
  id: 5,
  name: 'Editor',
  description: '',
  superRole: false,
  permissions: ['a:see'],
  admins: 2,
  manageable: true,
}
const LIST = () => ({
  data: {
    ...EMPTY_LIST.data,
    list: [{ ...ROW, id: 1, name: 'super', superRole: true, permissions: [], manageable: false }, ROW],
    totalCount: 2,
    totalPage: 1,
  },
})
const both = (en: string) => ({ zh: `${en}中`, en })
const PERMS = () => ({
  menuList: [
    { menuId: 1, parentId: null, title: both('Sites'), permissions: [] },
    {
      menuId: 2,
      parentId: 1,
      title: both('All sites'),
      permissions: [
        { value: 'a:see', name: both('See'), held: true },
        { value: 'a:save', name: both('Edit sites'), held: true },
        { value: 'a:delete', name: both('Delete sites'), held: false },
      ],
    },
  ],
})

describe('the roles', () => {
  it('say how many accounts have them; one that is given cannot be deleted, that of the super administrator not changed', async () => {
    peer({ 'role.list': LIST })
    showPage(Page)
    const row = await tableRow('Editor')
    expect([...row.cells].map((c) => c.textContent)).toContain('2')
    expect(buttons(row).map((b) => [b.textContent, b.disabled])).toEqual([
      ['See as', false],
      ['Edit', false],
      ['Delete', true],
    ])
    expect(words(await tableRow('Super administrator'))).toEqual(['See as'])
  })

  it('are edited by a tree of permissions; what the caller does not hold cannot be chosen', async () => {
    chooseLang('zh')
    const { seen } = peer({ 'role.list': LIST, 'menu.allPerms': PERMS, 'role.update': () => ({ id: 5 }) })
    showPage(Page)
    await press('编辑')
    await screen.findByLabelText('名称')
    fireEvent.click(document.querySelector('.ant-tree-switcher_close') ?? document.body)
    const box = async (title: string) =>
      (await screen.findByText(title)).closest('.ant-tree-treenode')?.querySelector('.ant-tree-checkbox') ??
      document.body
    expect((await box('Delete sites中')).className).toContain('disabled')
    fireEvent.click(await box('Edit sites中'))
    await press('保存')
    expect(await screen.findByText('编辑成功')).toBeTruthy()
    const sent = seen.find((s) => s.id === 'role.update')?.input
    expect(sent).toMatchObject({ id: 5, name: 'Editor' })
    expect([...((sent?.permissions ?? []) as string[])].sort()).toEqual(['a:save', 'a:see'])
  })
})
