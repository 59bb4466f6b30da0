import type { EngineItem } from '@tidegate/contract/node/engine'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeCertificate } from './certificates.ts'
import { Edge, siteItem } from './harness.ts'
import { Origin } from './origin.ts'

function certItem(key: string, names: string[], over: { key?: string; cert?: string } = {}): EngineItem {
  const made = makeCertificate(names)
  const notAfter = Math.floor(Date.now() / 1000) + 86_400
  const body = { id: Number(key), certPem: over.cert ?? made.cert, keyPem: over.key ?? made.key, names, notAfter }
  return { kind: 'cert', key, body }
}

describe('TLS', () => {
  const origin = new Origin((_, response) => response.end('ok'))
  let edge: Edge
  const nameOf = async (servername: string) => (await edge.get(servername, '/', { tls: true, servername })).certificate

  beforeAll(async () => {
    await origin.start()
    edge = await Edge.start({ workers: 2 })
    await edge.apply([
      Edge.allowPrivate(),
      certItem('1', ['own.example']),
      certItem('2', ['*.wild.example', 'wild.example']),
      siteItem(1, ['own.example'], origin.port, { https: { cert: '1' } }),
      siteItem(2, ['a.wild.example', '*.deep.wild.example'], origin.port),
      siteItem(3, ['plain.example'], origin.port),
      siteItem(4, ['go.example', '*.go.example'], origin.port, {
        https: { cert: '', redirect: true, redirectStatus: 308, hstsMaxAge: 300 },
      }),
    ])
  })
  afterAll(async () => {
    await edge?.destroy()
    await origin.stop()
  })

  it('shows the certificate of the name that is asked for, exact or by wildcard, else the default one', async () => {
    expect(await nameOf('own.example')).toBe('own.example')
    expect(await nameOf('a.wild.example')).toBe('*.wild.example')
    expect(await nameOf('x.deep.wild.example')).toBe('default.invalid')
    expect(await nameOf('plain.example')).toBe('default.invalid')
  })

  it('shows a new certificate from the next handshake on, and none that was removed', async () => {
    await edge.apply([certItem('3', ['plain.example'])])
    expect(await nameOf('plain.example')).toBe('plain.example')
    await edge.apply([{ kind: 'cert', key: '3', body: null }])
    expect(await nameOf('plain.example')).toBe('default.invalid')
  })

  it('refuses a certificate that does not parse or whose key is another one, and keeps the version before', async () => {
    const refusals = async (item: EngineItem) => (await edge.apply([item])).refused.map((refusal) => refusal.reason)
    expect(await refusals(certItem('1', ['own.example'], { key: makeCertificate(['other.example']).key }))).toEqual([
      'certificate',
    ])
    expect(await refusals(certItem('1', ['own.example'], { cert: 'nonsense' }))).toEqual(['certificate'])
    expect(await nameOf('own.example')).toBe('own.example')
  })

  it('sends visitors from http to https, the way the site says, and asks browsers to stay', async () => {
    const answer = await edge.get('x.go.example', '/p?q=1')
    expect(answer.status).toBe(308)
    expect(answer.headers.location).toBe(`https://x.go.example:${edge.httpsPort}/p?q=1`)
    const secure = await edge.get('x.go.example', '/p', { tls: true, servername: 'x.go.example' })
    expect(secure.headers['strict-transport-security']).toBe('max-age=300')
    expect((await edge.get('plain.example', '/', { tls: true })).headers['strict-transport-security']).toBeUndefined()
  })

  it('has its certificates again after a restart', async () => {
    await edge.end('SIGTERM')
    await edge.launch()
    expect(await nameOf('own.example')).toBe('own.example')
    expect(await nameOf('a.wild.example')).toBe('*.wild.example')
  })
})
