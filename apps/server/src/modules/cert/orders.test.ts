/** Orders at a certificate authority, by the job and the API, with a node that takes over what is published. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { CertStatus } from '@tidegate/contract/cert'
import type { Lang } from '@tidegate/contract/enums'
import type { CertInfo, CertRow } from '@tidegate/contract/operations/cert'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Caller } from '../../platform/caller.ts'
import { type JobRunner, startJobs } from '../../platform/jobs.ts'
import { createLog } from '../../platform/log.ts'
import { type AcmePeer, startAcmePeer } from '../../testing/acme-peer.ts'
import { selfSigned } from '../../testing/certificates.ts'
import { ADMIN, type EnrolledNode, openPlane, type TestPlane, until } from '../../testing/plane.ts'

const log = createLog('silent', 'test')
const HMAC = Buffer.from('a key of the authority, long enough').toString('base64url')

let plane: TestPlane
let peer: AcmePeer
let runners: JobRunner[]
let authorityId: number
let node: EnrolledNode
let follow: { stop(): Promise<void>; challenges: Map<string, string>; ack: boolean }

const work = async () => {
  runners.push(await startJobs({ url: plane.data.appUrl, jobs: plane.plane.part.jobs ?? [], log, reapEvery: 200 }))
}
const as = <T>(id: string, input: object, caller: Partial<Caller> = {}): Promise<T> =>
  (plane.handlers as unknown as Record<string, (i: object, c: Caller) => Promise<T>>)[id]!(input, {
    ...ADMIN,
    ...caller,
  })
const save = async (more: object = {}) => {
  const settings = { name: 'Peer', kind: 'custom', directoryUrl: peer.directoryUrl, caBundle: peer.caBundle }
  const rest = { email: '', eabKid: '', eabKey: '', enabled: true, isDefault: true }
  return (await as<{ id: number }>('ca.save', { ...settings, ...rest, ...more })).id
}
const apply = async (names: string[], more: object = {}, caller: Partial<Caller> = {}) =>
  (await as<{ id: number }>('cert.apply', { names, remark: '', autoRenew: true, bind: true, ...more }, caller)).id
const info = async (id: number, lang: Lang = 'en') => (await as<{ data: CertInfo }>('cert.info', { id }, { lang })).data
const reach = (id: number, ...wanted: CertStatus[]) =>
  until(async () => {
    const found = await info(id)
    return wanted.includes(found.status) && found
  }, 80_000)
const site = async (domains: string[], more: object = {}) => (await plane.save({ domains, ...more })).id
/** What waits for later is done now. */
const hurry = () => plane.query('UPDATE graphile_worker._private_jobs SET run_at = now() WHERE locked_by IS NULL')
const renew = async (params: object = {}) => {
  const said: string[] = []
  const context = {
    signal: new AbortController().signal,
    say: (line: string) => void said.push(line),
    progress: () => {},
  }
  const task = plane.plane.cert.tasks.find((one) => one.kind === 'cert.renew')!
  return { result: await task.run(task.params.parse(params), context), said }
}
/** Moves a certificate's times, as if so many days had gone by. */
const age = (id: number, days: number) =>
  plane.query(
    `UPDATE cert SET not_before = not_before - $2 * interval '1 day', not_after = not_after - $2 * interval '1 day' WHERE id = $1`,
    [id, days],
  )

