// @vitest-environment jsdom
// @vitest-environment-options {"url":"http://localhost/admin/"}
import { afterEach, describe, expect, it, vi } from 'vitest'
import { inBrowser } from '../../testing/browser.ts'
import { INDEX } from '../../testing/fixtures.ts'
import { peer, Refusal } from '../../testing/peer.ts'
import { useSite } from '../site-config.ts'
import { setToken, token, whenExpired } from '../token.ts'
import { call, cancelReads, stream } from './call.ts'
import { Cancelled, isSilent } from './error.ts'

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
  it('takes code "1" and "0" as text for success', async () => {
    vi.stubGlobal('fetch', async () => Response.json({ code: '0', task_size: 2, refused_size: 0 }))
    await expect(call('push.status', {})).resolves.toMatchObject({ task_size: 2 })
  })
  it('keeps a read waiting and a write’s error silent while the dialog for an ended login is up, and ends the login once [S8.2]', async () => {
    setToken('old')
    const expired = vi.fn()
    const stop = whenExpired(expired)
    const refused = () => new Refusal(401, { error: 'unauthenticated', msg: 'expired' })
    peer({ 'push.status': refused, 'site.info': refused, 'push.run': refused })
    const settled = vi.fn()
    const status = call('push.status', {})
      .finally(settled)
      .catch((e: unknown) => e)
    const info = call('site.info', { id: 1 })
      .finally(settled)
      .catch((e: unknown) => e)
    const write = await call('push.run', {}).catch((e: unknown) => e)
    expect(isSilent(write)).toBe(true)
    expect(expired).toHaveBeenCalledTimes(1)
    expect(token()).toBeNull()
    expect(settled).not.toHaveBeenCalled()
    cancelReads()
    expect([await status, await info].every((e) => e instanceof Cancelled && isSilent(e))).toBe(true)
    stop()
  })
  it('tells a login’s own refusal to its caller only [S8.2]', async () => {
    const expired = vi.fn()
    const stop = whenExpired(expired)
    peer({ 'auth.login': () => new Refusal(401, { error: 'login_wrong', msg: 'Not right' }) })
    const error = await call('auth.login', { username: 'a', password: 'b' }, { quiet: true }).catch((e: unknown) => e)
    expect(isSilent(error)).toBe(false)
    expect(expired).not.toHaveBeenCalled()
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
