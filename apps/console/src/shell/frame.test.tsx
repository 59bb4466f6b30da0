// @vitest-environment jsdom
// @vitest-environment-options {"url":"http://localhost/admin/"}

import { act, configure, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import type { MenuItem } from '@tidegate/contract/operations/common'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Routes, windowAddress } from '../app/router.tsx'
import { chooseLang } from '../shared/i18n.ts'
import { DEFAULT_PREFS, usePrefs } from '../shared/prefs.ts'
import { setToken } from '../shared/token.ts'
import { inBrowser } from '../testing/browser.ts'
import { INDEX, SHELL_ANSWERS, USER } from '../testing/fixtures.ts'
import { peer, Refusal } from '../testing/peer.ts'
import { useSession } from './session.ts'

inBrowser()
configure({ asyncUtilTimeout: 15_000 })
beforeAll(async () => {
  await import('./Shell.tsx')
  await import('../features/roles/RolesPage.tsx')
  await import('../features/menus/MenusPage.tsx')
  await import('../features/password/PasswordPage.tsx')
}, 60_000)
beforeEach(() => {
  setToken('good')
  window.scrollTo = () => undefined
})

let id = 1
const entry = (url: string, en: string, meta: Partial<MenuItem['meta']> = {}, children: MenuItem[] = []): MenuItem => ({
  menuId: id++,
  url,
  type: children.length > 0 && meta.isSub !== true ? 0 : 1,
  meta: { title: { zh: `${en}（中）`, en }, ...meta },
  children,
})
const ROLES = '/account/role/list'
const MENUS = '/account/role/menu'
const PASSWORD = '/account/users/password'

const MENU = [
  entry('/home', 'Home', {}, [entry('/home/overview', 'Overview')]),
  entry('/account', 'Account', {}, [
    entry('/account/role', 'Account', { redirect: MENUS }, [
      entry(ROLES, 'Roles', { badge: 'wkCount' }),
      entry(MENUS, 'Menus', { badge: 'task_count' }),
      entry(PASSWORD, 'Own password', { hidden: true, selectMenu: ROLES }),
    ]),
  ]),
]
const answers = (menu: MenuItem[], config: object = {}, more: object = {}) => ({
  ...SHELL_ANSWERS,
  'common.index': () => ({ ...INDEX, wkCount: 120, web_config: { paramValue: JSON.stringify(config) }, ...more }),
  'menu.nav': () => ({ menuList: menu, permissions: [] }),
  'push.status': () => ({ task_size: 4, refused_size: 2 }),
  'role.list': () => new Refusal(500, { error: 'x', msg: 'no roles here' }),
  'menu.list': () => new Refusal(500, { error: 'x', msg: 'no menus here' }),
})
const open = (hash: string) => {
  window.location.hash = hash
  render(<Routes address={windowAddress()} />)
}
/** A button by its name; by role it takes seconds on a page like this. */
const named = (name: string) =>
  waitFor(() => {
    const found = document.querySelector<HTMLElement>(`button[aria-label="${name}"]`)
    if (found === null) throw new Error(`no button ${name}`)
    return found
  })
const side = () => document.querySelector<HTMLElement>('.shell-menu') ?? document.body
const entries = () => [...side().querySelectorAll('a span:first-of-type')].map((e) => e.textContent)