/** A node that pulls, keeps the challenges that it has, and acknowledges. */
const following = (of: EnrolledNode) => {
  const state = { challenges: new Map<string, string>(), ack: true, stopped: false, done: Promise.resolve() }
  const turn = async () => {
    let since = 0
    while (!state.stopped) {
      const delta = await of.pull(since)
      for (const { kind, key, body } of delta.resources) {
        if (kind !== 'challenge') continue
        if (body === null) state.challenges.delete(key)
        else state.challenges.set(key, (body as { keyAuthorization: string }).keyAuthorization)
      }
      if (delta.revision > since && state.ack) await of.ack({ scope: delta.scope, revision: delta.revision })
      since = state.ack ? delta.revision : since
      await plane.query('UPDATE node SET last_seen = now() WHERE id = $1', [of.id])
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  state.done = turn()
  return Object.assign(state, {
    stop: async () => {
      state.stopped = true
      await state.done
    },
  })
}

beforeEach(async () => {
  plane = await openPlane()
  peer = await startAcmePeer()
  runners = []
  authorityId = await save()
  node = await plane.enroll('edge-1')
  follow = following(node)
  // The answer has to be on the node before the authority asks.
  peer.state.validate = async (host, token) =>
    follow.challenges.get(`${host} ${token}`)?.startsWith(`${token}.`) ?? false
})
afterEach(async () => {
  for (const runner of runners) await runner.stop()
  await follow.stop()
  node.close()
  await peer.close()
  await plane.close()
})

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
    peer.state.onOrder = async () => {
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
    await until(async () => follow.challenges.size === 0)
    const chain = await as<{ data: { certPem: string } }>('cert.chain', { id })
    expect(chain.data.certPem.match(/BEGIN CERTIFICATE/g)).toHaveLength(2)
    expect(chain.data.certPem).not.toContain('PRIVATE')
    const versions = await plane.query<{ reason: string }>(
      'SELECT reason FROM site_version WHERE site_id = $1 ORDER BY version',
      [a],
    )
    expect(versions.map((v) => v.reason)).toEqual(['site', 'cert'])
    const [sealed] = await plane.query<{ text: string }>(
      `SELECT string_agg(t, '') AS text FROM (SELECT c::text t FROM cert c UNION ALL SELECT o::text FROM cert_order o
         UNION ALL SELECT a::text FROM cert_authority a UNION ALL SELECT l::text FROM audit_log l) x`,
    )
    expect(sealed?.text).not.toContain('PRIVATE')
  })

  it('that the authority refuses is failed, with the reason in the language and the words of the authority; it may be tried again [S4.3]', async () => {
    await site(['c.example'])
    const right = peer.state.validate
    peer.state.validate = async () => false
    await work()
    const id = await apply(['c.example'])
    const failed = await reach(id, 'failed')
    expect(failed.order).toMatchObject({
      step: 'failed',
      fault: 'The certificate authority did not get the right answer: the name may not point here',
      detail: 'c.example: wrong answer at c.example',
    })
    expect((await info(id, 'zh')).order?.fault).toBe('证书机构没有得到正确的验证内容，域名可能未指向本平台')
    await until(async () => follow.challenges.size === 0)
    peer.state.validate = right
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
    peer.state.refusals.push(['newOrder', refusal])
    await work()
    expect((await reach(await apply(['d.example']), 'failed')).order).toMatchObject({
      fault: text,
      detail: refusal.detail,
    })
  })

  it('waits as long as an authority that limits asks for, and goes on then', async () => {
    await site(['e.example'])
    peer.state.refusals.push(['newOrder', { type: 'rateLimited', detail: 'too many', status: 429, retryAfter: 3600 }])
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
    peer.state.rejectNonce = 2
    peer.state.refusals.push(['finalize', { type: 'serverInternal', status: 500 }])
    peer.state.refusals.push(['order', { type: 'malformed', detail: 'no such order', status: 404 }])
    await work()
    const id = await apply(['f.example'])
    const stop = setInterval(() => void hurry().catch(() => {}), 100)
    await reach(id, 'succeeded').finally(() => clearInterval(stop))
    expect(peer.orders.size).toBe(2)
  })

  it('makes an account anew when the authority does not know it any more', async () => {
    await site(['g.example'])
    await work()
    await reach(await apply(['g.example']), 'succeeded')
    peer.accounts.clear()
    await site(['h.example'])
    const id = await apply(['h.example'])
    const stop = setInterval(() => void hurry().catch(() => {}), 100)
    await reach(id, 'succeeded').finally(() => clearInterval(stop))
    expect(peer.accounts.size).toBe(1)
  })

  it('names the nodes that did not take over what they have to answer, and says when there are none', async () => {
    await site(['i.example'])
    follow.ack = false
    await work()
    const id = await apply(['i.example'])
    await until(async () => (await info(id)).order?.step === 'publishing')
    await plane.query(`UPDATE cert_order SET published_at = now() - interval '1 minute'`)
    const order = () =>
      until(async () => {
        const { order } = await info(id)
        return order?.fault ? order : null
      })
    expect(await order()).toMatchObject({
      fault: `Nodes did not take over what they have to answer: #${node.id} edge-1`,
    })
    expect(peer.state.asked).not.toContain('POST challenge')
    await follow.stop()
    await plane.query(`UPDATE node SET last_seen = now() - interval '1 hour'`)
    await plane.query(`UPDATE cert_order SET fault = NULL, published_at = now() - interval '1 minute'`)
    await hurry()
    expect(await order()).toMatchObject({ fault: 'No node of the group is online to answer the validation' })
    follow = following(node)
    await plane.query('UPDATE cert_order SET published_at = now()')
    await hurry()
    await reach(id, 'succeeded')
  })
})

