/** Fetches the pages' code before anybody asks for it, so that a page opens at once. */
import type { MenuItem } from '@tidegate/contract/operations/common'
import { useEffect } from 'react'
import { preloadPage } from '../../features/registry.ts'
import { queryClient } from '../../shared/query.ts'
import { allScreens } from '../menu.ts'

/** The first page's own reads and drawings come first. */
const FIRST_AFTER_MS = 1_000
/** Between two, so that a person who goes on at once does not have to share. */
const PAUSE_MS = 200

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
    let timer: ReturnType<typeof setTimeout> | undefined
    let gone = false
    const next = async () => {
      // What the page in front waits for goes first.
      const path = queryClient.isFetching() > 0 ? undefined : paths.shift()
      if (path !== undefined) await preloadPage(path)
      if (!gone && paths.length > 0) later(PAUSE_MS)
    }
    const whenIdle = () => window.requestIdleCallback(() => void next().catch(() => undefined))
    const later = (ms: number) => {
      timer = setTimeout(whenIdle, ms)
    }
    later(FIRST_AFTER_MS)
    return () => {
      gone = true
      clearTimeout(timer)
    }
  }, [menu, started])
}
