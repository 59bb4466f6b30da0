// @vitest-environment jsdom
// @vitest-environment-options {"url":"http://localhost/"}
import { CONSOLES as IDS } from '@tidegate/contract/enums'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { CONSOLES, consoleOf } from './console.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  window.history.replaceState(null, '', '/')
  window.localStorage.clear()
})

describe('the four consoles', () => {
  it('are two audiences with two variants each, known by their address alone [S1.1]', () => {
    expect(CONSOLES.map((c) => c.id).sort()).toEqual([...IDS].sort())
    expect(CONSOLES.map((c) => `${c.audience} ${c.variant}`).sort()).toEqual([
      'admin cdn',
      'admin dns',
      'user cdn',
      'user dns',
    ])
    expect(new Set(CONSOLES.map((c) => c.path)).size).toBe(4)
    for (const row of CONSOLES) {
      expect(consoleOf(row.path)).toBe(row)
      expect(consoleOf(row.path.replace(/(?<=.)\/$/, ''))).toBe(row)
    }
  })

  it.each(CONSOLES)(
    '$id: the same code speaks to its own base, says which console it is, and keeps its own login [S1.1]',
    async (row) => {
      window.history.replaceState(null, '', row.path)
      vi.resetModules()
      const { here } = await import('./console.ts')
      const { call } = await import('./api/call.ts')
      const { setToken } = await import('./token.ts')
      const { usePrefs } = await import('./prefs.ts')
      expect(here).toEqual(row)
      setToken(`of ${row.id}`)
      usePrefs.getState().set({ lang: 'en' })
      expect(Object.keys(window.localStorage).every((key) => key.startsWith(`${row.id}:`))).toBe(true)
      const asked: [string, Headers][] = []
      vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
        asked.push([url, new Headers(init.headers)])
        return Response.json({ code: 1, menuList: [], permissions: [] })
      })
      await call('menu.nav', {})
      const [[url, headers] = ['', new Headers()]] = asked
      expect(url).toBe(`${row.api}sys/menu/nav`)
      expect([headers.get('console'), headers.get('token')]).toEqual([row.id, `of ${row.id}`])
    },
  )
})
