/** From a delta to what is tried on the engine: checked changes, refused ones tried again, origins located. Pure but for DNS. */
import type { ConfigDelta, GroupSettings, Resource } from '@tidegate/contract/node/config'
import { type Allowances, parseAllowances } from '../resolve/guard.ts'
import { originNames, type Resolver } from '../resolve/resolver.ts'
import { checkDelta, checkResource, refuse } from './check.ts'
import { type Change, inOrder, nameOf, type SiteItem } from './item.ts'
import type { RefusedEntry, RefusedSet } from './refused.ts'
import type { Snapshot } from './snapshot.ts'

/** How long a change waits for names it does not know; later answers follow as a change of addresses. */
const NAMES_WAIT_MS = 1_500
/** Refused resources tried again with one change; the others get their turn with the next full resync. */
const RETRIES_AT_ONCE = 200

export type OriginAlerts = { unresolved: string[]; private: string[] }

export type Plan = Readonly<{
  changes: Change[]
  refused: RefusedEntry[]
  /** Resources whose refusal falls away. */
  cleared: Array<{ kind: string; key: string }>
  /** The resource as it came, by `kind key`, to remember with a refusal. */
  resources: ReadonlyMap<string, Resource>
  /** Whether the delta says nothing new. */
  empty: boolean
}>

export function allowancesOf(settings: GroupSettings | undefined): Allowances {
  return parseAllowances(settings?.allowedPrivateOrigins ?? [])
}

function sameAddresses(a: readonly string[][], b: readonly string[][]): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

/**
 * Sites of the snapshot whose origins' addresses are others than before, e.g. after a DNS answer or changed allowances.
 * `names`: only sites with one of these origins; undefined = all.
 */
export function relocated(
  snapshot: Snapshot,
  resolver: Resolver,
  allowed: Allowances,
  names?: ReadonlySet<string>,
): SiteItem[] {
  const moved: SiteItem[] = []
  for (const site of snapshot.sites()) {
    if (names !== undefined && !originNames(site.body).some((name) => names.has(name))) continue
    const { addresses } = resolver.locate(site.body, allowed)
    if (!sameAddresses(addresses, site.addresses)) moved.push({ ...site, addresses })
  }
  return moved
}

/** Names and sites that deserve an alert as things stand. */
export function originAlerts(snapshot: Snapshot, resolver: Resolver, allowed: Allowances): OriginAlerts {
  const unresolved = new Set<string>()
  const privates = new Set<string>()
  for (const site of snapshot.sites()) {
    const located = resolver.locate(site.body, allowed)
    for (const name of located.unresolved) unresolved.add(name)
    for (const name of located.privateNames) privates.add(name)
    if (located.privateLiteral !== undefined) privates.add(located.privateLiteral)
  }
  return { unresolved: [...unresolved], private: [...privates] }
}

/** Refused sites that the delta does not mention: what they hang on may have changed with it. */
function retries(delta: ConfigDelta, refused: RefusedSet): Resource[] {
  const named = new Set(delta.resources.map(nameOf))
  return refused
    .all()
    .map((entry) => entry.resource)
    .filter((held) => held.kind === 'site' && held.body !== null && !named.has(nameOf(held)))
    .slice(0, RETRIES_AT_ONCE)
}

/** The group's settings as they will be with these changes. */
function settingsAfter(changes: readonly Change[], snapshot: Snapshot): GroupSettings | undefined {
  for (const change of changes) {
    if (change.kind === 'settings') return change.body === null ? undefined : change.body
  }
  return snapshot.settings()?.body
}

export async function makePlan(
  delta: ConfigDelta,
  snapshot: Snapshot,
  refusedSet: RefusedSet,
  resolver: Resolver,
): Promise<Plan> {
  const checked = checkDelta(delta, snapshot)
  const refused = [...checked.refusals]
  const empty = checked.changes.length === 0 && refused.length === 0
  const again = empty || delta.base === 0 ? [] : retries(delta, refusedSet)
  const candidates = [...checked.changes]
  for (const held of again) {
    const result = checkResource(held)
    if (!('reason' in result)) candidates.push(result)
  }
  const ordered = inOrder(candidates)
  const settings = ordered.find((change) => change.kind === 'settings')
  const allowed = allowancesOf(settingsAfter(ordered, snapshot))
  await resolver.refresh(
    ordered.flatMap((change) => (change.kind === 'site' && change.body !== null ? originNames(change.body) : [])),
    NAMES_WAIT_MS,
  )
  const resources = new Map([...again, ...delta.resources].map((held) => [nameOf(held), held]))
  const changes = ordered.flatMap((change): Change[] => {
    if (change.kind !== 'site' || change.body === null) return [change]
    const located = resolver.locate(change.body, allowed)
    if (located.privateLiteral === undefined) return [{ ...change, addresses: located.addresses }]
    const refusal = refuse(change, 'private_origin', `${located.privateLiteral} is a private address`)
    refused.push({ refusal, resource: resources.get(nameOf(change))! })
    return []
  })
  if (settings !== undefined) {
    const touched = new Set(ordered.map(nameOf))
    changes.push(...relocated(snapshot, resolver, allowed).filter((site) => !touched.has(nameOf(site))))
  }
  const cleared: Plan['cleared'] = [...checked.same, ...changes].map(({ kind, key }) => ({ kind, key }))
  // A full configuration that no longer names a refused resource has taken it away.
  if (delta.base === 0) {
    for (const { resource } of refusedSet.all()) if (!resources.has(nameOf(resource))) cleared.push(resource)
  }
  return { changes, refused, cleared, resources, empty }
}
