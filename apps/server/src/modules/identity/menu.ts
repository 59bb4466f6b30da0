/** The navigation: what is built, and permitted to the caller, as a tree. */
import { MENU_TYPES } from '@tidegate/contract/enums'
import type { MenuItem } from '@tidegate/contract/operations/common'
import { and, arrayContains, asc, eq } from 'drizzle-orm'
import type { Caller, Handlers } from '../../platform/caller.ts'
import type { Db } from '../../platform/db.ts'
import { menus } from './schema.ts'

type MenuRow = typeof menus.$inferSelect

const mayOpen = (row: MenuRow, caller: Caller) =>
  !caller.unvalidModel.includes(row.url) && (row.permission === null || caller.permissions.has(row.permission))

/** First screen below an entry that a person can click to. */
const firstScreen = (items: readonly MenuItem[]): string | undefined => {
  for (const item of items) {
    if (item.meta.hidden) continue
    const found = item.type === MENU_TYPES.directory ? firstScreen(item.children) : item.url
    if (found !== undefined) return found
  }
  return undefined
}

const hasScreen = (items: readonly MenuItem[], url: string): boolean =>
  items.some((item) => (item.type === MENU_TYPES.screen && item.url === url) || hasScreen(item.children, url))

/** The tree below `parentId`. Directories without a permitted child are left out; the others lead to their redirect if it is permitted, else to their first. */
export const menuTree = (rows: readonly MenuRow[], caller: Caller, parentId: number | null = null): MenuItem[] =>
  rows
    .filter((row) => row.parentId === parentId && row.type !== MENU_TYPES.action && mayOpen(row, caller))
    .flatMap((row) => {
      const children = menuTree(rows, caller, row.id)
      if (row.type !== MENU_TYPES.directory)
        return [{ menuId: row.id, url: row.url, type: row.type, meta: row.meta, children }]
      const first = firstScreen(children)
      if (first === undefined) return []
      const chosen = row.meta.redirect
      const redirect = chosen !== undefined && hasScreen(children, chosen) ? chosen : first
      return [{ menuId: row.id, url: row.url, type: row.type, meta: { ...row.meta, redirect }, children }]
    })

export const createMenu = (db: Db): Handlers<'menu.nav'> => ({
  'menu.nav': async (_input, caller) => {
    const rows = await db
      .select()
      .from(menus)
      .where(and(eq(menus.enabled, true), arrayContains(menus.consoles, [caller.console])))
      .orderBy(asc(menus.sort), asc(menus.id))
    return { menuList: menuTree(rows, caller), permissions: [...caller.permissions].sort() }
  },
})
