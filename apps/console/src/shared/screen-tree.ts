/** The screens of the menu as a tree to choose from. */
import type { Lang } from '@tidegate/contract/enums'
import { branchesOf } from './branches.ts'
import { currentLang } from './i18n.ts'

interface Screen {
  menuId: number
  parentId: number | null
  url: string
  type: number
  title: Readonly<Record<Lang, string>>
}

/** Screens by path, each once: a path that stands in both variants is one screen. */
export const screenTree = (screens: readonly Screen[]) => {
  const seen = new Set<string>()
  const title = (s: Screen) => s.title[currentLang()]
  return branchesOf(screens, title, (s) => {
    if (s.type !== 1 || seen.has(s.url)) return []
    seen.add(s.url)
    return [{ key: s.url, title: title(s) }]
  })
}
