/** Cuts changes into batches for the engine: one worker does little else while it takes a batch, and the others wait for its end. */
import { type Change, type Item, type ItemKind, inOrder, nameOf } from './item.ts'

/** Items of a batch at most. */
const ITEMS_MOST = 500

type InForce = (kind: ItemKind, key: string) => Item | undefined

function hostsOf(change: Change | undefined): readonly string[] {
  return change?.kind === 'site' && change.body !== null ? change.body.hosts : []
}

/** Names of the sites that give hosts up and of those that take them: the engine can only swap hosts within one batch. */
function moving(changes: readonly Change[], inForce: InForce): Set<string> {
  const names = new Set<string>()
  const given = new Set<string>()
  for (const change of changes) {
    if (change.kind !== 'site') continue
    const kept = new Set(hostsOf(change))
    for (const host of hostsOf(inForce('site', change.key))) {
      if (kept.has(host)) continue
      given.add(host)
      names.add(nameOf(change))
    }
  }
  for (const change of changes) if (hostsOf(change).some((host) => given.has(host))) names.add(nameOf(change))
  return names
}

function chunks(changes: readonly Change[]): Change[][] {
  const cut: Change[][] = []
  for (let at = 0; at < changes.length; at += ITEMS_MOST) cut.push(changes.slice(at, at + ITEMS_MOST))
  return cut
}

/**
 * The batches, to be sent one after the other; at least one, since an empty batch carries the revision. `inForce`: what the engine runs.
 * Up to 500 changes stay together. Sites that exchange hosts do so too, however many they are.
 */
export function inBatches(changes: readonly Change[], inForce: InForce): Change[][] {
  const ordered = inOrder(changes)
  if (ordered.length <= ITEMS_MOST) return [ordered]
  const movers = moving(ordered, inForce)
  const of = (...kinds: ItemKind[]) => ordered.filter((change) => kinds.includes(change.kind))
  const sites = of('site')
  const exchange = sites.filter((site) => movers.has(nameOf(site)))
  return [
    ...chunks(of('settings', 'cert', 'challenge')),
    ...(exchange.length === 0 ? [] : [exchange]),
    ...chunks(sites.filter((site) => !movers.has(nameOf(site)))),
    ...chunks(of('purge')),
  ]
}
