import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { adminToken, call, type TestServer, testServer } from '../../testing/app.ts'
import { createCustomer } from '../../testing/customers.ts'
import { saveConfig } from '../../testing/settings.ts'
import { createRelayModule } from './index.ts'

type Answer = (request: IncomingMessage, response: ServerResponse) => void

interface Seen {
  method: string
  url: string
  headers: IncomingMessage['headers']
  body: string
}

const MEBIBYTE = 1_048_576
const LINK_TOKEN = 'link-Secret-1'
const SYSTEM_PATHS = ['sys/common/request', 'sys_common/request'] as const

/** A site that answers as it is told, and keeps what it is asked. */
const startPeer = async () => {
  const seen: Seen[] = []
  const state: { answer: Answer } = { answer: (_request, response) => response.end('{}') }
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      seen.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body })
      state.answer(request, response)
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    seen,
    root: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answer: (next: Answer) => {
      state.answer = next
    },
    close: () => {
      server.closeAllConnections()
      return new Promise<void>((done) => server.close(() => done()))
    },
  }
}

let server: TestServer
let site: Awaited<ReturnType<typeof startPeer>>
let dns: Awaited<ReturnType<typeof startPeer>>
let admin = ''
let customer = ''

const linked = () => ({ siteUrl: site.root, apiRootPath: '/base/api/', syncRegister: 0, token: LINK_TOKEN })
const link = (otherSite: object | null) => saveConfig(server, 'feature_flags', { otherSite })
const ask = (path: string, body: object, token = admin, headers = {}) =>
  call(server, path, { token, body, headers: { lang: 'en', ...headers } })
const everyWay = () => [
  ...SYSTEM_PATHS.map((path) => [path, admin] as const),
  ['app/account/request', customer] as const,
]
const json =
  (value: unknown): Answer =>
  (_request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(value))
  }
const traces = async () => {
  const { rows } = await server.built.context.database.pool.query<{
    action: string
    target: string
    after: { status: number | string }
  }>(`SELECT action, target, after FROM audit_log WHERE action LIKE 'relay.%' ORDER BY id`)
  return rows
}

beforeAll(async () => {
  server = await testServer()
  admin = await adminToken(server)
  customer = (await createCustomer(server, 'relayer')).token
})
beforeEach(async () => {
  site = await startPeer()
  dns = await startPeer()
  await link(linked())
  return async () => {
    await site.close()
    await dns.close()
  }
})
afterAll(() => server.close())

