/** Checks a delta from the control plane, resource by resource: a bad one is refused and holds up nothing else. */
import { type ConfigDelta, RESOURCE_BODIES, type Resource, resourceKind } from '@tidegate/contract/node/config'
import { resourceHash } from '@tidegate/contract/node/hash'
import type { Refusal } from '@tidegate/contract/node/protocol'
import type { z } from 'zod'
import type { Change, Item } from './item.ts'
import type { RefusedEntry } from './refused.ts'
import type { Snapshot } from './snapshot.ts'

export type Checked = Readonly<{
  changes: Change[]
  /** Resources that the node runs already in this very version. */
  same: Item[]
  refusals: RefusedEntry[]
}>

const LONGEST_DETAIL = 2000
const MOST_DETAILED = 200
const MOST_REFUSALS = 2000

export function refuse(item: { kind: string; key: string }, reason: string, detail: string): Refusal {
  return { kind: item.kind, key: item.key, reason, detail: detail.slice(0, LONGEST_DETAIL) }
}

/** Refusals as a report can carry them: the receiver bounds its size, and thousands have the same cause. */
export function capRefusals(refusals: readonly Refusal[]): Refusal[] {
  return refusals
    .slice(0, MOST_REFUSALS)
    .map((one, index) => (index < MOST_DETAILED ? one : { ...one, detail: one.detail.slice(0, 100) }))
}

function issuesOf(error: z.ZodError): string {
  return error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ')
}

/** Checks one resource. Gives the change, or why it is refused. `verifyHash` is off for what the node itself wrote down. */
export function checkResource(resource: Resource, verifyHash = true): Change | Refusal {
  const kind = resourceKind.safeParse(resource.kind)
  if (!kind.success) return refuse(resource, 'unknown_kind', 'this agent does not know the kind')
  const { key } = resource
  if (resource.body === null || resource.body === undefined) return { kind: kind.data, key, hash: '', body: null }
  if (verifyHash && resourceHash(resource.body) !== resource.hash) {
    return refuse(resource, 'schema', 'hash does not match the body')
  }
  switch (kind.data) {
    case 'settings': {
      const body = RESOURCE_BODIES.settings.safeParse(resource.body)
      return body.success
        ? { kind: 'settings', key, hash: resource.hash, body: body.data }
        : refuse(resource, 'schema', issuesOf(body.error))
    }
    case 'cert': {
      const body = RESOURCE_BODIES.cert.safeParse(resource.body)
      return body.success
        ? { kind: 'cert', key, hash: resource.hash, body: body.data }
        : refuse(resource, 'schema', issuesOf(body.error))
    }
    case 'challenge': {
      const body = RESOURCE_BODIES.challenge.safeParse(resource.body)
      return body.success
        ? { kind: 'challenge', key, hash: resource.hash, body: body.data }
        : refuse(resource, 'schema', issuesOf(body.error))
    }
    case 'site': {
      const body = RESOURCE_BODIES.site.safeParse(resource.body)
      return body.success
        ? { kind: 'site', key, hash: resource.hash, body: body.data, addresses: [] }
        : refuse(resource, 'schema', issuesOf(body.error))
    }
    case 'purge': {
      const body = RESOURCE_BODIES.purge.safeParse(resource.body)
      return body.success
        ? { kind: 'purge', key, hash: resource.hash, body: body.data }
        : refuse(resource, 'schema', issuesOf(body.error))
    }
  }
}

/** A purge number never goes back: an older one than the node has is no change. */
function staysBehind(change: Change, current: Snapshot): boolean {
  if (change.kind !== 'purge' || change.body === null) return false
  const held = current.get('purge', change.key)
  return held?.kind === 'purge' && held.body.generation > change.body.generation
}

/** What a full configuration no longer names. Purges outlive it as long as their site lives: purged objects are still on disk. */
function removals(delta: ConfigDelta, current: Snapshot): Change[] {
  const named = new Set(delta.resources.map((resource) => `${resource.kind} ${resource.key}`))
  const gone: Change[] = []
  for (const item of current.items()) {
    if (named.has(`${item.kind} ${item.key}`)) continue
    if (item.kind === 'purge' && named.has(`site ${item.body.siteId}`)) continue
    gone.push({ kind: item.kind, key: item.key, hash: '', body: null })
  }
  return gone
}

/** Compares a delta with what the node has and gives only what really changes. */
export function checkDelta(delta: ConfigDelta, current: Snapshot): Checked {
  const changes: Change[] = delta.base === 0 ? removals(delta, current) : []
  const same: Item[] = []
  const refusals: RefusedEntry[] = []
  for (const resource of delta.resources) {
    const held = current.find(resource.kind, resource.key)
    if (held !== undefined && resource.body !== null && held.hash === resource.hash) {
      same.push(held)
      continue
    }
    const result = checkResource(resource)
    if ('reason' in result) refusals.push({ refusal: result, resource })
    else if (!staysBehind(result, current)) changes.push(result)
  }
  return { changes, same, refusals }
}
