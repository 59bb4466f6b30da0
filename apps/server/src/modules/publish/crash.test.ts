import { afterEach, describe, expect, it } from 'vitest'
import { openPlane, type TestPlane, until } from '../../testing/plane.ts'

const STEPS = ['locked', 'compiled', 'stored', 'committed'] as const

describe('a publisher that dies', () => {
  const open: TestPlane[] = []
  afterEach(async () => {
    const [last] = open.splice(0)
    await last?.close()
  })

  for (const step of STEPS) {
    it(`between two steps (${step}) loses nothing: the next one publishes it`, async () => {
      let armed = false
      let died = 0
      const plane = await openPlane({
        seam: async (at) => {
          if (!armed || at !== step) return
          armed = false
          died++
          // Ends the publisher's own connection, as the death of its process would.
          await plane.query(
            `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND classid = 7413100 AND granted
             AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
          )
        },
      })
      open.push(plane)
      armed = true
      const saved = await Promise.all(['a', 'b', 'c'].map((n) => plane.save({ domains: [`${n}.crash.example`] })))
      const last = Math.max(...saved.map((s) => s.push.revision))
      await until(async () => {
        const [row] = await plane.query<{ published: number }>('SELECT published FROM config_published')
        return row?.published === last
      })
      expect(died).toBe(1)
      const items = await plane.query<{ key: string }>(
        "SELECT key FROM config_current WHERE kind = 'site' ORDER BY key::int",
      )
      expect(items.map((i) => Number(i.key))).toEqual(saved.map((s) => s.id).sort((a, b) => a - b))
      const [open_] = await plane.query<{ n: number }>(
        'SELECT count(*) AS n FROM config_revision WHERE published_at IS NULL',
      )
      expect(open_?.n).toBe(0)
    })
  }

  it('leaves changes that another process publishes at its start', async () => {
    const writer = await openPlane({ roles: ['api'] })
    const saved = await writer.save({ domains: ['later.example'] })
    expect(await writer.query('SELECT published FROM config_published')).toEqual([])
    await writer.stop()
    const worker = await openPlane({ database: writer.data, roles: ['worker'] })
    open.push(worker)
    await until(async () => {
      const [row] = await worker.query<{ published: number }>('SELECT published FROM config_published')
      return row && row.published >= saved.push.revision
    })
  })

  it('forgets old history but not what nodes run or may ask for', async () => {
    const plane = await openPlane()
    open.push(plane)
    const node = await plane.enroll('keeper')
    const site = await plane.save({ domains: ['history.example'] })
    const published = (revision: number) =>
      until(async () => {
        const [row] = await plane.query<{ published: number }>('SELECT published FROM config_published')
        return row && row.published >= revision
      })
    await published(site.push.revision)
    await node.pull(0)
    await node.ack({ scope: 'group:1', revision: site.push.revision })
    const gone = await plane.save({ domains: ['gone.example'] })
    await published(gone.push.revision)
    await plane.run('site.delete', { ids: [gone.id] })
    let last = 0
    for (let i = 1; i <= 3; i++) {
      last = (await plane.save({ id: site.id, domains: ['history.example'], settings: { readTimeout: 10 + i } })).push
        .revision
      await published(last)
    }
    const result = await plane.plane.publish.retention(Date.now() + 31 * 86_400_000)
    expect(result).toMatchObject({ tombstones: 1 })
    const items = await plane.query<{ revision: number }>(
      "SELECT revision FROM config_item WHERE kind = 'site' AND key = $1 ORDER BY revision",
      [String(site.id)],
    )
    // The one that the node acknowledged last, and the present one.
    expect(items.map((i) => i.revision)).toEqual([site.push.revision, last])
    const delta = await node.pull(site.push.revision)
    expect(delta.base).toBe(0)
    expect(delta.resources.map((r) => `${r.kind} ${r.key}`).sort()).toEqual(['settings group', `site ${site.id}`])
    node.close()
  })
})
