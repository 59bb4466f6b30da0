/** Hash routes. The login and the public pages stand alone; everything else is the shell's, whose pages come from the server's menu. */
import { createHashRouter, Navigate, useLocation } from 'react-router'
import { LoginPage } from '../features/login/LoginPage.tsx'
import { PUBLIC_PAGES } from '../features/public.ts'
import { cancelReads } from '../shared/api/call.ts'
import { onNavigation } from '../shared/navigation.ts'
import { loginPath } from '../shared/paths.ts'
import { mayStay } from '../shared/token.ts'
import { LazyPage } from './LazyPage.tsx'

const shell = () => import('../shell/Shell.tsx').then((m) => m.Shell)

/** No token: to the login, which brings back here. A page whose login ended stays as it is until the dialog is confirmed. */
const Guarded = () => {
  const { pathname, search, hash } = useLocation()
  if (mayStay()) return <LazyPage load={shell} />
  return <Navigate to={loginPath(pathname + search + hash)} replace />
}

const publicRoutes = Object.entries(PUBLIC_PAGES).map(([path, load]) => {
  const page = () => load().then((m) => m.Page)
  return { path, element: <LazyPage key={path} load={page} /> }
})

export const buildRouter = () => {
  const router = createHashRouter([
    { path: '/', element: <Navigate to="/login" replace /> },
    { path: '/login', element: <LoginPage /> },
    ...publicRoutes,
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
