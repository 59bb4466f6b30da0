// @vitest-environment jsdom
// @vitest-environment-options {"url":"http://localhost/admin/"}

import { act, configure, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import type { MenuItem } from '@tidegate/contract/operations/common'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { PUBLIC_PAGES } from '../features/public.ts'
import { useDebug } from '../shared/debug.ts'
import { chooseLang } from '../shared/i18n.ts'
import { browserPage } from '../shared/navigation.ts'
import { useSite, webConfig } from '../shared/site-config.ts'
import { setToken, token } from '../shared/token.ts'
import { inBrowser } from '../testing/browser.ts'
import { INDEX, SHELL_ANSWERS } from '../testing/fixtures.ts'
import { peer, Refusal } from '../testing/peer.ts'
import { Routes, windowAddress } from './router.tsx'

inBrowser()
// On a busy machine the first load of the modules takes long; what is tested is what comes after it.
configure({ asyncUtilTimeout: 20_000 })
vi.setConfig({ testTimeout: 120_000 })
beforeAll(async () => {
  await import('../shell/Shell.tsx')
  await import('../features/debug/DebugPage.tsx')
  await import('../features/node/NodeListPage.tsx')
}, 120_000)

const reload = vi.spyOn(browserPage, 'reload').mockImplementation(() => undefined)
beforeEach(() => {
  reload.mockClear()
  useSite.setState({ index: null, failed: false, web: webConfig('') })
})
afterEach(() => useDebug.getState().set({ on: false, base: '' }))

const PAGE = '/cdn/node/list'
const open = (hash: string) => {
  window.location.hash = hash
  render(<Routes address={windowAddress()} />)
}
const hash = () => window.location.hash
const login = () => screen.findByLabelText(/^(Account|账号)$/)
const inside = () => screen.findByRole('heading', { name: 'Node list' })
const stored = (key: string, newValue: string | null) =>
  act(() => {
    window.dispatchEvent(new StorageEvent('storage', { key, newValue }))
  })

describe('the login guard', () => {
  it.each([PAGE, `${PAGE}?key=a&page=2`, '/console', '/404', '/no/such/page'])(
    'leads %s to the login with the whole way back when there is no token [S4.13]',
    async (path) => {
      peer(SHELL_ANSWERS)
      open(`#${path}`)
      await login()
      expect(hash()).toBe(`#/login?redirect=${encodeURIComponent(path)}`)
    },
  )

  it('lets everybody onto the login and the public pages [S4.13 S2.4]', async () => {
    peer(SHELL_ANSWERS)
    expect(Object.keys(PUBLIC_PAGES)).toContain('/debug')
    open('#/debug')
    expect(await screen.findByRole('heading', { name: 'Diagnostics' })).toBeTruthy()
    expect(hash()).toBe('#/debug')
  })

  it('fetches the menu on the first entry, goes from the login to /console while there is a token, and then fetches it anew [S4.13]', async () => {
    setToken('good')
    const { seen } = peer({
      ...SHELL_ANSWERS,
      'menu.nav': () => ({ menuList: SHELL_ANSWERS['menu.nav']().menuList.slice(1), permissions: [] }),
    })
    const fetched = () => seen.filter((s) => s.id === 'menu.nav').length
    open(`#${PAGE}`)
    await inside()
    expect(fetched()).toBe(1)
    act(() => {
      window.location.hash = '#/cdn/node/list?page=2'
    })
    await waitFor(() => expect(seen.some((s) => s.id === 'node.list' && String(s.input.page) === '2')).toBe(true))
    expect(fetched()).toBe(1)
    act(() => {
      window.location.hash = '#/login'
    })
    await waitFor(() => expect(hash()).toBe(`#${PAGE}`))
    await inside()
    expect(fetched()).toBe(2)
  })

  it.each([
    ['an empty menu', () => ({ menuList: [] as MenuItem[], permissions: [] })],
    ['an expired login', () => new Refusal(401, { error: 'unauthenticated', msg: 'expired' })],
    ['a refusal', () => new Refusal(403, { error: 'forbidden', msg: 'no' })],
    ['a fault of the server', () => new Refusal(500, { error: 'internal', msg: 'broken' })],
  ])('clears the token and goes to the login, without the dialog, after %s [S4.13 S8.2]', async (_what, nav) => {
    setToken('useless')
    peer({ ...SHELL_ANSWERS, 'menu.nav': nav })
    open(`#${PAGE}`)
    await login()
    expect(token()).toBeNull()
    expect(window.localStorage.getItem('admin:token')).toBeNull()
    expect(hash()).toBe(`#/login?redirect=${encodeURIComponent(PAGE)}`)
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('takes a code other than 1 of the menu for a refusal [S4.13]', async () => {
    setToken('useless')
    peer(SHELL_ANSWERS)
    const answered = globalThis.fetch
    vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
      if (!url.includes('menu/nav')) return answered(url, init)
      return Response.json({ ...SHELL_ANSWERS['menu.nav'](), code: 0, msg: 'failure' })
    })
    open(`#${PAGE}`)
    await login()
    expect(token()).toBeNull()
  })

  it('keeps the login and offers to try again when no answer comes at all', async () => {
    setToken('good')
    peer(SHELL_ANSWERS)
    const answered = globalThis.fetch
    let away = true
    vi.stubGlobal('fetch', async (url: string, init: RequestInit) =>
      away ? Promise.reject(new TypeError('away')) : answered(url, init),
    )
    open(`#${PAGE}`)
    expect(await screen.findByText('The server does not answer')).toBeTruthy()
    expect(token()).toBe('good')
    away = false
    fireEvent.click(screen.getByRole('button', { name: 'Retry' }))
    await inside()
  })

  it.each(['//evil.example/', 'https://evil.example/', '/\\evil.example', 'javascript:alert(1)'])(
    'goes to /console after a login whose way back is %s [S4.13]',
    async (target) => {
      peer({
        ...SHELL_ANSWERS,
        'auth.login': () => ({ token: 'fresh', expire: 7200 }),
        'menu.nav': () => ({ menuList: SHELL_ANSWERS['menu.nav']().menuList.slice(1), permissions: [] }),
      })
      open(`#/login?redirect=${encodeURIComponent(target)}`)
      fireEvent.change(await login(), { target: { value: 'admin' } })
      fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'right' } })
      fireEvent.click(screen.getByRole('button', { name: 'Log in' }))
      await inside()
      expect(hash()).toBe(`#${PAGE}`)
    },
  )

  it('works without the page config, and reads it again inside', async () => {
    setToken('good')
    peer({ ...SHELL_ANSWERS, 'common.index': () => new Refusal(503, { error: 'unavailable', msg: 'away' }) })
    open(`#${PAGE}`)
    await inside()
    expect(document.title).toMatch(/^Node List - Tidegate$/)
    act(() => useSite.setState({ index: INDEX, web: webConfig(INDEX.web_config.paramValue) }))
    await waitFor(() => expect(document.title).toBe('Node List - Fast everywhere'))
  })
})