describe('calls that are handed on [S7.21]', () => {
  it('reach the linked site or the DNS product’s API with query or body, and give back status and answer', async () => {
    await saveConfig(server, 'DNS_USER_API_ROOT_URI', dns.root as unknown as object)
    for (const [path, token] of everyWay())
      for (const [target, peer, root] of [
        ['site', site, '/base/api/'],
        ['dns', dns, '/'],
      ] as const) {
        peer.answer(json({ code: 1, list: ['中'] }))
        const got = await ask(path, { url: '/sys/a', params: { page: 2, q: 'x&y' }, target }, token)
        expect(got.body).toMatchObject({ status: 200, data: { code: 1, list: ['中'] } })
        expect(peer.seen.at(-1)).toMatchObject({ method: 'GET', url: `${root}sys/a?page=2&q=x%26y`, body: '' })
        peer.answer((_request, response) => void response.writeHead(422).end('not JSON'))
        const put = await ask(path, { url: 'sys/b', method: 'post', param: { name: '名' }, target }, token)
        expect(put.body).toMatchObject({ status: 422, data: 'not JSON' })
        expect(peer.seen.at(-1)).toMatchObject({ method: 'POST', url: `${root}sys/b`, body: '{"name":"名"}' })
      }
  })

  it('go nowhere but below the configured root, whatever the caller names', async () => {
    const other = await startPeer()
    const paths = [
      other.root,
      `//${other.root.slice('http://'.length)}/x`,
      '../outside',
      'a/../../outside',
      'a/./b',
      '/..',
      '%2e%2e/outside',
      'a/%2e%2e%2foutside',
      '..\\outside',
      '\\\\host\\x',
      'a?b=c',
      'a#b',
      'user@host',
      'a b',
      '',
    ]
    for (const [path, token] of everyWay())
      for (const url of paths) {
        const refused = await ask(path, { url, host: other.root, siteUrl: other.root }, token)
        expect([url, refused.status]).toEqual([url, 400])
        expect((refused.body.errors as { path: string }[])[0]?.path).toBe('url')
      }
    expect([...site.seen, ...dns.seen, ...other.seen]).toEqual([])
    await other.close()
  })

  it('follow no redirect', async () => {
    for (const [path, token] of everyWay())
      for (const status of [301, 302, 303, 307, 308]) {
        site.answer((_request, response) => void response.writeHead(status, { location: `${dns.root}/x` }).end())
        expect((await ask(path, { url: 'a' }, token)).body.error).toBe('relay_failed')
      }
    expect(dns.seen).toEqual([])
    expect((await traces()).at(-1)?.after.status).toBe('redirected with 308')
  })

  it('take answers of up to a mebibyte', async () => {
    site.answer((_request, response) => void response.end('x'.repeat(MEBIBYTE)))
    expect(String((await ask('sys/common/request', { url: 'a' })).body.data)).toHaveLength(MEBIBYTE)
    site.answer((_request, response) => void response.end('x'.repeat(MEBIBYTE + 1)))
    expect((await ask('sys/common/request', { url: 'a' })).body.error).toBe('relay_failed')
  })

  it('end in time when the other side falls silent, before the answer and within it', async () => {
    const relay = createRelayModule({
      db: server.built.context.database.db,
      linkedSite: async () => linked(),
      dnsApiRoot: async () => '',
      timeoutMs: 3000,
    })
    const caller = { kind: 'admin', id: 1, lang: 'en', requestId: 'silent-1', ip: '127.0.0.1', name: 'admin' }
    const input = { url: 'a', method: 'GET', target: 'site' } as const
    for (const answer of [() => {}, (_request, response) => void response.write('{"half":')] satisfies Answer[]) {
      site.answer(answer)
      const asked = relay.handlers['relay.system'](input, caller as never, AbortSignal.timeout(60_000))
      await expect(asked).rejects.toMatchObject({ key: 'relay_failed' })
    }
    expect(site.seen).toHaveLength(2)
  }, 60_000)

  it('carry nothing of the caller but the language and the request’s number; the operator’s token goes with the staff’s calls only', async () => {
    const headers = { cookie: 'a=b', 'x-forwarded-for': '192.0.2.9', authorization: 'Bearer x', host: 'evil.example' }
    for (const [path, token] of everyWay()) {
      await ask(path, { url: 'a', headers: { token: 'mine' } }, token, headers)
      const sent = site.seen.at(-1)?.headers ?? {}
      expect(sent).toMatchObject({ lang: 'en', host: site.root.slice('http://'.length) })
      expect(sent['x-request-id']).toBeTruthy()
      for (const name of ['cookie', 'authorization', 'x-forwarded-for']) expect(sent).not.toHaveProperty(name)
      expect(sent.token).toBe(path.startsWith('app/') ? undefined : LINK_TOKEN)
      expect(JSON.stringify(sent)).not.toContain(token)
    }
  })

  it('leave a trace each, with the outcome but without query, body and token', async () => {
    const before = (await traces()).length
    site.answer((_request, response) => void response.writeHead(403).end('{}'))
    for (const [path, token] of everyWay())
      await ask(path, { url: 'a/b', method: 'POST', params: { q: 'hush-q' }, param: { p: 'hush-p' } }, token)
    await site.close()
    await ask('sys/common/request', { url: 'gone' })
    const left = (await traces()).slice(before)
    const target = `POST ${site.root}/base/api/a/b`
    expect(left.slice(0, 3)).toEqual([
      { action: 'relay.system', target, after: { status: 403 } },
      { action: 'relay.system', target, after: { status: 403 } },
      { action: 'relay.account', target, after: { status: 403 } },
    ])
    expect(left[3]).toMatchObject({ action: 'relay.system', target: `GET ${site.root}/base/api/gone` })
    expect(JSON.stringify(left)).not.toMatch(/hush|link-Secret/)
  })

  it('are refused while nothing is linked, and to who may not make them', async () => {
    await link(null)
    await saveConfig(server, 'DNS_USER_API_ROOT_URI', '' as unknown as object)
    for (const [path, token] of everyWay()) {
      for (const target of ['site', 'dns'])
        expect((await ask(path, { url: 'a', target }, token)).body.error).toBe('relay_unset')
      expect((await call(server, path, { body: { url: 'a' } })).status).toBe(401)
    }
    for (const path of SYSTEM_PATHS) expect((await ask(path, { url: 'a' }, customer)).status).not.toBe(200)
    expect(site.seen).toEqual([])
  })
})
