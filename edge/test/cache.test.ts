import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Edge, keepAll, siteItem } from './harness.ts'
import { Origin } from './origin.ts'

describe('cache', () => {
  let edge: Edge
  let origin: Origin

  beforeAll(async () => {
    origin = await new Origin((seen, response) => response.end(`hello ${seen.path}`)).start()
    edge = await Edge.start()
    await edge.apply([Edge.allowPrivate(), siteItem(1, ['a.example'], origin.port, { cache: { rules: [keepAll(60)] } })])
  })
  afterAll(async () => {
    await edge?.destroy()
    await origin?.stop()
  })

  it('asks the origin once and answers the next request itself', async () => {
    const first = await edge.get('a.example', '/x')
    expect(first).toMatchObject({ status: 200, body: 'hello /x' })
    expect(first.headers['x-cache']).toBe('MISS')
    const second = await edge.get('a.example:8081', '/x')
    expect(second.headers['x-cache']).toBe('HIT')
    expect(origin.count('/x')).toBe(1)
  })
})