describe('who applies', () => {
  const customer = (id: number, lang: Lang = 'en'): Partial<Caller> => ({
    kind: 'user',
    id,
    name: `c${id}`,
    superAdmin: false,
    lang,
  })
  const fields = (work: Promise<unknown>) =>
    work.then(
      () => null,
      (error: { key: string; details: { fields?: { path: string; key: string }[] } }) =>
        error.details.fields?.map((f) => `${f.path} ${f.key}`) ?? error.key,
    )
  const addCustomer = async (name: string) => {
    const [made] = await plane.query<{ id: number }>(
      `INSERT INTO customer (username, password_hash, created_at, password_at) VALUES ($1, '', now(), now()) RETURNING id`,
      [name],
    )
    return Number(made?.id)
  }

  it('does so for names of sites that are the own ones; the certificate is the customer’s', async () => {
    const [alice, bob] = [await addCustomer('alice'), await addCustomer('bob')]
    await site(['alice.example'], { userId: alice })
    await site(['bob.example'], { userId: bob })
    const id = await apply(['alice.example'], {}, customer(alice))
    expect(await info(id)).toMatchObject({ userId: alice, userName: 'alice' })
    expect(await fields(apply(['bob.example', 'nobody.example'], {}, customer(alice)))).toEqual([
      'names.0 purge_foreign',
      'names.1 purge_foreign',
    ])
    expect(await fields(as('cert.info', { id }, customer(bob)))).toBe('not_found')
    expect(await fields(as('cert.renew', { id }, customer(bob)))).toBe('not_found')
    expect(await fields(as('cert.edit', { id, remark: 'x' }, customer(bob)))).toBe('not_found')
    expect(await fields(as('cert.delete', { ids: [id] }, customer(bob)))).toBe('not_found')
    expect(await fields(as('cert.chain', { id }, customer(bob)))).toBe('not_found')
    // By the operator, for a customer: the customer's as well. Names of several customers are the operator's matter.
    expect(await info(await apply(['bob.example']))).toMatchObject({ userId: bob })
    expect(await info(await apply(['bob.example', 'alice.example']))).toMatchObject({ userId: null })
    const list = await as<{ data: { list: CertRow[] } }>('cert.list', { page: 1, limit: 20 }, customer(bob))
    expect(list.data.list.map((cert) => cert.userName)).toEqual(['bob'])
    // Nodes are numbers to a customer.
    await plane.query(
      `UPDATE cert_order SET fault = '{"key": "node_silent", "params": {"nodes": "#7 edge-7, #8 edge-8"}}'`,
    )
    const seen = (await as<{ data: CertInfo }>('cert.info', { id }, customer(alice))).data.order
    expect(seen?.fault).toBe('Nodes did not take over what they have to answer: #7, #8')
  })

  it('may begin so many orders in an hour, where it is a customer', async () => {
    const carol = await addCustomer('carol')
    await site(['carol.example'], { userId: carol })
    const id = await apply(['carol.example'], {}, customer(carol))
    await plane.query(
      `INSERT INTO cert_order (cert_id, authority_id, reason, by_name, names, step, created_at, step_at, ended_at)
       SELECT cert_id, authority_id, reason, by_name, names, 'failed', created_at, step_at, now()
       FROM cert_order, generate_series(2, 20) WHERE cert_id = $1`,
      [id],
    )
    expect(await fields(apply(['carol.example'], {}, customer(carol)))).toBe('too_many')
    expect(await fields(as('cert.renew', { id }, customer(carol)))).toBe('too_many')
    expect(await fields(apply(['carol.example']))).toBeNull()
  })

  it('has to wait for the end of the order that is under way, and to have an authority', async () => {
    await site(['j.example'])
    const id = await apply(['j.example'])
    expect(await fields(as('cert.renew', { id }))).toBe('cert_running')
    expect(await fields(apply(['j.example'], { authorityId: 999 }))).toEqual(['authorityId invalid'])
    await save({ id: authorityId, enabled: false, isDefault: false })
    await plane.query('UPDATE cert_authority SET enabled = false')
    expect(await fields(apply(['j.example']))).toBe('no_authority')
    const own = await as<{ id: number }>('cert.save', await selfSigned(['own.example']))
    expect(await fields(as('cert.renew', { id: own.id }))).toBe('cert_move')
  })

  it('may put an uploaded certificate in place of what is applied for, which is applied for no more [S4.3]', async () => {
    await site(['k.example'])
    const id = await apply(['k.example'])
    await as('cert.save', { ...(await selfSigned(['k.example'])), id })
    expect(await info(id)).toMatchObject({ status: 'own', source: 'upload', authority: '', order: { step: 'failed' } })
    await age(id, 40)
    expect(await info(id)).toMatchObject({ status: 'expired' })
    const found = async (status: CertStatus) =>
      (await as<{ data: { list: CertRow[] } }>('cert.list', { page: 1, limit: 20, status })).data.list.map(
        (one) => one.id,
      )
    expect([await found('expired'), await found('own')]).toEqual([[id], []])
  })
})

