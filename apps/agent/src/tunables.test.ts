/** What an operator tunes on nodes, from the settings of a group to what a visitor and an origin see; the engine is never restarted for it. */

import { randomBytes } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect, type Socket } from 'node:net'
import { QUESTIONS } from '@tidegate/contract/node/questions'
import type { NodeTunables } from '@tidegate/contract/node/tunables'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { settings, siteBody } from './testing/bodies.ts'
import { ControlPlane, type Put } from './testing/control-plane.ts'
import { NodeUnderTest } from './testing/node.ts'
import { until } from './testing/wait.ts'

/** Text that gets the smaller the harder one tries: words of which some come often. */
function wordy(): string {
  let seed = 1
  const random = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return seed / 2_147_483_648
  }
  const words = Array.from({ length: 300 }, (_, i) => `word${((i * 7_919) % 1_000).toString(36)}${'x'.repeat(i % 5)}`)
  return Array.from({ length: 20_000 }, () => words[Math.floor(random() ** 3 * 300)]).join(' ')
}
const TEXT = wordy()

describe('tuning nodes', () => {
  let plane: ControlPlane
  let node: NodeUnderTest
  let origin: Server
  const originSockets = new Set<Socket>()
  let originPort = 0

  beforeAll(async () => {
    plane = await ControlPlane.start()
    node = await NodeUnderTest.make(plane)
    origin = createServer((request, response) => {
      request.resume()
      response.writeHead(200, { 'content-type': 'text/plain', connection: 'keep-alive' })
      response.end(request.url?.startsWith('/text') ? TEXT : 'ok')
    })
    // The engine is the one that ends idle connections.
    origin.keepAliveTimeout = 0
    origin.on('connection', (socket) => {
      originSockets.add(socket)
      socket.on('close', () => originSockets.delete(socket))
    })
    await new Promise<void>((resolve) => origin.listen(0, '127.0.0.1', resolve))
    originPort = (origin.address() as AddressInfo).port
    await node.start()
    await tune({})
  })
  afterAll(async () => {
    await node.destroy()
    await plane.stop()
    origin.closeAllConnections()
    origin.close()
  })

  const site = (): Put => ({
    kind: 'site',
    key: '1',
    body: siteBody(1, 'a.example', { host: '127.0.0.1', port: originPort }),
  })
  /** A site of which one origin is not there. */
  const halfDead = (): Put => {
    const body = siteBody(2, 'half.example', { host: '127.0.0.1', port: originPort })
    const [server] = body.origin.servers
    if (server === undefined) throw new Error('no origin')
    return {
      kind: 'site',
      key: '2',
      body: { ...body, origin: { ...body.origin, servers: [{ ...server, httpPort: 1 }, server] } },
    }
  }
  /** A site that only one test asks for: what others had counted late is not counted here. */
  const counted = (): Put => ({
    kind: 'site',
    key: '3',
    body: siteBody(3, 'counted.example', { host: '127.0.0.1', port: originPort }),
  })
  const tune = async (tunables: Partial<NodeTunables>) => {
    const base = settings().body as object
    const revision = plane.put([
      { kind: 'settings', key: 'group', body: { ...base, tunables } },
      site(),
      halfDead(),
      counted(),
    ])
    await until(
      () => `acknowledgement of ${revision}\n${node.output.slice(-3000)}`,
      () => plane.acknowledged(revision),
    )
    expect(plane.lastAck()).toMatchObject({ ok: true, refused: [] })
  }

  /** Sends a request on a connection of its own; resolves with what came when the other side ends it, or when `enough` says so. */
  const raw = async (text: string, enough: (got: string) => boolean = () => false): Promise<string> => {
    const { httpPort } = await node.status()
    return await new Promise((resolve, reject) => {
      let got = ''
      const socket = connect(httpPort, '127.0.0.1', () => socket.write(text))
      socket.setEncoding('latin1').on('data', (chunk: string) => {
        got += chunk
        if (enough(got)) socket.destroy()
      })
      socket.on('close', () => resolve(got))
      socket.on('error', reject)
    })
  }
  const dead = async () => {
    const said = await plane.ask('memory', { dict: 'tg_dead', prefix: '', after: '', limit: 10, entry: '' })
    return QUESTIONS.memory.answer.parse(said.answer).list[0]
  }

  it('maxBodyMb: larger uploads are refused', async () => {
    const master = await node.master()
    const upload = `POST /up HTTP/1.1\r\nHost: a.example\r\nContent-Length: ${2 * 1024 * 1024}\r\nConnection: close\r\n\r\n`
    const status = async () => {
      // What is refused by its length alone is answered before the body comes.
      const got = await raw(upload + 'x'.repeat(2 * 1024 * 1024), (text) => text.includes('\r\n\r\n'))
      return got.slice(9, 12)
    }
    expect(await status()).toBe('200')
    await tune({ maxBodyMb: 1 })
    await until('the refusal', async () => (await status().catch(() => '')) === '413')
    await tune({})
    await until('the upload', async () => (await status().catch(() => '')) === '200')
    expect(await node.master()).toEqual(master)
  })

  it('keepaliveSeconds: an idle visitor is let go', async () => {
    await tune({ keepaliveSeconds: 1 })
    // The default is longer than this test may take.
    const idle = () => raw('GET /idle HTTP/1.1\r\nHost: a.example\r\n\r\n')
    // The first may have been on a worker that was on its way out.
    for (const _ of [1, 2]) expect(await idle()).toContain('200 OK')
  })

  it('originIdleSeconds: an idle connection to an origin is ended', async () => {
    await tune({ originIdleSeconds: 1 })
    for (const _ of ['perhaps on a worker that was on its way out', 'on its successor']) {
      await until('a connection that stays after the answer', async () => {
        await node.get('a.example', `/origin-${randomBytes(4).toString('hex')}`)
        return originSockets.size > 0
      })
      await until('its end', () => originSockets.size === 0)
    }
  })

  it('gzipLevel: the same text takes less', async () => {
    const size = async (path: string) => {
      const ask = `GET ${path} HTTP/1.1\r\nHost: a.example\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n`
      const got = await raw(ask)
      expect(got).toContain('Content-Encoding: gzip')
      return got.length
    }
    const any = () => size(`/text-${randomBytes(4).toString('hex')}`)
    const usual = await any()
    await tune({ gzipLevel: 1 })
    await until('level 1', async () => (await any()) > usual * 1.03)
    await tune({ gzipLevel: 9 })
    await until('level 9', async () => (await any()) < usual * 0.97)
  })

  it('originRestSeconds: an origin that failed is passed over for so long', async () => {
    await tune({ originRestSeconds: 300 })
    const entry = await until('the failure', async () => {
      expect((await node.get('half.example', `/${randomBytes(4).toString('hex')}`)).body).toBe('ok')
      return dead()
    })
    expect(entry).toMatchObject({ key: '127.0.0.1:1' })
    expect(entry?.ttl).toBeGreaterThan(100)
    expect(entry?.ttl).toBeLessThanOrEqual(300)
  })

  it('logPercent: lines are left out, the counters stay whole', async () => {
    const twenty = async () => {
      for (let i = 0; i < 20; i++) expect((await node.get('counted.example', '/')).body).toBe('ok')
    }
    await tune({ logPercent: 0 })
    await twenty()
    await until('the counters', () => plane.totals(3).requests >= 20)
    await tune({ logPercent: 100 })
    await twenty()
    await until('the lines', () => plane.totals(3).requests >= 40 && plane.totals(3).lines >= 20)
    expect(plane.totals(3).requests).toBe(40)
    // None of the twenty before came with a line, however late.
    expect(plane.totals(3).lines).toBe(20)
  })
})
