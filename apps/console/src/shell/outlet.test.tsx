// @vitest-environment jsdom
// @vitest-environment-options {"url":"http://localhost/admin/"}

import { act, configure, render, screen, waitFor } from '@testing-library/react'
import type { MenuItem } from '@tidegate/contract/operations/common'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { Routes, windowAddress } from '../app/router.tsx'
import { loadedPage } from '../features/registry.ts'
import { setToken } from '../shared/token.ts'
import { inBrowser } from '../testing/browser.ts'
import { SHELL_ANSWERS } from '../testing/fixtures.ts'
import { peer, Refusal } from '../testing/peer.ts'

/** The code of one page, which comes when the test says so. */
const held = vi.hoisted(() => {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  return { released, release }
})
vi.mock('../features/registry.ts', async (original) => {
  const real = await original<typeof import('../features/registry.ts')>()
  const loadPage: typeof real.loadPage = async (path) => {
    if (path === '/account/role/list') await held.released
    return real.loadPage(path)
  }
  return { ...real, loadPage }
})

inBrowser()
configure({ asyncUtilTimeout: 15_000 })
beforeAll(async () => {
  await import('./Shell.tsx')
  await import('../features/menus/MenusPage.tsx')
  await import('../features/password/PasswordPage.tsx')
}, 60_000)
beforeEach(() => {
  setToken('good')
  window.scrollTo = () => undefined
})

const ROLES = '/account/role/list'
const MENUS = '/account/role/menu'
const PASSWORD = '/account/users/password'
const REPLIES = '/cdn/work-order/reply'
const screenAt = (menuId: number, url: string, en: string): MenuItem => ({
  menuId,
  url,
  type: 1,
  meta: { title: { zh: `${en}（中）`, en } },
  children: [],
})
const MENU = [
  screenAt(1, ROLES, 'Roles'),
  screenAt(2, MENUS, 'Menus'),
  screenAt(3, PASSWORD, 'Own password'),
  screenAt(4, REPLIES, 'Replies'),
]
const ANSWERS = {
  ...SHELL_ANSWERS,
  'menu.nav': () => ({ menuList: MENU, permissions: [] }),
  'role.list': () => new Refusal(500, { error: 'x', msg: 'no roles here' }),
  'menu.list': () => new Refusal(500, { error: 'x', msg: 'no menus here' }),
}
const open = (hash: string) => {
  window.location.hash = hash
  const address = windowAddress()
  render(<Routes address={address} />)
  return address
}
const inFront = () => document.querySelector('.tab-on')?.textContent
const type = (path: string) => {
  window.location.hash = `#${path}`
}

describe('an address typed while the code of the page before it is still on its way', () => {
  it('leads where it says, and the late page does not come to the front', async () => {
    peer(ANSWERS)
    open(`#${MENUS}`)
    await waitFor(() => expect(inFront()).toBe('Menus'))
    type(ROLES)
    // The page in front stays while the next one's code is fetched.
    expect((await screen.findByRole('progressbar', { name: ROLES })).isConnected).toBe(true)
    expect(inFront()).toBe('Menus')
    type('/no/such')
    expect(await screen.findByText('Page not found')).toBeTruthy()
    type(ROLES)
    await screen.findByRole('progressbar', { name: ROLES })
    type(PASSWORD)
    await waitFor(() => expect(inFront()).toBe('Own password'))
    type(ROLES)
    await screen.findByRole('progressbar', { name: ROLES })
    type('/redirect/account/role/menu')
    await waitFor(() => expect(window.location.hash).toBe(`#${MENUS}`))
    await waitFor(() => expect(inFront()).toBe('Menus'))
  })

  it('is followed also in the very moment when another one that leads to the same page was', async () => {
    peer(ANSWERS)
    const address = open(`#${MENUS}`)
    await waitFor(() => expect(inFront()).toBe('Menus'))
    const path = () => address.now().location.pathname
    // Before React has drawn anything of where the first one leads.
    let typed = 0
    const stop = address.subscribe(() => {
      if (path() !== ROLES || typed > 1) return
      typed += 1
      address.navigator.replace('/404')
    })
    act(() => address.navigator.push('/console'))
    await waitFor(() => expect([typed, path()]).toEqual([2, ROLES]))
    stop()
    expect([inFront(), window.location.hash]).toEqual(['Menus', `#${ROLES}`])
    await act(async () => held.release())
    await waitFor(() => expect(inFront()).toBe('Roles'))
  })
})

describe('the code of the pages', () => {
  it('is fetched when the browser is idle, before anybody asks for it', async () => {
    vi.stubGlobal('requestIdleCallback', (run: () => void) => setTimeout(run))
    peer(ANSWERS)
    open(`#${MENUS}`)
    await waitFor(() => expect(inFront()).toBe('Menus'))
    expect(loadedPage(REPLIES)).toBeUndefined()
    await waitFor(() => expect(loadedPage(REPLIES)).toBeDefined())
    expect(inFront()).toBe('Menus')
  })
})
