/** Who is logged in and what they may open. Loaded once per login, before the first page. */
import type { OutputOf } from '@tidegate/contract/operations/index'
import { create } from 'zustand'
import { pageExists } from '../features/registry.ts'
import { call } from '../shared/api/call.ts'
import { queryClient } from '../shared/query.ts'
import { setToken } from '../shared/token.ts'
import { permitted } from './menu.ts'

type User = OutputOf<'admin.info'>['user']
type Menu = OutputOf<'menu.nav'>['menuList']

interface Session {
  user: User | null
  menu: Menu
  permissions: ReadonlySet<string>
  load: () => Promise<boolean>
  reset: () => void
}

export const useSession = create<Session>((set) => ({
  user: null,
  menu: [],
  permissions: new Set(),
  /** false: the login is not good for any page; the token is dropped. */
  load: async () => {
    try {
      const options = { keep: true, quiet: true }
      const [{ menuList, permissions }, { user }] = await Promise.all([
        call('menu.nav', {}, options),
        call('admin.info', {}, options),
      ])
      const menu = permitted(menuList, pageExists, user.unvalidModel)
      if (menu.length === 0) throw new Error('empty menu')
      set({ user, menu, permissions: new Set(permissions) })
      return true
    } catch {
      setToken(null)
      return false
    }
  },
  reset: () => {
    queryClient.clear()
    set({ user: null, menu: [], permissions: new Set() })
  },
}))

/** Whether the login holds a permission; what it does not hold is not offered. */
export const useMay = (permission: string): boolean =>
  useSession((s) => s.user?.superAdmin === true || s.permissions.has(permission))
