/** Every screen of a console, as it is while the server has not answered yet. */
import { QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, configure, render, waitFor } from '@testing-library/react'
import { SCREENS } from '@tidegate/contract/screens'
import { MemoryRouter } from 'react-router'
import { expect, it, vi } from 'vitest'
import { loadPage } from '../features/registry.ts'
import { cancelReads } from '../shared/api/call.ts'
import { here } from '../shared/console.ts'
import { chooseLang } from '../shared/i18n.ts'
import { onNavigation } from '../shared/navigation.ts'
import { queryClient } from '../shared/query.ts'
import { setToken } from '../shared/token.ts'
import { useSession } from '../shell/session.ts'
import { ThemeProvider } from '../shell/ThemeProvider.tsx'
import { inBrowser } from './browser.ts'
import { USER } from './fixtures.ts'

/** What screens of one thing need in their address. */
const address = (path: string) => (path.endsWith('/detail') ? `${path}?id=1` : path)

/** A server that takes its time: no request is answered, one that is given up ends as in a browser. */
const silentServer = () => {
  const under: AbortSignal[] = []
  vi.stubGlobal('fetch', (_url: string, { signal }: { signal: AbortSignal }) => {
    under.push(signal)
    return new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error))
    })
  })
  return under
}

const WAITING = '.tg-bone, .ant-spin-spinning, .ant-skeleton, .shell-progress, [aria-busy="true"]'
const SAID = '[role="alert"], .ant-message-notice, .ant-notification-notice, .tg-bad'
const said = () => [...document.querySelectorAll(SAID)].map((e) => e.textContent)

/** One test for each screen of this page's console: the file that calls it says in its own address which that is. */
export const testScreens = (): void => {
  inBrowser()
  configure({ asyncUtilTimeout: 15_000 })
  // The first look at a page on a busy machine takes long.
  vi.setConfig({ testTimeout: 60_000 })

  it.each(SCREENS[here.id].map((path) => [path]))(
    '%s shows that it waits for its first answer, and says nothing when its reads are given up',
    async (path) => {
      const { Page } = await loadPage(path)
      const under = silentServer()
      chooseLang('zh')
      setToken('held')
      useSession.setState({ user: { ...USER.user, superAdmin: true } })
      render(
        <QueryClientProvider client={queryClient}>
          <ThemeProvider>
            <MemoryRouter initialEntries={[address(path)]}>
              <Page />
            </MemoryRouter>
          </ThemeProvider>
        </QueryClientProvider>,
      )
      await waitFor(() => expect(under.length).toBeGreaterThan(0))
      expect(document.querySelector(WAITING)).not.toBeNull()
      const before = said()
      await act(async () => {
        for (const listener of onNavigation) listener()
        cancelReads()
        await Promise.resolve()
      })
      await waitFor(() => expect(queryClient.isFetching({ predicate: (q) => q.meta?.keep !== true })).toBe(0))
      expect(under.some((signal) => signal.aborted)).toBe(true)
      expect(said()).toEqual(before)
      // Nor when the page itself goes.
      cleanup()
      expect(said()).toEqual([])
    },
  )
}
