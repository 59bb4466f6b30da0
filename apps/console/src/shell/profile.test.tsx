// @vitest-environment jsdom
// @vitest-environment-options {"url":"http://localhost/admin/"}
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import type { MenuItem } from '@tidegate/contract/operations/common'
import { MemoryRouter, useLocation } from 'react-router'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { CONSOLES } from '../shared/console.ts'
import { inBrowser } from '../testing/browser.ts'
import { USER } from '../testing/fixtures.ts'
import { peer } from '../testing/peer.ts'

inBrowser()
vi.setConfig({ testTimeout: 60_000 })
afterEach(() => window.history.replaceState(null, '', '/admin/'))

/** Specification, section 2: the short cuts of each console, in their order. */
const LISTED = {
  admin: ['/account/users/users', '/cdn/product/list', '/cdn/finance/recharge'],
  user: ['/cdn/account/info', '/cdn/plan/purchase', '/cdn/finance/recharge'],
  'dns-admin': ['/home/auth', '/account/users/users', '/dns/plan/list', '/dns/finance/recharge'],
  'dns-user': ['/dns/account/info', '/dns/plan/purchase', '/dns/finance/recharge', '/dns/account/apikey'],
}
const screens = (urls: readonly string[]): MenuItem[] =>
  urls.map((url, at) => ({ menuId: at, url, type: 1, meta: { title: { zh: url, en: url } }, children: [] }))
// More than is listed, in another order; without one's own password.
const EVERYTHING = screens([...new Set(['/cdn/site/list', ...Object.values(LISTED).flat().reverse()])])

const Where = () => <output>{useLocation().pathname}</output>
const where = () => document.querySelector('output')?.textContent

/** The profile menu of the console at an address; modules find out anew which one it is. */
const show = async (path: string, menu: MenuItem[]) => {
  window.history.replaceState(null, '', path)
  vi.resetModules()
  const { startI18n, chooseLang } = await import('../shared/i18n.ts')
  startI18n()
  const { useSession } = await import('./session.ts')
  const { ProfileMenu } = await import('./ProfileMenu.tsx')
  const { setToken, token } = await import('../shared/token.ts')
  await import('./texts.ts')
  chooseLang('en')
  setToken('good')
  useSession.setState({ user: USER.user, menu })
  render(
    <MemoryRouter initialEntries={['/start']}>
      <ProfileMenu phone={false} />
      <Where />
    </MemoryRouter>,
  )
  return { token }
}
const items = () => [...document.querySelectorAll('[role="menuitem"]')].map((e) => e.textContent)
const openIt = () => fireEvent.click(screen.getByRole('button', { name: 'Account admin' }))

describe('the profile menu', () => {
  it.each(CONSOLES)(
    'has exactly the short cuts of the console $id that may be opened; logging out ends the login and leads to /login [S2.16]',
    async ({ id, path, audience }) => {
      const { seen } = peer({ 'auth.logout': () => ({}), 'auth.userLogout': () => ({}) })
      const { token } = await show(path, EVERYTHING)
      openIt()
      await waitFor(() => expect(items()).toEqual([...LISTED[id], 'Log out']))
      fireEvent.click(screen.getByText(LISTED[id][1] ?? ''))
      expect(where()).toBe(LISTED[id][1])
      openIt()
      fireEvent.click(await screen.findByText('Log out'))
      await waitFor(() => expect(where()).toBe('/login'))
      expect(token()).toBeNull()
      const told = seen.find((call) => call.id === (audience === 'admin' ? 'auth.logout' : 'auth.userLogout'))
      expect(told?.headers.get('token')).toBe('good')
    },
  )

  it('leaves out what may not be opened, and offers the own password where there is a page for it', async () => {
    peer({})
    await show('/admin/', screens(['/account/users/password', '/cdn/finance/recharge']))
    openIt()
    await waitFor(() => expect(items()).toEqual(['/cdn/finance/recharge', 'Change password', 'Log out']))
    fireEvent.click(screen.getByText('Change password'))
    expect(where()).toBe('/account/users/password')
  })
})