describe('an account at the authority', () => {
  it('is bound to one there where the authority asks for it', async () => {
    peer.state.eab.set('kid-1', HMAC)
    await site(['l.example'])
    await work()
    const id = await apply(['l.example'])
    expect((await reach(id, 'failed')).order?.fault).toContain('asks for an external account binding')
    await save({
      id: authorityId,
      eabKid: 'kid-1',
      eabKey: Buffer.from('another key that is wrong').toString('base64url'),
    })
    await as('cert.renew', { id })
    await until(async () => (await info(id)).orders.filter((order) => order.step === 'failed').length === 2, 30_000)
    expect((await info(id)).order).toMatchObject({
      fault: 'The certificate authority does not accept the external account binding',
      detail: 'the binding is not right',
    })
    await save({ id: authorityId, eabKid: 'kid-1', eabKey: HMAC })
    await as('cert.renew', { id })
    await reach(id, 'succeeded')
    expect([...peer.accounts.values()].map((account) => account.eab)).toEqual(['kid-1'])
    const list = await as<{ data: { eabKey: string }[] }>('ca.list', {})
    expect(JSON.stringify(list)).not.toContain(HMAC)
    // The mask keeps the key, but not for another address.
    await save({ id: authorityId, eabKid: 'kid-1', eabKey: '********' })
    await expect(
      save({ id: authorityId, eabKid: 'kid-1', eabKey: '********', directoryUrl: 'https://other.example/dir' }),
    ).rejects.toMatchObject({
      details: { fields: [{ path: 'eabKey', key: 'secret_again' }] },
    })
  })

  it('is tested by reading the directory', async () => {
    const test = async (id: number) => (await as<{ data: object }>('ca.test', { id }, { lang: 'zh' })).data
    expect(await test(authorityId)).toMatchObject({
      ok: true,
      caaNames: ['peer.example'],
      needsEab: false,
      renewalInfo: false,
    })
    const untrusted = await save({ name: 'Untrusted', caBundle: '', isDefault: false })
    expect(await test(untrusted)).toMatchObject({
      ok: false,
      fault: '无法连接证书机构',
      detail: expect.stringContaining('self-signed'),
    })
    const foreign = await save({
      name: 'Foreign',
      directoryUrl: peer.directoryUrl.replace('directory', 'x'),
      isDefault: false,
    })
    expect(await test(foreign)).toMatchObject({ ok: false, fault: '该地址不是 ACME 目录' })
    await as('ca.delete', { id: foreign })
  })
})

