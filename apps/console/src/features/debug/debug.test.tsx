// @vitest-environment jsdom
// @vitest-environment-options {"url":"http://localhost/admin/"}
import { configure, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { useDebug } from '../../shared/debug.ts'
import { chooseLang } from '../../shared/i18n.ts'
import { setToken } from '../../shared/token.ts'
import { inBrowser } from '../../testing/browser.ts'
import { INDEX } from '../../testing/fixtures.ts'
import { showPage } from '../../testing/page.tsx'
import { Page } from './DebugPage.tsx'

inBrowser()
configure({ asyncUtilTimeout: 15_000 })
vi.setConfig({ testTimeout: 60_000 })
afterEach(() => useDebug.getState().set({ on: false, base: '' }))

const rows = () => [...document.querySelectorAll('tbody tr')].map((r) => r.textContent ?? '')

describe('diagnostics', () => {
  it('ask the three base paths without the token, and show no secret [S2.4]', async () => {
    setToken('secret-token')
    const asked: { url: string; token: string | null }[] = []
    vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
      asked.push({ url, token: new Headers(init.headers).get('token') })
      if (url.startsWith('/ants-dns-api/')) return new Response('<html>', { status: 502 })
      if (url.startsWith('/api/')) throw new TypeError('away')
      return Response.json({ code: 1, ...INDEX, resetApi: true, version: '9.9.9' })
    })
    showPage(Page)
    await waitFor(() => expect(rows().filter((r) => /Asking/.test(r))).toEqual([]))
    expect(rows()[0]).toMatch(/^\/antsxdp\/in useReachedHTTP 200\d+ ms9\.9\.9$/)
    expect(rows()[1]).toMatch(/^\/ants-dns-api\/Not reachedHTTP 502/)
    expect(rows()[2]).toMatch(/^\/api\/Not reached\d+ ms$/)
    expect(asked.map((a) => a.token)).toEqual([null, null, null])
    expect(asked.every((a) => a.url.endsWith('/sys/common/index'))).toBe(true)
    expect(screen.getByText(/while the server has 9\.9\.9/)).toBeTruthy()
    expect(document.body.textContent).not.toContain('secret-token')
  })

  it('switch debug mode in this browser only [S2.4]', async () => {
    chooseLang('zh')
    const methods: string[] = []
    vi.stubGlobal('fetch', async (_url: string, init: RequestInit) => {
      methods.push(init.method ?? 'GET')
      return Response.json({ code: 1, ...INDEX })
    })
    showPage(Page)
    fireEvent.click(screen.getByRole('button', { name: '开启调试模式' }))
    expect(useDebug.getState().on).toBe(true)
    expect(JSON.parse(window.localStorage.getItem('admin:debug') ?? '')).toEqual({ on: true, base: '' })
    fireEvent.click(screen.getByRole('button', { name: '关闭调试模式' }))
    expect(window.localStorage.getItem('admin:debug')).toBeNull()
    await waitFor(() => expect(rows().every((r) => r.includes('可访问'))).toBe(true))
    expect(new Set(methods)).toEqual(new Set(['GET']))
  })
})
