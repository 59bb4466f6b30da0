/** What jsdom lacks of a browser, and the console's own state between tests. */
import { cleanup } from '@testing-library/react'
import { afterEach, beforeEach, vi } from 'vitest'
import { chooseLang, startI18n } from '../shared/i18n.ts'
import { queryClient } from '../shared/query.ts'
import { setToken } from '../shared/token.ts'
import { useSession } from '../shell/session.ts'

class Observer {
  observe() {}
  unobserve() {}
  disconnect() {}
}

export const inBrowser = (): void => {
  startI18n()
  beforeEach(() => {
    vi.stubGlobal('ResizeObserver', Observer)
    vi.stubGlobal('matchMedia', (media: string) => ({
      media,
      matches: false,
      addEventListener: () => {},
      removeEventListener: () => {},
      addListener: () => {},
      removeListener: () => {},
    }))
    window.location.hash = ''
    window.localStorage.clear()
    chooseLang('en')
  })
  afterEach(() => {
    cleanup()
    queryClient.clear()
    useSession.getState().reset()
    setToken(null)
    vi.unstubAllGlobals()
  })
}
