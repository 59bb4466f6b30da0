// @vitest-environment jsdom
// @vitest-environment-options {"url":"http://localhost/admin/"}
import { afterEach, describe, expect, it, vi } from 'vitest'
import { inBrowser } from '../../testing/browser.ts'
import { INDEX } from '../../testing/fixtures.ts'
import { peer, Refusal } from '../../testing/peer.ts'
import { useSite } from '../site-config.ts'
import { setToken, token, whenExpired } from '../token.ts'
import { call, cancelReads, stream } from './call.ts'
import { ApiError, Cancelled, errorLine } from './error.ts'

inBrowser()
afterEach(() => vi.unstubAllGlobals())

describe('the typed client', () => {
  it('sends token, language and console, and stores its keys under the console’s prefix', async () => {
    setToken('abc')
    const { seen } = peer({ 'push.status': () => ({ task_size: 1, refused_size: 0 }) })
    await expect(call('push.status', {})).resolves.toMatchObject({ task_size: 1 })
    expect(Object.fromEntries(seen[0]?.headers ?? [])).toMatchObject({ token: 'abc', lang: 'en', console: 'admin' })
    expect(window.localStorage.getItem('admin:token')).toBe('abc')
  })
  it('calls the console’s own base, or /api/ when the page config says so', async () => {
    const urls: string[] = []
    let reset = true
    vi.stubGlobal('fetch', async (url: string) => {
      urls.push(url)
      return Response.json({ code: 1, ...INDEX, resetApi: reset, task_size: 0, refused_size: 0 })
    })
    await useSite.getState().read()
    await call('push.status', {})
    reset = false
    await useSite.getState().read()
    await call('push.status', {})
    expect(urls.map((url) => url.replace(/sys.*$/, ''))).toEqual(['/antsxdp/', '/api/', '/api/', '/antsxdp/'])
  })
  it('shows the server’s message with code and request id [S8.1]', async () => {
    peer({ 'node.delete': () => new Refusal(409, { error: 'in_use', msg: 'It is in use' }) })
    const error = await call('node.delete', { ids: [1] }).catch((e: unknown) => e)
    expect(errorLine(error)).toBe('It is in use (code 409, req-1)')
  })
  it('takes code "1" and "0" as text for success', async () => {
    vi.stubGlobal('fetch', async () => Response.json({ code: '0', task_size: 2, refused_size: 0 }))
    await expect(call('push.status', {})).resolves.toMatchObject({ task_size: 2 })
  })
  it('describes an answer that is no envelope by its status', async () => {
    vi.stubGlobal('fetch', async () => new Response('<html>', { status: 502 }))
    const error = await call('push.status', {}).catch((e: unknown) => e)
    expect(errorLine(error)).toBe('Gateway error (code 502)')
  })
  it('says that the server does not answer when there is no answer', async () => {
    vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('failed')))
    const error = await call('push.status', {}).catch((e: unknown) => e)
    expect(error).toBeInstanceOf(ApiError)
    expect((error as ApiError).failure.code).toBe(0)
  })
  it('ends an expired login once, however many calls fail', async () => {
    setToken('old')
    const expired = vi.fn()
    const stop = whenExpired(expired)
    peer({ 'push.status': () => new Refusal(401, { error: 'unauthenticated', msg: 'expired' }) })
    await Promise.allSettled([call('push.status', {}), call('push.status', {}), call('push.status', {})])
    expect(expired).toHaveBeenCalledTimes(1)
    expect(token()).toBeNull()
    stop()
  })
  it('cancels reads on navigation, and lets writes go on [S4.14]', async () => {
    const answers: (() => void)[] = []
    vi.stubGlobal(
      'fetch',
      (_url: string, { signal }: { signal: AbortSignal }) =>
        new Promise((resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason))
          answers.push(() => resolve(Response.json({ code: 1, task_size: 0 })))
        }),
    )
    const read = call('site.info', { id: 1 }).catch((e: unknown) => e)
    const write = call('push.run', {})
    cancelReads()
    expect(await read).toBeInstanceOf(Cancelled)
    for (const answer of answers) answer()
    await expect(write).resolves.toMatchObject({ task_size: 0 })
  })
  it('reads a stream line by line, over chunks that cut a line', async () => {
    const text =
      '{"scope":"group:1","revision":2,"state":"pending","feedback":[]}\n\n{"scope":"group:1","revision":2,"state":"done","feedback":[]}\n'
    const bytes = new TextEncoder().encode(text)
    vi.stubGlobal(
      'fetch',
      async () =>
        new Response(
          new ReadableStream({
            start(controller) {
              for (let i = 0; i < bytes.length; i += 17) controller.enqueue(bytes.slice(i, i + 17))
              controller.close()
            },
          }),
        ),
    )
    const states: string[] = []
    await stream('push.watch', { scope: 'group:1', revision: 2 }, (event) => states.push(event.state))
    expect(states).toEqual(['pending', 'done'])
  })
})
