/** Resources that the node would not take, kept so that they can be tried again when what they hang on changes. */
import { type Resource, resource } from '@tidegate/contract/node/config'
import { type Refusal, refusal } from '@tidegate/contract/node/protocol'
import { z } from 'zod'

/** A certificate's body carries its key and is not kept: only a new version can help it. */
export const refusedEntry = z.object({ refusal, resource })
export type RefusedEntry = { refusal: Refusal; resource: Resource }

export type RefusedSet = Readonly<{
  set: (entry: RefusedEntry) => void
  delete: (kind: string, key: string) => void
  clear: () => void
  all: () => RefusedEntry[]
  /** `kind key` of each, sorted. */
  names: () => string[]
  refusals: () => Refusal[]
}>

export function createRefusedSet(): RefusedSet {
  const entries = new Map<string, RefusedEntry>()
  return {
    set: (entry) => {
      const kept = entry.resource.kind === 'cert' ? { ...entry.resource, body: {} } : entry.resource
      entries.set(`${entry.refusal.kind} ${entry.refusal.key}`, { refusal: entry.refusal, resource: kept })
    },
    delete: (kind, key) => {
      entries.delete(`${kind} ${key}`)
    },
    clear: () => entries.clear(),
    all: () => [...entries.values()],
    names: () => [...entries.keys()].sort(),
    refusals: () => [...entries.values()].map((entry) => entry.refusal),
  }
}
