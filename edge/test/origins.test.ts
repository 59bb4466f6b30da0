import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePorts } from '@tidegate/testkit/ports'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeCertificate } from './certificates.ts'
import { Edge, siteItem } from './harness.ts'
import { Origin } from './origin.ts'

describe('origins', () => {
  const answerer = (name: string) =>
    new Origin((seen, response) => {
      if (seen.path === '/status/503') response.statusCode = 503
      response.end(name)
    })
  const first = answerer('first')
  const second = answerer('second')
  const certificate = makeCertificate(['secure.example'])
  const secure = new Origin((seen, response) => response.end(`${seen.servername} ${seen.headers.host}`), certificate)
  let edge: Edge
  let dead: number
  let caDir: string
  const server = (port: number, line: 'main' | 'spare', weight = 1) => ({
    host: '127.0.0.1',
    httpPort: port,
    httpsPort: port,
    line,
    weight,
  })

  beforeAll(async () => {
    caDir = mkdtempSync(join(tmpdir(), 'tgca-'))
    writeFileSync(join(caDir, 'ca.pem'), certificate.cert)
    await Promise.all([first.start(), second.start(), secure.start()])
    dead = (await freePorts(1))[0]!
    edge = await Edge.start({ over: { trustedCa: join(caDir, 'ca.pem') } })
    await edge.apply([Edge.allowPrivate()])
  })
  afterAll(async () => {
    await edge?.destroy()
    await Promise.all([first.stop(), second.stop(), secure.stop()])
    rmSync(caDir, { recursive: true })
  })

  let id = 100
  /** A site of its own for each test, so that nothing is remembered between them. */
  const site = async (origin: Parameters<typeof siteItem>[3] & object) => {
    id += 1
    const host = `s${id}.example`
    const { refused } = await edge.apply([siteItem(id, [host], first.port, origin)])
    expect(refused).toEqual([])
    return host
  }

  it('goes to the spare origin when the main one is dead, and passes the dead one over afterwards', async () => {
    const host = await site({ origin: { servers: [server(dead, 'main'), server(second.port, 'spare')] } })
    for (let i = 0; i < 5; i += 1) expect((await edge.get(host, `/${i}`)).body).toBe('second')
    const line = edge.errorLog().match(/Connection refused/g) ?? []
    expect(line.length).toBe(1)
  })

  it('tries another origin when one says that it is not able', async () => {
    second.handler = (_, response) => response.end('second')
    const host = await site({ origin: { servers: [server(first.port, 'main'), server(second.port, 'spare')] } })
    expect((await edge.get(host, '/status/503')).body).toBe('second')
    expect((await edge.get(host, '/')).body).toBe('first')
  })

  it('answers 502 with the platform page when every origin is dead', async () => {
    const host = await site({ origin: { servers: [server(dead, 'main')] } })
    const answer = await edge.get(host, '/')
    expect(answer.status).toBe(502)
    expect(answer.body).toContain(answer.headers['x-request-id'])
  })

  it('answers 504 when the origin takes longer than the site allows', async () => {
    const hanging = await new Origin(() => {}).start()
    const host = await site({ origin: { servers: [server(hanging.port, 'main')], readTimeout: 1 } })
    expect((await edge.get(host, '/')).status).toBe(504)
    await hanging.stop()
  })

  it('says on every page of a failed request that went past the cache that it did', async () => {
    // A header that just fits the inner hop's buffer, but not the outer's with what the hops tell each other: there the
    // outer hop makes the page. The client never gets this header.
    const long = new Origin(({ path }, response) =>
      response.setHeader('X-Request-Id', 'a'.repeat(Number(path.slice(1)))).end(),
    )
    await long.start()
    const host = await site({ origin: { servers: [server(long.port, 'main')] } })
    const seen = new Set<string>()
    for (let size = 32_590; size < 32_670; size += 3) {
      const { status, headers } = await edge.get(host, `/${size}`, { method: 'POST' })
      seen.add(`${status} ${headers['x-cache']} ${headers['cache-status']}`)
    }
    expect([...seen]).toEqual(['200 BYPASS Tidegate; fwd=bypass', '502 BYPASS Tidegate; fwd=bypass'])
    await long.stop()
  })

  it('does not send a POST a second time once it was sent, but does when no connection was made', async () => {
    const breaker = createServer((socket) => socket.once('data', () => socket.destroy()))
    await new Promise<void>((resolve) => breaker.listen(0, '127.0.0.1', resolve))
    const address = breaker.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const spare = server(second.port, 'spare')
    const before = second.seen.length
    const host = await site({ origin: { servers: [server(port, 'main'), spare] } })
    expect((await edge.get(host, '/p', { method: 'POST', body: 'once' })).status).toBe(502)
    expect(second.seen.length).toBe(before)
    const [closed] = await freePorts(1)
    const other = await site({ origin: { servers: [server(closed!, 'main'), spare] } })
    expect((await edge.get(other, '/p', { method: 'POST', body: 'once' })).body).toBe('second')
    expect(second.seen.at(-1)).toMatchObject({ method: 'POST', body: 'once' })
    await new Promise((resolve) => breaker.close(resolve))
  })

  it('shares requests out by weight [S9.8]', async () => {
    const servers = [server(first.port, 'main', 3), server(second.port, 'main', 1)]
    const host = await site({ origin: { servers } })
    const bodies: string[] = []
    for (let i = 0; i < 80; i += 1) bodies.push((await edge.get(host, `/w${i}`)).body)
    const share = bodies.filter((body) => body === 'first').length
    expect(share).toBeGreaterThanOrEqual(57)
    expect(share).toBeLessThanOrEqual(63)
  })

  it('keeps a visitor at one origin, by address or by cookie [S9.8]', async () => {
    const servers = [server(first.port, 'main'), server(second.port, 'main')]
    const hashed = await site({ origin: { servers, balance: 'iphash' } })
    const bodies = new Set<string>()
    for (let i = 0; i < 10; i += 1) bodies.add((await edge.get(hashed, `/${i}`)).body)
    expect(bodies.size).toBe(1)
    const sticky = await site({ origin: { servers, balance: 'cookie' } })
    const begun = await edge.get(sticky, '/')
    const cookie = begun.headers['set-cookie']![0]!.split(';')[0]!
    for (let i = 0; i < 10; i += 1) {
      const answer = await edge.get(sticky, `/${i}`, { headers: { Cookie: cookie } })
      expect(answer.body).toBe(begun.body)
      expect(answer.headers['set-cookie']).toBeUndefined()
    }
  })

  it('sends the Host header and the server name that the site asks for', async () => {
    const origin = { protocol: 'https' as const, servers: [server(secure.port, 'main')] }
    const named = await site({
      origin: { ...origin, hostHeader: 'back.example', sni: 'secure.example', verifyTls: true },
    })
    expect((await edge.get(named, '/')).body).toBe('secure.example back.example')
    const own = await site({ origin })
    expect((await edge.get(own, '/')).body).toBe(`${own} ${own}`)
  })

  it('refuses an https origin whose certificate is for another name, when told to verify', async () => {
    const origin = { protocol: 'https' as const, servers: [server(secure.port, 'main')], verifyTls: true }
    const host = await site({ origin: { ...origin, sni: 'other.example' } })
    expect((await edge.get(host, '/')).status).toBe(502)
  })

  it('passes a WebSocket handshake through', async () => {
    const upgrading = await new Origin(() => {}).start()
    upgrading.http.on('upgrade', (_, socket) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n')
      socket.on('data', (chunk) => socket.write(`echo ${chunk}`))
      socket.on('error', () => socket.destroy())
      socket.on('end', () => socket.end())
    })
    const host = await site({ origin: { servers: [server(upgrading.port, 'main')] } })
    const headers = { Host: host, Upgrade: 'websocket', Connection: 'Upgrade' }
    const echoed = await new Promise<string>((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port: edge.httpPort, headers, agent: false })
      sent.on('upgrade', (_, socket) => {
        socket.once('data', (chunk) => {
          resolve(chunk.toString())
          socket.destroy()
        })
        socket.write('ping')
      })
      sent.on('error', reject)
      sent.end()
    })
    expect(echoed).toBe('echo ping')
    await upgrading.stop()
  })

  it('ends a circle of the platform asking itself', async () => {
    const host = await site({ origin: { servers: [server(edge.httpPort, 'main')] } })
    expect((await edge.get(host, '/')).status).toBe(508)
  }, 20_000)
})

