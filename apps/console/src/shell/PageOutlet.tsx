/** The page of the present path: what the menu permits and the registry knows. The old page stays until the new one's code is here. */
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Location, Navigate, Route, Routes, useLocation } from 'react-router'
import { loadedPage, loadPage, type PageModule } from '../features/registry.ts'
import { currentLang } from '../shared/i18n.ts'
import { ReloadNotice } from '../shared/ReloadNotice.tsx'
import { pageTitle, useSite } from '../shared/site-config.ts'
import { chainTo, firstPath, trimmed } from './menu.ts'
import { NotFound } from './NotFound.tsx'
import { PageBoundary } from './PageBoundary.tsx'
import { useSession } from './session.ts'

interface Shown {
  path: string
  location: Location
  module: PageModule
}

/** The page to show; follows the location once the page's module has come. */
const useShown = (
  path: string | null,
  location: Location,
): { shown: Shown | null; waiting: boolean; failed: boolean } => {
  const [shown, setShown] = useState<Shown | null>(null)
  const [failed, setFailed] = useState(false)
  const ready = path === null ? undefined : loadedPage(path)
  useEffect(() => {
    setFailed(false)
    if (path === null || ready !== undefined) return
    let gone = false
    loadPage(path).then(
      (module) => gone || setShown({ path, location, module }),
      () => gone || setFailed(true),
    )
    return () => {
      gone = true
    }
  }, [path, ready, location])
  if (path === null) return { shown: null, waiting: false, failed: false }
  if (ready === undefined) return { shown, waiting: !failed, failed }
  const now = { path, location, module: ready }
  if (shown?.path !== path || shown.location !== location) setShown(now)
  return { shown: now, waiting: false, failed: false }
}

const useTitle = (path: string) => {
  const menu = useSession((s) => s.menu)
  const web = useSite((s) => s.web)
  const { t, i18n } = useTranslation('shell')
  const title = chainTo(menu, path).at(-1)?.meta.title[currentLang()] ?? t('notFound')
  // biome-ignore lint/correctness/useExhaustiveDependencies: the title follows the language
  useEffect(() => {
    document.title = pageTitle(title, web)
  }, [title, web, i18n.language])
}

export const PageOutlet = () => {
  const location = useLocation()
  const menu = useSession((s) => s.menu)
  const path = trimmed(location.pathname)
  const known = chainTo(menu, path).length > 0
  const { shown, waiting, failed } = useShown(known ? path : null, location)
  useTitle(path)
  if (path === '/console' || path === '/404') return <Navigate to={firstPath(menu) ?? '/login'} replace />
  if (path.startsWith('/redirect/')) return <Navigate to={path.slice('/redirect'.length) + location.search} replace />
  if (!known) return <NotFound />
  if (failed) return <ReloadNotice />
  return (
    <>
      {waiting ? <div className="shell-progress" role="progressbar" aria-label={path} /> : null}
      {shown === null ? null : (
        <Routes location={shown.location} key={shown.path}>
          <Route
            path="*"
            element={
              <PageBoundary key={shown.path}>
                <shown.module.Page />
              </PageBoundary>
            }
          />
        </Routes>
      )}
    </>
  )
}
