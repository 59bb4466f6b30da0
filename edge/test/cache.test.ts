import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Edge, keepAll, siteItem } from './harness.ts'
import { Origin } from './origin.ts'
import { waitFor } from './wait.ts'

/** What the origin answers by path; `down` makes it fail. */
let down = false
let count = 0
const origin = new Origin((seen, response) => {
  count += 1
  const { pathname, searchParams } = new URL(seen.path, 'http://origin')
  for (const [name, value] of searchParams) if (name.startsWith('h-')) response.setHeader(name.slice(2), value)
  if (down) response.statusCode = 500
  if (seen.headers['if-none-match'] === '"v1"' && pathname === '/etag') {
    response.statusCode = 304
    response.end()
    return
  }
  if (pathname === '/etag') response.setHeader('ETag', '"v1"')
  if (pathname === '/echo') response.end(JSON.stringify(seen.headers))
  else if (pathname === '/slow') setTimeout(() => response.end('slow'), 100)
  else response.end(`${pathname} ${count}`)
})

describe('cache', () => {
  let edge: Edge
  const cacheOf = async (host: string, path: string, headers: Record<string, string> = {}) =>
    (await edge.get(host, path, { headers })).headers['x-cache']

  beforeAll(async () => {
    await origin.start()
    edge = await Edge.start({ workers: 2 })
    const ext = { type: 'ext' as const, match: 'css|JS', ttl: 60 }
    const prefix = { type: 'prefix' as const, match: '/admin/', ttl: 0 }
    await edge.apply([
      Edge.allowPrivate(),
      siteItem(1, ['rule.example'], origin.port, { cache: { rules: [keepAll(60)] } }),
      siteItem(2, ['origin.example'], origin.port),
      siteItem(3, ['ext.example'], origin.port, { cache: { rules: [ext], noCache: [prefix] } }),
      siteItem(4, ['query.example'], origin.port, { cache: { rules: [keepAll(60)], ignoreQuery: true } }),
      siteItem(5, ['stale.example'], origin.port, { cache: { rules: [keepAll(1)], staleIfError: 600 } }),
      siteItem(6, ['swr.example'], origin.port, { cache: { rules: [keepAll(1)], staleWhileRevalidate: 600 } }),
      siteItem(7, ['off.example'], origin.port, { cache: { enabled: false, rules: [keepAll(60)] } }),
      siteItem(8, ['short.example'], origin.port, { cache: { rules: [keepAll(1)] } }),
    ])
  })
  afterAll(async () => {
    await edge?.destroy()
    await origin.stop()
  })

  it('asks the origin once and answers the next request itself, whatever port the Host names', async () => {
    const first = await edge.get('rule.example', '/x')
    expect(first.headers).toMatchObject({ 'x-cache': 'MISS', 'cache-status': 'Tidegate; fwd=uri-miss' })
    const second = await edge.get('RULE.example:8081', '/x')
    expect(second.headers).toMatchObject({ 'x-cache': 'HIT', 'cache-status': 'Tidegate; hit' })
    expect(second.body).toBe(first.body)
    expect(Number(second.headers.age)).toBeGreaterThanOrEqual(0)
    expect(second.headers['x-request-id']).toMatch(/^[0-9a-f]{32}$/)
    expect(second.headers['x-request-id']).not.toBe(first.headers['x-request-id'])
  })

  it('keeps what the origin lets it keep, when no rule says otherwise', async () => {
    const stored = '/a?h-cache-control=public,%20max-age=60'
    expect(await cacheOf('origin.example', stored)).toBe('MISS')
    const hit = await edge.get('origin.example', stored)
    expect(hit.headers['x-cache']).toBe('HIT')
    expect(hit.headers['cache-control']).toBe('public, max-age=60')
    for (const control of ['private,%20max-age=60', 'no-store', 'no-cache', 'max-age=0']) {
      await cacheOf('origin.example', `/b?h-cache-control=${control}`)
      expect(await cacheOf('origin.example', `/b?h-cache-control=${control}`)).not.toBe('HIT')
    }
  })

  it('lets CDN-Cache-Control and s-maxage win over max-age, and counts the age the copy already has', async () => {
    for (const [query, state] of [
      ['h-cache-control=max-age=0,%20s-maxage=60', 'HIT'],
      ['h-cache-control=no-store&h-cdn-cache-control=max-age=60', 'HIT'],
      ['h-cache-control=max-age=60&h-cdn-cache-control=no-store', 'BYPASS'],
      ['h-cache-control=max-age=60&h-age=60', 'BYPASS'],
    ]) {
      await cacheOf('origin.example', `/s?${query}`)
      expect(await cacheOf('origin.example', `/s?${query}`), query).toBe(state)
    }
  })

  it('never keeps an answer that sets a cookie, nor one to a request with credentials', async () => {
    await cacheOf('rule.example', '/cookie?h-set-cookie=a=1')
    const again = await edge.get('rule.example', '/cookie?h-set-cookie=a=1')
    expect(again.headers['x-cache']).toBe('BYPASS')
    expect(again.headers['set-cookie']).toEqual(['a=1'])
    const login = { Authorization: 'Basic eDp5' }
    expect(await cacheOf('rule.example', '/login', login)).toBe('BYPASS')
    expect(await cacheOf('rule.example', '/login')).toBe('MISS')
  })

  it('follows the first rule that matches, and no-cache rules before all, however the path is written [S5.13]', async () => {
    for (const [path, state] of [
      ['/a.css', 'HIT'],
      ['/a.JS?x', 'HIT'],
      ['/a.html', 'BYPASS'],
      ['/admin/a.css', 'BYPASS'],
      ['/%61dmin/b.css', 'BYPASS'],
    ]) {
      await cacheOf('ext.example', path!)
      expect(await cacheOf('ext.example', path!), path).toBe(state)
    }
    await cacheOf('off.example', '/a')
    expect(await cacheOf('off.example', '/a')).toBe('BYPASS')
  })

  it('ignores the query where the site says so', async () => {
    await cacheOf('query.example', '/q?a=1')
    expect(await cacheOf('query.example', '/q?a=2')).toBe('HIT')
  })

  it('fetches anew when a copy has run out, and asks with its validator', async () => {
    await cacheOf('short.example', '/plain')
    await cacheOf('short.example', '/etag')
    await waitFor('expiry', async () => (await cacheOf('short.example', '/plain')) === 'EXPIRED')
    await waitFor('expiry', async () => (await cacheOf('short.example', '/etag')) !== 'HIT')
    expect(origin.seen.some((seen) => seen.path === '/etag' && seen.headers['if-none-match'] === '"v1"')).toBe(true)
    expect((await edge.get('short.example', '/etag')).status).toBe(200)
  })

  it('serves an expired copy when the origin answers with an error, and when it is away', async () => {
    await cacheOf('stale.example', '/e')
    down = true
    try {
      await waitFor('expiry', async () => (await cacheOf('stale.example', '/e')) === 'STALE')
      expect(await edge.get('stale.example', '/e')).toMatchObject({ status: 200 })
      expect((await edge.get('stale.example', '/never-seen')).status).toBe(500)
    } finally {
      down = false
    }
    await origin.stop()
    try {
      expect(await edge.get('stale.example', '/e')).toMatchObject({ status: 200 })
    } finally {
      await origin.start()
    }
  })

  it('serves an expired copy at once while it fetches the new one', async () => {
    const first = await edge.get('swr.example', '/w')
    await waitFor('a stale answer', async () => (await cacheOf('swr.example', '/w')) === 'STALE')
    await waitFor('a new copy', async () => (await edge.get('swr.example', '/w')).body !== first.body)
  })

  it('does not serialise a burst for something that cannot be kept', async () => {
    const path = '/slow?h-cache-control=no-store'
    await edge.get('origin.example', path)
    const begun = Date.now()
    await Promise.all(Array.from({ length: 20 }, () => edge.get('origin.example', path)))
    expect(Date.now() - begun).toBeLessThan(1500)
  })

  it('asks the origin once for a burst for something that can be kept', async () => {
    const path = '/slow?h-cache-control=max-age=60'
    const before = origin.count(path)
    await Promise.all(Array.from({ length: 20 }, () => edge.get('origin.example', path)))
    expect(origin.count(path) - before).toBe(1)
  })

  it('is not steered by the origin beyond what HTTP says', async () => {
    const query = 'h-x-accel-redirect=/etc/passwd&h-x-accel-expires=3600&h-tg-why=x&h-tg-from=1&h-tg-cookie=z'
    const answer = await edge.get('origin.example', `/steer?${query}`)
    expect(answer.status).toBe(200)
    expect(answer.body).toMatch(/^\/steer /)
    const names = Object.keys(answer.headers)
    expect(
      names.filter((name) => name.startsWith('x-accel') || name.startsWith('tg-') || name === 'set-cookie'),
    ).toEqual([])
    expect(await cacheOf('origin.example', `/steer?${query}`)).toBe('BYPASS')
  })

  it('keeps one copy for all browsers that take gzip, and one for the rest', async () => {
    const path = '/v?h-cache-control=max-age=60&h-vary=Accept-Encoding'
    await cacheOf('origin.example', path, { 'Accept-Encoding': 'gzip, deflate, br' })
    const hit = await edge.get('origin.example', path, { headers: { 'Accept-Encoding': 'br;q=1.0, gzip;q=0.8' } })
    expect(hit.headers).toMatchObject({ 'x-cache': 'HIT', vary: 'Accept-Encoding' })
    expect(await cacheOf('origin.example', path)).toBe('MISS')
    expect(await cacheOf('origin.example', path, { 'Accept-Encoding': 'gzip;q=0' })).toBe('HIT')
  })

  it('keeps a copy for each value of the header that Vary names', async () => {
    const path = '/l?h-cache-control=max-age=60&h-vary=Accept-Language'
    await cacheOf('origin.example', path, { 'Accept-Language': 'de' })
    expect(await cacheOf('origin.example', path, { 'Accept-Language': 'fr' })).toBe('MISS')
    expect(await cacheOf('origin.example', path, { 'Accept-Language': 'de' })).toBe('HIT')
  })

  it('answers ranges and conditions out of the whole copy', async () => {
    await cacheOf('rule.example', '/etag')
    const part = await edge.get('rule.example', '/etag', { headers: { Range: 'bytes=0-4' } })
    expect(part).toMatchObject({ status: 206, body: '/etag' })
    const same = await edge.get('rule.example', '/etag', { headers: { 'If-None-Match': '"v1"' } })
    expect(same.status).toBe(304)
  })

  it('fetches again after a successful unsafe method on the URL, and only then', async () => {
    await cacheOf('rule.example', '/form')
    await cacheOf('rule.example', '/other')
    expect(await cacheOf('rule.example', '/form')).toBe('HIT')
    const posted = await edge.get('rule.example', '/form', { method: 'POST', body: 'x=1' })
    expect(posted.headers['x-cache']).toBe('BYPASS')
    expect(await cacheOf('rule.example', '/form')).toBe('MISS')
    expect(await cacheOf('rule.example', '/other')).toBe('HIT')
  })

  it('tells the origin who asks, under its own request id', async () => {
    const headers = { 'X-Request-Id': 'forged', 'Tg-Cache': 'EXPIRED', 'X-Forwarded-For': '9.9.9.9' }
    const answer = await edge.get('off.example', '/echo', { headers })
    const got = JSON.parse(answer.body)
    expect(got).toMatchObject({ host: 'off.example', 'x-real-ip': '127.0.0.1', 'x-forwarded-proto': 'http' })
    expect(got['x-request-id']).toBe(answer.headers['x-request-id'])
    expect(got['x-forwarded-for']).toBe('9.9.9.9, 127.0.0.1')
    expect(Object.keys(got).filter((name) => name.startsWith('tg-'))).toEqual([])
  })
})
