// @vitest-environment jsdom
// @vitest-environment-options {"url":"http://localhost/"}
import { configure, fireEvent, screen, waitFor } from '@testing-library/react'
import { SAMPLES } from '@tidegate/contract/testing/samples'
import { describe, expect, it, vi } from 'vitest'
import { chooseLang } from '../../shared/i18n.ts'
import { setToken, token } from '../../shared/token.ts'
import { inBrowser } from '../../testing/browser.ts'
import { faultAt, judged, typeAt } from '../../testing/form.ts'
import { press, showPage } from '../../testing/page.tsx'
import { peer } from '../../testing/peer.ts'
import { Page } from './AccountPage.tsx'
import type { Profile } from './api.ts'

inBrowser()
configure({ asyncUtilTimeout: 15_000 })
// The first look at a page on a busy machine takes long.
vi.setConfig({ testTimeout: 90_000 })

const PROFILE: Profile = {
  id: 7,
  username: 'anna-one',
  mobile: '',
  email: '',
  wechat: '',
  balance: 123_450,
  verifyStatus: 'none',
  realName: '',
  idCard: '',
  verifyAsked: '',
  verifyTime: '',
  verifyReason: '',
  lastLogin: '',
  lastLoginIp: '',
  createTime: '2026-03-01T00:00:00.000Z',
  force: { realName: false, phone: false },
}
const answers = (profile: Partial<Profile> = {}) => ({
  'profile.info': () => ({ data: { ...PROFILE, ...profile } }),
  'profile.realName': () => ({ verifyStatus: 'pending' as const }),
  'profile.code': () => ({}),
  'profile.bind': () => ({}),
  'account.password': () => ({}),
})
const panel = (name: string) => screen.findByRole('region', { name })
const sent = (seen: readonly { id: string; input: unknown }[], id: string) =>
  seen.filter((s) => s.id === id).map((s) => s.input)
const dialog = () => document.querySelector('.ant-modal')

