/** What the palette offers without asking the server: screens of the menu, and commands. */
import type { Lang } from '@tidegate/contract/enums'
import type { MenuItem } from '@tidegate/contract/operations/common'
import { type IconName, iconNamed } from '@tidegate/ui/Icon.tsx'
import i18next from 'i18next'
import { chooseLang, currentLang } from '../../shared/i18n.ts'
import { usePrefs } from '../../shared/prefs.ts'
import { lock } from '../lock/lock.ts'
import { chainTo } from '../menu.ts'
import type { Findable } from './match.ts'

export interface Entry extends Findable {
  key: string
  icon: IconName
  run: () => void
  /** Where it leads; commands lead nowhere. */
  path?: string
}

const otherOf = (lang: Lang): Lang => (lang === 'zh' ? 'en' : 'zh')

/** What the entries need of the frame. */
export interface Doings {
  go: (path: string) => void
  sheet: () => void
  pushAll: () => void
  logout: () => void
}

/** Each screen once, in the menu's order; what the menu hides belongs to a list, and is found there. */
export const screenEntries = (menu: readonly MenuItem[], lang: Lang, go: (path: string) => void): Entry[] => {
  const seen = new Set<string>()
  const walk = (items: readonly MenuItem[], above: readonly MenuItem[]): Entry[] =>
    items.flatMap((item) => {
      if (item.meta.hidden === true) return []
      const below = walk(item.children, [...above, item])
      if (item.type !== 1 || seen.has(item.url)) return below
      seen.add(item.url)
      const icon = [...above, item].findLast((one) => one.meta.icon !== undefined)?.meta.icon
      const entry: Entry = {
        key: `screen ${item.url}`,
        icon: iconNamed(icon),
        title: item.meta.title[lang],
        also: item.meta.title[otherOf(lang)],
        note: above.map((one) => one.meta.title[lang]).join(' / '),
        path: item.url,
        run: () => go(item.url),
      }
      return [entry, ...below]
    })
  return walk(menu, [])
}

const wordsIn = (lang: Lang) => {
  const t = i18next.getFixedT(lang, 'palette')
  return {
    addSite: t('addSite'),
    purge: t('purge'),
    pushAll: t('pushAll'),
    switchLang: t('switchLang'),
    switchTheme: t('switchTheme'),
    lock: t('lock'),
    shortcuts: t('shortcuts'),
    logout: t('logout'),
  }
}
type CommandKey = keyof ReturnType<typeof wordsIn>

interface Command {
  key: CommandKey
  icon: IconName
  /** What the login has to hold. */
  permission?: string
  /** The screen that has to be there. */
  screen?: string
  run: (doings: Doings) => void
}

const darkNow = () => document.documentElement.dataset.theme === 'dark'

export const COMMANDS: readonly Command[] = [
  {
    key: 'addSite',
    icon: 'plus',
    permission: 'cdn:site:save',
    screen: '/cdn/site/list',
    run: ({ go }) => go('/cdn/site/list?add=1'),
  },
  {
    key: 'purge',
    icon: 'refresh',
    permission: 'cdn:cache:purge',
    screen: '/cdn/site/cache',
    run: ({ go }) => go('/cdn/site/cache'),
  },
  {
    key: 'pushAll',
    icon: 'push',
    permission: 'cdn:push:run',
    screen: '/cdn/tools/push',
    run: ({ pushAll }) => pushAll(),
  },
  { key: 'switchLang', icon: 'language', run: () => chooseLang(otherOf(currentLang())) },
  { key: 'switchTheme', icon: 'moon', run: () => usePrefs.getState().set({ theme: darkNow() ? 'light' : 'dark' }) },
  { key: 'shortcuts', icon: 'menu', run: ({ sheet }) => sheet() },
  { key: 'lock', icon: 'lock', run: lock },
  { key: 'logout', icon: 'logout', run: ({ logout }) => logout() },
]

export const commandEntries = (
  menu: readonly MenuItem[],
  lang: Lang,
  holds: (permission: string) => boolean,
  doings: Doings,
): Entry[] => {
  const [words, also] = [wordsIn(lang), wordsIn(otherOf(lang))]
  return COMMANDS.filter(
    ({ permission, screen }) =>
      (permission === undefined || holds(permission)) && (screen === undefined || chainTo(menu, screen).length > 0),
  ).map(({ key, icon, run }) => ({
    key: `command ${key}`,
    icon,
    title: words[key],
    also: also[key],
    note: '',
    run: () => run(doings),
  }))
}
