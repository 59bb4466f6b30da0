/** One resource as the agent holds it, and how it is written for the engine. */
import type {
  CertConfig,
  ChallengeConfig,
  GroupSettings,
  PurgeConfig,
  SiteConfig,
} from '@tidegate/contract/node/config'
import type { EngineItem } from '@tidegate/contract/node/engine'

/** A checked resource. `hash` is the server's; `body` has passed its schema. `order` decides within a batch. */
export type Item =
  | Readonly<{ kind: 'settings'; key: string; hash: string; body: GroupSettings }>
  | Readonly<{ kind: 'cert'; key: string; hash: string; body: CertConfig }>
  | Readonly<{ kind: 'challenge'; key: string; hash: string; body: ChallengeConfig }>
  | Readonly<{ kind: 'site'; key: string; hash: string; body: SiteConfig; addresses: string[][] }>
  | Readonly<{ kind: 'purge'; key: string; hash: string; body: PurgeConfig }>

export type SiteItem = Extract<Item, { kind: 'site' }>
export type SettingsItem = Extract<Item, { kind: 'settings' }>
export type ItemKind = Item['kind']

/** A change of one resource: its new version, or its removal. */
export type Change = Item | Readonly<{ kind: ItemKind; key: string; hash: ''; body: null }>

/** Settings first (they decide on origins), then certificates (sites point to them) and challenges, then sites, then purges. */
const ORDER: Record<ItemKind, number> = { settings: 0, cert: 1, challenge: 2, site: 3, purge: 4 }

export function inOrder<T extends { kind: ItemKind }>(items: readonly T[]): T[] {
  return [...items].sort((a, b) => ORDER[a.kind] - ORDER[b.kind])
}

/** Name of a resource in reports: `kind key`. */
export function nameOf(item: { kind: string; key: string }): string {
  return `${item.kind} ${item.key}`
}

/** The change as the engine takes it. */
export function engineItemOf(change: Change): EngineItem {
  const { key } = change
  if (change.body === null) return { kind: change.kind, key, body: null }
  switch (change.kind) {
    case 'settings':
      return { kind: 'settings', key, body: change.body }
    case 'cert':
      return { kind: 'cert', key, body: change.body }
    case 'challenge':
      return { kind: 'challenge', key, body: change.body }
    case 'site':
      return { kind: 'site', key, body: { ...change.body, addresses: change.addresses } }
    case 'purge':
      return { kind: 'purge', key, body: change.body }
  }
}
