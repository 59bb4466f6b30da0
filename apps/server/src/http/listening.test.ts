/** The server on a port of its own: what inject() leaves out, such as slow bodies, streams and clients that go away. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { operationById } from '@tidegate/contract/operations/index'
import { describe, expect, it } from 'vitest'
import { AppError } from '../platform/errors.ts'
import { createLog } from '../platform/log.ts'
import { createMetrics } from '../platform/metrics.ts'
import { type AppDeps, createApp } from './server.ts'

/** Nothing sold, everything installed. */
const FLAGS = {
  rewrite: 0,
  force: 0,
  ai_waf: 0,
  dns_rewrite: null,
  otherSite: null,
  mode: { 176: 1, 179: 1, tw: 0, permissions: [] },
}

describe('the listening server', () => {
  const bare = (more: Partial<AppDeps> = {}): AppDeps => ({
    log: createLog('silent', 'test'),
    version: 'test',
    handlers: {},
    authenticate: async () => ({
      kind: 'admin',
      id: 1,
      name: 'a',
      superAdmin: true,
      permissions: new Set(['cdn:push:list', 'system:backup']),
      unvalidModel: [],
      sessionId: 1,
      acting: null,
      console: 'admin',
    }),
    isMonitor: async () => false,
    defaultLang: async () => 'en',
    features: async () => FLAGS,
    diskLow: () => false,
    customersReadOnly: () => false,
    trustedProxies: [],
    metrics: createMetrics(),
    checks: [],
    operations: [operationById('push.watch')],
    ...more,
  })

  it('answers 408 to a head that does not come to its end [S8.3]', async () => {
    const app = await createApp(bare({ headersTimeout: 200 }))
    await app.server.listen({ host: '127.0.0.1', port: 0 })
    const { port } = app.server.server.address() as { port: number }
    const socket = connect(port, '127.0.0.1')
    socket.write('GET /healthz HTTP/1.1\r\nHost: a\r\nX-Slow')
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk.toString()
    })
    await once(socket, 'close')
    expect(text).toMatch(/^HTTP\/1\.1 408 /)
    await app.stop()
  })

  it('answers 408 to a body that does not come, and lets a file that is handed on take its time while it comes', async () => {
    let got = 0
    const app = await createApp(
      bare({
        bodyTimeout: 1_500,
        operations: [operationById('config.import'), operationById('auth.login')],
        handlers: {
          'config.import': async ({ file }) => {
            for await (const piece of file) got += piece.length
            return { created: '', version: '', rows: got, files: 0 }
          },
        },
      }),
    )
    await app.server.listen({ host: '127.0.0.1', port: 0 })
    const { port } = app.server.server.address() as { port: number }
    const talk = (head: string) => {
      const socket = connect(port, '127.0.0.1')
      let text = ''
      socket.on('data', (chunk) => {
        text += chunk.toString()
      })
      const closed = once(socket, 'close')
      socket.write(head.replaceAll('\n', '\r\n'))
      return { socket, closed, text: () => text }
    }
    const slow = talk('POST /api/sys/login HTTP/1.1\nhost: a\ncontent-type: application/json\ncontent-length: 100\n\n{')
    await slow.closed
    expect(slow.text()).toMatch(/^HTTP\/1\.1 408 /)

    const part = (name: string, more = '') => `--b\ncontent-disposition: form-data; name="${name}"${more}\n\n`
    const form = `${part('proof')}p\n${part('passphrase')}x\n${part('file', '; filename="f"')}`
    const upload = talk(
      `POST /api/sys/config/import/db HTTP/1.1\nhost: a\ntoken: t\nconnection: close\ncontent-type: multipart/form-data; boundary=b\ntransfer-encoding: chunked\n\n`,
    )
    const chunk = (text: string) => upload.socket.write(`${text.length.toString(16)}\r\n${text}\r\n`)
    chunk(form.replaceAll('\n', '\r\n'))
    // Longer than the bound in all, never silent for so long.
    for (let i = 0; i < 12; i++) {
      chunk('0123456789')
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
    chunk('\r\n--b--\r\n')
    upload.socket.write('0\r\n\r\n')
    await upload.closed
    expect(upload.text()).toMatch(/^HTTP\/1\.1 200 /)
    expect(got).toBe(120)
    await app.stop()
  })

  it('leaves a request that was injected and has no connection alone, however late its body comes', async () => {
    const app = await createApp(
      bare({
        bodyTimeout: 5,
        operations: [operationById('auth.login')],
        handlers: { 'auth.login': async () => ({ token: 't', expire: 1 }) },
      }),
    )
    const body = async function* () {
      yield '{"username": "a", '
      // Several looks at the body pass by: one that ends a connection which is none would be an uncaught error.
      for (let i = 0; i < 5; i++) await new Promise((resolve) => setTimeout(resolve, 10))
      yield '"password": "b"}'
    }
    const answer = await app.server.inject({
      ...{
        method: 'POST',
        url: '/api/sys/login',
        headers: { 'content-type': 'application/json', 'content-length': '34' },
      },
      payload: Readable.from(body()),
    })
    expect(answer.statusCode).toBe(200)
    await app.stop()
  })

  it('sends each line of a stream at once, and ends streams when it stops or the client is gone', async () => {
    const event = { scope: 'group:1', revision: 1, state: 'pending' as const, feedback: [] }
    let open = 0
    let ended = 0
    const watch = async function* (signal: AbortSignal) {
      open += 1
      try {
        yield event
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
      } finally {
        ended += 1
      }
    }
    const handlers = { 'push.watch': async (_input: unknown, _caller: unknown, signal: AbortSignal) => watch(signal) }
    const app = await createApp(bare({ handlers }))
    await app.server.listen({ host: '127.0.0.1', port: 0 })
    const { port } = app.server.server.address() as { port: number }
    const url = `http://127.0.0.1:${port}/api/sys/cdnsys/auth/push/watch?scope=group:1&revision=1`
    const gone = new AbortController()
    const first = await fetch(url, { headers: { token: 'x' }, signal: gone.signal })
    expect(first.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8')
    const line = await first.body?.getReader().read()
    expect(JSON.parse(new TextDecoder().decode(line?.value))).toEqual(event)
    gone.abort()
    await expect.poll(() => ended).toBe(1)
    const second = await fetch(url, { headers: { token: 'x' } })
    const rest = second.text()
    await expect.poll(() => open).toBe(2)
    const started = Date.now()
    await app.stop()
    expect(Date.now() - started).toBeLessThan(5_000)
    expect(JSON.parse(await rest)).toEqual(event)
    expect(ended).toBe(2)
  })

  it('ends a stream soon after its login is over or its permission gone, and does not keep the login alive', async () => {
    const full = { permissions: new Set(['cdn:push:list']) }
    const session = {
      kind: 'admin' as const,
      id: 1,
      name: 'a',
      superAdmin: true,
      unvalidModel: [],
      sessionId: 1,
      acting: null,
    }
    let now: { permissions: Set<string> } | null = full
    const uses: boolean[] = []
    const watch = async function* (signal: AbortSignal) {
      yield { scope: 'group:1', revision: 1, state: 'pending' as const, feedback: [] }
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
    }
    const app = await createApp(
      bare({
        handlers: { 'push.watch': async (_input, _caller, signal) => watch(signal) },
        authenticate: async (_token, _ip, looking = false) => {
          uses.push(!looking)
          return now && { ...session, console: 'admin', ...now }
        },
        recheckMs: 20,
      }),
    )
    await app.server.listen({ host: '127.0.0.1', port: 0 })
    const { port } = app.server.server.address() as { port: number }
    const url = `http://127.0.0.1:${port}/api/sys/cdnsys/auth/push/watch?scope=group:1&revision=1`
    for (const later of [null, { permissions: new Set<string>() }]) {
      now = full
      const body = (await fetch(url, { headers: { token: 'x' } })).text()
      await expect.poll(() => uses.filter((used) => !used).length).toBeGreaterThan(1)
      now = later
      expect(await body).toContain('pending')
    }
    expect(uses.filter((used) => used)).toHaveLength(2)
    await app.stop()
  })

  it('turns an error thrown before the first line into an envelope', async () => {
    const watch = async function* (known: boolean) {
      if (!known) throw new AppError('not_found')
      yield { scope: '', revision: 1, state: 'done' as const, feedback: [] }
    }
    const app = await createApp(bare({ handlers: { 'push.watch': async () => watch(false) } }))
    const reply = await app.server.inject({
      url: '/api/sys/cdnsys/auth/push/watch?scope=group:1&revision=1',
      headers: { token: 'x' },
    })
    expect(reply.json()).toMatchObject({ code: 404, error: 'not_found' })
    await app.stop()
  })
})
