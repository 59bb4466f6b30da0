/** What tests of certificates' orders share: an installation, an authority and a node that answers its challenges. */
import type { CertStatus } from '@tidegate/contract/cert'
import type { Lang } from '@tidegate/contract/enums'
import type { CertInfo } from '@tidegate/contract/operations/cert'
import { afterEach, beforeEach } from 'vitest'
import type { Caller } from '../platform/caller.ts'
import { type JobRunner, startJobs } from '../platform/jobs.ts'
import { createLog } from '../platform/log.ts'
import { type AcmePeer, startAcmePeer } from './acme-peer.ts'
import { ADMIN, type EnrolledNode, openPlane, type TestPlane, until } from './plane.ts'

const log = createLog('silent', 'test')

/** A node that pulls, keeps the challenges that it has, and acknowledges, until it is stopped. */
export const following = (plane: TestPlane, of: EnrolledNode) => {
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

/** Everything is new for each test. */
interface World {
  plane: TestPlane
  peer: AcmePeer
  runners: JobRunner[]
  authorityId: number
  node: EnrolledNode
  follow: ReturnType<typeof following>
}

/** What one does in such an installation, as the tests say it. */
const doings = (world: World) => {
  const work = async () => {
    world.runners.push(
      await startJobs({ url: world.plane.data.appUrl, jobs: world.plane.plane.part.jobs ?? [], log, reapEvery: 200 }),
    )
  }
  const as = <T>(id: string, input: object, caller: Partial<Caller> = {}): Promise<T> =>
    (world.plane.handlers as unknown as Record<string, (i: object, c: Caller) => Promise<T>>)[id]!(input, {
      ...ADMIN,
      ...caller,
    })
  const save = async (more: object = {}) => {
    const settings = {
      name: 'Peer',
      kind: 'custom',
      directoryUrl: world.peer.directoryUrl,
      caBundle: world.peer.caBundle,
    }
    const rest = { email: '', eabKid: '', eabKey: '', enabled: true, isDefault: true }
    return (await as<{ id: number }>('ca.save', { ...settings, ...rest, ...more })).id
  }
  const apply = async (names: string[], more: object = {}, caller: Partial<Caller> = {}) =>
    (await as<{ id: number }>('cert.apply', { names, remark: '', autoRenew: true, bind: true, ...more }, caller)).id
  const info = async (id: number, lang: Lang = 'en') =>
    (await as<{ data: CertInfo }>('cert.info', { id }, { lang })).data
  const reach = (id: number, ...wanted: CertStatus[]) =>
    until(async () => {
      const found = await info(id)
      return wanted.includes(found.status) && found
    }, 80_000)
  const site = async (domains: string[], more: object = {}) => (await world.plane.save({ domains, ...more })).id
  /** What waits for later is done now. */
  const hurry = () =>
    world.plane.query('UPDATE graphile_worker._private_jobs SET run_at = now() WHERE locked_by IS NULL')
  const renew = async (params: object = {}) => {
    const said: string[] = []
    const context = {
      signal: new AbortController().signal,
      say: (line: string) => void said.push(line),
      progress: () => {},
    }
    const task = world.plane.plane.cert.tasks.find((one) => one.kind === 'cert.renew')!
    return { result: await task.run(task.params.parse(params), context), said }
  }
  /** Moves a certificate's times, as if so many days had gone by. */
  const age = (id: number, days: number) =>
    world.plane.query(
      `UPDATE cert SET not_before = not_before - $2 * interval '1 day', not_after = not_after - $2 * interval '1 day' WHERE id = $1`,
      [id, days],
    )
  return { work, as, save, apply, info, reach, site, hurry, renew, age }
}

/** Opens it before each test of the file and ends it after. */
export const certOrders = (): World & ReturnType<typeof doings> => {
  const world = {} as World
  const done = Object.assign(world, doings(world))
  beforeEach(async () => {
    world.plane = await openPlane()
    world.peer = await startAcmePeer()
    world.runners = []
    world.authorityId = await done.save()
    world.node = await world.plane.enroll('edge-1')
    world.follow = following(world.plane, world.node)
    // The answer has to be on the node before the authority asks.
    world.peer.state.validate = async (host, token) =>
      world.follow.challenges.get(`${host} ${token}`)?.startsWith(`${token}.`) ?? false
  })
  afterEach(async () => {
    for (const runner of world.runners) await runner.stop()
    await world.follow.stop()
    world.node.close()
    await world.peer.close()
    await world.plane.close()
  })
  return done
}
