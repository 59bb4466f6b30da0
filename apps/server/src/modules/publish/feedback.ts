/** Reads how far a revision has come: state, counts, and each node's answer. */

import type { PushState } from '@tidegate/contract/enums'
import { NODE_OFFLINE_AFTER } from '@tidegate/contract/limits'
import type { Refusal } from '@tidegate/contract/node/protocol'
import type { FeedbackRow } from '@tidegate/contract/operations/push'
import { sql } from 'drizzle-orm'
import type { PushRef } from '../../platform/config-change.ts'
import type { Queryable } from '../../platform/db.ts'
import { iso, row, rows } from '../../platform/query.ts'

export interface Progress {
  state: PushState
  feedback: FeedbackRow[]
}

interface NodeAnswer {
  nodeId: number
  nodeName: string
  online: boolean
  sent: number
  applied: number
  answered: number
  state: 'done' | 'refused' | null
  error: string
  refused: Refusal[] | null
  totalMs: number | null
  nodeMs: number | null
  applyMs: number | null
  probed: boolean | null
  at: string | null
  ackAt: string | null
}

/** Resources that did not compile stand as an answer of the control plane itself, with this id and name. */
const SERVER = { nodeId: 0, nodeName: 'server' }

/** Every node's answer to a revision. Nodes that came later (and did not answer before they enrolled anew) or are revoked do not count. null = there is no such revision (any more). */
export const readProgress = async (on: Queryable, { scope, revision }: PushRef): Promise<Progress | null> => {
  const info = await row<{ publishedAt: string | null; failed: Refusal[] | null; createdAt: string }>(
    on,
    sql`SELECT published_at AS "publishedAt", failed, created_at AS "createdAt" FROM config_revision
        WHERE scope = ${scope} AND revision = ${revision}`,
  )
  if (!info) return null
  const answers = await rows<NodeAnswer>(
    on,
    sql`SELECT n.id AS "nodeId", n.name AS "nodeName", p.sent, p.applied, p.answered, f.state, f.error, f.refused, f.probed, f.at,
          f.total_ms AS "totalMs", f.node_ms AS "nodeMs", f.apply_ms AS "applyMs", p.ack_at AS "ackAt",
          COALESCE(n.last_seen > now() - make_interval(secs => ${NODE_OFFLINE_AFTER}), false) AS online
        FROM node_push p JOIN node n ON n.id = p.node_id
        LEFT JOIN push_feedback f ON f.node_id = p.node_id AND f.scope = p.scope AND f.revision = ${revision}
        WHERE p.scope = ${scope} AND NOT p.revoked AND (p.base < ${revision} OR f.state IS NOT NULL) ORDER BY n.name`,
  )
  const feedback = answers.map((a) => toFeedback(a, revision))
  if (info.failed) feedback.unshift(serverRow(info.failed, info.publishedAt, info.createdAt, revision))
  return { state: stateOf(info.publishedAt !== null, feedback), feedback }
}

const stateOf = (published: boolean, feedback: FeedbackRow[]): PushState => {
  if (!published || feedback.some((f) => f.state === 'pending')) return 'pending'
  return feedback.some((f) => f.state === 'refused') ? 'refused' : 'done'
}

const toFeedback = (a: NodeAnswer, revision: number): FeedbackRow => {
  // A state may lack only where an answer covered the revision after its row had been compacted away.
  const state = a.answered >= revision ? (a.state ?? 'done') : 'pending'
  return {
    nodeId: a.nodeId,
    nodeName: a.nodeName,
    online: a.online,
    state,
    sentRevision: a.sent,
    appliedRevision: a.applied,
    time: state === 'pending' ? '' : iso(a.at ?? a.ackAt),
    totalMs: a.totalMs ?? -1,
    nodeMs: a.nodeMs ?? -1,
    applyMs: a.applyMs ?? -1,
    probed: a.probed ?? false,
    error: a.error ?? '',
    refused: a.refused ?? [],
  }
}

const serverRow = (failed: Refusal[], at: string | null, createdAt: string, revision: number): FeedbackRow => ({
  ...SERVER,
  online: true,
  state: 'refused',
  sentRevision: revision,
  appliedRevision: 0,
  time: iso(at),
  totalMs: at === null ? -1 : new Date(at).getTime() - new Date(createdAt).getTime(),
  nodeMs: -1,
  applyMs: -1,
  probed: false,
  error: '',
  refused: failed,
})

/** The revisions that a change made, in all scopes. */
export const revisionsOfChange = (on: Queryable, change: string): Promise<PushRef[]> =>
  rows<PushRef>(on, sql`SELECT scope, revision FROM config_revision WHERE change = ${change}::uuid ORDER BY scope`)

/** Revisions that wait for some node or for the publisher, and resources that are refused at present. Two small aggregates. */
export const pushCounts = async (on: Queryable): Promise<{ task_size: number; refused_size: number }> => {
  const counts = await row<{ task: string; refused: string }>(
    on,
    sql`SELECT
      (SELECT COALESCE(sum(s.head - LEAST(COALESCE(p.published, 0), n.low)), 0) FROM config_scope s
       LEFT JOIN config_published p USING (scope)
       LEFT JOIN (SELECT scope, min(answered) AS low FROM node_push WHERE NOT revoked GROUP BY scope) n USING (scope)) AS task,
      (SELECT count(*) FROM (
         SELECT p.scope, r FROM node_push p, jsonb_array_elements_text(p.refused_now) r WHERE NOT p.revoked AND p.refused_now <> '[]'
         UNION SELECT scope, kind || ' ' || key FROM config_failed) x) AS refused`,
  )
  return { task_size: Number(counts?.task ?? 0), refused_size: Number(counts?.refused ?? 0) }
}

/** When the oldest revision that waits for some node or for the publisher was made; null = none waits. */
export const pendingSince = async (on: Queryable): Promise<Date | null> => {
  const found = await row<{ at: string | null }>(
    on,
    sql`SELECT min(r.created_at) AS at FROM config_scope s
      LEFT JOIN config_published p USING (scope)
      LEFT JOIN (SELECT scope, min(answered) AS low FROM node_push WHERE NOT revoked GROUP BY scope) n USING (scope)
      JOIN LATERAL (SELECT created_at FROM config_revision c
        WHERE c.scope = s.scope AND c.revision > LEAST(COALESCE(p.published, 0), n.low) ORDER BY c.revision LIMIT 1) r ON true`,
  )
  return found?.at ? new Date(found.at) : null
}
