/** Stores the answers of many nodes in one transaction. An answer for revision N answers all revisions up to N. */
import type { AckReport } from '@tidegate/contract/node/protocol'
import type { Pool, PoolClient } from 'pg'

export interface AckInput {
  nodeId: number
  scope: string
  report: AckReport
  /** Highest revision that this process knows to have sent. */
  sent: number
}

interface PushState {
  nodeId: number
  scope: string
  sent: number
  refusedNow: string[]
}

/** At most one answer a node. Gives the ids of the nodes that claim what they were never sent (or answer for another scope); theirs is not stored. */
export const writeAcks = async (pool: Pool, acks: AckInput[]): Promise<Set<number>> => {
  const client = await pool.connect()
  try {
    await client.query('BEGIN')
    const states = await lockStates(client, acks)
    const good = acks.filter((a) => isTrue(a, states.get(a.nodeId)))
    if (good.length > 0) {
      await writeFeedback(client, good)
      await heal(client, good, states)
      await writeStates(client, good)
      // One notice a revision, not one a node: every process of the control plane hears every notice.
      const notices = [...new Set(good.map((a) => `${a.scope} ${a.report.tried}`))]
      await client.query(`SELECT pg_notify('push_feedback', n) FROM unnest($1::text[]) n`, [notices])
    }
    await client.query('COMMIT')
    const stored = new Set(good.map((a) => a.nodeId))
    return new Set(acks.map((a) => a.nodeId).filter((id) => !stored.has(id)))
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {})
    throw error
  } finally {
    client.release()
  }
}

const lockStates = async (client: PoolClient, acks: AckInput[]): Promise<Map<number, PushState>> => {
  const { rows } = await client.query<PushState>(
    `SELECT node_id AS "nodeId", scope, sent, refused_now AS "refusedNow" FROM node_push
     WHERE node_id = ANY($1::bigint[]) AND NOT revoked ORDER BY node_id FOR UPDATE`,
    [acks.map((a) => a.nodeId)],
  )
  return new Map(rows.map((r) => [r.nodeId, r]))
}

const isTrue = ({ report, scope, sent }: AckInput, state: PushState | undefined): boolean => {
  if (!state || state.scope !== scope || report.scope !== scope) return false
  return Math.max(report.revision, report.tried) <= Math.max(sent, state.sent)
}

/** One row a node and revision that the answer covers: refused when the batch was, or one of the revision's own resources is. */
const writeFeedback = async (client: PoolClient, acks: AckInput[]): Promise<void> => {
  const list = acks.map(({ nodeId, scope, report: r }) => ({
    node: nodeId,
    scope,
    ok: r.ok,
    tried: r.tried,
    error: clean(r.error),
    names: [...new Set([...r.refused.map((x) => `${x.kind} ${x.key}`), ...r.refusedNow])].map(clean),
    refused: r.refused.map((x) => ({ ...x, key: clean(x.key), detail: clean(x.detail) })),
    totalMs: r.totalMs,
    applyMs: r.applyMs,
    probed: r.probed,
  }))
  await client.query(
    `INSERT INTO push_feedback (scope, revision, node_id, state, error, refused, total_ms, node_ms, apply_ms, probed, at)
     SELECT a.scope, r.revision, a.node,
       CASE WHEN NOT a.ok OR r.touched ?| a.names THEN 'refused' ELSE 'done' END, a.error,
       COALESCE((SELECT jsonb_agg(x) FROM jsonb_array_elements(a.refused) x
                 WHERE r.touched ? ((x->>'kind') || ' ' || (x->>'key'))), '[]'),
       extract(epoch FROM clock_timestamp() - r.created_at) * 1000, a."totalMs", a."applyMs", a.probed, clock_timestamp()
     FROM jsonb_to_recordset($1::jsonb) AS a (node bigint, scope text, ok boolean, tried bigint, error text, names text[],
       refused jsonb, "totalMs" float8, "applyMs" float8, probed boolean)
     JOIN node_push p ON p.node_id = a.node
     JOIN config_revision r ON r.scope = a.scope AND r.revision > GREATEST(p.applied, p.base) AND r.revision <= a.tried
     ON CONFLICT (scope, revision, node_id) DO UPDATE SET state = excluded.state, error = excluded.error, refused = excluded.refused,
       total_ms = excluded.total_ms, node_ms = excluded.node_ms, apply_ms = excluded.apply_ms, probed = excluded.probed, at = excluded.at`,
    [JSON.stringify(list)],
  )
}

/** PostgreSQL stores no NUL; a node's text may hold anything. */
const clean = (text: string) => text.replaceAll('\u0000', '')

/** A resource that was refused and is taken now, without a newer version of it: the revision that brought it is done after all. */
const heal = async (client: PoolClient, acks: AckInput[], states: Map<number, PushState>): Promise<void> => {
  const healed = acks.flatMap(({ nodeId, scope, report }) => {
    const now = new Set(report.refusedNow)
    const names = (states.get(nodeId)?.refusedNow ?? []).filter((name) => !now.has(name))
    return report.ok && names.length > 0 ? [{ node: nodeId, scope, names, now: [...now].map(clean) }] : []
  })
  if (healed.length === 0) return
  await client.query(
    `UPDATE push_feedback f SET state = 'done', error = '', refused = '[]', at = clock_timestamp()
     FROM jsonb_to_recordset($1::jsonb) AS h (node bigint, scope text, names text[], now text[]), config_revision r
     WHERE f.node_id = h.node AND f.state = 'refused' AND f.scope = h.scope AND r.scope = f.scope AND r.revision = f.revision
       AND r.touched ?| h.names AND NOT r.touched ?| h.now
       AND EXISTS (SELECT FROM config_current c WHERE c.scope = r.scope AND c.revision <= r.revision AND c.kind || ' ' || c.key = ANY (h.names))`,
    [JSON.stringify(healed)],
  )
}

const writeStates = async (client: PoolClient, acks: AckInput[]): Promise<void> => {
  const list = acks.map(({ nodeId, report: r, sent }) => ({
    node: nodeId,
    revision: r.revision,
    tried: r.tried,
    sent,
    ok: r.ok,
    error: clean(r.error),
    refused: r.refusedNow.map(clean),
  }))
  await client.query(
    `UPDATE node_push p SET answered = GREATEST(p.answered, a.tried), applied = a.revision, sent = GREATEST(p.sent, a.sent),
       applied_at = CASE WHEN p.applied = a.revision THEN p.applied_at ELSE clock_timestamp() END,
       ack_at = clock_timestamp(), ack_ok = a.ok, ack_error = a.error, refused_now = a.refused
     FROM jsonb_to_recordset($1::jsonb) AS a (node bigint, revision bigint, tried bigint, sent bigint, ok boolean, error text, refused jsonb)
     WHERE p.node_id = a.node`,
    [JSON.stringify(list)],
  )
}
