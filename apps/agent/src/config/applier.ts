/**
 * Puts configuration into force: check -> engine -> probe -> last-known-good on disk -> acknowledgement. The order makes an
 * acknowledgement a promise: it is made only after a request through the listener saw the change and the disk holds it. A crash
 * in between leaves the disk behind the engine; the same change is then pulled, applied and acknowledged again.
 */
import type { ConfigDelta } from '@tidegate/contract/node/config'
import type { EngineApplied } from '@tidegate/contract/node/engine'
import type { AckReport } from '@tidegate/contract/node/protocol'
import type { EngineAdmin } from '../engine/admin.ts'
import { errorText, type Log } from '../log.ts'
import { originNames, type Resolver } from '../resolve/resolver.ts'
import { createSerial } from '../serial.ts'
import { inBatches } from './batches.ts'
import { capRefusals, refuse } from './check.ts'
import { type Change, engineItemOf, type Item, type ItemKind, nameOf, type SiteItem } from './item.ts'
import { allowancesOf, makePlan, type OriginAlerts, originAlerts, type Plan, relocated } from './plan.ts'
import type { RefusedEntry } from './refused.ts'
import type { Store } from './store.ts'

const PROBE_DEADLINE_MS = 2_000
const NAMES_WAIT_MS = 10_000
/** How old the alerts may be after a change that touched no name. */
const ALERTS_MS = 60_000

export type ApplierOptions = Readonly<{
  store: Store
  admin: EngineAdmin
  resolver: Resolver
  /** What the node's own listener serves instead of this revision when the deadline is over; undefined when it serves it. */
  probe: (revision: number, deadlineMs: number) => Promise<string | undefined>
  log: Log
}>

export type Applier = Readonly<{
  /** Gives the report to send, or undefined when there was nothing to do. `toldAt`: performance.now() of the news. */
  apply: (delta: ConfigDelta, toldAt: number) => Promise<AckReport | undefined>
  /** The report of how things stand, with every refusal; sent after a restart. */
  standing: () => AckReport
  /** Asks DNS again and gives the engine what has changed; no revision of its own. */
  relocate: () => Promise<OriginAlerts>
  /** Makes an engine that runs something older than the store run the store's configuration. */
  reconcile: () => Promise<void>
}>

type Tried =
  | { live: true; applied: EngineApplied; accepted: Change[]; refused: RefusedEntry[]; liveAt: number }
  | { live: false; error: string; applyMs: number }

