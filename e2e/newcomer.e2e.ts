/** A newcomer's first hour, without the browser: from the first start to figures on the overview, and the second start. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeCertificate } from './lib/certificate.ts'
import { type Origin, startOrigin } from './lib/origin.ts'
import { waitFor } from './lib/wait.ts'
import { Stack } from './stack.ts'

const DOMAIN = 'shop.newcomer.test'
const OTHER = 'other.newcomer.test'
const CACHE = 'x-cache'

let stack: Stack
let origin: Origin
let second: Origin
let siteId = 0
/** Requests that the edge answered, as counted here. */
let sent = 0

const ask = async (host: string, options?: Parameters<Stack['visit']>[1]) => {
  sent++
  return await stack.visit(host, options)
}

beforeAll(async () => {
  origin = await startOrigin('first')
  second = await startOrigin('second')
  stack = await Stack.start()
})
afterAll(async () => {
  await stack?.destroy()
  await origin?.close()
  await second?.close()
})

describe('a newcomer', () => {
  it('finds the node enrolled by itself and green [N12]', async () => {
    const node = await stack.untilGreen()
    expect(node).toMatchObject({ name: 'local', state: 'online', engineUp: true, refusedNow: 0 })
    expect(node.httpPort).toBe(stack.node.httpPort)
  })

  it('is told which field is wrong, in their own language [S5.7]', async () => {
    const bad = { domains: ['shop..test'], originProtocol: 'http' as const, origins: [{ host: origin.host, port: 80 }] }
    const faults = async (lang: 'zh' | 'en') =>
      await stack.api.call('site.save', bad, lang).catch((error: { status: number; body: unknown }) => error)
    expect(await faults('zh')).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'domains.0', msg: expect.stringContaining('域名格式错误') }] },
    })
    expect(await faults('en')).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'domains.0', msg: expect.stringContaining('domain format error') }] },
    })
  })

  it('saves a site and sees the node acknowledge it with version and duration [N1 S7.17]', async () => {
    const saved = await stack.saveSite(DOMAIN, origin)
    siteId = saved.id
    const push = await stack.pushed(saved.push)
    expect(push.state).toBe('done')
    expect(push.feedback).toHaveLength(1)
    const [answer] = push.feedback
    expect(answer).toMatchObject({ nodeName: 'local', state: 'done', probed: true, refused: [] })
    expect(answer?.appliedRevision).toBeGreaterThanOrEqual(saved.push.revision)
    expect(answer?.totalMs).toBeGreaterThan(0)
    expect(answer?.totalMs).toBeLessThan(5_000)
  })

  it('counts no push as outstanding then [S7.24]', async () => {
    expect(await stack.api.call('push.status', { type: 1 })).toMatchObject({ task_size: 0, refused_size: 0 })
  })

  it('gets the page from the origin once, then from the cache [N1]', async () => {
    const first = await ask(DOMAIN, { path: '/page?x=1' })
    expect(first.status).toBe(200)
    expect(first.headers[CACHE]).toBe('MISS')
    expect(first.body).toBe(`first ${DOMAIN} /page?x=1\n`)
    const again = await ask(DOMAIN, { path: '/page?x=1' })
    expect(again.headers[CACHE]).toBe('HIT')
    expect(again.body).toBe(first.body)
    expect(origin.served('/page?x=1')).toBe(1)
  })

  it.each([
    ['url', `http://${DOMAIN}/page?x=1`],
    ['site', `http://${DOMAIN}`],
  ] as const)('cleans the cache by %s, with the acknowledgement of the node [N4]', async (kind, entry) => {
    const before = origin.served('/page?x=1')
    expect((await ask(DOMAIN, { path: '/page?x=1' })).headers[CACHE]).toBe('HIT')
    const { id } = await stack.api.call('cache.purge', { kind, entries: [entry] })
    const task = await waitFor(
      async () => {
        const { data } = await stack.api.call('cache.task', { id })
        return data.state !== 'pending' && data
      },
      `the node's answer to the purge`,
      10_000,
    )
    expect(task).toMatchObject({
      state: 'done',
      nodes: 1,
      nodesDone: 1,
      feedback: [{ nodeName: 'local', state: 'done' }],
    })
    expect((await ask(DOMAIN, { path: '/page?x=1' })).headers[CACHE]).toBe('MISS')
    expect(origin.served('/page?x=1')).toBe(before + 1)
  })

  it('never shows one site under the name of another, nor any under an unknown name [N1]', async () => {
    const saved = await stack.saveSite(OTHER, second)
    expect((await stack.pushed(saved.push)).state).toBe('done')
    const other = await ask(OTHER, { path: '/page?x=1' })
    expect(other.headers[CACHE]).toBe('MISS')
    expect(other.body).toBe(`second ${OTHER} /page?x=1\n`)
    for (const host of ['nobody.test', `x.${DOMAIN}`, `${DOMAIN}.test`, '127.0.0.1']) {
      const unknown = await ask(host)
      expect(unknown.status, host).toBe(404)
      expect(unknown.headers['x-origin'], host).toBeUndefined()
      expect(unknown.headers['x-request-id'], host).toMatch(/^[0-9a-f]{32}$/)
      expect(unknown.body, host).toContain(String(unknown.headers['x-request-id']))
    }
  })

  it('uploads a certificate, which the node shows to who asks for that name [N1]', async () => {
    const { certPem, keyPem, fingerprint } = await makeCertificate([DOMAIN])
    const { id: certId } = await stack.api.call('cert.save', { certPem, keyPem })
    const saved = await stack.saveSite(DOMAIN, origin, { id: siteId, settings: { certId } })
    expect((await stack.pushed(saved.push)).state).toBe('done')
    const shown = await ask(DOMAIN, { tls: true, path: '/tls' })
    expect(shown.fingerprint).toBe(fingerprint)
    expect(shown.body).toBe(`first ${DOMAIN} /tls\n`)
    const elsewhere = await ask(OTHER, { tls: true, path: '/tls' })
    expect(elsewhere.fingerprint).not.toBe(fingerprint)
    expect(elsewhere.body).toBe(`second ${OTHER} /tls\n`)
  })

  it('sees on the overview within seconds exactly the requests that were made [N10]', async () => {
    const figures = await waitFor(
      async () => {
        const found = await stack.figures()
        return found.total.requests >= sent && found
      },
      () => `${sent} requests on the overview`,
      20_000,
    )
    expect(figures.total.requests).toBe(sent)
    expect(figures.total.s4xx).toBe(4)
    expect(figures.total.requests - figures.total.s4xx).toBe(figures.total.s2xx)
    expect(figures.total.hits).toBe(3)
    expect(figures.topSites.map(({ domain }) => domain).sort()).toEqual([OTHER, DOMAIN].sort())
  })

  it('moves the site to another origin, and back to the old version [N1 N2]', async () => {
    const master = stack.process('master')
    const workers = stack.processes('worker').map(({ pid }) => pid)
    const { data: before } = await stack.api.call('site.info', { id: siteId })
    const moved = await stack.saveSite(DOMAIN, second, { id: siteId, settings: { certId: before.certId } })
    expect((await stack.pushed(moved.push)).state).toBe('done')
    expect((await ask(DOMAIN, { path: '/moved' })).body).toBe(`second ${DOMAIN} /moved\n`)
    const back = await stack.api.call('site.rollback', { id: siteId, version: before.version })
    expect(back.version).toBeGreaterThan(moved.version)
    expect((await stack.pushed(back.push)).state).toBe('done')
    expect((await ask(DOMAIN, { path: '/back' })).body).toBe(`first ${DOMAIN} /back\n`)
    // Nothing of all this needed a reload.
    expect(stack.process('master')).toEqual(master)
    expect(stack.processes('worker').map(({ pid }) => pid)).toEqual(workers)
  })

  it('stops every process with Ctrl-C, and starts again quickly with everything still there', async () => {
    const running = stack.everyProcess()
    expect(running.length).toBeGreaterThan(6)
    await stack.interrupt()
    expect(stack.everyProcess()).toEqual([])
    const started = await stack.launch()
    // The aim is five seconds on a quiet machine; one that is busy with other tests takes longer.
    expect(started).toBeLessThan(30_000)
    await stack.untilGreen()
    const { data } = await stack.api.call('site.list', {})
    expect(data.list.flatMap((site) => site.domains).sort()).toEqual([OTHER, DOMAIN].sort())
    const cached = await ask(DOMAIN, { path: '/back' })
    expect(cached.body).toBe(`first ${DOMAIN} /back\n`)
    expect(cached.headers[CACHE]).toBe('HIT')
    const figures = await waitFor(
      async () => {
        const found = await stack.figures()
        return found.total.requests >= sent && found
      },
      () => `${sent} requests on the overview`,
      20_000,
    )
    expect(figures.total.requests).toBe(sent)
  })
})
