/** Certificates that are applied for again before they end. */
import { describe, expect, it } from 'vitest'
import { certOrders } from '../../testing/cert-orders.ts'
import { until } from '../../testing/plane.ts'

const world = certOrders()
const { work, as, apply, info, reach, site, renew, age } = world

describe('renewals', () => {
  const issued = async (name: string) => {
    await site([name])
    await work()
    return reach(await apply([name]), 'succeeded')
  }

  it('begin after the share of the lifetime, with a new key, and the nodes get the new one', async () => {
    const first = await issued('m.example')
    const { id } = first
    const [before] = await world.plane.query<{ key: string }>('SELECT key_sealed AS key FROM cert WHERE id = $1', [id])
    await age(id, 50)
    expect((await renew()).result).toEqual({ renewals: 0, skipped: 0 })
    await age(id, 11)
    expect(await renew()).toEqual({ result: { renewals: 1, skipped: 0 }, said: [`certificate ${id}: m.example`] })
    const second = await until(async () => {
      const found = await info(id)
      return found.serial !== first.serial && found
    }, 80_000)
    expect(second).toMatchObject({
      status: 'succeeded',
      sites: 1,
      order: { reason: 'renew', by: 'system', step: 'done' },
    })
    const [after] = await world.plane.query<{ key: string }>('SELECT key_sealed AS key FROM cert WHERE id = $1', [id])
    expect(after?.key).not.toBe(before?.key)
    expect((await renew()).result).toEqual({ renewals: 0, skipped: 0 })
    const delta = await world.node.pull(0)
    expect(delta.resources.find((r) => r.kind === 'cert')?.body).toMatchObject({ id, names: ['m.example'] })
  })

  it('begin when the authority says so, and tell it what they replace', async () => {
    const first = await issued('n.example')
    const now = Date.now()
    const DAY = 86_400_000
    world.peer.state.window = { start: new Date(now + DAY), end: new Date(now + 2 * DAY) }
    await age(first.id, 46)
    expect((await renew()).result).toMatchObject({ renewals: 0 })
    const [asked] = await world.plane.query<{ at: string; next: string }>(
      'SELECT ari_at AS at, ari_next AS next FROM cert',
    )
    const at = new Date(asked?.at ?? '').getTime()
    expect(at).toBeGreaterThanOrEqual(now + DAY - 1000)
    expect(at).toBeLessThan(now + 2 * DAY + 1000)
    // It is not asked again before it wants to be.
    const times = () => world.peer.state.asked.filter((one) => one === 'GET renewal-info').length
    await renew()
    expect(times()).toBe(1)
    await world.plane.query("UPDATE cert SET ari_next = now() - interval '1 minute'")
    world.peer.state.window = { start: new Date(now - 2 * DAY), end: new Date(now - DAY) }
    expect((await renew()).result).toMatchObject({ renewals: 1 })
    await until(async () => (await info(first.id)).serial !== first.serial, 30_000)
    expect([...world.peer.orders.values()].map((order) => order.replaces)).toEqual([
      '',
      expect.stringMatching(/^[\w-]{27}\.[\w-]+$/),
    ])
  })

  it('that fail leave the old certificate as it is, and come again after growing pauses', async () => {
    const first = await issued('o.example')
    await age(first.id, 70)
    world.peer.state.validate = async () => false
    const hours = async () => {
      const [found] = await world.plane.query<{ hours: number }>(
        'SELECT extract(epoch FROM renew_after - now())::float8 / 3600 AS hours FROM cert WHERE renew_fails > 0',
      )
      return found?.hours
    }
    for (const pause of [6, 12]) {
      expect((await renew()).result).toMatchObject({ renewals: 1 })
      await until(async () => (await info(first.id)).order?.step === 'failed', 30_000)
      expect(await hours()).toBeCloseTo(pause, 1)
      expect((await renew()).result).toMatchObject({ renewals: 0 })
      expect(await info(first.id)).toMatchObject({ status: 'succeeded', serial: first.serial, sites: 1 })
      // The database's clock is finer than the server's.
      await world.plane.query(`UPDATE cert SET renew_after = now() - interval '1 second'`)
    }
    // After its end it counts as expired, and a renewal that comes late makes it good again.
    await age(first.id, 30)
    expect(await info(first.id)).toMatchObject({ status: 'expired' })
    world.peer.state.validate = async () => true
    await renew()
    await reach(first.id, 'succeeded')
  })

  it('leave out names that no site has any more, and certificates that are not to be renewed', async () => {
    const p = await site(['p.example', 'q.example'])
    await work()
    const first = await reach(await apply(['p.example', 'q.example']), 'succeeded')
    await age(first.id, 70)
    await as('cert.edit', { id: first.id, autoRenew: false })
    expect((await renew()).result).toMatchObject({ renewals: 0 })
    await as('cert.edit', { id: first.id, autoRenew: true })
    await world.plane.save({ id: p, domains: ['q.example'] })
    await renew()
    const second = await until(async () => {
      const found = await info(first.id)
      return found.serial !== first.serial && found
    }, 80_000)
    expect(second.names).toEqual(['q.example'])
  })
})
