/** Fetches the pages' code before anybody asks for it, so that a page opens at once. */
import type { MenuItem } from '@tidegate/contract/operations/common'
import { useEffect } from 'react'
import { preloadPage } from '../../features/registry.ts'
import { allScreens } from '../menu.ts'

/** The first page's own reads and drawings come first. */
const FIRST_AFTER_MS = 1_000

/** The person asked their browser to fetch no more than is needed. */
const savesData = (): boolean => {
  const connection: unknown = Reflect.get(navigator, 'connection')
  return typeof connection === 'object' && connection !== null && Reflect.get(connection, 'saveData') === true
}

/**
 * Once `started`: the pages of the menu one after another, each when the browser has nothing else to do. A browser that cannot tell when that is
 * fetches a page when the pointer comes over its entry. A failure ends it: opening the page will tell.
 */
export const usePreload = (menu: readonly MenuItem[], started: boolean): void => {
  useEffect(() => {
    if (!started || typeof window.requestIdleCallback !== 'function' || savesData()) return
    const paths = allScreens(menu)
    let gone = false
    const next = async () => {
      const path = paths.shift()
      if (path === undefined || gone) return
      await preloadPage(path)
      soon()
    }
    const soon = () => window.requestIdleCallback(() => void next().catch(() => undefined))
    const timer = setTimeout(soon, FIRST_AFTER_MS)
    return () => {
      gone = true
      clearTimeout(timer)
    }
  }, [menu, started])
}
