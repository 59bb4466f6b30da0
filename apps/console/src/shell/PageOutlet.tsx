/** The open pages, of which one is shown: what the menu permits and the registry knows. The page in front stays until the next one's code is here. */
import { Activity, memo, useEffect, useLayoutEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Location, NavigationType, UNSAFE_LocationContext, UNSAFE_RouteContext, useLocation } from 'react-router'
import { loadedPage, loadPage } from '../features/registry.ts'
import { currentLang } from '../shared/i18n.ts'
import { PageKeyContext, usePageNames } from '../shared/page-key.ts'
import { ReloadNotice } from '../shared/ReloadNotice.tsx'
import { pageTitle, useSite } from '../shared/site-config.ts'
import { useLocked } from './lock/lock.ts'
import { chainTo } from './menu.ts'
import { NotFound } from './NotFound.tsx'
import { PageBoundary } from './PageBoundary.tsx'
import { useSession } from './session.ts'
import { leaveField, type Tab, useTabs } from './tabs/tabs.ts'
import { usePreload } from './tabs/usePreload.ts'
import { useRedirects } from './tabs/useRedirects.ts'
import { type Way, wayOf } from './tabs/way.ts'

// Each page has its own place, which only the shell knows.
window.history.scrollRestoration = 'manual'

/** Pages know nothing of the route that they stand in, which is another object with each address. */
const NO_ROUTE = { outlet: null, matches: [], isDataRoute: false }

/**
 * A page with an address of its own, which does not change while another page is shown. By the router's context and not by `Routes`: that would
 * build all ten pages anew at each change of the address.
 */
const OpenPage = memo(({ pageKey, path, location }: { pageKey: string; path: string; location: Location }) => {
  const place = useMemo(() => ({ location, navigationType: NavigationType.Push }), [location])
  const Page = loadedPage(path)?.Page
  return (
    <PageKeyContext value={pageKey}>
      <UNSAFE_LocationContext value={place}>
        <UNSAFE_RouteContext value={NO_ROUTE}>
          <PageBoundary>{Page === undefined ? null : <Page />}</PageBoundary>
        </UNSAFE_RouteContext>
      </UNSAFE_LocationContext>
    </PageKeyContext>
  )
})

const useTitle = (tab: Tab | undefined) => {
  const { t } = useTranslation('shell')
  const menu = useSession((s) => s.menu)
  const web = useSite((s) => s.web)
  const name = usePageNames((s) => (tab === undefined ? undefined : s.names[tab.key]))
  const locked = useLocked((s) => s.locked)
  const entry = tab === undefined ? undefined : chainTo(menu, tab.path).at(-1)
  const title = locked ? t('locked') : (name ?? entry?.meta.title[currentLang()] ?? t('notFound'))
  useEffect(() => {
    document.title = pageTitle(title, web)
  }, [title, web])
}

type Fetching = 'no' | 'waiting' | 'failed'

/** Brings the page of the present address to the front as soon as its code is here. */
const useFollow = (way: Way, location: Location): Fetching => {
  const [failed, setFailed] = useState(false)
  const ready = way.kind === 'page' && loadedPage(way.path) !== undefined
  useLayoutEffect(() => {
    const { show, showNone } = useTabs.getState()
    if (way.kind === 'unknown') showNone()
    if (way.kind === 'page' && ready) show({ key: way.key, path: way.path, location })
  }, [way, ready, location])
  useEffect(() => {
    setFailed(false)
    if (way.kind !== 'page' || ready) return
    let gone = false
    const { key, path } = way
    loadPage(path).then(
      () => gone || useTabs.getState().show({ key, path, location }),
      () => {
        if (gone) return
        leaveField()
        setFailed(true)
      },
    )
    return () => {
      gone = true
    }
  }, [way, ready, location])
  if (way.kind !== 'page' || ready) return 'no'
  return failed ? 'failed' : 'waiting'
}

export const PageOutlet = () => {
  const location = useLocation()
  const menu = useSession((s) => s.menu)
  const { tabs, active } = useTabs()
  const { pathname, search } = location
  const way = useMemo(() => wayOf(menu, pathname, search), [menu, pathname, search])
  const fetching = useFollow(way, location)
  useRedirects(menu)
  const front = tabs.find((tab) => tab.key === active)
  usePreload(menu, front !== undefined)
  useTitle(way.kind === 'unknown' ? undefined : front)
  // Where the window stood when the page was left; a new page begins at its top.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when another page comes to the front
  useLayoutEffect(() => {
    // In braces: newer browsers answer with a promise, which is no clean-up.
    window.scrollTo(0, front?.scroll ?? 0)
  }, [front?.key, front?.round])
  return (
    <>
      {fetching === 'waiting' ? <div className="shell-progress" role="progressbar" aria-label={pathname} /> : null}
      {way.kind === 'unknown' ? <NotFound /> : null}
      {fetching === 'failed' ? <ReloadNotice /> : null}
      {tabs.map((tab) => (
        <Activity
          key={`${tab.key} ${tab.round}`}
          mode={tab.key === active && fetching !== 'failed' ? 'visible' : 'hidden'}
        >
          <OpenPage pageKey={tab.key} path={tab.path} location={tab.location} />
        </Activity>
      ))}
    </>
  )
}