describe('a login that ends', () => {
  const refused = () => new Refusal(401, { error: 'unauthenticated', msg: 'expired' })

  it.each([
    ['en', 'Login expired', 'Your login has expired, you need to log in again', 'Re-login'],
    ['zh', '登录已过期', '您的登录已失效，需要重新登录', '重新登录'],
  ] as const)(
    'shows one dialog however many requests fail, no toast beside it, and keeps what was typed (%s) [S8.2]',
    async (lang, title, text, button) => {
      chooseLang(lang)
      setToken('good')
      let over = false
      const { seen } = peer({
        ...SHELL_ANSWERS,
        'node.list': () => (over ? refused() : SHELL_ANSWERS['node.list']()),
        'push.status': () => (over ? refused() : SHELL_ANSWERS['push.status']()),
      })
      open(`#${PAGE}`)
      const box = await waitFor(() => {
        const found = document.querySelector<HTMLInputElement>('main input[type=text], main input[type=search]')
        if (found === null) throw new Error('no search box')
        return found
      })
      over = true
      const before = seen.length
      fireEvent.change(box, { target: { value: 'half typed' } })
      act(() => {
        window.location.hash = `#${PAGE}?page=2`
      })
      expect(await screen.findByText(text)).toBeTruthy()
      await waitFor(() => expect(seen.slice(before).filter((s) => s.id === 'push.status').length).toBeGreaterThan(0))
      expect(screen.getAllByRole('dialog')).toHaveLength(1)
      expect(screen.getAllByText(title)).toHaveLength(1)
      expect(document.querySelector('.ant-message-notice')).toBeNull()
      expect(document.querySelector('main [role=alert]')).toBeNull()
      expect(box.isConnected).toBe(true)
      expect(box.value).toBe('half typed')
      expect(token()).toBeNull()
      expect(reload).not.toHaveBeenCalled()
      // Whatever leads on meanwhile takes nothing away.
      act(() => {
        window.location.hash = `#${PAGE}?page=3`
      })
      await waitFor(() => expect(hash()).toBe(`#${PAGE}?page=3`))
      expect(box.isConnected).toBe(true)
      fireEvent.click(screen.getByRole('button', { name: button }))
      expect(reload).toHaveBeenCalledTimes(1)
      expect(hash().startsWith(`#/login?redirect=${encodeURIComponent(`${PAGE}?page=`)}`)).toBe(true)
    },
  )

  it('tells of another account in another tab, with a button that refreshes [S4.17]', async () => {
    setToken('mine')
    peer(SHELL_ANSWERS)
    open(`#${PAGE}`)
    await inside()
    stored('user:token', 'other console')
    stored('admin:token', 'mine')
    expect(screen.queryByRole('dialog')).toBeNull()
    stored('admin:token', 'theirs')
    expect(await screen.findByText('Login account changed')).toBeTruthy()
    fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Refresh' }))
    expect(reload).toHaveBeenCalledTimes(1)
    expect(hash()).toBe(`#${PAGE}`)
  })

  it.each([
    ['removed', 'admin:token'],
    ['cleared with all that the browser keeps', null],
  ])('tells that the login is over when it was %s in another tab [S4.17]', async (_what, key) => {
    chooseLang('zh')
    setToken('mine')
    peer(SHELL_ANSWERS)
    open(`#${PAGE}`)
    await screen.findByRole('heading', { name: '节点列表' })
    act(() => {
      window.dispatchEvent(new StorageEvent('storage', { key, newValue: null }))
    })
    expect(await screen.findByText('登录已过期')).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: '重新登录' }))
    expect(reload).toHaveBeenCalledTimes(1)
  })

  it.each(['/login', ...Object.keys(PUBLIC_PAGES)])('says nothing of other tabs on %s [S4.17]', async (path) => {
    peer(SHELL_ANSWERS)
    open(`#${path}`)
    await waitFor(() => expect(document.querySelector('h1')).not.toBeNull())
    stored('admin:token', 'theirs')
    stored('admin:token', null)
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})