describe('private origins', () => {
  const origin = new Origin((_, response) => response.end('inside'))
  let edge: Edge
  const refusedOf = async (allowed: string[], host: string, over: Parameters<typeof siteItem>[3] = {}) => {
    const item = siteItem(1, [host], origin.port, over)
    return (await edge.apply([Edge.allowPrivate(allowed), item])).refused.map((refusal) => refusal.reason)
  }

  beforeAll(async () => {
    await origin.start()
    edge = await Edge.start()
  })
  afterAll(async () => {
    await edge?.destroy()
    await origin.stop()
  })

  it('refuses a site all of whose origins are at private addresses, in whatever notation', async () => {
    for (const address of [
      '127.0.0.1',
      '10.1.2.3',
      '169.254.169.254',
      '192.168.0.1',
      '172.31.255.255',
      '100.64.0.1',
      '0.0.0.0',
      '::1',
      '::',
      'fe80::1',
      'fd00::1',
      '::ffff:127.0.0.1',
      '::ffff:a00:1',
      '::127.0.0.1',
      '::ffff:0:127.0.0.1',
      '64:ff9b::7f00:1',
      '64:ff9b:1::7f00:1',
      '2001::1',
      '100::1',
      'fec0::1',
      'ff02::1',
      '[::1]',
      '0x7f000001',
      '2130706433',
      '0177.0.0.1',
      '2002:7f00:1::',
    ]) {
      expect(await refusedOf([], 'p.example', { addresses: [[address]] }), address).toEqual(['private_origin'])
    }
    for (const address of ['203.0.113.7', '172.32.0.1', '2001:db8::1', '::ffff:8.8.8.8']) {
      expect(await refusedOf([], 'p.example', { addresses: [[address]] }), address).toEqual([])
    }
  })

  it('allows what the operator lists, by host and port or by network', async () => {
    expect(await refusedOf([`127.0.0.1:${origin.port}`], 'q.example')).toEqual([])
    expect((await edge.get('q.example', '/')).body).toBe('inside')
    expect(await refusedOf(['127.0.0.1:1'], 'q.example')).toEqual(['private_origin'])
    expect(await refusedOf(['127.0.0.0/8'], 'q.example')).toEqual([])
    expect(await refusedOf(['fd00::/8'], 'q.example', { addresses: [['fd12::1']] })).toEqual([])
  })

  it('refuses at use when the allowance was withdrawn after the site was taken', async () => {
    expect(await refusedOf(['*'], 'r.example')).toEqual([])
    expect((await edge.get('r.example', '/1')).body).toBe('inside')
    await edge.apply([Edge.allowPrivate([])])
    const answer = await edge.get('r.example', '/2')
    expect(answer.status).toBe(403)
    expect(origin.count('/2')).toBe(0)
  })
})
