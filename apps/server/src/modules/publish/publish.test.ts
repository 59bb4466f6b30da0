import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPlane, type TestPlane, until } from '../../testing/plane.ts'

describe('the way of a change to the nodes', () => {
  let plane: TestPlane
  const published = (revision: number, scope = 'group:1') =>
    until(async () => {
      const [row] = await plane.query<{ published: number }>(
        'SELECT published FROM config_published WHERE scope = $1',
        [scope],
      )
      return row && row.published >= revision
    })
  beforeAll(async () => {
    plane = await openPlane()
  })
  afterAll(() => plane.close())

  it('publishes the settings of a group at the first start', async () => {
    const delta = JSON.parse(await body(plane, 'group:1', 0))
    expect(delta).toMatchObject({ base: 0, revision: 1, scope: 'group:1' })
    expect(delta.resources).toEqual([expect.objectContaining({ kind: 'settings', key: 'group', revision: 1 })])
  })

  it('brings a saved site to a node, and its acknowledgement back to the live view [S7.17]', async () => {
    const node = await plane.enroll('edge-a')
    const first = await node.pull(0)
    await node.ack({ scope: first.scope, revision: first.revision })
    const stream = node.stream()
    expect((await stream.next()).value).toEqual({ type: 'revision', scope: 'group:1', revision: first.revision })

    const saved = await plane.save({ domains: ['www.a.example'] })
    const watch = await plane.handlers['push.watch'](saved.push, {} as never, new AbortController().signal)
    const seen: { state: string; states: string[] }[] = []
    const watching = (async () => {
      for await (const event of watch) seen.push({ state: event.state, states: event.feedback.map((f) => f.state) })
    })()
    expect((await stream.next()).value).toEqual({ type: 'revision', scope: 'group:1', revision: saved.push.revision })
    const delta = await node.pull(first.revision)
    expect(delta.base).toBe(first.revision)
    expect(delta.resources).toEqual([
      expect.objectContaining({ kind: 'site', key: String(saved.id), revision: saved.push.revision }),
    ])
    expect((await plane.run('push.status', { type: 1 })).task_size).toBe(1)
    const answer = await node.ack({ scope: 'group:1', revision: delta.revision, totalMs: 12, applyMs: 2 })
    expect(answer.status).toBe(200)
    await watching
    expect(seen[0]).toEqual({ state: 'pending', states: ['pending'] })
    expect(seen.at(-1)).toEqual({ state: 'done', states: ['done'] })
    const { data } = await plane.run('push.feedback', saved.push)
    expect(data).toMatchObject({ state: 'done', nodes: 1, done: 1, refused: 0, subject: 'www.a.example', by: 'admin' })
    expect(data.feedback[0]).toMatchObject({ nodeName: 'edge-a', nodeMs: 12, applyMs: 2, probed: true })
    expect(data.feedback[0]?.totalMs).toBeGreaterThan(0)
    expect(await plane.run('push.status', { type: 1 })).toEqual({ task_size: 0, refused_size: 0 })
    const row = (await plane.run('site.info', { id: saved.id })).data
    expect(row).toMatchObject({ nodes: 1, nodesLive: 1, nodesRefused: 0, revision: saved.push.revision })
    await stream.return(undefined)
    node.close()
  })

  it('shows what a node refuses, with its reason, without holding up the others; a corrected site is done [N3]', async () => {
    const node = await plane.enroll('edge-b')
    const bad = await plane.save({ domains: ['bad.example'] })
    const good = await plane.save({ domains: ['good.example'] })
    await published(good.push.revision)
    await node.pull(0)
    const name = `site ${bad.id}`
    const refusal = { kind: 'site', key: String(bad.id), reason: 'compile', detail: 'a bad pattern' }
    await node.ack({ scope: 'group:1', revision: good.push.revision, refused: [refusal], refusedNow: [name] })
    const feedback = async (revision: number) =>
      (await plane.run('push.feedback', { scope: 'group:1', revision })).data.feedback.find((f) => f.nodeId === node.id)
    expect(await feedback(bad.push.revision)).toMatchObject({ state: 'refused', refused: [refusal] })
    expect(await feedback(good.push.revision)).toMatchObject({ state: 'done', refused: [] })
    expect((await plane.run('push.status', { type: 1 })).refused_size).toBe(1)
    expect((await plane.run('site.info', { id: bad.id })).data.nodesRefused).toBe(1)

    const fixed = await plane.save({ id: bad.id, domains: ['bad.example'], settings: { readTimeout: 9 } })
    await published(fixed.push.revision)
    await node.pull(good.push.revision)
    await node.ack({ scope: 'group:1', revision: fixed.push.revision })
    expect(await feedback(fixed.push.revision)).toMatchObject({ state: 'done' })
    expect(await feedback(bad.push.revision)).toMatchObject({ state: 'refused' })
    expect((await plane.run('push.status', { type: 1 })).refused_size).toBe(0)
    await plane.run('node.revoke', { id: node.id })
    node.close()
  })

  it('marks a push as refused when the whole batch was, and as done when it went through later', async () => {
    const node = await plane.enroll('edge-c')
    const { revision: start } = await node.pull(0)
    await node.ack({ scope: 'group:1', revision: start })
    const saved = await plane.save({ domains: ['whole.example'] })
    await published(saved.push.revision)
    await node.pull(start)
    const state = async () =>
      (await plane.run('push.feedback', saved.push)).data.feedback.find((f) => f.nodeId === node.id)
    await node.ack({ scope: 'group:1', revision: start, tried: saved.push.revision, ok: false, error: 'disk full' })
    expect(await state()).toMatchObject({ state: 'refused', error: 'disk full', appliedRevision: start })
    await node.ack({ scope: 'group:1', revision: saved.push.revision })
    expect(await state()).toMatchObject({ state: 'done', error: '', appliedRevision: saved.push.revision })
    await plane.run('node.revoke', { id: node.id })
    node.close()
  })

  it('gives 50 writers at once gapless revisions and publishes every one of them', async () => {
    const [before] = await plane.query<{ head: number }>("SELECT head FROM config_scope WHERE scope = 'group:1'")
    const saves = await Promise.all(
      Array.from({ length: 50 }, (_, i) => plane.save({ domains: [`many-${i}.example`] })),
    )
    const revisions = saves.map((s) => s.push.revision).sort((a, b) => a - b)
    expect(revisions).toEqual(Array.from({ length: 50 }, (_, i) => (before?.head ?? 0) + 1 + i))
    await published(revisions.at(-1) ?? 0)
    const delta = JSON.parse(await body(plane, 'group:1', before?.head ?? 0)) as { resources: { key: string }[] }
    expect(new Set(delta.resources.map((r) => r.key))).toEqual(new Set(saves.map((s) => String(s.id))))
    const [left] = await plane.query<{ n: number }>(
      'SELECT count(*) AS n FROM config_revision WHERE published_at IS NULL',
    )
    expect(left?.n).toBe(0)
  })

  it('publishes nothing for a save that changes nothing for nodes, and still answers its revision', async () => {
    const saved = await plane.save({ domains: ['same.example'] })
    await published(saved.push.revision)
    const again = await plane.save({ id: saved.id, domains: ['same.example'], remark: 'only for people' })
    await published(again.push.revision)
    const items = await plane.query('SELECT revision FROM config_item WHERE kind = $1 AND key = $2', [
      'site',
      String(saved.id),
    ])
    expect(items).toEqual([{ revision: saved.push.revision }])
    expect((await plane.run('push.feedback', again.push)).data.state).not.toBe('refused')
  })

  it('fails one resource that does not compile and publishes the others; the failure is on the push', async () => {
    const broken = await plane.save({ domains: ['broken.example'] })
    await published(broken.push.revision)
    await plane.query(`UPDATE site SET origins = '[]' WHERE id = $1`, [broken.id])
    const { push } = await plane.run('push.site', { ids: [broken.id] })
    const fine = await plane.save({ domains: ['fine.example'] })
    await published(fine.push.revision)
    const { data } = await plane.run('push.feedback', push[0]!)
    expect(data).toMatchObject({ refused: 1 })
    expect(data.feedback[0]).toMatchObject({ nodeId: 0, nodeName: 'server', state: 'refused' })
    expect(data.feedback[0]?.refused[0]).toMatchObject({ kind: 'site', key: String(broken.id), reason: 'compile' })
    expect(data.feedback[0]?.refused[0]?.detail).toContain('origin.servers')
    expect((await plane.run('push.status', { type: 1 })).refused_size).toBe(1)
    await plane.run('site.delete', { ids: [broken.id] })
    await until(async () => (await plane.run('push.status', { type: 1 })).refused_size === 0)
  })

  it('sends a named site again although nothing changed, and everything that is refused with a push of all', async () => {
    const saved = await plane.save({ domains: ['again.example'] })
    await published(saved.push.revision)
    const { push } = await plane.run('push.site', { id: saved.id })
    await published(push[0]!.revision)
    const delta = JSON.parse(await body(plane, 'group:1', saved.push.revision))
    expect(delta.resources).toEqual([expect.objectContaining({ key: String(saved.id), revision: push[0]!.revision })])
    const all = await plane.run('push.all', {})
    expect(all.push).toEqual([{ scope: 'group:1', revision: push[0]!.revision + 1 }])
  })

  it('repairs what was lost from the published state', async () => {
    const saved = await plane.save({ domains: ['lost.example'] })
    await published(saved.push.revision)
    await plane.query('DELETE FROM config_item WHERE kind = $1 AND key = $2', ['site', String(saved.id)])
    const { push } = await plane.run('push.all', {})
    await published(push[0]!.revision)
    const delta = JSON.parse(await body(plane, 'group:1', saved.push.revision)) as { resources: { key: string }[] }
    expect(delta.resources.map((r) => r.key)).toContain(String(saved.id))
  })

  it('does not let anybody change a revision', async () => {
    await expect(plane.query("UPDATE config_revision SET subject = 'x' WHERE revision = 1")).rejects.toThrow(
      /immutable/,
    )
  })
})

/** The body of a delta as a node without gzip would get it. */
const body = async (plane: TestPlane, scope: string, since: number) => {
  const { gunzipSync } = await import('node:zlib')
  return gunzipSync((await plane.plane.publish.deltas.delta(scope, since)).body).toString()
}
