/** How far changes have come, counted by the database: for lists, which name no single node. */
import type { PushState } from '@tidegate/contract/enums'
import { sql } from 'drizzle-orm'
import type { Queryable } from '../../platform/db.ts'
import { rows } from '../../platform/query.ts'

/** Of all revisions of a change together. What did not compile counts as a node of its own, as in the detail. */
interface ChangeTotals {
  state: PushState
  nodes: number
  done: number
  /** From the save to the last answer; -1 = none yet. */
  totalMs: number
}

interface Row {
  change: string
  published: boolean
  nodes: number
  pending: number
  refused: number
  totalMs: number | null
}

/** Says of each change what readProgress's answers would add up to. Changes without a revision (any more) are absent. */
export const totalsOfChanges = async (on: Queryable, changes: string[]): Promise<Map<string, ChangeTotals>> => {
  if (changes.length === 0) return new Map()
  const list = await rows<Row>(
    on,
    sql`SELECT r.change, bool_and(r.published_at IS NOT NULL) AS published,
          sum(n.nodes + s.server) AS nodes, sum(n.pending) AS pending, sum(n.refused + s.server) AS refused,
          GREATEST(max(n.ms), max(s.ms)) AS "totalMs"
        FROM config_revision r
        CROSS JOIN LATERAL (
          SELECT CASE WHEN r.failed IS NULL THEN 0 ELSE 1 END AS server,
            CASE WHEN r.failed IS NOT NULL THEN extract(epoch FROM r.published_at - r.created_at)::float8 * 1000 END AS ms) s
        CROSS JOIN LATERAL (
          SELECT count(*) AS nodes, count(*) FILTER (WHERE p.answered < r.revision) AS pending,
            count(*) FILTER (WHERE p.answered >= r.revision AND f.state = 'refused') AS refused, max(f.total_ms) AS ms
          FROM node_push p LEFT JOIN push_feedback f ON f.scope = r.scope AND f.revision = r.revision AND f.node_id = p.node_id
          WHERE p.scope = r.scope AND NOT p.revoked AND (p.base < r.revision OR f.state IS NOT NULL)) n
        WHERE r.change = ANY (${sql.param(changes)}::uuid[]) GROUP BY r.change`,
  )
  return new Map(list.map((r) => [r.change, toTotals(r)]))
}

const toTotals = (r: Row): ChangeTotals => {
  const [nodes, pending, refused] = [Number(r.nodes), Number(r.pending), Number(r.refused)]
  const waits = !r.published || pending > 0
  const state: PushState = waits ? 'pending' : refused > 0 ? 'refused' : 'done'
  return { state, nodes, done: nodes - pending - refused, totalMs: r.totalMs ?? -1 }
}
