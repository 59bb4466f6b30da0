/** What the node runs: the accepted version of every resource, in memory. Changed only by `accept`. */
import type { Change, Item, ItemKind, SettingsItem, SiteItem } from './item.ts'

export type Snapshot = Readonly<{
  get: (kind: ItemKind, key: string) => Item | undefined
  /** Like `get`, for a kind that may be unknown. */
  find: (kind: string, key: string) => Item | undefined
  items: () => Iterable<Item>
  sites: () => Iterable<SiteItem>
  count: (kind: ItemKind) => number
  settings: () => SettingsItem | undefined
  accept: (change: Change) => void
  clear: () => void
}>

export function createSnapshot(): Snapshot {
  const byName = new Map<string, Item>()
  const counts: Record<ItemKind, number> = { settings: 0, cert: 0, challenge: 0, site: 0, purge: 0 }
  const find = (kind: string, key: string) => byName.get(`${kind} ${key}`)
  function* sites(): Generator<SiteItem> {
    for (const item of byName.values()) if (item.kind === 'site') yield item
  }
  return {
    get: find,
    find,
    items: () => byName.values(),
    sites,
    count: (kind) => counts[kind],
    settings: () => {
      for (const item of byName.values()) if (item.kind === 'settings') return item
      return undefined
    },
    accept: (change) => {
      const name = `${change.kind} ${change.key}`
      const had = byName.has(name)
      if (change.body === null) {
        if (byName.delete(name)) counts[change.kind]--
        return
      }
      byName.set(name, change)
      if (!had) counts[change.kind]++
    },
    clear: () => {
      byName.clear()
      for (const kind of ['settings', 'cert', 'challenge', 'site', 'purge'] as const) counts[kind] = 0
    },
  }
}
