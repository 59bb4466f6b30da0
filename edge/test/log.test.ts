import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Edge, keepAll, siteItem } from './harness.ts'
import { ask } from './http-client.ts'
import { Origin } from './origin.ts'
import { waitFor } from './wait.ts'

describe('request log', () => {
  const origin = new Origin((_, response) => response.end('x'.repeat(1000)))
  let edge: Edge

  beforeAll(async () => {
    await origin.start()
    edge = await Edge.start({ workers: 2 })
    await edge.log.open()
    await edge.apply([
      Edge.allowPrivate(),
      siteItem(7, ['log.example'], origin.port, { cache: { rules: [keepAll(600)] } }),
    ])
  })
  afterAll(async () => {
    await edge?.destroy()
    await origin.stop()
  })

  it('writes one line for each request, with exact fields', async () => {
    const begun = Date.now()
    const headers = { 'User-Agent': 'a "quoted"\\ agent', Referer: 'http://ref/ü' }
    const miss = await edge.get('log.example', '/path?q="1"', { headers })
    const hit = await edge.get('log.example', '/path?q="1"', { headers })
    const line = await edge.log.find((found) => found.rid === miss.headers['x-request-id'])
    expect(line).toMatchObject({
      site: 7,
      host: 'log.example',
      ip: '127.0.0.1',
      method: 'GET',
      scheme: 'http',
      uri: '/path?q="1"',
      proto: 'HTTP/1.1',
      status: 200,
      cache: 'MISS',
      up: `127.0.0.1:${origin.port}`,
      ua: 'a "quoted"\\ agent',
      why: '',
    })
    expect(line.ref).toMatch(/^http:\/\/ref\//)
    expect(line.ts).toBeGreaterThanOrEqual(begun)
    expect(line.ts).toBeLessThanOrEqual(Date.now())
    expect(line.out).toBeGreaterThan(1000)
    expect(line.org).toBeGreaterThan(1000)
    expect(line.in).toBeGreaterThan(50)
    expect(line.oms).toBeGreaterThanOrEqual(0)
    const second = await edge.log.find((found) => found.rid === hit.headers['x-request-id'])
    expect(second).toMatchObject({ cache: 'HIT', org: 0, oms: -1, up: '', why: '', status: 200 })
  })

  it('names site 0 and the reason for what the platform answers itself', async () => {
    const unknown = await edge.get('who.example', '/')
    const line = await edge.log.find((found) => found.rid === unknown.headers['x-request-id'])
    expect(line).toMatchObject({ site: 0, host: 'who.example', status: 404, cache: 'NONE', why: 'no_site', oms: -1 })
    const posted = await edge.get('log.example', '/', { method: 'POST', body: 'x=1' })
    const post = await edge.log.find((found) => found.rid === posted.headers['x-request-id'])
    expect(post).toMatchObject({ cache: 'BYPASS', method: 'POST', status: 200 })
  })

  it('cuts a path at 2,048 bytes and says https for TLS', async () => {
    const answer = await edge.get('log.example', `/${'a'.repeat(4000)}`, { tls: true })
    const line = await edge.log.find((found) => found.rid === answer.headers['x-request-id'])
    expect(line.uri.length).toBe(2048)
    expect(line.scheme).toBe('https')
  })

  it('loses nothing while the agent is away, and counts nothing twice', async () => {
    const before = edge.log.lines.length
    await edge.log.close()
    const ids: unknown[] = []
    for (let i = 0; i < 200; i += 1) ids.push((await edge.get('log.example', '/away')).headers['x-request-id'])
    await edge.log.open()
    await waitFor('all lines', () => edge.log.lines.length >= before + 200)
    const got = edge.log.lines.map((line) => line.rid)
    expect(got.filter((rid) => ids.includes(rid)).length).toBe(200)
    expect(edge.log.dropped).toBe(0)
  })

  it('hands over its last lines when it is stopped or reloaded', async () => {
    const reloaded = await edge.get('log.example', '/before-reload')
    process.kill(edge.masterPid, 'SIGHUP')
    await edge.log.find((line) => line.rid === reloaded.headers['x-request-id'])
    const ids = []
    for (let i = 0; i < 20; i += 1) ids.push((await edge.get('log.example', `/last${i}`)).headers['x-request-id'])
    await edge.end('SIGQUIT')
    const got = edge.log.lines.map((line) => line.rid)
    expect(ids.filter((rid) => !got.includes(String(rid)))).toEqual([])
    await edge.launch()
  })

  it('answers everything but what was in flight when a worker is killed', async () => {
    let failed = 0
    let answered = 0
    const one = async () => {
      await ask('/k', { port: edge.httpPort, headers: { Host: 'log.example' } }).then(
        () => {
          answered += 1
        },
        () => {
          failed += 1
        },
      )
    }
    await one()
    const load = Promise.all(
      Array.from({ length: 4 }, async () => {
        for (let i = 0; i < 150; i += 1) await one()
      }),
    )
    await waitFor('traffic', () => answered > 100)
    process.kill(edge.workers()[0]!, 'SIGKILL')
    await load
    expect(answered + failed).toBe(601)
    expect(failed).toBeLessThanOrEqual(4)
  })
})
