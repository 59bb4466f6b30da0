import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CONSOLES } from '@tidegate/contract/enums'
import { ERRORS } from '@tidegate/contract/errors'
import { MAX_BODY_BYTES } from '@tidegate/contract/limits'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { diskState } from '../platform/disk.ts'
import { adminToken, call, type TestServer, testServer } from '../testing/app.ts'
import { CONSOLE_PAGES } from './consoles.ts'

const raw = (
  server: TestServer,
  payload: string,
  contentType = 'application/json',
  headers: Record<string, string> = {},
) =>
  server.app.server.inject({
    method: 'POST',
    url: '/api/sys/login',
    headers: { 'content-type': contentType, lang: 'en', ...headers },
    payload,
  })

describe('requests', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await testServer({ TIDEGATE_TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8' })
  })
  afterAll(() => server.close())

  it('must be JSON objects of a bounded size', async () => {
    for (const [payload, type] of [
      ['{"username":', 'application/json'],
      ['[1,2]', 'application/json'],
      ['"text"', 'application/json'],
      ['{"username":"a"}', 'text/plain'],
      ['username=a', 'application/x-www-form-urlencoded'],
    ] as const) {
      const reply = await raw(server, payload, type)
      expect([payload, reply.statusCode, reply.json()]).toMatchObject([
        payload,
        400,
        { code: 400, error: 'malformed_json' },
      ])
    }
    const large = await raw(server, JSON.stringify({ username: 'a'.repeat(MAX_BODY_BYTES) }))
    expect(large.json()).toMatchObject({ code: 413, error: 'too_large', msg: ERRORS.too_large.en })
    expect((await raw(server, '')).json()).toMatchObject({
      error: 'invalid_input',
      errors: [{ path: 'username' }, { path: 'password' }],
    })
  })

  it('are refused when they are nested without end', async () => {
    for (const text of [
      `{"username":${'['.repeat(200_000)}${']'.repeat(200_000)}}`,
      `{"a":${'{"a":'.repeat(99_000)}1${'}'.repeat(99_000)}}`,
    ])
      expect((await raw(server, text)).json()).toMatchObject({ code: 400, error: 'invalid_input' })
  })

  it('cannot reach the prototypes of objects', async () => {
    const reply = await raw(
      server,
      '{"__proto__":{"username":"admin","password":"x","polluted":1},"constructor":{"prototype":{"polluted":1}}}',
    )
    expect(reply.json()).toMatchObject({ error: 'invalid_input', errors: [{ path: 'username' }, { path: 'password' }] })
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
  })

  it('are answered in the language of the header `lang`, else of Accept-Language, else of the site', async () => {
    const msg = async (headers: Record<string, string>) => {
      const response = await server.app.server.inject({ url: '/api/nothing', headers })
      return (response.json() as { msg: string }).msg
    }
    expect(await msg({})).toBe(ERRORS.operation_unknown.zh)
    expect(await msg({ lang: 'en', 'accept-language': 'zh' })).toBe(ERRORS.operation_unknown.en)
    expect(await msg({ 'accept-language': 'fr, zh;q=0.3, en-GB;q=0.8' })).toBe(ERRORS.operation_unknown.en)
    expect(await msg({ lang: 'fr', 'accept-language': 'xx' })).toBe(ERRORS.operation_unknown.zh)
  })

  it('carry ids of our own, never the client’s', async () => {
    const reply = await call(server, 'sys/nothing', { headers: { 'x-request-id': 'f'.repeat(32) } })
    expect(reply.body.requestId).toMatch(/^[0-9a-f]{32}$/)
    expect(reply.body.requestId).not.toBe('f'.repeat(32))
  })

  it('come from the address that trusted proxies tell, and from no other', async () => {
    const { pool } = server.built.context.database
    const ipOf = async (peer: string, forwarded: string) => {
      const options = {
        body: { username: 'admin', password: 'wrong' },
        ip: peer,
        headers: { 'x-forwarded-for': forwarded },
      }
      await pool.query('DELETE FROM login_failure')
      await call(server, 'sys/login', options)
      const { rows } = await pool.query<{ ip: string }>('SELECT ip FROM audit_log ORDER BY id DESC LIMIT 1')
      return rows[0]?.ip
    }
    expect(await ipOf('127.0.0.1', '203.0.113.7')).toBe('203.0.113.7')
    expect(await ipOf('127.0.0.1', '198.51.100.9, 203.0.113.7, 10.1.2.3')).toBe('203.0.113.7')
    expect(await ipOf('203.0.113.50', '198.51.100.9')).toBe('203.0.113.50')
    expect(await ipOf('127.0.0.1', 'not an address')).toBe('127.0.0.1')
  })

  it('get the security headers on every answer', async () => {
    for (const path of ['/healthz', '/api/nothing', '/openapi.json', '/api/captcha.jpg?uuid=12345678']) {
      const { headers } = await call(server, path, { method: 'GET' })
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
      })
      expect(headers['content-security-policy']).toContain("default-src 'none'")
    }
  })

  it('find the health, readiness and metrics of the process', async () => {
    expect((await call(server, '/healthz', { method: 'GET' })).status).toBe(200)
    const ready = await call(server, '/readyz', { method: 'GET' })
    expect(ready).toMatchObject({ status: 200, body: { checks: { database: 'ok', migrations: 'ok' } } })
    const { database } = server.built.context
    const real = database.pool.query
    database.pool.query = (() => Promise.reject(new Error('connect to db.internal as secret-user'))) as never
    const here = await call(server, '/readyz', { method: 'GET' })
    const elsewhere = await call(server, '/readyz', { method: 'GET', ip: '192.0.2.1' })
    database.pool.query = real
    expect(here).toMatchObject({ status: 503, body: { checks: { database: 'connect to db.internal as secret-user' } } })
    expect(elsewhere).toMatchObject({ status: 503, body: { status: 'not ready', checks: { database: 'not ok' } } })
    expect(JSON.stringify(elsewhere.body)).not.toContain('internal')
    const metrics = await call(server, '/metrics', { method: 'GET' })
    expect(String(metrics.body.text)).toMatch(/tidegate_http_request_seconds_count\{op="other",status="200"\} [1-9]/)
    expect((await call(server, '/metrics', { method: 'GET', ip: '192.0.2.1' })).status).toBe(403)
    const proxied = { 'x-forwarded-for': '127.0.0.1' }
    expect((await call(server, '/metrics', { method: 'GET', headers: proxied })).status).toBe(403)
  })

  it('are refused when they need room and the disk is low, but not those that make room', async () => {
    const token = await adminToken(server)
    const { disk } = server.built.context
    const real = disk.state
    const gib = 1024 ** 3
    disk.state = () => diskState(100 * gib, 9 * gib)
    const warned = await call(server, 'sys/cdn/site/save', { token, body: {} })
    disk.state = () => diskState(100 * gib, 4 * gib)
    const body = { domains: ['a.example.com'], originProtocol: 'http', origins: [{ host: 'o.example.com' }] }
    const save = await call(server, 'sys/cdn/site/save', { token, body })
    const remove = await call(server, 'sys/cdn/site/delete', { token, body: { ids: [999] } })
    const login = await call(server, 'sys/login', { body: { username: 'admin', password: 'x' } })
    disk.state = real
    expect(warned.body.error).toBe('invalid_input')
    expect(save.body).toMatchObject({ code: 503, error: 'low_disk' })
    expect(remove.body.error).not.toBe('low_disk')
    expect(login.body.error).toBe('login_wrong')
  })
})

