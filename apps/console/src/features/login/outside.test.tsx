// @vitest-environment jsdom
// @vitest-environment-options {"url":"http://localhost/?code=c0de&state=5tate"}
/** Coming back from WeChat to the customers' login. */
import { configure, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { MemoryRouter, useLocation } from 'react-router'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { chooseLang } from '../../shared/i18n.ts'
import { useSite } from '../../shared/site-config.ts'
import { setToken, token } from '../../shared/token.ts'
import { inBrowser } from '../../testing/browser.ts'
import { INDEX } from '../../testing/fixtures.ts'
import { peer, Refusal } from '../../testing/peer.ts'
import { LoginPage } from './LoginPage.tsx'

inBrowser()
configure({ asyncUtilTimeout: 15_000 })
vi.setConfig({ testTimeout: 60_000 })
const BACK = '/?code=c0de&state=5tate'
beforeEach(() => {
  useSite.setState({ index: { ...INDEX, wechat: true }, failed: false })
  window.sessionStorage.clear()
  window.history.replaceState(null, '', BACK)
  window.sessionStorage.setItem('user:outside', JSON.stringify({ ticket: 'browser-ticket', link: false }))
})
afterEach(() => useSite.setState({ index: null }))

const Where = () => <output>{useLocation().pathname}</output>
const show = () =>
  render(
    <MemoryRouter initialEntries={['/login']}>
      <LoginPage />
      <Where />
    </MemoryRouter>,
  )
const type = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } })
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))
const UNBOUND = new Refusal(403, {
  error: 'wechat_unbound',
  msg: '…',
  ticket: 'link-ticket',
  nickname: '小明',
  register: true,
})

describe('coming back from WeChat', () => {
  it('logs in by the answer in the address and the ticket of this tab, and takes both away', async () => {
    const { seen } = peer({ 'auth.wechatFinish': () => ({ token: 'fresh', expire: 7200 }) })
    show()
    await waitFor(() => expect(token()).toBe('fresh'))
    expect(seen.map(({ id, input }) => ({ id, input }))).toEqual([
      { id: 'auth.wechatFinish', input: { ticket: 'browser-ticket', query: '?code=c0de&state=5tate' } },
    ])
    expect(window.location.search).toBe('')
    expect(window.sessionStorage.getItem('user:outside')).toBeNull()
    await waitFor(() => expect(screen.getByRole('status').textContent).toBe('/console'))
  })

  it('leads to where the person wanted to be, and nowhere outside', async () => {
    peer({ 'auth.wechatFinish': () => ({ token: 'fresh', expire: 7200 }) })
    for (const [to, place] of [
      ['/cdn/site/list', '/cdn/site/list'],
      ['//evil.example/', '/console'],
      ['https://evil.example/', '/console'],
    ]) {
      setToken(null)
      window.history.replaceState(null, '', BACK)
      window.sessionStorage.setItem('user:outside', JSON.stringify({ ticket: 'browser-ticket', link: false, to }))
      const shown = show()
      await waitFor(() => expect([to, screen.getByRole('status').textContent]).toEqual([to, place]))
      shown.unmount()
    }
  })

  it('does nothing with an answer that this tab did not ask for', async () => {
    window.sessionStorage.clear()
    const { seen } = peer({ 'auth.wechatFinish': () => ({ token: 'fresh', expire: 7200 }) })
    show()
    await waitFor(() => expect(window.location.search).toBe(''))
    expect([seen, token()]).toEqual([[], null])
  })

  it('asks for the second factor like any login', async () => {
    peer({
      'auth.wechatFinish': () =>
        new Refusal(401, { error: 'second_factor_required', msg: '…', methods: ['totp'], ticket: 't' }),
    })
    show()
    await screen.findByRole('heading', { name: 'Second step' })
  })

  it('links who is new there by the next login, over its second step too; the page may be reloaded between', async () => {
    chooseLang('zh')
    const { seen } = peer({
      'auth.wechatFinish': () => UNBOUND,
      'auth.userLogin': () =>
        new Refusal(401, { error: 'second_factor_required', msg: '…', methods: ['totp'], ticket: 'second-ticket' }),
      'auth.userSecond': () => ({ token: 'fresh', expire: 7200 }),
    })
    const first = show()
    await screen.findByText(/微信“小明”尚未绑定账号/)
    first.unmount()
    show()
    await screen.findByText(/微信“小明”尚未绑定账号/)
    expect(screen.getByRole('link', { name: '没有账号，注册并绑定' }).getAttribute('href')).toBe('/register')
    type('账号', 'shop')
    type('密码', 'right')
    press('登录')
    await screen.findByRole('heading', { name: '二次验证' })
    type('动态验证码', '123456')
    press('登录')
    await waitFor(() => expect(token()).toBe('fresh'))
    const sent = (id: string) => seen.find((s) => s.id === id)?.input
    expect(sent('auth.userLogin')).toMatchObject({ username: 'shop', wechat: 'link-ticket' })
    expect(sent('auth.userSecond')).toMatchObject({ ticket: 'second-ticket', code: '123456', wechat: 'link-ticket' })
    expect(window.sessionStorage.getItem('user:unbound')).toBeNull()
  })

  it('goes on without the link when the person wants, or when it has expired', async () => {
    let expired = true
    const { seen } = peer({
      'auth.wechatFinish': () => UNBOUND,
      'auth.userLogin': () =>
        expired
          ? new Refusal(401, { error: 'ticket_expired', msg: 'This took too long, please log in again' })
          : { token: 'fresh', expire: 7200 },
    })
    show()
    await screen.findByText(/"小明" is not linked yet/)
    type('Account', 'shop')
    type('Password', 'right')
    press('Log in')
    await screen.findByText(/This took too long/)
    expect(screen.queryByText(/is not linked yet/)).toBeNull()
    expired = false
    press('Log in')
    await waitFor(() => expect(token()).toBe('fresh'))
    expect(seen.at(-1)?.input).not.toHaveProperty('wechat')
  })

  it('has no button where WeChat is not offered, and says why it cannot be used', async () => {
    window.history.replaceState(null, '', '/')
    useSite.setState({ index: INDEX })
    const none = show()
    expect(screen.queryByRole('button', { name: 'Log in with WeChat' })).toBeNull()
    none.unmount()
    useSite.setState({ index: { ...INDEX, wechat: true } })
    peer({
      'auth.wechatStart': () => new Refusal(503, { error: 'wechat_unreachable', msg: 'WeChat cannot be used now' }),
    })
    show()
    press('Log in with WeChat')
    await screen.findByText(/WeChat cannot be used now/)
    await waitFor(() =>
      expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Log in with WeChat' }).disabled).toBe(false),
    )
  })
})
