import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EngineItem } from '@tidegate/contract/node/engine'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeCertificate } from './certificates.ts'
import { Edge, PROBE_SECRET, siteItem } from './harness.ts'
import { ask } from './http-client.ts'
import { Origin } from './origin.ts'
import { waitFor } from './wait.ts'

describe('configuration', () => {
  const origin = new Origin((seen, response) => response.end(`${seen.headers.host}`))
  const other = new Origin((_, response) => response.end('other'))
  let edge: Edge
  const bodyOf = async (host: string) => (await edge.get(host, '/')).body
  const statusOf = async (host: string) => (await edge.get(host, '/')).status
  const reasons = async (items: EngineItem[], full = false) =>
    (await edge.apply(items, full)).refused.map(({ kind, key, reason }) => `${kind} ${key} ${reason}`)

  beforeAll(async () => {
    await Promise.all([origin.start(), other.start()])
    edge = await Edge.start({ workers: 2 })
    await edge.apply([Edge.allowPrivate()])
  })
  afterAll(async () => {
    await edge?.destroy()
    await Promise.all([origin.stop(), other.stop()])
  })

  it('finds a site by its exact name before a wildcard, and by the longest wildcard', async () => {
    await edge.apply([
      siteItem(1, ['*.w.example'], origin.port, { origin: { hostHeader: 'one' } }),
      siteItem(2, ['a.w.example'], origin.port, { origin: { hostHeader: 'two' } }),
      siteItem(3, ['*.b.w.example'], origin.port, { origin: { hostHeader: 'three' } }),
    ])
    expect(await bodyOf('x.w.example')).toBe('one')
    expect(await bodyOf('a.w.example')).toBe('two')
    expect(await bodyOf('c.b.w.example')).toBe('three')
    expect(await bodyOf('d.c.w.example')).toBe('one')
    expect(await statusOf('w.example')).toBe(404)
  })

  it('is live in every worker as soon as the batch is answered', async () => {
    for (let i = 0; i < 10; i += 1) {
      expect(await statusOf(`n${i}.example`)).toBe(404)
      await edge.apply([siteItem(50 + i, [`n${i}.example`], origin.port)])
      for (let j = 0; j < 4; j += 1) expect(await statusOf(`n${i}.example`)).toBe(200)
      await edge.apply([{ kind: 'site', key: String(50 + i), body: null }])
      for (let j = 0; j < 4; j += 1) expect(await statusOf(`n${i}.example`)).toBe(404)
    }
  })

  it('refuses a bad item, keeps the version before and takes the others', async () => {
    await edge.apply([siteItem(10, ['keep.example'], origin.port)])
    const bad = siteItem(10, ['keep.example'], other.port)
    if (bad.kind === 'site') bad.body!.origin.connectTimeout = 0
    expect(await reasons([bad, siteItem(11, ['new.example'], origin.port)])).toEqual(['site 10 schema'])
    expect(await bodyOf('keep.example')).toBe('keep.example')
    expect(await statusOf('new.example')).toBe(200)
  })

  it('refuses a host that another site holds, but lets it move within a batch', async () => {
    await edge.apply([siteItem(20, ['m.example', 'n.example'], origin.port), siteItem(21, ['o.example'], other.port)])
    expect(await reasons([siteItem(21, ['o.example', 'm.example'], other.port)])).toEqual(['site 21 compile'])
    expect(await bodyOf('m.example')).toBe('m.example')
    const moved = [siteItem(21, ['o.example', 'm.example'], other.port), siteItem(20, ['n.example'], origin.port)]
    expect(await reasons(moved)).toEqual([])
    expect(await bodyOf('m.example')).toBe('other')
    expect(await bodyOf('n.example')).toBe('n.example')
  })

  it('removes what a full batch does not name', async () => {
    expect(await reasons([Edge.allowPrivate(), siteItem(30, ['only.example'], origin.port)], true)).toEqual([])
    expect(await statusOf('only.example')).toBe(200)
    expect(await statusOf('keep.example')).toBe(404)
    expect((await edge.status()).sites).toBe(1)
  })

  it('answers malformed batches with an error and changes nothing', async () => {
    const before = (await edge.status()).revision
    expect((await edge.admin('/apply', '{"revision":1,')).status).toBe(400)
    expect((await edge.admin('/apply', '{"items":[]}')).status).toBe(400)
    expect((await edge.status()).revision).toBe(before)
    const wrong = await edge.admin(
      '/apply',
      JSON.stringify({ revision: before, full: false, items: [{ kind: 'nonsense', key: 'x' }] }),
    )
    expect(JSON.parse(wrong.body).refused).toMatchObject([{ kind: 'nonsense', key: 'x', reason: 'schema' }])
  })

  it('tells the revision to a probe that knows the secret, and to no one else', async () => {
    const probe = (secret: string) =>
      ask('/', { port: edge.httpPort, headers: { Host: 'tidegate-probe.internal', 'X-Tidegate-Probe': secret } })
    expect(JSON.parse((await probe(PROBE_SECRET)).body)).toEqual({ revision: (await edge.status()).revision })
    expect((await probe('wrong')).status).toBe(404)
  })

  it('tells operators its memory and its keys', async () => {
    const status = await edge.status()
    expect(status.workers).toBe(2)
    expect(status.luaHeap).toBeGreaterThan(0)
    expect(status.dicts.tg_sites!.free).toBeLessThanOrEqual(status.dicts.tg_sites!.capacity)
  })

  it('shows what its memory holds: by prefix, page by page, with the time to live', async () => {
    await edge.apply([siteItem(31, ['p1.example', 'p2.example', 'p3.example'], origin.port)])
    const all = await edge.dict({ name: 'tg_hosts', prefix: 'p' })
    expect(all.entries).toEqual(
      ['p1.example', 'p2.example', 'p3.example'].map((key) => ({
        ...{ key, type: 'string', value: '31', size: 2, ttl: 0, secret: false },
      })),
    )
    expect(all.free).toBeLessThan(all.capacity)
    const first = await edge.dict({ name: 'tg_hosts', prefix: 'p', limit: '2' })
    expect([first.entries.map((e) => e.key), first.next]).toEqual([['p1.example', 'p2.example'], 'p2.example'])
    const second = await edge.dict({ name: 'tg_hosts', prefix: 'p', limit: '2', after: first.next })
    expect([second.entries.map((e) => e.key), second.next]).toEqual([['p3.example'], ''])
    await edge.apply([
      {
        kind: 'purge',
        key: '31 url p1.example/a',
        body: { siteId: 31, kind: 'url', value: 'p1.example/a', generation: 5 },
      },
    ])
    const [purge] = (await edge.dict({ name: 'tg_purges', key: '31 0 u p1.example/a' })).entries
    expect(purge).toMatchObject({ type: 'number', value: '5' })
    expect(purge?.ttl).toBeGreaterThan(30 * 86_400)
    expect((await edge.admin('/dict?name=nothing')).status).toBe(404)
    await edge.apply([{ kind: 'site', key: '31', body: null }])
  })

  it('never gives a private key', async () => {
    const { cert, key } = makeCertificate(['keyed.example'])
    const body = { id: 7, certPem: cert, keyPem: key, names: ['keyed.example'], notAfter: 2_000_000_000 }
    await edge.apply([{ kind: 'cert', key: '7', body }])
    const { entries } = await edge.dict({ name: 'tg_certs' })
    const held = Object.fromEntries(entries.map((e) => [e.key, e]))
    expect(held['k 7']).toMatchObject({ secret: true, value: '' })
    expect(held['k 7']?.size).toBeGreaterThan(50)
    expect(held['n keyed.example']).toMatchObject({ secret: false, value: '7' })
    const answer = (await edge.admin('/dict?name=tg_certs')).body
    const der = key.replace(/-----[^-]+-----|\s/g, '')
    expect(answer).not.toContain(der.slice(0, 40))
    expect((await edge.dict({ name: 'tg_certs', key: 'k 7' })).entries[0]).toMatchObject({ secret: true, value: '' })
    await edge.apply([{ kind: 'cert', key: '7', body: null }])
  })

  it('serves what it had after a crash of the master, with neither agent nor control plane', async () => {
    const workers = edge.workers()
    await edge.end('SIGKILL')
    await waitFor('the end of the workers', () => workers.every((pid) => !isAlive(pid)))
    appendFileSync(join(edge.dir, 'state/sites.jsonl'), 'not json\n{"kind":"site","key":"9","body":{"id":9}}\n')
    await edge.launch()
    expect(await bodyOf('only.example')).toBe('only.example')
    expect((await edge.status()).revision).toBe(edge.revision)
    expect(edge.errorLog()).toContain('sites.jsonl:2 skipped')
    expect(edge.errorLog()).toContain('sites.jsonl:3 skipped')
  })

  it('keeps what it has over a reload', async () => {
    await edge.apply([siteItem(40, ['reload.example'], origin.port)])
    const before = edge.workers()
    process.kill(edge.masterPid, 'SIGHUP')
    await waitFor('new workers', () => edge.workers().every((pid) => !before.includes(pid)))
    expect(await bodyOf('reload.example')).toBe('reload.example')
    expect(await bodyOf('only.example')).toBe('only.example')
  })

  it("gives a worker that takes a killed one's place the present configuration", async () => {
    await edge.apply([siteItem(41, ['late.example'], origin.port)])
    const before = edge.workers()
    for (const pid of before) process.kill(pid, 'SIGKILL')
    await waitFor(
      'new workers',
      () => edge.workers().length === 2 && edge.workers().every((pid) => !before.includes(pid)),
    )
    expect(await bodyOf('late.example')).toBe('late.example')
  })
})

function isAlive(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ')[2] !== 'Z'
  } catch {
    return false
  }
}