describe('renewals', () => {
  const issued = async (name: string) => {
    await site([name])
    await work()
    return reach(await apply([name]), 'succeeded')
  }

  it('begin after the share of the lifetime, with a new key, and the nodes get the new one', async () => {
    const first = await issued('m.example')
    const { id } = first
    const [before] = await plane.query<{ key: string }>('SELECT key_sealed AS key FROM cert WHERE id = $1', [id])
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
    const [after] = await plane.query<{ key: string }>('SELECT key_sealed AS key FROM cert WHERE id = $1', [id])
    expect(after?.key).not.toBe(before?.key)
    expect((await renew()).result).toEqual({ renewals: 0, skipped: 0 })
    const delta = await node.pull(0)
    expect(delta.resources.find((r) => r.kind === 'cert')?.body).toMatchObject({ id, names: ['m.example'] })
  })

  it('begin when the authority says so, and tell it what they replace', async () => {
    const first = await issued('n.example')
    const now = Date.now()
    const DAY = 86_400_000
    peer.state.window = { start: new Date(now + DAY), end: new Date(now + 2 * DAY) }
    await age(first.id, 46)
    expect((await renew()).result).toMatchObject({ renewals: 0 })
    const [asked] = await plane.query<{ at: string; next: string }>('SELECT ari_at AS at, ari_next AS next FROM cert')
    const at = new Date(asked?.at ?? '').getTime()
    expect(at).toBeGreaterThanOrEqual(now + DAY - 1000)
    expect(at).toBeLessThan(now + 2 * DAY + 1000)
    // It is not asked again before it wants to be.
    const times = () => peer.state.asked.filter((one) => one === 'GET renewal-info').length
    await renew()
    expect(times()).toBe(1)
    await plane.query("UPDATE cert SET ari_next = now() - interval '1 minute'")
    peer.state.window = { start: new Date(now - 2 * DAY), end: new Date(now - DAY) }
    expect((await renew()).result).toMatchObject({ renewals: 1 })
    await until(async () => (await info(first.id)).serial !== first.serial, 30_000)
    expect([...peer.orders.values()].map((order) => order.replaces)).toEqual([
      '',
      expect.stringMatching(/^[\w-]{27}\.[\w-]+$/),
    ])
  })

  it('that fail leave the old certificate as it is, and come again after growing pauses', async () => {
    const first = await issued('o.example')
    await age(first.id, 70)
    peer.state.validate = async () => false
    const hours = async () => {
      const [found] = await plane.query<{ hours: number }>(
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
      await plane.query(`UPDATE cert SET renew_after = now() - interval '1 second'`)
    }
    // After its end it counts as expired, and a renewal that comes late makes it good again.
    await age(first.id, 30)
    expect(await info(first.id)).toMatchObject({ status: 'expired' })
    peer.state.validate = async () => true
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
    await plane.save({ id: p, domains: ['q.example'] })
    await renew()
    const second = await until(async () => {
      const found = await info(first.id)
      return found.serial !== first.serial && found
    }, 80_000)
    expect(second.names).toEqual(['q.example'])
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
    await plane.query(`SELECT graphile_worker.add_job('cert.order', json_build_object('id', id)) FROM cert_order`)
    for (const id of ids) await reach(id, 'succeeded')
    expect(peer.orders.size).toBe(4)
  })

  it('one that was killed while the authority validates leaves the order to another, which goes on with it [S4.3]', async () => {
    await site(['killed.example'])
    const right = peer.state.validate
    let release: () => void = () => {}
    const asked = new Promise<void>((resolve) => {
      peer.state.validate = async (host, token) => {
        resolve()
        await new Promise<void>((go) => {
          release = go
        })
        return right(host, token)
      }
    })
    const child = spawn(process.execPath, ['--import', 'tsx', `${import.meta.dirname}/../../testing/order-worker.ts`], {
      env: { ...process.env, DATABASE_URL: plane.data.appUrl },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(child.stdout, 'data')
    const id = await apply(['killed.example'])
    await asked
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
    release()
    peer.state.validate = right
    // Old enough to be looked at.
    await plane.query(`UPDATE graphile_worker._private_jobs SET locked_at = now() - interval '1 minute'`)
    await work()
    await reach(id, 'succeeded')
    expect(peer.orders.size).toBe(1)
  })
})
