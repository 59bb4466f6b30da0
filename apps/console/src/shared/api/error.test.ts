// @vitest-environment jsdom
// @vitest-environment-options {"url":"http://localhost/admin/"}
import { REQUEST_TIMEOUT_MS } from '@tidegate/contract/limits'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { inBrowser } from '../../testing/browser.ts'
import { CONSOLES } from '../console.ts'
import { chooseLang } from '../i18n.ts'
import { call } from './call.ts'
import { type ApiError, errorDetail, errorLine } from './error.ts'
import { STATUSES, statusText } from './status.ts'

inBrowser()
afterEach(() => vi.unstubAllGlobals())

const errorOf = async (answer: () => Promise<Response>): Promise<ApiError> => {
  vi.stubGlobal('fetch', answer)
  return await call('push.status', {}).then(
    () => Promise.reject(new Error('was answered')),
    (error: unknown) => error as ApiError,
  )
}

const TEXTS: Record<number, [en: string, zh: string]> = {
  0: ['The server returned a failure: no answer came, check the network', '服务器返回失败：没有收到响应，请检查网络'],
  1: ['Success', '成功'],
  201: ['Created or modified', '新建或修改成功'],
  202: ['Accepted: an asynchronous task is queued', '请求已进入后台排队（异步任务）'],
  204: ['Deleted', '删除成功'],
  400: ['Wrong request', '请求有误'],
  401: [
    'No permission (token invalid, wrong credentials or expired login)',
    '没有权限（令牌无效、账号或密码错误、登录过期）',
  ],
  402: ['The token has expired', '令牌已过期'],
  403: ['Access is forbidden', '禁止访问'],
  404: ['Not found', '请求的内容不存在'],
  406: ['The requested format is unavailable', '请求的格式不可用'],
  408: ['The request took too long', '请求超时'],
  410: ['Permanently deleted', '请求的资源已被永久删除'],
  429: ['Too many requests', '操作过于频繁'],
  500: ['Data exception on the server', '服务器数据异常'],
  502: ['Gateway error', '网关错误'],
  503: ['The service is unavailable', '服务不可用'],
  504: ['Gateway timeout', '网关超时'],
}

describe('what an error says', () => {
  it('has a text for every status of the table, in both languages [S8.3]', () => {
    expect(STATUSES.map(String)).toEqual(Object.keys(TEXTS))
    for (const status of STATUSES) {
      chooseLang('en')
      expect(statusText(status)).toBe(TEXTS[status]?.[0])
      chooseLang('zh')
      expect(statusText(status)).toBe(TEXTS[status]?.[1])
    }
  })

  it.each(STATUSES.filter((status) => status >= 400))(
    'shows status, the server’s text and the description for an HTTP error %i [S8.3]',
    async (status) => {
      const plain = () => Promise.resolve(new Response('<html>', { status, statusText: 'Said by the server' }))
      for (const [i, lang] of (['en', 'zh'] as const).entries()) {
        chooseLang(lang)
        const meaning = TEXTS[status]?.[i]
        // A 401 of a login that is no more is the dialog's, and a write's error carries it.
        vi.stubGlobal('fetch', plain)
        const error = await call('push.run', {}).catch((e: unknown) => e)
        expect(errorLine(error)).toBe(
          lang === 'en' ? `Said by the server (code ${status})` : `Said by the server（代码 ${status}）`,
        )
        expect(errorDetail(error)).toBe(lang === 'en' ? `HTTP ${status}: ${meaning}` : `HTTP ${status}：${meaning}`)
      }
    },
  )

  it('takes the text of a body that is no envelope, and the description alone when the server said nothing [S8.3]', async () => {
    const json = (body: object) => () => Promise.resolve(Response.json(body, { status: 502 }))
    expect(errorLine(await errorOf(json({ error: 'Bad Gateway', message: 'upstream is away' })))).toBe(
      'upstream is away (code 502)',
    )
    const silent = await errorOf(() => Promise.resolve(new Response('', { status: 502 })))
    expect(errorLine(silent)).toBe('Gateway error (code 502)')
    expect(errorDetail(silent)).toBeNull()
  })

  it('takes no answer as status 0, and the limit of time as 408 [S8.3 S9.1]', async () => {
    const lost = await errorOf(() => Promise.reject(new TypeError('failed to fetch')))
    expect(errorLine(lost)).toBe(`${TEXTS[0]?.[0]} (code 0)`)
    const limits: number[] = []
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
      limits.push(ms)
      return AbortSignal.abort(new DOMException('late', 'TimeoutError'))
    })
    const late = await errorOf((...args: unknown[]) =>
      Promise.reject((args[1] as { signal: AbortSignal }).signal.reason as Error),
    )
    expect(limits).toEqual([REQUEST_TIMEOUT_MS])
    expect(REQUEST_TIMEOUT_MS).toBe(300_000)
    expect(errorLine(late)).toBe('The request took too long (code 408)')
    vi.restoreAllMocks()
  })

  it.each(CONSOLES)('shows the server’s message with code and request id in the console $id [S8.1]', async (row) => {
    const before = window.location.pathname
    window.history.replaceState(null, '', row.path)
    vi.resetModules()
    const { here } = await import('../console.ts')
    const { startI18n, chooseLang: choose } = await import('../i18n.ts')
    const client = await import('./call.ts')
    const errors = await import('./error.ts')
    startI18n()
    expect(here.id).toBe(row.id)
    for (const lang of ['en', 'zh'] as const) {
      choose(lang)
      // A code of the body counts, whether the HTTP status tells of it or not.
      for (const status of [409, 200]) {
        const asked: string[] = []
        vi.stubGlobal('fetch', async (url: string) => {
          asked.push(url)
          return Response.json({ code: 409, error: 'in_use', msg: 'It is in use', requestId: 'req-1' }, { status })
        })
        const error = await client.call('push.status', {}).catch((e: unknown) => e)
        expect(errors.errorLine(error)).toBe(
          lang === 'en' ? 'It is in use (code 409, req-1)' : 'It is in use（代码 409，req-1）',
        )
        expect(asked[0]?.startsWith(row.api)).toBe(true)
      }
    }
    window.history.replaceState(null, '', before)
  })

  it.each(['1', '0', 1, 0])('takes code %j for success', async (code) => {
    vi.stubGlobal('fetch', async () => Response.json({ code, task_size: 2, refused_size: 0 }))
    await expect(call('push.status', {})).resolves.toMatchObject({ task_size: 2 })
  })
})
