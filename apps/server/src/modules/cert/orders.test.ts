/** Orders at a certificate authority, by the job and the API, with a node that takes over what is published. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { CertStatus } from '@tidegate/contract/cert'
import { describe, expect, it } from 'vitest'
import { certOrders, following } from '../../testing/cert-orders.ts'
import { until } from '../../testing/plane.ts'

const world = certOrders()
const { work, as, apply, info, reach, site, hurry } = world

describe('an application', () => {
  it('goes from unapplied over applying to succeeded, and the sites have the certificate [S4.3]', async () => {
    const [a, b] = [await site(['a.example', 'www.a.example']), await site(['b.example'])]
    const id = await apply(['a.example', 'b.example'], { remark: 'both' })
    expect(await info(id)).toMatchObject({
      status: 'unapplied',
      source: 'acme',
      authority: 'Peer',
      notAfter: '',
      sites: 0,
    })
    let seen: CertStatus | undefined
    world.peer.state.onOrder = async () => {
      seen = (await info(id)).status
    }
    await work()
    const done = await reach(id, 'succeeded')
    expect(seen).toBe('applying')
    expect(done).toMatchObject({
      names: ['a.example', 'b.example'],
      issuer: 'Peer Authority',
      sites: 2,
      remark: 'both',
    })
    expect(done.orders).toMatchObject([{ step: 'done', reason: 'apply', fault: '', serial: done.serial }])
    expect(done.siteList.map((one) => one.id)).toEqual([a, b])
    // What was for the authority's eyes leaves the nodes with the order.
    await until(async () => world.follow.challenges.size === 0)
    const chain = await as<{ data: { certPem: string } }>('cert.chain', { id })
    expect(chain.data.certPem.match(/BEGIN CERTIFICATE/g)).toHaveLength(2)
    expect(chain.data.certPem).not.toContain('PRIVATE')
    const versions = await world.plane.query<{ reason: string }>(
      'SELECT reason FROM site_version WHERE site_id = $1 ORDER BY version',
      [a],
    )
    expect(versions.map((v) => v.reason)).toEqual(['site', 'cert'])
    const [sealed] = await world.plane.query<{ text: string }>(
      `SELECT string_agg(t, '') AS text FROM (SELECT c::text t FROM cert c UNION ALL SELECT o::text FROM cert_order o
         UNION ALL SELECT a::text FROM cert_authority a UNION ALL SELECT l::text FROM audit_log l) x`,
    )
    expect(sealed?.text).not.toContain('PRIVATE')
  })

  it('that the authority refuses is failed, with the reason in the language and the words of the authority; it may be tried again [S4.3]', async () => {
    await site(['c.example'])
    const right = world.peer.state.validate
    world.peer.state.validate = async () => false
    await work()
    const id = await apply(['c.example'])
    const failed = await reach(id, 'failed')
    expect(failed.order).toMatchObject({
      step: 'failed',
      fault: 'The certificate authority did not get the right answer: the name may not point here',
      detail: 'c.example: wrong answer at c.example',
    })
    expect((await info(id, 'zh')).order?.fault).toBe('证书机构没有得到正确的验证内容，域名可能未指向本平台')
    await until(async () => world.follow.challenges.size === 0)
    world.peer.state.validate = right
    await as('cert.renew', { id })
    const done = await reach(id, 'succeeded')
    expect(done.orders.map((order) => order.step)).toEqual(['done', 'failed'])
    expect(done.sites).toBe(1)
  })

  it.each([
    [
      { type: 'rejectedIdentifier', detail: 'policy forbids it' },
      'The certificate authority issues no certificate for this name',
    ],
    [{ type: 'caa', detail: 'CAA' }, 'The CAA record of the name does not permit this certificate authority'],
    [{ type: 'malformed', detail: 'odd' }, 'The certificate authority refused'],
  ])('says why: %j', async (refusal, text) => {
    await site(['d.example'])
    world.peer.state.refusals.push(['newOrder', refusal])
    await work()
    expect((await reach(await apply(['d.example']), 'failed')).order).toMatchObject({
      fault: text,
      detail: refusal.detail,
    })
  })

  it('waits as long as an authority that limits asks for, and goes on then', async () => {
    await site(['e.example'])
    world.peer.state.refusals.push([
      'newOrder',
      { type: 'rateLimited', detail: 'too many', status: 429, retryAfter: 3600 },
    ])
    await work()
    const id = await apply(['e.example'])
    const waiting = await until(async () => {
      const found = await info(id)
      return found.order?.nextTime ? found : null
    })
    expect(waiting).toMatchObject({ status: 'applying', order: { tries: 1, detail: 'too many' } })
    const left = new Date(waiting.order?.nextTime ?? '').getTime() - Date.now()
    expect(left).toBeGreaterThan(3_500_000)
    expect(left).toBeLessThan(3_700_000)
    await hurry()
    expect((await reach(id, 'succeeded')).order).toMatchObject({ fault: '', detail: '' })
  })

  it('does with an authority that refuses every second nonce, fails once inside, and forgets the order', async () => {
    await site(['f.example'])
    world.peer.state.rejectNonce = 2
    world.peer.state.refusals.push(['finalize', { type: 'serverInternal', status: 500 }])
    world.peer.state.refusals.push(['order', { type: 'malformed', detail: 'no such order', status: 404 }])
    await work()
    const id = await apply(['f.example'])
    const stop = setInterval(() => void hurry().catch(() => {}), 100)
    await reach(id, 'succeeded').finally(() => clearInterval(stop))
    expect(world.peer.orders.size).toBe(2)
  })

  it('makes an account anew when the authority does not know it any more', async () => {
    await site(['g.example'])
    await work()
    await reach(await apply(['g.example']), 'succeeded')
    world.peer.accounts.clear()
    await site(['h.example'])
    const id = await apply(['h.example'])
    const stop = setInterval(() => void hurry().catch(() => {}), 100)
    await reach(id, 'succeeded').finally(() => clearInterval(stop))
    expect(world.peer.accounts.size).toBe(1)
  })

  it('names the nodes that did not take over what they have to answer, and says when there are none', async () => {
    await site(['i.example'])
    world.follow.ack = false
    await work()
    const id = await apply(['i.example'])
    await until(async () => (await info(id)).order?.step === 'publishing')
    await world.plane.query(`UPDATE cert_order SET published_at = now() - interval '1 minute'`)
    const order = () =>
      until(async () => {
        const { order } = await info(id)
        return order?.fault ? order : null
      })
    expect(await order()).toMatchObject({
      fault: `Nodes did not take over what they have to answer: #${world.node.id} edge-1`,
    })
    expect(world.peer.state.asked).not.toContain('POST challenge')
    await world.follow.stop()
    await world.plane.query(`UPDATE node SET last_seen = now() - interval '1 hour'`)
    await world.plane.query(`UPDATE cert_order SET fault = NULL, published_at = now() - interval '1 minute'`)
    await hurry()
    expect(await order()).toMatchObject({ fault: 'No node of the group is online to answer the validation' })
    world.follow = following(world.plane, world.node)
    await world.plane.query('UPDATE cert_order SET published_at = now()')
    await hurry()
    await reach(id, 'succeeded')
  })
})

describe('workers', () => {
  it('two of them make one order of each application, and of a job that comes twice', async () => {
    await Promise.all([work(), work()])
    const ids: number[] = []
    for (const n of [1, 2, 3, 4]) {
      await site([`w${n}.example`])
      ids.push(await apply([`w${n}.example`]))
    }
    await world.plane.query(`SELECT graphile_worker.add_job('cert.order', json_build_object('id', id)) FROM cert_order`)
    for (const id of ids) await reach(id, 'succeeded')
    expect(world.peer.orders.size).toBe(4)
  })

  it('one that was killed while the authority validates leaves the order to another, which goes on with it [S4.3]', async () => {
    await site(['killed.example'])
    const right = world.peer.state.validate
    let release: () => void = () => {}
    const asked = new Promise<void>((resolve) => {
      world.peer.state.validate = async (host, token) => {
        resolve()
        await new Promise<void>((go) => {
          release = go
        })
        return right(host, token)
      }
    })
    const child = spawn(process.execPath, ['--import', 'tsx', `${import.meta.dirname}/../../testing/order-worker.ts`], {
      env: { ...process.env, DATABASE_URL: world.plane.data.appUrl },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(child.stdout, 'data')
    const id = await apply(['killed.example'])
    await asked
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
    release()
    world.peer.state.validate = right
    // Old enough to be looked at.
    await world.plane.query(`UPDATE graphile_worker._private_jobs SET locked_at = now() - interval '1 minute'`)
    await work()
    await reach(id, 'succeeded')
    expect(world.peer.orders.size).toBe(1)
  })
})
