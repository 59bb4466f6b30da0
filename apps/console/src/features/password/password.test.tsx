// @vitest-environment jsdom
// @vitest-environment-options {"url":"http://localhost/admin/"}
import { configure, fireEvent, screen, waitFor } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { chooseLang } from '../../shared/i18n.ts'
import { setToken, token } from '../../shared/token.ts'
import { inBrowser } from '../../testing/browser.ts'
import { faultAt, judged, typeAt } from '../../testing/form.ts'
import { press, showPage } from '../../testing/page.tsx'
import { peer, Refusal } from '../../testing/peer.ts'
import { Page } from './PasswordPage.tsx'

inBrowser()
configure({ asyncUtilTimeout: 15_000 })
// The first look at a page on a busy machine takes long.
vi.setConfig({ testTimeout: 60_000 })

const fill = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } })

describe('one’s own password', () => {
  it('takes the present one, and the new one twice and without Chinese', async () => {
    const { seen } = peer({
      'admin.password': () =>
        new Refusal(400, {
          error: 'invalid_input',
          msg: 'no',
          errors: [{ path: 'password', msg: 'is not your present password' }],
        }),
    })
    showPage(Page)
    fill('Present password', 'wrong-1')
    fill('New password', '新密码新密码')
    fill('New password again', 'else')
    await press('Change password')
    expect(await screen.findByText('a password has 4 to 32 characters and no Chinese ones')).toBeTruthy()
    expect(await screen.findByText('The two passwords differ')).toBeTruthy()
    expect(seen).toEqual([])
    fill('New password', 'fresh-1')
    fill('New password again', 'fresh-1')
    await press('Change password')
    expect(await screen.findByText('is not your present password')).toBeTruthy()
    expect(seen[0]?.input).toEqual({ password: 'wrong-1', newPassword: 'fresh-1' })
  })

  it('is judged by the same rule as on the server, in both languages [S5.6 S5.10]', async () => {
    peer({})
    showPage(Page)
    await judged([['password', 'newPassword']])
  })

  it.each([
    ['en', 'Change password', 'The two passwords differ'],
    ['zh', '修改密码', '两次输入的密码不一致'],
  ] as const)('must match its repetition (%s) [S5.6]', async (lang, button, differ) => {
    chooseLang(lang)
    const { seen } = peer({})
    showPage(Page)
    typeAt('password', 'old-1')
    typeAt('newPassword', 'fresh-1')
    typeAt('again', 'another')
    await press(button)
    await waitFor(() => expect(faultAt('again')).toBe(differ))
    expect(seen.some((s) => s.id === 'admin.password')).toBe(false)
  })

  it('ends the login when it was changed, and says to log in again', async () => {
    chooseLang('zh')
    setToken('held')
    peer({ 'admin.password': () => ({}) })
    showPage(Page)
    fill('原密码', 'right-1')
    fill('新密码', 'fresh-1')
    fill('再次输入新密码', 'fresh-1')
    await press('修改密码')
    expect(await screen.findByText('密码修改成功，请重新登录')).toBeTruthy()
    await waitFor(() => expect(token()).toBeNull())
  })
})
