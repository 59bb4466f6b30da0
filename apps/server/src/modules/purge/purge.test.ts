import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openPlane, type TestPlane, until } from '../../testing/plane.ts'

describe('cache cleanup', () => {
  let plane: TestPlane
  let site: { id: number }
  let wild: { id: number }
  beforeAll(async () => {
    plane = await openPlane()
    site = await plane.save({ domains: ['www.p.example'] })
    wild = await plane.save({ domains: ['*.w.example'] })
  })
  beforeEach(async () => {
    await plane.query('DELETE FROM purge_task')
  })
  afterAll(() => plane.close())
  const purge = (kind: 'site' | 'url' | 'dir', ...entries: string[]) => plane.run('cache.purge', { kind, entries })
  const stored = (id: number) =>
    plane.query<{ kind: string; value: string; generation: number }>(
      'SELECT kind, value, generation FROM purge_row WHERE site_id = $1 ORDER BY kind, value',
      [id],
    )

  it('travels to the nodes as a rising generation, and each node answers for it [N4]', async () => {
    const node = await plane.enroll('p1')
    const start = await node.pull(0)
    await node.ack({ scope: 'group:1', revision: start.revision })
    const { id } = await purge('url', 'http://www.p.example/a?b=1#c', 'https://www.p.example/')
    const before = (await plane.run('cache.task', { id })).data
    expect(before).toMatchObject({ kind: 'url', state: 'pending', nodes: 1, nodesDone: 0, totalMs: -1, by: 'admin' })
    const delta = await until(async () => {
      const got = await node.pull(start.revision)
      return got.revision > start.revision && got
    })
    const bodies = delta.resources.map((r) => r.body as { value: string; generation: number })
    expect(delta.resources.map((r) => r.key).sort()).toEqual([
      `${site.id} url www.p.example/`,
      `${site.id} url www.p.example/a?b=1`,
    ])
    expect(bodies[0]?.generation).toBe(bodies[1]?.generation)
    await node.ack({ scope: 'group:1', revision: delta.revision })
    const after = (await plane.run('cache.task', { id })).data
    expect(after).toMatchObject({
      state: 'done',
      nodes: 1,
      nodesDone: 1,
      feedback: [{ nodeName: 'p1', state: 'done' }],
    })
    expect(after.totalMs).toBeGreaterThan(0)
    expect((await plane.run('cache.list', { page: 1, limit: 20 })).data.list.map((t) => [t.id, t.state])).toEqual([
      [id, 'done'],
    ])
    await plane.run('node.revoke', { id: node.id })
    node.close()
  })

  it('says the same in the list as in the detail, whatever the nodes answered', async () => {
    const [a, b] = [await plane.enroll('l1'), await plane.enroll('l2')]
    const summary = async (id: number) => {
      const { feedback, ...detail } = (await plane.run('cache.task', { id })).data
      const listed = (await plane.run('cache.list', { page: 1, limit: 20 })).data.list.find((t) => t.id === id)
      expect(listed).toEqual(detail)
      expect(feedback).toHaveLength(detail.nodes)
      return [detail.state, detail.nodes, detail.nodesDone]
    }
    const published = (node: typeof a, since: number) =>
      until(async () => {
        const got = await node.pull(since)
        return got.revision > since && got
      })
    const { revision: start } = await a.pull(0)
    await b.pull(0)
    const { id } = await purge('url', 'http://www.p.example/listed')
    expect(await summary(id)).toEqual(['pending', 2, 0])
    const { revision } = await published(a, start)
    await a.ack({ scope: 'group:1', revision })
    expect(await summary(id)).toEqual(['pending', 2, 1])
    await b.pull(start)
    await b.ack({ scope: 'group:1', revision: start, tried: revision, ok: false, error: 'disk full' })
    expect(await summary(id)).toEqual(['failed', 2, 1])
    await b.ack({ scope: 'group:1', revision })
    expect(await summary(id)).toEqual(['done', 2, 2])
    for (const node of [a, b]) {
      await plane.run('node.revoke', { id: node.id })
      node.close()
    }
    expect(await summary(id)).toEqual(['done', 0, 0])
    await plane.query('DELETE FROM config_revision')
    expect(await summary(id)).toEqual(['done', 0, 0])
  })

  it('of a whole site makes its single entries needless and outlives them in generation', async () => {
    await purge('dir', 'http://www.p.example/img/')
    const old = await stored(site.id)
    expect(old.map((r) => r.kind)).toContain('dir')
    await purge('site', 'https://www.p.example')
    const now = await stored(site.id)
    expect(now).toEqual([{ kind: 'site', value: '', generation: expect.any(Number) }])
    expect(now[0]!.generation).toBeGreaterThan(Math.max(...old.map((r) => r.generation)))
  })

  it('finds wildcard sites and keeps the host that was typed', async () => {
    await purge('url', 'http://deep.er.w.example/x')
    expect((await stored(wild.id)).map((r) => r.value)).toEqual(['deep.er.w.example/x'])
  })

  it("refuses names that are nobody's site, naming the entry [S5.14]", async () => {
    await expect(purge('url', 'http://www.p.example/', 'http://foreign.example/')).rejects.toMatchObject({
      key: 'invalid_input',
      details: { fields: [{ path: 'entries.1', key: 'purge_foreign', params: { value: 'foreign.example' } }] },
    })
    expect(await plane.query('SELECT id FROM purge_task')).toEqual([])
  })

  it('is possible twice a minute for an account, and says how long to wait [S9.6]', async () => {
    const results = await Promise.allSettled(['1', '2', '3', '4'].map((n) => purge('url', `http://www.p.example/${n}`)))
    const failed = results.flatMap((r) =>
      r.status === 'rejected' ? [r.reason as { key: string; details: { params: { seconds: number } } }] : [],
    )
    expect(failed.map((f) => f.key)).toEqual(['too_many', 'too_many'])
    for (const f of failed) {
      expect(f.details.params.seconds).toBeGreaterThan(50)
      expect(f.details.params.seconds).toBeLessThanOrEqual(60)
    }
    await plane.query("UPDATE purge_task SET created_at = created_at - interval '61 seconds'")
    await purge('url', 'http://www.p.example/later')
  })

  it('turns into a purge of the site when its entries grow too many', async () => {
    await plane.query(
      "INSERT INTO purge_row (site_id, kind, value, generation) SELECT $1, 'url', 'www.p.example/' || n, 1 FROM generate_series(1, 10000) n ON CONFLICT DO NOTHING",
      [site.id],
    )
    await purge('url', 'http://www.p.example/one-more')
    expect((await stored(site.id)).map((r) => r.kind)).toEqual(['site'])
  })

  it('forgets rows after a year', async () => {
    await purge('dir', 'http://www.p.example/old/')
    await plane.query("UPDATE purge_row SET created_at = now() - interval '366 days' WHERE kind = 'dir'")
    expect(await plane.plane.purge.retention(Date.now())).toBe(1)
  })
})