describe('a customer’s account', () => {
  it.each(['en', 'zh'] as const)('shows the balance in yuan with two decimals and groups (%s) [S9.9]', async (lang) => {
    chooseLang(lang)
    peer(answers())
    showPage(Page)
    expect(await screen.findByText('¥1,234.50')).toBeTruthy()
  })

  it.each([
    ['en', 'Verify your real name before you add domains', 'Bind a mobile number before you add domains'],
    ['zh', '添加域名前请先完成实名认证', '添加域名前请先绑定手机'],
  ] as const)('says what the installation asks for first, until it is done (%s) [S6.4]', async (lang, name, phone) => {
    chooseLang(lang)
    peer(answers({ force: { realName: true, phone: true } }))
    showPage(Page)
    expect(await screen.findByText(name)).toBeTruthy()
    expect(screen.getByText(phone)).toBeTruthy()
  })

  it('asks for nothing that is done or not wanted [S6.4]', async () => {
    peer(answers({ force: { realName: true, phone: true }, verifyStatus: 'verified', mobile: '138****8000' }))
    showPage(Page)
    await panel('Real name')
    expect(screen.queryByText(/before you add domains/)).toBeNull()
  })

  it('hands in a name and an ID card number, and shows them masked with their times [S6.6]', async () => {
    const { seen } = peer(answers())
    showPage(Page)
    await panel('Real name')
    typeAt('realName', '张三丰')
    typeAt('idCard', SAMPLES.idCard.right[0])
    await press('Hand in')
    expect(await screen.findByText('needs your consent')).toBeTruthy()
    expect(sent(seen, 'profile.realName')).toEqual([])
    fireEvent.click(screen.getByRole('checkbox'))
    await press('Hand in')
    await waitFor(() =>
      expect(sent(seen, 'profile.realName')).toEqual([
        { realName: '张三丰', idCard: SAMPLES.idCard.right[0], consent: true },
      ]),
    )
    expect(await screen.findByText('Handed in; it will be reviewed')).toBeTruthy()
  })

  it.each([
    ['pending', 'Waits for review', false],
    ['verified', 'Verified', false],
    ['rejected', 'Rejected', true],
  ] as const)('shows a real name that is %s [S6.6]', async (verifyStatus, word, again) => {
    peer(
      answers({
        ...{ verifyStatus, realName: '张**', idCard: '110***********002X', verifyAsked: '2026-03-01T00:00:00.000Z' },
        verifyTime: verifyStatus === 'pending' ? '' : '2026-03-02T04:05:06.000Z',
        verifyReason: verifyStatus === 'rejected' ? 'not readable' : '',
      }),
    )
    showPage(Page)
    const box = await panel('Real name')
    await waitFor(() => expect(box.querySelector('.tg-status')?.textContent).toBe(word))
    expect(box.textContent).toContain('张**')
    expect(box.textContent).toContain('110***********002X')
    expect(box.textContent).toContain('2026-03-01 08:00:00')
    expect(box.textContent?.includes('2026-03-02 12:05:06')).toBe(verifyStatus !== 'pending')
    expect(box.textContent?.includes('Rejected: not readable')).toBe(again)
    expect(box.querySelector('form') !== null).toBe(again)
  })

  it.each([
    ['sms', 'Mobile', '13600000001'],
    ['mail', 'Mail', 'anna@mail.example'],
  ] as const)(
    'binds an address of the channel %s by a code that is sent there, and the password [S6.6]',
    async (channel, label, address) => {
      const { seen } = peer(answers())
      showPage(Page)
      const row = [...(await panel('Bound addresses')).querySelectorAll('li')].find((li) =>
        li.textContent?.startsWith(label),
      )
      await press('Bind', () => row ?? null)
      await waitFor(() => expect(dialog()).not.toBeNull())
      typeAt('address', address)
      await press('Send code', dialog)
      await waitFor(() => expect(sent(seen, 'profile.code')).toEqual([{ channel, address }]))
      typeAt('code', '123456')
      fireEvent.change(dialog()?.querySelector('input[type=password]') ?? document.body, { target: { value: 'own-1' } })
      await press('Bind', dialog)
      await waitFor(() =>
        expect(sent(seen, 'profile.bind')).toEqual([{ channel, address, code: '123456', password: 'own-1' }]),
      )
      expect(await screen.findByText('Bound successfully')).toBeTruthy()
    },
  )

  it('judges an ID card number by the same rule as the server, in both languages [S5.10]', async () => {
    const { seen } = peer(answers())
    showPage(Page)
    await panel('Real name')
    await judged([['idCard', 'idCard']])
    expect(sent(seen, 'profile.realName')).toEqual([])
  })

  it.each([
    ['phone', 0],
    ['email', 1],
  ] as const)('judges a %s to bind by the same rule as the server, in both languages [S5.10]', async (rule, at) => {
    peer(answers())
    showPage(Page)
    await panel('Bound addresses')
    await press('Bind', () => document.querySelectorAll('.account-contacts li')[at] ?? null)
    await waitFor(() => expect(dialog()).not.toBeNull())
    await judged([[rule, 'address']])
  })

  it('changes the password only for one that is typed twice alike and holds no Chinese; every login ends then [S5.6]', async () => {
    setToken('held')
    const { seen } = peer(answers())
    showPage(Page)
    await panel('Change password')
    for (const [lang, differ, button] of [
      ['zh', '两次输入的密码不一致', '修改密码'],
      ['en', 'The two passwords differ', 'Change password'],
    ] as const) {
      chooseLang(lang)
      typeAt('password', 'old-1')
      typeAt('newPassword', '密码密码')
      typeAt('again', 'other-1')
      await press(button)
      await waitFor(() => expect([faultAt('newPassword'), faultAt('again')]).toEqual([SAMPLES.password[lang], differ]))
    }
    expect(sent(seen, 'account.password')).toEqual([])
    typeAt('newPassword', 'fresh-1')
    typeAt('again', 'fresh-1')
    await press('Change password')
    await waitFor(() => expect(sent(seen, 'account.password')).toEqual([{ password: 'old-1', newPassword: 'fresh-1' }]))
    expect(await screen.findByText('Password changed, please log in again')).toBeTruthy()
    await waitFor(() => expect(token()).toBeNull())
  })
})
