// @vitest-environment jsdom
// @vitest-environment-options {"url":"http://localhost/admin/"}
import { configure, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { beforeAll, describe, expect, it } from 'vitest'
import { REGISTRY } from '../features/registry.ts'
import { setToken } from '../shared/token.ts'
import { inBrowser } from '../testing/browser.ts'
import { SHELL_ANSWERS } from '../testing/fixtures.ts'
import { peer, Refusal } from '../testing/peer.ts'
import { Routes, windowAddress } from './router.tsx'

inBrowser()
// On a busy machine the first load of the modules takes long; what is tested is what comes after it.
configure({ asyncUtilTimeout: 15_000 })
beforeAll(async () => {
  await import('../shell/Shell.tsx')
  await import('../features/site/AddForm.tsx')
  for (const load of Object.values(REGISTRY)) await load()
}, 60_000)

const open = (hash: string) => {
  window.location.hash = hash
  render(<Routes address={windowAddress()} />)
}
const hash = () => window.location.hash

describe('getting in', () => {
  it('routes by the hash, and / leads to the login [S2.1 S2.2]', async () => {
    peer(SHELL_ANSWERS)
    open('#/')
    expect(await screen.findByRole('heading', { name: 'Log in' })).toBeTruthy()
    expect(hash()).toBe('#/login')
  })
  it('sends someone without a login to the login and back to where they wanted to be', async () => {
    peer({ ...SHELL_ANSWERS, 'auth.login': () => ({ token: 'fresh', expire: 7200 }) })
    open('#/cdn/site/list?key=shop')
    fireEvent.change(await screen.findByLabelText('Account'), { target: { value: 'admin' } })
    fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'right' } })
    expect(hash()).toBe(`#/login?redirect=${encodeURIComponent('/cdn/site/list?key=shop')}`)
    fireEvent.click(screen.getByRole('button', { name: 'Log in' }))
    expect(await screen.findByRole('heading', { name: 'All domains' })).toBeTruthy()
    expect(hash()).toBe('#/cdn/site/list?key=shop')
  })
  it('shows wrong credentials in place and asks for a captcha only when told to', async () => {
    const { seen } = peer({
      ...SHELL_ANSWERS,
      captcha: () => ({}),
      'auth.login': () => new Refusal(401, { error: 'login_wrong', msg: 'Not right', captchaRequired: true }),
    })
    open('#/login')
    expect(screen.queryByLabelText('Captcha')).toBeNull()
    fireEvent.click(screen.getByRole('button', { name: 'Log in' }))
    expect(await screen.findByText('Enter your account')).toBeTruthy()
    expect(seen.some((s) => s.id === 'auth.login')).toBe(false)
    fireEvent.change(screen.getByLabelText('Account'), { target: { value: 'admin' } })
    fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'wrong' } })
    fireEvent.click(screen.getByRole('button', { name: 'Log in' }))
    expect(await screen.findByText('Not right')).toBeTruthy()
    expect(await screen.findByLabelText('Captcha')).toBeTruthy()
  })
  it('drops a login that may open nothing', async () => {
    setToken('useless')
    peer({ ...SHELL_ANSWERS, 'menu.nav': () => ({ menuList: [], permissions: [] }) })
    open('#/cdn/site/list')
    expect(await screen.findByRole('heading', { name: 'Log in' })).toBeTruthy()
    expect(window.localStorage.getItem('admin:token')).toBeNull()
  })
})

describe('inside', () => {
  it('leads /console and /404 to the first permitted page, and shows unknown paths as not found [S2.6 S2.7]', async () => {
    setToken('good')
    peer({
      ...SHELL_ANSWERS,
      'menu.nav': () => ({ menuList: SHELL_ANSWERS['menu.nav']().menuList.slice(1), permissions: [] }),
    })
    open('#/console')
    expect(await screen.findByRole('heading', { name: 'Node list' })).toBeTruthy()
    expect(hash()).toBe('#/cdn/node/list')
    window.location.hash = '#/404'
    await waitFor(() => expect(hash()).toBe('#/cdn/node/list'))
    window.location.hash = '#/no/such'
    expect(await screen.findByText('Page not found')).toBeTruthy()
  })
  it('lists sections in the top bar and the section’s screens beside it, from the server’s menu [S2.10 S2.12]', async () => {
    setToken('good')
    peer(SHELL_ANSWERS)
    open('#/cdn/site/list')
    await screen.findByRole('heading', { name: 'All domains' })
    const sections = screen.getByRole('navigation', { name: 'Sections' })
    expect([...sections.querySelectorAll('a')].map((a) => a.textContent)).toEqual(['Home', 'CDN'])
    const side = screen.getByRole('navigation', { name: 'CDN' })
    expect([...side.querySelectorAll('a span:first-of-type')].map((a) => a.textContent)).toEqual([
      'Node List',
      'All Domains',
      'Cache Cleanup',
      'Push',
    ])
    expect(await screen.findByText('4', { selector: '.shell-count' })).toBeTruthy()
    await waitFor(() => expect(document.title).toBe('All Domains - Fast everywhere'))
  })
  it('switches the language by a button that names the other one', async () => {
    setToken('good')
    peer(SHELL_ANSWERS)
    open('#/cdn/node/list')
    fireEvent.click(await screen.findByRole('button', { name: 'Switch to Chinese 切换中文' }))
    expect(await screen.findByRole('button', { name: '切换英文 Switch to English' })).toBeTruthy()
    expect(await screen.findByRole('heading', { name: '节点列表' })).toBeTruthy()
    expect(document.documentElement.lang).toBe('zh-CN')
  })
  it('puts a refused field of a new site at its field', async () => {
    setToken('good')
    const { seen } = peer({
      ...SHELL_ANSWERS,
      'site.save': () =>
        new Refusal(400, {
          error: 'invalid_input',
          msg: 'no',
          errors: [{ path: 'origins.0.host', msg: 'private address' }],
        }),
    })
    open('#/cdn/site/list?add=1')
    const domains = await screen.findByPlaceholderText('www.example.com')
    fireEvent.change(domains, { target: { value: 'not a domain' } })
    fireEvent.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('not a domain: domain format error')).toBeTruthy()
    expect(seen.some((s) => s.id === 'site.save')).toBe(false)
    fireEvent.change(domains, { target: { value: 'www.example.com' } })
    fireEvent.change(screen.getByLabelText('Domain or IP'), { target: { value: '10.0.0.1' } })
    fireEvent.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('private address')).toBeTruthy()
  })
})