export function createApplier(options: ApplierOptions): Applier {
  const { store, admin, resolver, log } = options
  const serial = createSerial()
  /** The engine may run what the store does not know of: a roll-back failed. */
  let strayed = false
  let named = { revision: -1, names: new Set<string>() }
  let alerts = { revision: -1, at: Number.NEGATIVE_INFINITY, found: { unresolved: [], private: [] } as OriginAlerts }

  /** Gives the engine changes batch by batch; the last one carries `revision`. Stops at a batch that failed as a whole. */
  async function send(
    revision: number,
    changes: readonly Change[],
    inForce: (kind: ItemKind, key: string) => Item | undefined,
  ): Promise<EngineApplied> {
    const batches = inBatches(changes, inForce)
    let sum: EngineApplied = { ok: true, revision, error: '', refused: [], ms: 0 }
    for (const [at, batch] of batches.entries()) {
      const last = at === batches.length - 1
      const items = batch.map(engineItemOf)
      const applied = await admin.apply({ revision: last ? revision : store.revision(), full: false, items })
      sum = { ...applied, refused: [...sum.refused, ...applied.refused], ms: sum.ms + applied.ms }
      if (!applied.ok) break
    }
    return sum
  }

  /** Makes the engine run the store's configuration, whatever it ran before. */
  async function pushAll(): Promise<void> {
    const items = [...store.snapshot.items()]
    let applied = await send(store.revision(), items, () => undefined)
    // What must go is known only when everything is in one batch.
    if (applied.ok && !(await holdsAll(applied))) {
      applied = await admin.apply({ revision: store.revision(), full: true, items: items.map(engineItemOf) })
    }
    if (!applied.ok) throw new Error(`engine refused the configuration: ${applied.error}`)
    strayed = false
    log.info('engine_filled', { revision: applied.revision, items: items.length, refused: applied.refused.length })
  }

  /** Whether the engine has as many sites and certificates as the store, less what it refused of them. */
  async function holdsAll(applied: EngineApplied): Promise<boolean> {
    const status = await admin.status()
    const taken = (kind: 'site' | 'cert') =>
      store.snapshot.count(kind) - applied.refused.filter((refusal) => refusal.kind === kind).length
    return status.sites === taken('site') && status.certs === taken('cert')
  }

  /** The engine gets the whole configuration again; if that fails too, it stays `strayed`. */
  async function refill(): Promise<void> {
    await pushAll().catch((error) => log.error('rollback_failed', { error: errorText(error) }))
  }

  /** Back to the last-known-good after changes that must not stay: only they are undone. */
  async function rollBack(changes: readonly Change[]): Promise<void> {
    strayed = true
    const tried = new Map(changes.flatMap((change) => (change.body === null ? [] : [[nameOf(change), change]])))
    const undo = changes.map(
      ({ kind, key }): Change => store.snapshot.get(kind, key) ?? { kind, key, hash: '', body: null },
    )
    try {
      const applied = await send(store.revision(), undo, (kind, key) => tried.get(nameOf({ kind, key })))
      if (!applied.ok) throw new Error(applied.error)
      if (applied.refused.length > 0) await refill()
      else strayed = false
    } catch (error) {
      log.error('rollback_failed', { error: errorText(error) })
    }
  }

  async function tryOnEngine(revision: number, plan: Plan): Promise<Tried> {
    let applied: EngineApplied
    try {
      applied = await send(revision, plan.changes, store.snapshot.get)
    } catch (error) {
      return { live: false, error: `engine: ${errorText(error)}`, applyMs: 0 }
    }
    if (!applied.ok) return { live: false, error: `engine: ${applied.error}`, applyMs: applied.ms }
    const seen = await options.probe(revision, PROBE_DEADLINE_MS)
    if (seen !== undefined) return { live: false, error: `probe: ${seen}`, applyMs: applied.ms }
    const refusedNames = new Set(applied.refused.map(nameOf))
    const refused = applied.refused.flatMap((refusal): RefusedEntry[] => {
      const resource = plan.resources.get(nameOf(refusal))
      return resource === undefined ? [] : [{ refusal: refuse(refusal, refusal.reason, refusal.detail), resource }]
    })
    const accepted = plan.changes.filter((change) => !refusedNames.has(nameOf(change)))
    return { live: true, applied, accepted, refused, liveAt: performance.now() }
  }

  function report(tried: number, part: Partial<AckReport>): AckReport {
    return {
      scope: store.scope(),
      revision: store.revision(),
      ok: true,
      tried,
      error: '',
      refused: [],
      refusedNow: store.refused.names(),
      totalMs: 0,
      applyMs: 0,
      probed: false,
      ...part,
    }
  }

  function nack(delta: ConfigDelta, toldAt: number, error: string, applyMs: number): AckReport {
    log.error('revision_refused', { revision: delta.revision, error })
    const totalMs = performance.now() - toldAt
    return report(delta.revision, { scope: delta.scope, ok: false, error: error.slice(0, 2000), applyMs, totalMs })
  }

  async function applyNow(delta: ConfigDelta, toldAt: number): Promise<AckReport | undefined> {
    // A delta is compared with the store: the engine must run just that, or what went there and back would stay.
    if (strayed) await refill()
    if (strayed) return nack(delta, toldAt, 'engine: the last roll-back failed', 0)
    const plan = await makePlan(delta, store.snapshot, store.refused, resolver)
    const same = plan.empty && delta.revision === store.revision() && delta.scope === store.scope()
    if (same && plan.cleared.every(({ kind, key }) => !store.refused.names().includes(`${kind} ${key}`)))
      return undefined
    const tried = await tryOnEngine(delta.revision, plan)
    if (!tried.live) {
      // However it failed, the engine may have taken a part of it.
      await rollBack(plan.changes)
      return nack(delta, toldAt, tried.error, tried.applyMs)
    }
    const refused = [...plan.refused, ...tried.refused]
    try {
      const { accepted: changes } = tried
      await store.commit({ revision: delta.revision, scope: delta.scope, changes, refused, cleared: plan.cleared })
    } catch (error) {
      await rollBack(plan.changes)
      return nack(delta, toldAt, `snapshot: ${errorText(error)}`, tried.applied.ms)
    }
    const totalMs = tried.liveAt - toldAt
    log.info('revision_live', {
      revision: delta.revision,
      changes: tried.accepted.length,
      refused: refused.length,
      totalMs,
    })
    const refusals = capRefusals(refused.map((entry) => entry.refusal))
    return report(delta.revision, { refused: refusals, totalMs, applyMs: tried.applied.ms, probed: true })
  }

  /** Walks over all sites only when there is a reason: the walk costs milliseconds in which no change can go live. */
  async function relocateNow(): Promise<OriginAlerts> {
    const names = resolver.changed()
    const allowed = allowancesOf(store.snapshot.settings()?.body)
    if (names.length > 0) {
      await pushMoved(relocated(store.snapshot, resolver, allowed, new Set(names)))
      resolver.settle(names)
    }
    const stale = store.revision() !== alerts.revision && performance.now() - alerts.at > ALERTS_MS
    if (names.length > 0 || stale) {
      const found = originAlerts(store.snapshot, resolver, allowed)
      alerts = { revision: store.revision(), at: performance.now(), found }
    }
    return alerts.found
  }

  async function pushMoved(moved: SiteItem[]): Promise<void> {
    if (moved.length === 0) return
    const applied = await send(store.revision(), moved, store.snapshot.get)
    if (!applied.ok) throw new Error(`engine refused new addresses: ${applied.error}`)
    const bad = new Set(applied.refused.map(nameOf))
    const changes = moved.filter((site) => !bad.has(nameOf(site)))
    await store.commit({ revision: store.revision(), scope: store.scope(), changes, refused: [], cleared: [] })
    log.info('origins_relocated', { sites: changes.length })
  }

  async function reconcileNow(): Promise<void> {
    const status = await admin.status()
    // An engine that is ahead runs what an agent did not live to acknowledge. It is taken back: should the next pull bring such a
    // site as the store has it, nothing would be seen to change, and a version would stay that nobody wants any more.
    const other = status.revision !== store.revision() || status.sites !== store.snapshot.count('site')
    if (!other) return
    strayed = true
    await refill()
  }

  return {
    apply: (delta, toldAt) => serial(() => applyNow(delta, toldAt)),
    standing: () => report(store.revision(), { refused: capRefusals(store.refused.refusals()) }),
    relocate: async () => {
      if (named.revision !== store.revision()) {
        const names = new Set<string>()
        for (const site of store.snapshot.sites()) for (const name of originNames(site.body)) names.add(name)
        named = { revision: store.revision(), names }
        resolver.keepOnly(names)
      }
      await resolver.refresh(named.names, NAMES_WAIT_MS)
      return serial(relocateNow)
    },
    reconcile: () => serial(reconcileNow),
  }
}
