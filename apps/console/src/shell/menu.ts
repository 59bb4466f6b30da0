/** The server's menu as the shell uses it. Pure: what is listed, where a directory leads, what stands above a page. */
import type { Lang } from '@tidegate/contract/enums'
import type { MenuItem } from '@tidegate/contract/operations/common'

const DIRECTORY = 0
const SCREEN = 1

/** Site Management goes to the list of all domains where that is permitted (specification, section 2). */
const PREFERRED: Readonly<Record<number, number>> = { 175: 232 }

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
    return children.length > 0 && item.type === DIRECTORY ? [{ ...item, children }] : []
  })

/** An entry that leads straight to a page, whatever lies below it. */
const asLeaf = (item: MenuItem, url: string | null): MenuItem[] =>
  url === null ? [] : [{ ...item, url, type: SCREEN, children: [] }]

/**
 * What the menus list: without entries that are hidden or shown inside their parent's page (isSub), and without the level below an entry that
 * hides it (levelHidden).
 */
export const listed = (menu: readonly MenuItem[]): MenuItem[] =>
  menu.flatMap((item) => {
    if (item.meta.hidden === true || item.meta.isSub === true) return []
    const children = listed(item.children)
    const leaf = item.meta.levelHidden === true || children.length === 0
    return leaf ? asLeaf(item, leadsTo(item)) : [{ ...item, children }]
  })

/** The chain of entries that leads to a path, outermost first; empty when there is none. */
export const chainTo = (menu: readonly MenuItem[], path: string, type = SCREEN): MenuItem[] => {
  for (const item of menu) {
    if (item.type === type && trimmed(item.url) === trimmed(path)) return [item]
    const below = chainTo(item.children, path, type)
    if (below.length > 0) return [item, ...below]
  }
  return []
}

/** The first screen that is listed at or below some entries. */
export const firstPath = (menu: readonly MenuItem[]): string | null => {
  for (const item of menu) {
    const path = item.meta.hidden === true ? null : leadsTo(item)
    if (path !== null) return path
  }
  return null
}

/** Where an entry leads: a screen to itself, a directory to what it names (redirect) if that is permitted, else to its first screen. */
export const leadsTo = (item: MenuItem): string | null => {
  if (item.type === SCREEN) return item.url
  const { redirect } = item.meta
  if (redirect !== undefined && chainTo(item.children, redirect).length > 0) return redirect
  const preferred = item.children.find((child) => child.menuId === PREFERRED[item.menuId])
  return firstPath(preferred === undefined ? item.children : [preferred]) ?? firstPath(item.children)
}

/** Where the address of a directory leads; null when it is none. */
export const directoryTo = (menu: readonly MenuItem[], path: string): string | null => {
  const directory = chainTo(menu, path, DIRECTORY).at(-1)
  return directory === undefined ? null : leadsTo(directory)
}

/** Paths that are lit in the menus while a page is open: that which the entry names (selectMenu), else itself and where those above it lead. */
export const litPaths = (chain: readonly MenuItem[]): string[] => {
  const last = chain.at(-1)
  if (last === undefined) return []
  const { selectMenu, isSub } = last.meta
  if (selectMenu !== undefined) return [trimmed(selectMenu)]
  const parent = isSub === true ? chain.at(-2) : undefined
  const above = chain.slice(0, -1).filter((item) => item.meta.levelHidden === true || item === parent)
  return [last, ...above].flatMap((item) => leadsTo(item) ?? []).map(trimmed)
}

const visible = (item: MenuItem) => item.meta.hidden !== true

/** The paths of all screens, also of those that no menu lists. */
export const allScreens = (menu: readonly MenuItem[]): string[] =>
  menu.flatMap(({ type, url, children }) => [...(type === SCREEN ? [trimmed(url)] : []), ...allScreens(children)])

/** The screens at or below some entries, in their order. */
const screensOf = (menu: readonly MenuItem[]): MenuItem[] =>
  menu.filter(visible).flatMap((item) => (item.type === SCREEN ? [item] : screensOf(item.children)))

/**
 * The pages that share a place in the menu with this one and are reached from its head: a screen with those inside it (isSub), or the level that
 * a directory hides (levelHidden). Empty when the page stands by itself.
 */
export const subPages = (chain: readonly MenuItem[]): MenuItem[] => {
  const subs = (item: MenuItem) => item.children.filter((child) => child.meta.isSub === true && visible(child))
  const last = chain.at(-1)
  const parent = chain.at(-2)
  if (last === undefined) return []
  if (last.meta.isSub === true && parent !== undefined)
    return parent.type === SCREEN ? [parent, ...subs(parent)] : subs(parent)
  if (subs(last).length > 0) return [last, ...subs(last)]
  const flat = chain.find((item) => item.meta.levelHidden === true)
  if (flat === undefined || !visible(last)) return []
  const pages = [...(flat.type === SCREEN ? [flat] : []), ...screensOf(flat.children)]
  return pages.length > 1 ? pages : []
}

/** What a breadcrumb shows after its home: not the directory that only leads to the home's page, and no word twice. */
export const crumbs = (chain: readonly MenuItem[], home: string | null, lang: Lang): MenuItem[] =>
  chain.filter((item, at) => {
    if (at === chain.length - 1) return true
    if (item.type === DIRECTORY && leadsTo(item) === home) return false
    return !chain.slice(at + 1).some((below) => below.meta.title[lang] === item.meta.title[lang])
  })
