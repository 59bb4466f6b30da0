// @vitest-environment jsdom
// @vitest-environment-options {"url":"http://localhost/admin/"}
import { act, configure, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { MemoryRouter, useLocation } from 'react-router'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { useDebug } from '../../shared/debug.ts'
import { chooseLang } from '../../shared/i18n.ts'
import { useSite } from '../../shared/site-config.ts'
import { token } from '../../shared/token.ts'
import { inBrowser } from '../../testing/browser.ts'
import { INDEX } from '../../testing/fixtures.ts'
import { peer, Refusal } from '../../testing/peer.ts'
import { LoginPage } from './LoginPage.tsx'

inBrowser()
configure({ asyncUtilTimeout: 15_000 })
vi.setConfig({ testTimeout: 60_000 })
beforeEach(() => useSite.setState({ index: null, failed: false }))
afterEach(() => {
  vi.useRealTimers()
  useDebug.getState().set({ on: false, base: '' })
  useSite.setState({ index: null })
})

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

describe('the two login screens', () => {
  it('are the branded one, and in debug mode the compact one with the base path of the API [S2.3]', async () => {
    const { seen } = peer({ 'auth.login': () => ({ token: 'fresh', expire: 7200 }) })
    show()
    expect(document.querySelector('.login-brand')).not.toBeNull()
    expect(screen.queryByLabelText('API base path')).toBeNull()
    act(() => useDebug.getState().set({ on: true }))
    expect(document.querySelector('.login-brand')).toBeNull()
    type('Account', 'admin')
    type('Password', 'right')
    for (const bad of ['https://evil.example/', '//evil.example/', '/../x/', 'api', '/a?b', '/\\evil']) {
      type('API base path', bad)
      press('Log in')
      expect(await screen.findByText('Enter a path on this server, such as /api/'), bad).toBeTruthy()
    }
    expect(seen).toEqual([])
    const asked: string[] = []
    const answer = globalThis.fetch
    vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
      asked.push(url)
      return answer(url, init)
    })
    type('API base path', '/api')
    press('Log in')
    await waitFor(() => expect(token()).toBe('fresh'))
    expect(asked[0]).toBe('/api/sys/login')
    expect(JSON.parse(window.localStorage.getItem('admin:debug') ?? '')).toEqual({ on: true, base: '/api/' })
  })

  it('name the language to switch to, in both [S1.4]', () => {
    show()
    press('Switch to Chinese 切换中文')
    expect(screen.getByRole('heading', { name: '登录' })).toBeTruthy()
    expect(JSON.parse(window.localStorage.getItem('admin:prefs') ?? '').lang).toBe('zh')
    press('切换英文 Switch to English')
    expect(screen.getByRole('heading', { name: 'Log in' })).toBeTruthy()
  })
})

describe('the steps of a login', () => {
  it('asks for a second factor when the server does, by the ways that it offers', async () => {
    chooseLang('zh')
    const second = { error: 'second_factor_required', msg: '…', methods: ['totp', 'recovery', 'passkey'], ticket: 't' }
    let right = false
    const { seen } = peer({
      'auth.login': () => new Refusal(401, second),
      'auth.second': (input) =>
        right && input.code === '123456' && input.ticket === 't'
          ? { token: 'fresh', expire: 7200 }
          : new Refusal(401, { error: 'second_factor_wrong', msg: '验证码不正确' }),
    })
    show()
    type('账号', 'admin')
    type('密码', 'right')
    press('登录')
    expect(await screen.findByRole('heading', { name: '二次验证' })).toBeTruthy()
    press('登录')
    expect(await screen.findByText('请输入验证码')).toBeTruthy()
    press('使用恢复码')
    expect(screen.getByLabelText('恢复码')).toBeTruthy()
    press('使用身份验证器')
    type('动态验证码', '000000')
    press('登录')
    expect(await screen.findByText('验证码不正确')).toBeTruthy()
    right = true
    type('动态验证码', '123456')
    press('登录')
    await waitFor(() => expect(token()).toBe('fresh'))
    expect(seen.every((s) => s.headers.get('token') === null)).toBe(true)
  })

  it('goes back to the first step', async () => {
    peer({ 'auth.login': () => new Refusal(401, { error: 'second_factor_required', msg: '…', methods: ['totp'] }) })
    show()
    type('Account', 'admin')
    type('Password', 'right')
    press('Log in')
    await screen.findByRole('heading', { name: 'Second step' })
    press('Back')
    expect(screen.getByRole('heading', { name: 'Log in' })).toBeTruthy()
  })
})

/** Lets time pass in steps, each with what it brings about. */
const pass = async (ms: number) => {
  for (let at = 0; at < ms; at += 50) await act(() => vi.advanceTimersByTimeAsync(50))
}

describe('the captcha', () => {
  it('is tried again up to five times, no sooner than after 200 ms, and then by hand [S8.6]', async () => {
    useSite.setState({ index: { ...INDEX, captcha: 'always' } })
    vi.useFakeTimers()
    const asked: { at: number; url: string }[] = []
    vi.stubGlobal('fetch', async (url: string) => {
      asked.push({ at: Date.now(), url })
      return new Response('', { status: 503 })
    })
    show()
    await pass(3_000)
    expect(asked).toHaveLength(6)
    const gaps = asked.slice(1).map((a, i) => a.at - (asked[i]?.at ?? 0))
    expect(gaps.every((gap) => gap >= 200)).toBe(true)
    expect(new Set(asked.map((a) => a.url)).size).toBe(6)
    const again = screen.getByRole('button', { name: 'The captcha could not be loaded, click to try again' })
    fireEvent.click(again)
    fireEvent.click(again)
    await pass(100)
    expect(asked).toHaveLength(7)
    await pass(3_000)
    expect(asked).toHaveLength(12)
  })
  it('that cannot be decoded counts as one that could not be had', async () => {
    useSite.setState({ index: { ...INDEX, captcha: 'always' } })
    vi.useFakeTimers()
    let asked = 0
    vi.stubGlobal('fetch', async () => {
      asked += 1
      return new Response('no picture', { headers: { 'content-type': 'image/png' } })
    })
    URL.createObjectURL = () => `blob:${asked}`
    URL.revokeObjectURL = () => undefined
    show()
    for (let round = 1; round <= 6; round++) {
      await pass(300)
      expect(asked).toBe(round)
      const picture = document.querySelector('.login-captcha img')
      if (picture === null) throw new Error('no picture')
      fireEvent.error(picture)
    }
    await pass(3_000)
    expect(asked).toBe(6)
    expect(document.querySelector('.login-captcha img')).toBeNull()
    expect(screen.getByRole('button', { name: 'The captcha could not be loaded, click to try again' })).toBeTruthy()
  })
})
