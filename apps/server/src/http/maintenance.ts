/** Answers in the product's place while a backup is restored: programs get the error, people a page that looks again by itself. */
import { createServer as createHttp, type RequestListener } from 'node:http'
import { createServer as createHttps } from 'node:https'
import type { Lang } from '@tidegate/contract/enums'
import { ERRORS } from '@tidegate/contract/errors'
import type { TlsFiles } from '../platform/tls.ts'
import { SECURITY_HEADERS } from './security-headers.ts'

const { status, zh, en } = ERRORS.restoring
const LOOK_AGAIN_S = '5'
const page = (lang: Lang) =>
  `<!doctype html><html lang="${lang}"><meta charset="utf-8"><meta http-equiv="refresh" content="${LOOK_AGAIN_S}"><title>Tidegate</title><p>${lang === 'zh' ? zh : en}</p></html>`

const answer: RequestListener = (request, response) => {
  const lang: Lang = /^zh/i.test(String(request.headers.lang ?? request.headers['accept-language'] ?? '')) ? 'zh' : 'en'
  const alive = request.url === '/healthz'
  const wantsPage = /\btext\/html\b/.test(request.headers.accept ?? '')
  const msg = lang === 'zh' ? zh : en
  const envelope = { code: status, error: 'restoring', msg, requestId: '' }
  response.writeHead(alive ? 200 : status, {
    ...SECURITY_HEADERS,
    'content-security-policy': "default-src 'none'",
    'cache-control': 'no-store',
    'retry-after': LOOK_AGAIN_S,
    'content-type': wantsPage ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8',
    connection: 'close',
  })
  response.end(alive ? '{"status":"ok"}' : wantsPage ? page(lang) : JSON.stringify(envelope))
}

/** Listens until it is closed. An address that is taken is left alone: the restore goes on without. */
export const serveMaintenance = async (
  { host, port }: { host: string; port: number },
  tls: TlsFiles | undefined,
): Promise<{ close(): Promise<void> }> => {
  const server = tls ? createHttps(tls, answer) : createHttp(answer)
  await new Promise<void>((resolve) => {
    server.once('error', () => resolve())
    server.listen(port, host, resolve)
  })
  return {
    close: () =>
      new Promise((resolve) => {
        if (!server.listening) return resolve()
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
