/** Ways to a page from the menus. */
import { preloadPage } from '../../features/registry.ts'
import { trimmed } from '../menu.ts'
import { addressOf, useTabs } from './tabs.ts'

/** Fetches a page's code before it is asked for. A failure is not told: opening the page will tell. */
export const prefetch = (path: string): void => void preloadPage(trimmed(path)).catch(() => undefined)

/** Where a menu's link to a screen leads: to the page as it was left if it is open in the background, else to the screen's bare address. */
export const useOpenAddress = (path: string): string =>
  useTabs(({ tabs, active }) => {
    const tab = tabs.find(({ key }) => key === trimmed(path))
    return tab === undefined || tab.key === active ? path : addressOf(tab)
  })
