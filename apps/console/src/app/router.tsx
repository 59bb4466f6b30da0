/** Hash routes. Login stands alone; everything else is the shell's, whose pages come from the server's menu. */
import { type ComponentType, useEffect, useState } from 'react'
import { createHashRouter, Navigate, useLocation } from 'react-router'
import { LoginPage } from '../features/login/LoginPage.tsx'
import { cancelReads } from '../shared/api/call.ts'
import { onNavigation } from '../shared/navigation.ts'
import { ReloadNotice } from '../shared/ReloadNotice.tsx'
import { token } from '../shared/token.ts'

/** The shell is a chunk of its own; until it is here the page keeps still. */
const LazyShell = () => {
  const [Shell, setShell] = useState<ComponentType>()
  const [failed, setFailed] = useState(false)
  useEffect(() => {
    import('../shell/Shell.tsx').then(
      (m) => setShell(() => m.Shell),
      () => setFailed(true),
    )
  }, [])
  if (failed) return <ReloadNotice />
  return Shell === undefined ? null : <Shell />
}

/** No token: to the login, which brings back here. */
const Guarded = () => {
  const { pathname, search } = useLocation()
  if (token() !== null) return <LazyShell />
  return <Navigate to={`/login?redirect=${encodeURIComponent(pathname + search)}`} replace />
}

export const buildRouter = () => {
  const router = createHashRouter([
    { path: '/', element: <Navigate to="/login" replace /> },
    { path: '/login', element: <LoginPage /> },
    { path: '*', element: <Guarded /> },
  ])
  let path = router.state.location.pathname
  router.subscribe(({ location }) => {
    if (location.pathname === path) return
    path = location.pathname
    for (const listener of onNavigation) listener()
    cancelReads()
  })
  return router
}
