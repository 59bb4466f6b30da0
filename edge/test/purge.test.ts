import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Edge, keepAll, purgeItem, siteItem } from './harness.ts'
import { Origin } from './origin.ts'

describe('purge', () => {
  const origin = new Origin((seen, response) => {
    if (seen.path.startsWith('/vary')) response.setHeader('Vary', 'Accept-Language')
    response.end(seen.path)
  })
  let edge: Edge
  const cacheOf = async (host: string, path: string, headers: Record<string, string> = {}) =>
    (await edge.get(host, path, { headers })).headers['x-cache']
  const warm = async (host: string, ...paths: string[]) => {
    for (const path of paths) {
      await cacheOf(host, path)
      expect(await cacheOf(host, path), path).toBe('HIT')
    }
  }

  beforeAll(async () => {
    await origin.start()
    edge = await Edge.start({ workers: 2 })
    const cache = { rules: [keepAll(600)] }
    await edge.apply([
      Edge.allowPrivate(),
      siteItem(1, ['a.example', 'b.example'], origin.port, { cache }),
      siteItem(2, ['c.example'], origin.port, { cache: { ...cache, ignoreQuery: true } }),
    ])
  })
  afterAll(async () => {
    await edge?.destroy()
    await origin.stop()
  })

  it('purges a URL, all its variants and nothing else', async () => {
    await warm('a.example', '/u?x=1', '/u?x=2')
    for (const language of ['de', 'fr']) await cacheOf('a.example', '/vary', { 'Accept-Language': language })
    const { refused } = await edge.apply([
      purgeItem(1, 'url', 'A.example:80/u?x=1', 10),
      purgeItem(1, 'url', 'a.example/vary', 11),
    ])
    expect(refused).toEqual([])
    expect(await cacheOf('a.example', '/u?x=1')).toBe('MISS')
    expect(await cacheOf('a.example', '/u?x=2')).toBe('HIT')
    for (const language of ['de', 'fr']) {
      expect(await cacheOf('a.example', '/vary', { 'Accept-Language': language })).toBe('MISS')
    }
  })

  it('purges a directory with all below it, however the path is written', async () => {
    await warm('a.example', '/d%20e/x', '/d%20e/f/g', '/de/x')
    await edge.apply([purgeItem(1, 'dir', 'a.example/d e/', 20)])
    expect(await cacheOf('a.example', '/d%20e/x')).toBe('MISS')
    expect(await cacheOf('a.example', '/d%20e/f/g')).toBe('MISS')
    expect(await cacheOf('a.example', '/de/x')).toBe('HIT')
  })

  it('purges a site on all its hosts and no other site', async () => {
    await warm('a.example', '/s')
    await warm('b.example', '/s')
    await warm('c.example', '/s')
    await edge.apply([purgeItem(1, 'site', '', 30)])
    expect(await cacheOf('a.example', '/s')).toBe('MISS')
    expect(await cacheOf('b.example', '/s')).toBe('MISS')
    expect(await cacheOf('c.example', '/s')).toBe('HIT')
    expect(await cacheOf('a.example', '/s')).toBe('HIT')
  })

  it('purges a URL with a query on a site that ignores queries', async () => {
    await warm('c.example', '/q?x=1')
    await edge.apply([purgeItem(2, 'url', 'c.example/q?x=9', 31)])
    expect(await cacheOf('c.example', '/q')).toBe('MISS')
  })

  it('takes a purge that is older than one in force without bringing anything back', async () => {
    await warm('a.example', '/old')
    await edge.apply([purgeItem(1, 'site', '', 40)])
    await cacheOf('a.example', '/old')
    await edge.apply([purgeItem(1, 'site', '', 35), purgeItem(1, 'url', 'a.example/old', 36)])
    expect(await cacheOf('a.example', '/old')).toBe('HIT')
  })

  it('keeps purged copies purged after a restart, and kept ones kept', async () => {
    await warm('a.example', '/r1', '/r2', '/r3')
    await edge.apply([purgeItem(1, 'url', 'a.example/r1', 50)])
    await edge.get('a.example', '/r3', { method: 'DELETE' })
    await edge.end('SIGQUIT')
    await edge.launch()
    expect(await cacheOf('a.example', '/r1')).toBe('MISS')
    expect(await cacheOf('a.example', '/r2')).toBe('HIT')
    expect(await cacheOf('a.example', '/r3')).toBe('MISS')
  })

  it('serves no copy of before when the journal of purges is lost', async () => {
    await warm('a.example', '/j')
    await edge.end('SIGQUIT')
    rmSync(join(edge.dir, 'state/purges.jsonl'))
    await edge.launch()
    expect(await cacheOf('a.example', '/j')).toBe('MISS')
    await edge.apply([purgeItem(1, 'site', '', 60)])
    await warm('a.example', '/j')
    await edge.end('SIGQUIT')
    await edge.launch()
    expect(await cacheOf('a.example', '/j')).toBe('HIT')
  })
})