describe('the consoles’ pages', () => {
  let server: TestServer
  let dir: string
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'tg-console-'))
    await mkdir(join(dir, 'assets'))
    await writeFile(join(dir, 'index.html'), '<script nonce="__CSP_NONCE__"></script><meta content="__CSP_NONCE__">')
    await writeFile(join(dir, 'assets/main-abc.js'), 'plain')
    await writeFile(join(dir, 'assets/main-abc.js.br'), 'packed')
    await writeFile(join(dir, 'secret.pem'), 'no')
    server = await testServer({ TIDEGATE_CONSOLE_DIR: dir })
  })
  afterAll(async () => {
    await server.close()
    await rm(dir, { recursive: true, force: true })
  })
  const get = (path: string, headers: Record<string, string> = {}) => call(server, path, { method: 'GET', headers })

  it('come with a nonce of their own and are never stored', async () => {
    const [one, two] = [await get('/admin/'), await get('/admin/')]
    const nonces = [one, two].map((reply) => /nonce="([^"]+)"/.exec(String(reply.body.text))?.[1])
    expect(nonces[0]).not.toBe(nonces[1])
    expect(String(one.body.text)).not.toContain('__CSP_NONCE__')
    expect(one.headers['cache-control']).toBe('no-store')
    const n = nonces[0]
    expect(one.headers['content-security-policy']).toBe(
      `default-src 'self'; script-src 'self' 'nonce-${n}'; style-src 'self' 'nonce-${n}'; style-src-attr 'unsafe-inline'; ` +
        "img-src 'self' data: blob:; connect-src 'self'; font-src 'self'; media-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
    )
  })

  it('are one build at four addresses, and nowhere else [S1.1]', async () => {
    expect(CONSOLE_PAGES.map((c) => c.console).sort()).toEqual([...CONSOLES].sort())
    const pages = new Set<string>()
    for (const { path } of CONSOLE_PAGES) {
      const reply = await get(path)
      expect([path, reply.status]).toEqual([path, 200])
      pages.add(String(reply.body.text).replace(/(nonce|content)="[^"]+"/g, '$1'))
      if (path === '/') continue
      const bare = path.slice(0, -1)
      expect(await get(bare)).toMatchObject({ status: 308, headers: { location: path } })
    }
    expect(pages.size).toBe(1)
    expect((await get('/nothing')).status).toBe(404)
  })

  it('have immutable, packed files, and give away nothing else', async () => {
    for (const base of ['/admin/assets', '/assets']) {
      const reply = await get(`${base}/main-abc.js`, { 'accept-encoding': 'gzip, br' })
      expect(reply.body.text).toBe('packed')
      expect(reply.headers).toMatchObject({
        'content-encoding': 'br',
        'cache-control': 'public, max-age=31536000, immutable',
        'content-type': 'text/javascript; charset=utf-8',
      })
      expect((await get(`${base}/main-abc.js`)).body.text).toBe('plain')
    }
    for (const path of [
      '/admin/secret.pem',
      '/admin/index.html',
      '/admin/assets/../../etc/passwd',
      '/assets/%2e%2e/secret.pem',
    ])
      expect((await get(path)).status).toBe(404)
  })
})
