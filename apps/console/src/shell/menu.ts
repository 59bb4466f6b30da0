/** The server's menu as the shell uses it. Pure: what is listed, where a directory leads, what stands above a page. */
import type { MenuItem } from '@tidegate/contract/operations/common'

const SCREEN = 1

/** A path without its final slash, so that `/dns/black/config/` and `/dns/black/config` are one page. */
export const trimmed = (path: string): string => (path.length > 1 ? path.replace(/\/+$/, '') : path)

/** Leaves out screens that the registry does not know or the user may not open, and directories that are empty then. Permission rows fall out too. */
export const permitted = (
  menu: readonly MenuItem[],
  exists: (path: string) => boolean,
  unvalid: readonly string[],
): MenuItem[] =>
  menu.flatMap((item) => {
    const children = permitted(item.children, exists, unvalid)
    if (unvalid.includes(item.url) && item.url !== '') return []
    if (item.type === SCREEN) return exists(trimmed(item.url)) ? [{ ...item, children }] : []
    return children.length > 0 && item.type === 0 ? [{ ...item, children }] : []
  })

/** What the menus list: without entries that are hidden. */
export const listed = (menu: readonly MenuItem[]): MenuItem[] =>
  menu.flatMap((item) => {
    if (item.meta.hidden === true) return []
    const children = listed(item.children)
    return item.type === SCREEN || children.length > 0 ? [{ ...item, children }] : []
  })

/** The chain of entries that leads to a path, outermost first; empty when there is none. */
export const chainTo = (menu: readonly MenuItem[], path: string): MenuItem[] => {
  for (const item of menu) {
    if (item.type === SCREEN && trimmed(item.url) === trimmed(path)) return [item]
    const below = chainTo(item.children, path)
    if (below.length > 0) return [item, ...below]
  }
  return []
}

/** The first screen that is listed at or below an entry. */
export const firstPath = (menu: readonly MenuItem[]): string | null => {
  for (const item of menu) {
    if (item.meta.hidden === true) continue
    if (item.type === SCREEN) return item.url
    const below = firstPath(item.children)
    if (below !== null) return below
  }
  return null
}

/** The path that is lit in the menus while a page is open. */
export const litPath = (chain: readonly MenuItem[]): string => {
  const last = chain.at(-1)
  return last?.meta.selectMenu ?? last?.url ?? ''
}
