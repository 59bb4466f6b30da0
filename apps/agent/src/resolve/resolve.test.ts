/** Origins' names and addresses: a real DNS server on loopback answers; the guard is asked with every notation. */
import { createSocket, type Socket } from 'node:dgram'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { siteBody } from '../testing/bodies.ts'
import { isPrivateAddress, mayConnect, parseAllowances } from './guard.ts'
import { createLookup } from './lookup.ts'
import { createResolver } from './resolver.ts'

/** A DNS server that answers A queries from a table, NXDOMAIN for other names, and nothing while `silent`. */
class DnsServer {
  readonly records = new Map<string, string[]>()
  silent = false
  asked = 0
  private readonly socket: Socket = createSocket('udp4')

  async start(): Promise<string> {
    this.socket.on('message', (query, peer) => {
      this.asked++
      if (!this.silent) this.socket.send(this.answer(query), peer.port, peer.address)
    })
    await new Promise<void>((resolve) => this.socket.bind(0, '127.0.0.1', resolve))
    return `127.0.0.1:${this.socket.address().port}`
  }

  stop(): void {
    this.socket.close()
  }

  private answer(query: Buffer): Buffer {
    const labels: string[] = []
    let at = 12
    for (let length = query[at]!; length > 0; length = query[at]!) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length))
      at += length + 1
    }
    const isA = query.readUInt16BE(at + 1) === 1
    const known = this.records.get(labels.join('.'))
    const addresses = isA ? (known ?? []) : []
    const head = Buffer.from(query.subarray(0, 12))
    head.writeUInt16BE(known === undefined ? 0x8183 : 0x8180, 2)
    head.writeUInt16BE(addresses.length, 6)
    head.writeUInt32BE(0, 8)
    const records = addresses.map((address) =>
      Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...address.split('.').map(Number)]),
    )
    return Buffer.concat([head, query.subarray(12, at + 5), ...records])
  }
}

let dns: DnsServer
let address: string
let now: number

beforeEach(async () => {
  dns = new DnsServer()
  address = await dns.start()
  now = 1_000_000
})
afterEach(() => dns.stop())

const noHosts = { find: async () => [] }
const make = () => createResolver(createLookup(noHosts, [address]), () => now)
const open = parseAllowances([])

describe('names of origins', () => {
  it('gives all addresses, remembers them, and asks again after a minute', async () => {
    dns.records.set('o.example', ['9.9.9.9', '8.8.8.8'])
    const resolver = make()
    const site = siteBody(1, 'a.example', { host: 'o.example', port: 80 })
    await resolver.refresh(['o.example'], 5_000)
    expect(resolver.locate(site, open).addresses).toEqual([['8.8.8.8', '9.9.9.9']])
    const asked = dns.asked
    await resolver.refresh(['o.example'], 5_000)
    expect(dns.asked).toBe(asked)
    dns.records.set('o.example', ['1.1.1.1'])
    now += 61_000
    await resolver.refresh(['o.example'], 5_000)
    expect(resolver.locate(site, open).addresses).toEqual([['1.1.1.1']])
  })

  it('keeps the last good addresses when the name cannot be resolved any more', async () => {
    dns.records.set('o.example', ['8.8.8.8'])
    const resolver = make()
    await resolver.refresh(['o.example'], 5_000)
    dns.records.delete('o.example')
    now += 61_000
    await resolver.refresh(['o.example'], 5_000)
    expect(resolver.locate(siteBody(1, 'a', { host: 'o.example', port: 80 }), open).addresses).toEqual([['8.8.8.8']])
  })

  it('does not hold a change up for a name server that is silent', async () => {
    dns.silent = true
    const resolver = make()
    const begun = performance.now()
    await resolver.refresh(['o.example'], 100)
    expect(performance.now() - begun).toBeLessThan(1_000)
    const located = resolver.locate(siteBody(1, 'a', { host: 'o.example', port: 80 }), open)
    expect(located).toMatchObject({ addresses: [[]], unresolved: ['o.example'] })
  })

  it('drops the private addresses that a public name gives, and says so', async () => {
    dns.records.set('o.example', ['10.0.0.1', '8.8.8.8'])
    const resolver = make()
    await resolver.refresh(['o.example'], 5_000)
    const site = siteBody(1, 'a', { host: 'o.example', port: 80 })
    expect(resolver.locate(site, open)).toMatchObject({ addresses: [['8.8.8.8']], privateNames: ['o.example'] })
    expect(resolver.locate(site, parseAllowances(['10.0.0.0/8'])).addresses).toEqual([['10.0.0.1', '8.8.8.8']])
  })
})

describe('the guard of private origins', () => {
  it('knows private addresses in every notation', () => {
    const hidden = [
      '127.0.0.1',
      '10.1.2.3',
      '192.168.1.1',
      '172.31.0.1',
      '169.254.169.254',
      '100.64.0.1',
      '0.0.0.0',
      '192.0.0.8',
      '224.0.0.1',
    ]
    const six = [
      '::1',
      '::',
      'fe80::1',
      'fd00::1',
      '::ffff:127.0.0.1',
      '::ffff:7f00:1',
      '::127.0.0.1',
      '::ffff:0:127.0.0.1',
      '64:ff9b:1::7f00:1',
      'fec0::1',
      '2001::1',
      'ff02::1',
      '64:ff9b::7f00:1',
      '2002:7f00:1::',
    ]
    for (const one of [...hidden, ...six, 'not an address']) expect(isPrivateAddress(one), one).toBe(true)
    for (const one of ['8.8.8.8', '2606:4700::1111', '::ffff:8.8.8.8']) expect(isPrivateAddress(one), one).toBe(false)
  })

  it('allows host:port only for every port in use, and CIDR for every port', () => {
    const site = siteBody(1, 'a', { host: '127.0.0.1', port: 8099 })
    const server = site.origin.servers[0]!
    const asked = (list: string[], body = site) => mayConnect(parseAllowances(list), body, server, '127.0.0.1')
    expect(asked(['127.0.0.1:8099'])).toBe(true)
    expect(asked(['127.0.0.1:8098'])).toBe(false)
    expect(asked(['127.0.0.0/8'])).toBe(true)
    expect(asked(['*'])).toBe(true)
    expect(asked(['127.0.0.1', '::ffff:127.0.0.1/128'])).toBe(false)
    const follow = { ...site, origin: { ...site.origin, protocol: 'follow' as const } }
    expect(asked(['127.0.0.1:8099'], follow)).toBe(false)
    expect(asked(['127.0.0.1:8099', '127.0.0.1:443'], follow)).toBe(true)
  })
})
