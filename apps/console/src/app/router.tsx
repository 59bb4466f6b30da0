/** Hash routes. The login and the public pages stand alone; everything else is the shell's, whose pages come from the server's menu. */
import { useSyncExternalStore } from 'react'
import { Navigate, type RouteObject, Router, useLocation, useRoutes } from 'react-router'
import { LoginPage } from '../features/login/LoginPage.tsx'
import { PUBLIC_PAGES } from '../features/public.ts'
import { type Address, AddressContext, followAddress } from '../shared/address.ts'
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

const ROUTES: RouteObject[] = [
  { path: '/', element: <Navigate to="/login" replace /> },
  { path: '/login', element: <LoginPage /> },
  ...publicRoutes,
  { path: '*', element: <Guarded /> },
]

const Matching = () => useRoutes(ROUTES)

/** The consoles' routes at an address. */
export const Routes = ({ address }: { address: Address }) => {
  const { location, action } = useSyncExternalStore(address.subscribe, address.now)
  return (
    <Router location={location} navigationType={action} navigator={address.navigator}>
      <AddressContext value={address}>
        <Matching />
      </AddressContext>
    </Router>
  )
}

/** The window's address. Going to another page gives up the reads of the one before. */
export const windowAddress = (): Address => {
  const address = followAddress()
  let path = address.now().location.pathname
  address.subscribe(() => {
    const { pathname } = address.now().location
    if (pathname === path) return
    path = pathname
    for (const listener of onNavigation) listener()
    cancelReads()
  })
  return address
}
