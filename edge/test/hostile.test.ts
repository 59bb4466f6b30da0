/** Requests and answers that are meant to do harm: to whom they are counted, what they leave in the cache, what they steer. */
import { connect } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Edge, keepAll, siteItem } from './harness.ts'
import { Origin, type Seen } from './origin.ts'

/** Bytes as they are; everything that comes back until the edge closes. */
const send = (port: number, text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let answer = ''
    socket.on('data', (chunk: Buffer) => {
      answer += chunk.toString('latin1')
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(answer))
    socket.write(text, 'latin1')
    socket.setTimeout(3_000, () => socket.destroy())
  })
const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1])
const bodyOf = (answer: string) => answer.slice(answer.indexOf('\r\n\r\n') + 4)

describe('hostile traffic', () => {
  const of = (name: string) => new Origin((seen, response) => response.end(`${name} ${seen.headers.host}`))
  const a = of('A')
  const b = of('B')
  let edge: Edge

  beforeAll(async () => {
    await Promise.all([a.start(), b.start()])
    edge = await Edge.start()
    await edge.log.open()
    const { refused } = await edge.apply([
      Edge.allowPrivate(),
      siteItem(1, ['a.example'], a.port, { cache: { rules: [keepAll(60)] } }),
      siteItem(2, ['b.example'], b.port, { cache: { rules: [keepAll(60)] } }),
    ])
    expect(refused).toEqual([])
  })
  afterAll(async () => {
    await edge?.destroy()
    await Promise.all([a.stop(), b.stop()])
  })
  let turn = 0
  /** A path that nobody asked for yet. */
  const fresh = () => {
    turn += 1
    return `/fresh-${turn}`
  }
  const raw = (head: string[], body = '') =>
    send(edge.httpPort, `${[...head, 'Connection: close'].join('\r\n')}\r\n\r\n${body}`)

  it('is counted to the site that the request names, whatever the form, and the origin hears the same name', async () => {
    const path = fresh()
    for (const host of ['a.example', 'A.EXAMPLE', 'a.example.', 'a.example:8081', 'A.Example.:80']) {
      const answer = await raw([`GET ${path} HTTP/1.1`, `Host: ${host}`])
      expect(bodyOf(answer), host).toContain('A a.example')
    }
    // All of them are one and the same object of the cache.
    expect(a.count(path)).toBe(1)
    const absolute = await raw([`GET http://a.example${fresh()} HTTP/1.1`, 'Host: b.example'])
    expect(bodyOf(absolute)).toContain('A a.example')
    for (const head of [
      ['GET / HTTP/1.1', 'Host: '],
      ['GET / HTTP/1.0'],
      ['GET / HTTP/1.1', 'Host: c.example', 'X-Forwarded-Host: a.example'],
      ['GET http://c.example/ HTTP/1.1', 'Host: a.example'],
      ['GET / HTTP/1.1', 'Host: 127.0.0.1'],
      ['GET / HTTP/1.1', 'Host: [::1]'],
    ])
      expect([400, 404], head.join('|')).toContain(statusOf(await raw(head)))
    for (const host of ['a.example/', 'a.example\u0000', 'a.example@b.example', 'a.example b.example'])
      expect([400, 404], host).toContain(statusOf(await raw(['GET / HTTP/1.1', `Host: ${host}`])))
    const twice = await raw([`GET ${fresh()} HTTP/1.1`, 'Host: a.example', 'Host: b.example'])
    if (statusOf(twice) !== 400) expect(bodyOf(twice)).toContain('A a.example')
  })

  it('cannot smuggle a second request past the first', async () => {
    const before = a.seen.length + b.seen.length
    const second = 'GET /smuggled HTTP/1.1\r\nHost: b.example\r\n\r\n'
    const both = [`Content-Length: ${second.length + 5}`, 'Transfer-Encoding: chunked']
    for (const lines of [
      both,
      ['Transfer-Encoding: xchunked'],
      ['Transfer-Encoding: chunked', 'Transfer-Encoding: identity'],
      ['Content-Length: 5', 'Content-Length: 6'],
      ['Content-Length: +5'],
      ['Transfer-Encoding : chunked'],
    ]) {
      const answer = await send(
        edge.httpPort,
        `POST ${fresh()} HTTP/1.1\r\nHost: a.example\r\n${lines.join('\r\n')}\r\n\r\n0\r\n\r\n${second}`,
      )
      expect(answer.match(/HTTP\/1\.1 200/g) ?? [], lines.join('|')).toHaveLength(0)
    }
    expect(b.count('/smuggled')).toBe(0)
    expect(a.seen.length + b.seen.length).toBe(before)
  })

  it('keeps what is not in the cache key from the origin', async () => {
    const path = fresh()
    const poison = {
      Forwarded: 'host=evil.example;proto=http',
      'X-Forwarded-Host': 'evil.example',
      'X-Forwarded-Port': '666',
      'X-Forwarded-Proto': 'gopher',
      'X-Forwarded-Scheme': 'nothttps',
      'X-Forwarded-Server': 'evil.example',
      'X-Forwarded-Prefix': '/evil',
      'X-Host': 'evil.example',
      'X-Original-Host': 'evil.example',
      'X-Original-URL': '/evil',
      'X-Rewrite-URL': '/evil',
      'X-HTTP-Method-Override': 'DELETE',
      'X-HTTP-Method': 'DELETE',
      'X-Method-Override': 'DELETE',
      'X-Real-IP': '6.6.6.6',
      Proxy: 'http://evil.example',
      'Tg-Cache': 'EXPIRED',
    }
    await edge.get('a.example', path, { headers: poison })
    const seen = a.seen.find((s) => s.path === path)
    expect(seen?.headers).toMatchObject({
      'x-forwarded-host': 'a.example',
      'x-forwarded-port': String(edge.httpPort),
      'x-forwarded-proto': 'http',
      'x-real-ip': '127.0.0.1',
    })
    const { 'x-request-id': _, ...headers } = seen?.headers ?? {}
    const told = JSON.stringify(headers)
    for (const word of ['evil', '666', 'gopher', 'nothttps', 'DELETE', '6.6.6.6', 'EXPIRED'])
      expect(told, word).not.toContain(word)
    // What is not kept may say so: a form that means PUT.
    await edge.get('a.example', fresh(), { method: 'POST', headers: { 'X-HTTP-Method-Override': 'PUT' } })
    expect(a.seen.at(-1)?.headers['x-http-method-override']).toBe('PUT')
  })

  it('keeps no answer to a GET that carried a body, and goes on keeping the others', async () => {
    a.handler = (seen, response) => response.end(`${seen.body} ${seen.headers.host}`)
    const length = fresh()
    const answer = await raw([`GET ${length} HTTP/1.1`, 'Host: a.example', 'Content-Length: 4'], 'evil')
    expect(statusOf(answer)).toBe(200)
    expect((await edge.get('a.example', length)).body).not.toContain('evil')
    expect((await edge.get('a.example', length)).headers['x-cache']).toBe('HIT')
    const chunked = fresh()
    await raw([`GET ${chunked} HTTP/1.1`, 'Host: a.example', 'Transfer-Encoding: chunked'], '4\r\nevil\r\n0\r\n\r\n')
    expect((await edge.get('a.example', chunked)).body).not.toContain('evil')
    expect((await edge.get('a.example', chunked)).headers['x-cache']).toBe('HIT')
  })

  it('cannot make the edge give up caching by pretending a loop', async () => {
    const path = fresh()
    const loop = { 'CDN-Loop': Array.from({ length: 6 }, (_, i) => `tidegate-${i}`).join(', ') }
    expect((await edge.get('a.example', path, { headers: loop })).status).toBe(508)
    expect((await edge.get('a.example', path)).headers['x-cache']).toBe('MISS')
    expect((await edge.get('a.example', path)).headers['x-cache']).toBe('HIT')
  })

  it('is not steered by what an origin says to the hops or to nginx', async () => {
    const path = fresh()
    a.handler = (_, response) => {
      response.writeHead(200, {
        'Tg-Cache-Control': 'evil',
        'Tg-Cookie': 'evil',
        'Tg-Pass': '30',
        'Tg-From': '1 evil',
        'Tg-Vary': 'evil',
        'Tg-Why': 'evil',
        'X-Accel-Redirect': '/status',
        'X-Accel-Expires': '0',
        'X-Accel-Limit-Rate': '1',
        'X-Cache': 'evil',
        'X-Request-Id': 'evil',
      })
      response.end('fine')
    }
    const first = await edge.get('a.example', path)
    const second = await edge.get('a.example', path)
    expect([first.status, first.body, second.headers['x-cache']]).toEqual([200, 'fine', 'HIT'])
    expect(JSON.stringify([first.headers, second.headers])).not.toContain('evil')
    const line = await edge.log.find((l) => l.uri === path && l.cache === 'MISS')
    expect(line).toMatchObject({ why: '', up: `127.0.0.1:${a.port}` })
  })

  it('follows no redirect of an origin, wherever it leads', async () => {
    const before = b.seen.length
    a.handler = (_, response) => response.writeHead(302, { Location: `http://127.0.0.1:${b.port}/inside` }).end()
    const answer = await edge.get('a.example', fresh())
    expect([answer.status, answer.headers.location]).toEqual([302, `http://127.0.0.1:${b.port}/inside`])
    expect(b.seen.length).toBe(before)
  })

  describe('deception', () => {
    const answers: [string, (seen: Seen) => Record<string, string>][] = [
      ['private', () => ({ 'Cache-Control': 'private, max-age=60' })],
      ['no-store', () => ({ 'Cache-Control': 'no-store' })],
      ['a cookie', () => ({ 'Set-Cookie': 'session=1', 'Cache-Control': 'max-age=60' })],
      ['Vary: *', () => ({ Vary: '*', 'Cache-Control': 'max-age=60' })],
    ]
    beforeEach(() => {
      a.seen.length = 0
    })
    it.each(answers)('keeps no answer with %s, though a rule keeps the address', async (_name, headers) => {
      a.handler = (seen, response) => response.writeHead(200, headers(seen)).end('mine')
      const path = `${fresh()}/account.css`
      for (let i = 0; i < 3; i += 1) await edge.get('a.example', path)
      expect(a.count(path)).toBe(3)
    })
    it('keeps no answer to a request with credentials, and gives it none that is kept', async () => {
      a.handler = (seen, response) => response.end(seen.headers.authorization ?? 'nobody')
      const path = fresh()
      const mine = await edge.get('a.example', path, { headers: { Authorization: 'Bearer me' } })
      expect([mine.body, (await edge.get('a.example', path)).body]).toEqual(['Bearer me', 'nobody'])
      const again = await edge.get('a.example', path, { headers: { Authorization: 'Bearer me' } })
      expect([again.body, again.headers['x-cache']]).toEqual(['Bearer me', 'BYPASS'])
    })
  })
})
