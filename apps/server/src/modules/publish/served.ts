/** Which sites a node may have counted requests for. Nodes are not trusted with figures that others pay for. */
import type { Pool } from 'pg'
import type { Clock } from '../../platform/clock.ts'

/** A set this large is forgotten and asked for anew. */
const MAX_KNOWN = 500_000
/** A site that leaves a group is its nodes' for as long as its removal is kept (30 days), and this much longer at most. */
const FORGET_MS = 3_600_000

/**
 * Answers those of `sites` that the node serves or served lately: published to its scope, removals included (what it counted before may
 * come late), or to a scope whose revisions it once answered. 0 (no site) is everybody's.
 */
export type ServedSites = (
  node: { id: number; scope: string },
  sites: readonly number[],
) => Promise<ReadonlySet<number>>

const SERVED = {
  name: 'publish_served',
  text: `SELECT k.key::bigint AS site FROM unnest($2::text[]) AS k (key)
    WHERE EXISTS (SELECT FROM config_current c WHERE c.scope = $1 AND c.kind = 'site' AND c.key = k.key)`,
}
/** Asked only for what the first one does not know: a node that was enrolled anew into another group. */
const SERVED_ONCE = {
  name: 'publish_served_once',
  text: `SELECT k.key::bigint AS site FROM unnest($2::text[]) AS k (key)
    WHERE EXISTS (SELECT FROM config_current c WHERE c.kind = 'site' AND c.key = k.key
      AND c.scope IN (SELECT scope FROM push_feedback WHERE node_id = $1))`,
}

export const createServedSites = (pool: Pool, clock: Clock): ServedSites => {
  const known = new Map<string, Set<number>>()
  let size = 0
  let forgetAt = 0
  const knownOf = (scope: string) => {
    const now = clock.now()
    if (size > MAX_KNOWN || now >= forgetAt) {
      known.clear()
      size = 0
      forgetAt = now + FORGET_MS
    }
    const set = known.get(scope) ?? new Set<number>()
    known.set(scope, set)
    return set
  }
  const ask = async (statement: typeof SERVED, first: number | string, sites: readonly number[]) => {
    if (sites.length === 0) return []
    const { rows } = await pool.query<{ site: number }>({ ...statement, values: [first, sites.map(String)] })
    return rows.map((r) => r.site)
  }
  return async (node, sites) => {
    const here = knownOf(node.scope)
    const served = new Set(sites.filter((site) => site === 0 || here.has(site)))
    for (const site of await ask(
      SERVED,
      node.scope,
      sites.filter((s) => !served.has(s)),
    )) {
      served.add(site)
      if (!here.has(site)) size++
      here.add(site)
    }
    const rest = sites.filter((s) => !served.has(s))
    for (const site of await ask(SERVED_ONCE, node.id, rest)) served.add(site)
    return served
  }
}
