/** Most hits go a shorter way through the edge than other requests do: nobody may notice which way his went. */
import { once } from 'node:events'
import { connect, type IncomingHttpHeaders } from 'node:http2'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Edge, keepAll, siteItem } from './harness.ts'
import { ask } from './http-client.ts'
import { Origin } from './origin.ts'

const HOST = 'plain.example'
const MANY = Object.fromEntries(Array.from({ length: 70 }, (_, n) => [`X-Filler-${n}`, String(n)]))

describe('hits of a site without rules of its own', () => {
  const origin = new Origin((request, response) => {
    response.setHeader('Content-Type', 'text/plain')
    response.end(`${request.headers.accept ?? ''} ${'x'.repeat(2000)}`)
  })
  let edge: Edge

  beforeAll(async () => {
    await origin.start()
    edge = await Edge.start({ workers: 1 })
    await edge.log.open()
    await edge.apply([Edge.allowPrivate(), siteItem(3, [HOST], origin.port, { cache: { rules: [keepAll(600)] } })])
    // A site's first request makes what the others use.
    await edge.get(HOST, '/first')
  })
  afterAll(async () => {
    await edge?.destroy()
    await origin.stop()
  })

  const stateOf = async (path: string, options: Parameters<Edge['get']>[2]) =>
    (await edge.get(HOST, path, options)).headers['x-cache']

  it.each([
    ['a quoted name', { 'User-Agent': 'a "quoted"\\ name', Referer: 'http://ref/"\\' }],
    ['a tab in a name', { 'User-Agent': 'with\ta tab', Referer: 'http://ref/\t' }],
    ['no name', {}],
    ['names that are too long', { 'User-Agent': 'u'.repeat(700), Referer: `http://ref/${'r'.repeat(700)}` }],
    ['many headers', { ...MANY, 'User-Agent': 'many', Referer: 'http://many/' }],
    ['an encoding', { 'Accept-Encoding': 'br;q=0.1, gzip', 'User-Agent': 'zipper' }],
  ])('logs of %s what it logs of a miss', async (name, headers: Record<string, string>) => {
    const path = `/line?q="\\${name}`.replaceAll(' ', '+')
    const answers = [await edge.get(HOST, path, { headers }), await edge.get(HOST, path, { headers })]
    expect(answers.map((answer) => answer.headers['x-cache'])).toEqual(['MISS', 'HIT'])
    const [miss, hit] = await Promise.all(
      answers.map(({ headers }) => edge.log.find((line) => line.rid === headers['x-request-id'])),
    )
    for (const field of [
      'site',
      'host',
      'ip',
      'method',
      'scheme',
      'uri',
      'proto',
      'status',
      'ua',
      'ref',
      'in',
    ] as const)
      expect(hit![field], field).toEqual(miss![field])
    expect(hit).toMatchObject({ cache: 'HIT', org: 0, oms: -1, up: '', why: '', uri: path })
    expect(hit!.ua).toBe((headers['User-Agent'] ?? '').slice(0, 512))
    expect(hit!.ref).toBe((headers.Referer ?? '').slice(0, 512))
  })

  it('never answers from the cache what must reach the origin', async () => {
    await edge.get(HOST, '/closer')
    expect(await stateOf('/closer', {})).toBe('HIT')
    expect(await stateOf('/closer', { headers: { Authorization: 'Basic YTpi' } })).toBe('BYPASS')
    expect(await stateOf('/closer', { headers: { Accept: 'text/html, text/event-stream' } })).toBe('BYPASS')
    expect(await stateOf('/closer', { headers: { ...MANY, Authorization: 'Basic YTpi' } })).toBe('BYPASS')
    expect(await stateOf('/closer', { method: 'POST', body: 'x' })).toBe('BYPASS')
  })

  it('answers from the cache what asks for nothing special, in whatever words', async () => {
    await edge.get(HOST, '/usual')
    expect(await stateOf('/usual', { method: 'HEAD' })).toBe('HIT')
    expect(await stateOf('/usual', { headers: MANY })).toBe('HIT')
    expect(await stateOf('/usual', { headers: { Upgrade: 'h2c', Connection: 'Upgrade' } })).toBe('HIT')
    expect(await stateOf('/usual', { headers: { Accept: 'text/html', Cookie: 'a=b' } })).toBe('HIT')
    await edge.get(HOST, '/usual', { headers: { 'Accept-Encoding': 'gzip' } })
    expect(await stateOf('/usual', { headers: { ...MANY, 'Accept-Encoding': 'gzip' } })).toBe('HIT')
    expect(await stateOf('/usual', { headers: { 'Accept-Encoding': 'gzip, br' } })).toBe('HIT')
    const long = `/${'l'.repeat(9000)}`
    await edge.get(HOST, long)
    expect(await stateOf(long, {})).toBe('HIT')
  })

  it('keeps http and https, and each host, apart', async () => {
    await edge.apply([siteItem(4, ['other.example'], origin.port, { cache: { rules: [keepAll(600)] } })])
    for (const host of [HOST, 'other.example'])
      for (const tls of [false, true]) {
        const states = [await edge.get(host, '/apart', { tls }), await edge.get(host, '/apart', { tls })]
        expect(states.map((answer) => answer.headers['x-cache'])).toEqual(['MISS', 'HIT'])
      }
  })

  it('goes the same way over HTTP/2, many requests on one connection', async () => {
    const session = connect(`https://127.0.0.1:${edge.httpsPort}`, { rejectUnauthorized: false })
    const get = async (n: number) => {
      const headers = { ':path': '/h2', ':authority': HOST, 'user-agent': `h2 ${n}`, 'accept-encoding': 'gzip' }
      const stream = session.request(headers)
      const [answer] = (await once(stream, 'response')) as [IncomingHttpHeaders]
      stream.resume()
      await once(stream, 'end')
      return answer
    }
    await get(-1)
    const answers = await Promise.all(Array.from({ length: 100 }, (_, n) => get(n)))
    session.close()
    for (const [n, answer] of answers.entries()) {
      expect(answer).toMatchObject({ ':status': 200, 'x-cache': 'HIT', 'content-encoding': 'gzip' })
      const line = await edge.log.find((found) => found.rid === answer['x-request-id'])
      expect(line).toMatchObject({ proto: 'HTTP/2.0', scheme: 'https', host: HOST, ua: `h2 ${n}`, cache: 'HIT' })
    }
  })

  it('gives requests that run side by side each its own line', async () => {
    await edge.get(HOST, '/side')
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, n) =>
        ask(`/side`, {
          port: edge.httpPort,
          headers: { Host: HOST, 'User-Agent': `side ${n}`, Referer: `http://${n}/` },
        }),
      ),
    )
    const ids = answers.map((answer) => answer.headers['x-request-id'])
    expect(new Set(ids).size).toBe(200)
    await Promise.all(ids.map((id) => edge.log.find((line) => line.rid === id)))
    for (const [n, id] of ids.entries())
      expect(edge.log.lines.filter((line) => line.rid === id)).toMatchObject([
        { ua: `side ${n}`, ref: `http://${n}/`, cache: 'HIT' },
      ])
  })

  it('takes a change of the site into account at once', async () => {
    await edge.get(HOST, '/change')
    expect(await stateOf('/change', {})).toBe('HIT')
    const rules = { cache: { rules: [keepAll(600)], noCache: [keepAll(0)] } }
    await edge.apply([siteItem(3, [HOST], origin.port, rules)])
    expect(await stateOf('/change', {})).toBe('BYPASS')
    await edge.apply([siteItem(3, [HOST], origin.port, { cache: { rules: [keepAll(600)] } })])
    expect(await stateOf('/change', {})).toBe('HIT')
    await edge.apply([{ kind: 'site', key: '3', body: null }])
    expect((await edge.get(HOST, '/change')).status).toBe(404)
  })
})
