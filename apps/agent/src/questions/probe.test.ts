/** An operator's request to the web, against real servers. */
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer as createNetServer, type Server, type Socket } from 'node:net'
import { freePorts } from '@tidegate/testkit/ports'
import { afterEach, describe, expect, it } from 'vitest'
import { selfSignedCertificate } from '../identity/keys.ts'
import { parseAllowances } from '../resolve/guard.ts'
import { prober } from './probe.ts'

const running: Server[] = []
const open = new Set<Socket>()
afterEach(async () => {
  for (const server of running.splice(0)) {
    const closed = new Promise((resolve) => server.close(resolve))
    for (const socket of open) socket.destroy()
    await closed
  }
})
const listening = async (server: Server): Promise<number> => {
  running.push(server)
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}
const http = (listener: RequestListener) => listening(createServer(listener))

const own = { host: '127.0.0.1', ports: { httpPort: 0, httpsPort: 0 } }
const probing = (allowed: string[] = ['*'], more: Partial<Parameters<typeof prober>[0]> = {}) =>
  prober({ allowed: () => parseAllowances(allowed), lookup: async () => ['127.0.0.1'], own, ...more })
const get = (url: string, more: object = {}) => ({ url, method: 'GET' as const, way: 'net' as const, ...more })

describe('a request of an operator', () => {
  it('shows status, headers as they came, the beginning of a text, and the time of each part', async () => {
    const port = await http((request, response) => {
      response.writeHead(418, 'Teapot', [
        ['X-Asked', `${request.method} ${request.url} ${request.headers.host}`],
        ['Set-Cookie', 'a=1'],
        ['set-cookie', 'b=2'],
        ['Content-Type', 'text/plain'],
      ])
      response.end('x'.repeat(5_000))
    })
    const answer = await probing()(get(`http://shop.example:${port}/a?b=c`))
    expect(answer).toMatchObject({
      ...{
        fault: null,
        address: '127.0.0.1',
        port,
        status: 418,
        reason: 'Teapot',
        tls: null,
        bytes: 5_000,
        cut: false,
      },
      text: 'x'.repeat(2_000),
    })
    expect(answer.headers.slice(0, 3)).toEqual([
      ['X-Asked', `GET /a?b=c shop.example:${port}`],
      ['Set-Cookie', 'a=1'],
      ['set-cookie', 'b=2'],
    ])
    const { lookup, connect, tls, first, total } = answer.times
    expect([lookup, connect, first, total].map((time) => typeof time)).toEqual(Array(4).fill('number'))
    expect(tls).toBeNull()
  })

  it('follows no redirect, shows no bytes that are no text, and reads no more than a megabyte', async () => {
    const port = await http((request, response) => {
      if (request.url === '/moved') response.writeHead(302, { location: '/big' }).end()
      else {
        response.writeHead(200, { 'content-type': 'image/png' })
        const write = () => response.write(Buffer.alloc(65_536), () => !response.destroyed && write())
        write()
      }
    })
    const moved = await probing()(get(`http://a.example:${port}/moved`))
    expect([moved.status, moved.headers.find(([name]) => name === 'location')?.[1]]).toEqual([302, '/big'])
    const big = await probing()(get(`http://a.example:${port}/big`))
    expect(big).toMatchObject({ fault: null, cut: true, text: '' })
    expect(big.bytes).toBeGreaterThan(1_048_576)
    const head = await probing()(get(`http://a.example:${port}/moved`, { method: 'HEAD' }))
    expect(head).toMatchObject({ status: 302, bytes: 0 })
  })

  it('shows the certificate for the name that was asked for, and what is wrong with it', async () => {
    const { certPem: cert, keyPem: key } = await selfSignedCertificate()
    const port = await listening(createTlsServer({ cert, key }, (_, response) => response.end('ok')))
    const { tls, times, status } = await probing()(get(`https://shop.example:${port}/`))
    expect(status).toBe(200)
    expect(tls).toMatchObject({ protocol: 'TLSv1.3', subject: 'CN=tidegate default', issuer: 'CN=tidegate default' })
    expect(tls?.problem).toBe('DEPTH_ZERO_SELF_SIGNED_CERT')
    expect(Date.parse(tls?.notAfter ?? '')).toBeGreaterThan(Date.now())
    expect(times.tls).toBeGreaterThan(0)
  })

  it('says why nothing came: nobody there, no TLS, nonsense, a cut connection, silence, no such name', async () => {
    const [closed = 0] = await freePorts(1)
    const plain = await http((_, response) => response.end())
    const odd = await listening(createNetServer((socket) => void socket.on('error', () => {}).end('HELLO\r\n\r\n')))
    const cut = await listening(createNetServer((socket) => void socket.on('error', () => {}).resetAndDestroy()))
    const silent = await listening(createNetServer((socket) => void socket.on('error', () => {}).resume()))
    const fault = async (url: string, more: object = {}) => (await probing(['*'], more)(get(url))).fault
    expect(await fault(`http://a.example:${closed}/`)).toBe('refused')
    expect(await fault(`https://a.example:${plain}/`)).toBe('tls')
    expect(await fault(`http://a.example:${odd}/`)).toBe('malformed')
    expect(await fault(`http://a.example:${cut}/`)).toBe('reset')
    expect(await fault(`http://a.example:${silent}/`, { limitMs: 100 })).toBe('timeout')
    const unknown = async () => {
      throw Object.assign(new Error('queryA ENOTFOUND'), { code: 'ENOTFOUND' })
    }
    expect(await fault('http://gone.example/', { lookup: unknown })).toBe('unresolved')
  })

  it.each([
    ['http://127.0.0.1/', []],
    ['http://[::1]/', []],
    ['http://169.254.169.254/latest/meta-data', ['127.0.0.0/8']],
    ['http://name-of-a-private-address.example/', ['127.0.0.1:8080']],
  ])('goes to no private address that the group does not allow: %s', async (url, allowed) => {
    await expect(probing(allowed)(get(url))).rejects.toMatchObject({ fault: 'private' })
  })

  it('goes to the node’s own edge with the name of the address, whatever that resolves to', async () => {
    const httpPort = await http((request, response) => response.end(`for ${request.headers.host}`))
    const edge = { host: '127.0.0.1', ports: { httpPort, httpsPort: 0 } }
    const lookup = async () => {
      throw new Error('not asked')
    }
    const answer = await probing([], { own: edge, lookup })(get('http://shop.example/', { way: 'edge' }))
    expect(answer).toMatchObject({ status: 200, port: httpPort, times: { lookup: null } })
  })
})
