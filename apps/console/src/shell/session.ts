/** Who is logged in and what they may open. Loaded once per login, before the first page. */
import type { OutputOf } from '@tidegate/contract/operations/index'
import { create } from 'zustand'
import { pageExists } from '../features/registry.ts'
import { setAccountId } from '../shared/account.ts'
import { type CallOptions, call } from '../shared/api/call.ts'
import { ApiError } from '../shared/api/error.ts'
import { here } from '../shared/console.ts'
import { useDebug } from '../shared/debug.ts'
import { queryClient } from '../shared/query.ts'
import { useSite } from '../shared/site-config.ts'
import { setToken, token } from '../shared/token.ts'
import { offered } from './features.ts'
import { permitted } from './menu.ts'

type User = OutputOf<'admin.info'>['user']
type Menu = OutputOf<'menu.nav'>['menuList']

/** `ready`: there is something to open. `refused`: the login is good for nothing. `lost`: no answer came. */
export type Entry = 'ready' | 'refused' | 'lost'

interface Session {
  user: User | null
  /** As the server gave it. */
  given: Menu
  /** What of it exists here, is offered by the installation and may be opened. */
  menu: Menu
  permissions: ReadonlySet<string>
  load: () => Promise<Entry>
  reset: () => void
}

const menuOf = (given: Menu, user: User): Menu =>
  permitted(offered(given, useSite.getState().index, useDebug.getState().on), pageExists, user.unvalidModel)

/** What the server says by its own code; anything else came from a proxy, or from nowhere. */
const answered = (error: unknown) => !(error instanceof ApiError) || error.failure.error !== ''

/** The menu's code must be 1: elsewhere 0 counts as success too. */
const isOne = (answer: object) => 'code' in answer && String(answer.code) === '1'

/** Both audiences have the same members, but nobody among the customers is above the rights. */
const fetchUser = async (options: CallOptions): Promise<User> => {
  if (here.audience === 'admin') return (await call('admin.info', {}, options)).user
  const { userId, username, whiteIpStatus, unvalidModel, permissions } = (await call('account.info', {}, options)).user
  return { userId, username, superAdmin: false, whiteIpStatus, unvalidModel, permissions }
}

const fetchEntry = async () => {
  const options = { keep: true, quiet: true }
  const [nav, user] = await Promise.all([call('menu.nav', {}, options), fetchUser(options)])
  if (!isOne(nav)) throw new Error('the menu was refused')
  return { user, given: nav.menuList, menu: menuOf(nav.menuList, user), permissions: new Set(nav.permissions) }
}

export const useSession = create<Session>((set) => ({
  user: null,
  given: [],
  menu: [],
  permissions: new Set(),
  /** An answer that gives nothing to open drops the token; no answer at all keeps it. */
  load: async () => {
    const asked = token()
    try {
      const entry = await fetchEntry()
      if (entry.menu.length === 0) throw new Error('empty menu')
      setAccountId(entry.user.userId)
      set(entry)
      return 'ready'
    } catch (error) {
      if (!answered(error)) return 'lost'
      // A login made meanwhile, in this tab, is not this one's matter.
      if (token() === asked) setToken(null)
      return 'refused'
    }
  },
  reset: () => {
    queryClient.clear()
    set({ user: null, given: [], menu: [], permissions: new Set() })
  },
}))

const renew = () => useSession.setState(({ user, given }) => (user === null ? {} : { menu: menuOf(given, user) }))
useSite.subscribe(renew)
useDebug.subscribe(renew)

/** The same for many permissions, for those who do not know beforehand which. */
export const useHolds = (): ((permission: string) => boolean) => {
  const left = useSite((s) => s.index?.mode.permissions)
  const { user, permissions } = useSession()
  return (permission) =>
    (user?.superAdmin === true || permissions.has(permission)) && left?.includes(permission) !== true
}

/** Whether the login holds a permission; what it does not hold is not offered. */
export const useMay = (permission: string): boolean => {
  const left = useSite((s) => s.index?.mode.permissions.includes(permission) === true)
  const held = useSession((s) => s.user?.superAdmin === true || s.permissions.has(permission))
  return held && !left
}
