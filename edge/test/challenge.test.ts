/** Answers to the challenges of certificate authorities, and what happens to tokens that are not ours. */
import type { EngineItem } from '@tidegate/contract/node/engine'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Edge, keepAll, siteItem } from './harness.ts'
import { Origin } from './origin.ts'

const PATH = '/.well-known/acme-challenge/'
const later = () => Math.floor(Date.now() / 1000) + 600

const challenge = (host: string, token: string, expires = later()): EngineItem => ({
  kind: 'challenge',
  key: `${host} ${token}`,
  body: { host, token, keyAuthorization: `${token}.thumb_print-1`, expires },
})

describe('challenges of certificate authorities', () => {
  let served = 0
  const origin = new Origin(({ path }, response) => {
    served += 1
    response.end(`origin ${path} ${served}`)
  })
  let edge: Edge
  beforeAll(async () => {
    await origin.start()
    edge = await Edge.start({ workers: 2 })
    await edge.apply([
      Edge.allowPrivate(),
      siteItem(1, ['plain.example', '*.wild.example'], origin.port, { cache: { rules: [keepAll(60)] } }),
      siteItem(2, ['forced.example'], origin.port, {
        https: { cert: '', redirect: true, redirectStatus: 308, hstsMaxAge: 300 },
      }),
      siteItem(3, ['paused.example'], origin.port, { enabled: false }),
      challenge('plain.example', 'tok-1'),
      challenge('a.wild.example', 'tok-1'),
      challenge('forced.example', 'tok-1'),
      challenge('paused.example', 'tok-1'),
    ])
  })
  afterAll(async () => {
    await edge?.destroy()
    await origin.stop()
  })

  it.each([
    ['plain.example', 'of a site on its short way'],
    ['a.wild.example', 'of a name that a wildcard covers'],
    ['forced.example', 'of a site that forces https'],
    ['paused.example', 'of a site that is off'],
  ])('are answered for %s, %s, in plain text and without the origin', async (host) => {
    // The site is on its short way by then.
    await edge.get(host, '/')
    const before = origin.seen.length
    const answer = await edge.get(host, `${PATH}tok-1`)
    expect(answer).toMatchObject({ status: 200, body: 'tok-1.thumb_print-1' })
    expect(answer.headers['content-type']).toBe('text/plain')
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(origin.seen.length).toBe(before)
  })

  it('are answered under the names and ways that clients may write, and for HEAD without a body', async () => {
    for (const path of [`/%2ewell-known/acme-challenge/tok-1`, `/${PATH}tok-1`, `${PATH}tok-1?x=1`])
      expect((await edge.get('plain.example', path)).body, path).toBe('tok-1.thumb_print-1')
    expect((await edge.get('Plain.Example:80', `${PATH}tok-1`)).body).toBe('tok-1.thumb_print-1')
    expect(await edge.get('plain.example', `${PATH}tok-1`, { method: 'HEAD' })).toMatchObject({ status: 200, body: '' })
  })

  it('go to the origin when the token is not ours for this host, each time anew', async () => {
    const first = await edge.get('plain.example', `${PATH}tok-2`)
    expect(first.body).toContain(`origin ${PATH}tok-2`)
    expect((await edge.get('plain.example', `${PATH}tok-2`)).body).not.toBe(first.body)
    expect((await edge.get('b.wild.example', `${PATH}tok-1`)).body).toContain('origin')
    expect((await edge.get('plain.example', `${PATH}tok-1/more`)).body).toContain('origin')
    // As every request of a site that forces https.
    expect((await edge.get('forced.example', `${PATH}tok-2`)).status).toBe(308)
    expect((await edge.get('paused.example', `${PATH}tok-2`)).status).toBe(503)
    expect((await edge.get('nowhere.example', `${PATH}tok-1`)).status).toBe(404)
  })

  it('end with their removal, and by themselves when their time is over', async () => {
    await edge.apply([challenge('plain.example', 'tok-3'), challenge('plain.example', 'tok-4', 1_000)])
    expect((await edge.get('plain.example', `${PATH}tok-3`)).body).toBe('tok-3.thumb_print-1')
    expect((await edge.get('plain.example', `${PATH}tok-4`)).body).toContain('origin')
    await edge.apply([{ kind: 'challenge', key: 'plain.example tok-3', body: null }])
    expect((await edge.get('plain.example', `${PATH}tok-3`)).body).toContain('origin')
  })

  it('are refused when they could be anything else, and the others of the batch are taken', async () => {
    const bad = challenge('plain.example', 'tok-5')
    const { refused } = await edge.apply([
      { ...bad, key: 'other.example tok-5' } as EngineItem,
      challenge('plain.example', '../x'),
      challenge('plain.example', 'tok-6'),
    ])
    expect(refused.map(({ key, reason }) => `${key} ${reason}`)).toEqual([
      'other.example tok-5 schema',
      'plain.example ../x schema',
    ])
    expect((await edge.get('plain.example', `${PATH}tok-6`)).body).toBe('tok-6.thumb_print-1')
  })

  it('are there again after the engine was killed', async () => {
    await edge.end('SIGKILL')
    await edge.launch()
    expect((await edge.get('forced.example', `${PATH}tok-1`)).body).toBe('tok-1.thumb_print-1')
    expect((await edge.get('plain.example', `${PATH}tok-3`)).body).toContain('origin')
  })
})
