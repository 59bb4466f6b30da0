// @vitest-environment jsdom
// @vitest-environment-options {"url":"http://localhost/admin/"}
import { CHUNK_TIMEOUT_MS } from '@tidegate/contract/limits'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ChunkLoadError, chunk, isChunkError } from './chunk.ts'
import { browserPage } from './navigation.ts'

const page = (entry: string) => `<html><head><script type="module" src="${entry}"></script></head></html>`
const gone = () => Promise.reject(new TypeError('Failed to fetch dynamically imported module: /assets/a.js'))
let served = ''
const reload = vi.spyOn(browserPage, 'reload').mockImplementation(() => undefined)

beforeEach(() => {
  document.head.innerHTML = '<script type="module" src="/assets/index-1.js"></script>'
  window.sessionStorage.clear()
  served = page('/assets/index-1.js')
  vi.stubGlobal('fetch', async () => new Response(served))
  reload.mockClear()
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

describe('a part of the console', () => {
  it('is given up after 120 s [S8.5 S9.1]', async () => {
    vi.useFakeTimers()
    const result = chunk(() => new Promise(() => undefined)).catch((e: unknown) => e)
    await vi.advanceTimersByTimeAsync(119_999)
    const early = vi.fn()
    void result.then(early)
    await Promise.resolve()
    expect(early).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(await result).toBeInstanceOf(ChunkLoadError)
    expect(CHUNK_TIMEOUT_MS).toBe(120_000)
  })

  it('fails with a ChunkLoadError while the release is the same, or the server away, and reloads nothing [S8.5]', async () => {
    await expect(chunk(gone)).rejects.toBeInstanceOf(ChunkLoadError)
    vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('no network')))
    await expect(chunk(gone)).rejects.toBeInstanceOf(ChunkLoadError)
    expect(reload).not.toHaveBeenCalled()
  })

  it('reloads the page by itself after a new release, once for each [S8.5]', async () => {
    served = page('/assets/index-2.js')
    const first = vi.fn()
    void chunk(gone).then(first, first)
    await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(1))
    await expect(chunk(gone)).rejects.toBeInstanceOf(ChunkLoadError)
    expect(reload).toHaveBeenCalledTimes(1)
    expect(first).not.toHaveBeenCalled()
    served = page('/assets/index-3.js')
    void chunk(gone).catch(first)
    await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(2))
  })

  it('is known by the browsers’ words as well', () => {
    for (const words of [
      'Failed to fetch dynamically imported module: https://a/assets/b.js',
      'error loading dynamically imported module: https://a/assets/b.js',
      'Importing a module script failed.',
      'Unable to preload CSS for /assets/b.css',
    ])
      expect(isChunkError(new TypeError(words)), words).toBe(true)
    expect(isChunkError(new TypeError('x is not a function'))).toBe(false)
  })
})