describe('the frame', () => {
  it('lists what the menu permits, lights (selectMenu) and leads (redirect) as its meta says, keeps the route of what it hides, and counts beside it [S2.13 S2.14 S3.20]', async () => {
    peer(answers(MENU))
    open('#/account/role')
    // The directory names where it goes.
    await waitFor(() => expect(window.location.hash).toBe(`#${MENUS}`))
    await waitFor(() => expect(entries()).toEqual(['Roles', 'Menus']))
    await waitFor(() =>
      expect([...side().querySelectorAll('.shell-count')].map((e) => [e.textContent, e.className])).toEqual([
        ['99+', 'shell-count shell-count-bad'],
        ['2', 'shell-count shell-count-bad'],
      ]),
    )
    window.location.hash = `#${PASSWORD}`
    await waitFor(() => expect(side().querySelector('[aria-current="page"]')?.textContent).toContain('Roles'))
    const crumbs = within(screen.getByRole('navigation', { name: 'Breadcrumb' }))
    // One word once, and the way back to the list.
    expect(crumbs.getAllByRole('listitem').map((li) => li.textContent)).toEqual(['', 'Account', 'Own password'])
    fireEvent.click(crumbs.getByRole('link', { name: 'Back' }))
    await waitFor(() => expect(window.location.hash).toBe(`#${ROLES}`))
  })

  it('shows where one is, with a way back only where there is something above [S2.15]', async () => {
    peer(answers(MENU))
    open(`#${PASSWORD}`)
    const crumbs = within(await screen.findByRole('navigation', { name: 'Breadcrumb' }))
    fireEvent.click(crumbs.getByRole('link', { name: 'Back' }))
    await waitFor(() => expect(window.location.hash).toBe(`#${ROLES}`))
    await waitFor(() => expect(crumbs.queryByRole('link', { name: 'Back' })).toBeNull())
    const last = crumbs.getAllByRole('listitem').at(-1)
    expect([last?.textContent, last?.querySelector('[aria-current="page"]')?.textContent]).toEqual(['Roles', 'Roles'])
  })

  it('goes on from /redirect/{path} to a page that is built anew, which refreshing uses, and never out of the console [S2.5]', async () => {
    peer(answers(MENU))
    open(`#/redirect${MENUS}?key=x`)
    await waitFor(() => expect(window.location.hash).toBe(`#${MENUS}?key=x`))
    const title = await screen.findByRole('heading', { name: 'Menus' })
    fireEvent.click(await named('Refresh'))
    await waitFor(() => expect(title.isConnected).toBe(false))
    expect(await screen.findByRole('heading', { name: 'Menus' })).toBeTruthy()
    expect(window.location.hash).toBe(`#${MENUS}?key=x`)
    window.location.hash = '#/redirect//host.example'
    expect(await screen.findByText('Page not found')).toBeTruthy()
  })

  it.each([
    [232, ROLES],
    [999, MENUS],
  ])(
    'leads /cdn/site/domain to the list of all domains where it is permitted, else to the first screen (%i) [S2.9]',
    async (menuId, path) => {
      const sites = [entry(MENUS, 'First'), { ...entry(ROLES, 'Second'), menuId }]
      peer(answers([entry('/cdn', 'CDN', {}, [{ ...entry('/cdn/site/domain', 'Sites', {}, sites), menuId: 175 }])]))
      open('#/cdn/site/domain')
      await waitFor(() => expect(window.location.hash).toBe(`#${path}`))
    },
  )

  it('has only entries and pages that the login’s menu holds; another login’s menu brings others [S6.1]', async () => {
    const of = (...paths: [string, string][]) => [
      entry(
        '/account',
        'Account',
        {},
        paths.map(([path, name]) => entry(path, name)),
      ),
    ]
    let menu = of([ROLES, 'Roles'])
    peer({ ...answers([]), 'menu.nav': () => ({ menuList: menu, permissions: [] }) })
    open(`#${ROLES}`)
    await waitFor(() => expect(entries()).toEqual(['Roles']))
    window.location.hash = `#${MENUS}`
    expect(await screen.findByText('Page not found')).toBeTruthy()
    expect(screen.queryByRole('heading', { name: 'Menus' })).toBeNull()
    menu = of([MENUS, 'Menus'], [PASSWORD, 'Own password'])
    await act(() => useSession.getState().load())
    await waitFor(() => expect(entries()).toEqual(['Menus', 'Own password']))
    expect(await screen.findByRole('heading', { name: 'Menus' })).toBeTruthy()
  })

  it('leaves out paths that the user may not open (unvalidModel), and their address leads nowhere [S2.13]', async () => {
    peer({ ...answers(MENU), 'admin.info': () => ({ user: { ...USER.user, unvalidModel: [ROLES] } }) })
    open(`#${ROLES}`)
    expect(await screen.findByText('Page not found')).toBeTruthy()
    window.location.hash = `#${MENUS}`
    await waitFor(() => expect(entries()).toEqual(['Menus']))
  })

  it('shows pages inside their parent’s page (isSub), and hides a level that is reached from the page’s head (levelHidden) [S3.20]', async () => {
    const inside = entry(ROLES, 'Roles')
    const parent = { ...inside, children: [entry(MENUS, 'Inner menus', { isSub: true })] }
    const hidden = entry('/account/own', 'Own', { levelHidden: true }, [entry(PASSWORD, 'Own password')])
    peer(answers([entry('/account', 'Account', {}, [parent, hidden])]))
    open(`#${MENUS}`)
    const subs = await screen.findByRole('navigation', { name: 'Pages of this group' })
    expect(
      within(subs)
        .getAllByRole('link')
        .map((a) => a.textContent),
    ).toEqual(['Roles', 'Inner menus'])
    expect(within(subs).getByRole('link', { name: 'Inner menus' }).getAttribute('aria-current')).toBe('page')
    expect(entries()).toEqual(['Roles', 'Own'])
    expect(side().querySelector('[aria-current="page"]')?.textContent).toBe('Roles')
    fireEvent.click(within(side()).getByRole('link', { name: 'Own' }))
    await waitFor(() => expect(window.location.hash).toBe(`#${PASSWORD}`))
    await waitFor(() => expect(side().querySelector('[aria-current="page"]')?.textContent).toBe('Own'))
    window.location.hash = '#/account/own'
    await waitFor(() => expect(window.location.hash).toBe(`#${PASSWORD}`))
  })

  it('has header, side bar, main part and footer; the footer says who runs it and how they are reached, of what is set, and opens the service agreement [S2.25]', async () => {
    const contact = {
      company: 'Edge Co Ltd',
      mobile: '13800000000',
      email: 'noc@edge.example',
      qq: '10001',
      telegram: '@edge',
      skype: 'live:edge',
    }
    peer({
      ...answers(MENU, { contact, basic: { icp: 'ICP 12345' } }),
      'web.agent': () => ({
        data: { title: 'Terms of use', content: '<p>Be <b>kind</b></p><script>alert(1)</script>' },
      }),
    })
    open(`#${ROLES}`)
    const footer = await screen.findByRole('contentinfo')
    await waitFor(() => expect(footer.textContent).toContain(`© ${new Date().getFullYear()} Edge Co Ltd`))
    const links = within(footer)
      .getAllByRole('link')
      .map((a) => a.getAttribute('href'))
    expect(links).toEqual([
      '#/console',
      'tel:13800000000',
      'mailto:noc@edge.example',
      'https://t.me/edge',
      'skype:live%3Aedge?chat',
    ])
    expect(footer.textContent).toContain('QQ 10001')
    expect(footer.textContent).toContain('ICP 12345')
    for (const part of ['header.shell-top', 'aside.shell-aside', 'main#main'])
      expect(document.querySelector(part), part).not.toBeNull()
    fireEvent.click(within(footer).getByText('Service agreement'))
    expect(await screen.findByText('Terms of use')).toBeTruthy()
    const text = (await screen.findByText('kind')).closest('.tg-rich')
    expect(text?.innerHTML).toBe('<p>Be <b>kind</b></p>')
  })

  it('shows the site’s own icon in the window’s tab, and the product’s where none is set', async () => {
    const icon = document.createElement('link')
    icon.rel = 'icon'
    icon.type = 'image/svg+xml'
    icon.href = '/brand.svg'
    document.head.append(icon)
    let favicon = '/uploads/own.png'
    peer({
      ...answers(MENU),
      'common.index': () => ({ ...INDEX, web_config: { paramValue: JSON.stringify({ basic: { favicon } }) } }),
    })
    const { useSite } = await import('../shared/site-config.ts')
    await useSite.getState().read()
    expect([icon.getAttribute('href'), icon.type]).toEqual(['/uploads/own.png', ''])
    favicon = ''
    await useSite.getState().read()
    expect([icon.getAttribute('href'), icon.type]).toEqual(['http://localhost/brand.svg', 'image/svg+xml'])
    icon.remove()
  })

  it('titles the window with the page, then the SEO title, in the present language [S1.5]', async () => {
    peer(answers(MENU, { seo: { title: 'Fast everywhere' }, basic: { webName: 'Edge' } }))
    open(`#${ROLES}`)
    await waitFor(() => expect(document.title).toBe('Roles - Fast everywhere'))
    act(() => chooseLang('zh'))
    await waitFor(() => expect(document.title).toBe('Roles（中） - Fast everywhere'))
    window.location.hash = '#/no/such'
    await waitFor(() => expect(document.title).toBe('页面不存在 - Fast everywhere'))
  })
})

describe('the language', () => {
  it('is the site’s on the first visit, then the person’s own, stored here and switched by a button that names the other [S1.3 S1.4]', async () => {
    window.localStorage.removeItem('admin:prefs')
    usePrefs.setState(DEFAULT_PREFS)
    peer(answers(MENU, { basic: { lang: 'zh' } }))
    open(`#${ROLES}`)
    // Nothing was chosen: the site's.
    const toEnglish = await named('切换英文 Switch to English')
    expect(document.documentElement.lang).toBe('zh-CN')
    expect(JSON.parse(window.localStorage.getItem('admin:prefs') ?? '{}').lang ?? null).toBeNull()
    fireEvent.click(toEnglish)
    await named('Switch to Chinese 切换中文')
    expect(document.documentElement.lang).toBe('en')
    expect(JSON.parse(window.localStorage.getItem('admin:prefs') ?? '{}').lang).toBe('en')
    // The site's default comes again with every reading of the page config; the choice stays.
    const { useSite } = await import('../shared/site-config.ts')
    await act(() => useSite.getState().read())
    expect(document.documentElement.lang).toBe('en')
  })
})
