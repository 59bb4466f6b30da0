/** The four consoles as data: which one this page is follows from its address alone. */
import type { ConsoleId } from '@tidegate/contract/enums'

export interface ConsoleRow {
  id: ConsoleId
  /** Address of the page. */
  path: string
  audience: 'admin' | 'user'
  variant: 'cdn' | 'dns'
  /** Base path of its API. */
  api: string
}

export const CONSOLES: readonly ConsoleRow[] = [
  { id: 'dns-admin', path: '/dns-admin/', audience: 'admin', variant: 'dns', api: '/ants-dns-api/' },
  { id: 'admin', path: '/admin/', audience: 'admin', variant: 'cdn', api: '/antsxdp/' },
  { id: 'dns-user', path: '/dns/', audience: 'user', variant: 'dns', api: '/api/' },
  { id: 'user', path: '/', audience: 'user', variant: 'cdn', api: '/api/' },
]

/** The console that a pathname belongs to. */
export const consoleOf = (pathname: string): ConsoleRow => {
  const path = pathname.endsWith('/') ? pathname : `${pathname}/`
  const found = CONSOLES.find((row) => path.startsWith(row.path))
  if (found === undefined) throw new Error(`no console at ${pathname}`)
  return found
}

export const here = consoleOf(window.location.pathname)
