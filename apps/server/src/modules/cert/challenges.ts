/** Answers to challenges on their way to the edges: published like everything else, and waited for. */

import { challengeKey } from '@tidegate/node-config/compile'
import { sql } from 'drizzle-orm'
import type { PushRef, Touch } from '../../platform/config-change.ts'
import { groupScope } from '../../platform/config-change.ts'
import type { Tx } from '../../platform/db.ts'
import { rows } from '../../platform/query.ts'
import { OrderFault } from './acme/errors.ts'
import type { CertModuleDeps, StoredOrder } from './deps.ts'

/** Longer than any authority validates; the edges forget by themselves then. */
const LIFETIME = '1 hour'
/** So long nodes may take to take a challenge over. */
const ACK_MS = 30_000

export interface Answer {
  host: string
  token: string
  keyAuthorization: string
}

/** Publishes the answers to the groups whose sites have the names, and notes the revisions in the order. */
export const publishAnswers = async (
  deps: Pick<CertModuleDeps, 'withConfigChange' | 'database'>,
  order: StoredOrder,
  answers: readonly Answer[],
): Promise<void> => {
  const meta = { reason: 'cert', subject: order.names[0] ?? '', by: order.by } as const
  const { push } = await deps.withConfigChange(meta, async (tx, touch) => {
    const groups = await groupsOf(tx, answers)
    for (const answer of answers) {
      const groupId = groups.get(answer.host)
      if (groupId === undefined) throw new OrderFault('site_gone', '', { name: answer.host })
      await tx.execute(sql`INSERT INTO cert_challenge (host, token, group_id, order_id, key_authorization, expires_at)
        VALUES (${answer.host}, ${answer.token}, ${groupId}, ${order.id}, ${answer.keyAuthorization}, now() + ${LIFETIME}::interval)
        ON CONFLICT (host, token) DO UPDATE SET group_id = excluded.group_id, order_id = excluded.order_id,
          key_authorization = excluded.key_authorization, expires_at = excluded.expires_at`)
      touch(groupScope(groupId), 'challenge', challengeKey(answer.host, answer.token))
    }
  })
  await deps.database.db.execute(sql`UPDATE cert_order SET step = 'publishing', step_at = now(), published_at = now(),
    pushes = ${JSON.stringify(push)}::jsonb WHERE id = ${order.id} AND ended_at IS NULL`)
}

const groupsOf = async (tx: Tx, answers: readonly Answer[]): Promise<Map<string, number>> => {
  const found = await rows<{ domain: string; groupId: number }>(
    tx,
    sql`SELECT d.domain, s.group_id AS "groupId" FROM site_domain d JOIN site s ON s.id = d.site_id
        WHERE d.domain = ANY (${sql.param(answers.map((a) => a.host))}::text[])`,
  )
  return new Map(found.map(({ domain, groupId }) => [domain, groupId]))
}

/** Whether all nodes that are online have taken the challenges over. Throws a fault that names those that did not, or will not. */
export const areLive = async (deps: Pick<CertModuleDeps, 'answersTo'>, order: StoredOrder): Promise<boolean> => {
  const late = (order.publishedAge ?? 0) > ACK_MS
  for (const push of order.pushes) if (!(await isLive(deps, order, push, late))) return false
  return true
}

const isLive = async (
  deps: Pick<CertModuleDeps, 'answersTo'>,
  order: StoredOrder,
  push: PushRef,
  late: boolean,
): Promise<boolean> => {
  const answers = await deps.answersTo(push)
  // Nobody has to wait for a revision that is no longer kept.
  if (answers === null) return true
  const online = answers.filter((answer) => answer.online && answer.nodeId !== 0)
  if (online.length === 0 && late) throw new OrderFault('no_node', '', {}, 0)
  const refusing = answers.filter((answer) => answer.refused.some((r) => r.kind === 'challenge' && isOf(order, r.key)))
  if (refusing.length > 0) throw new OrderFault('node_refused', '', { nodes: namesOf(refusing) }, 0)
  const silent = online.filter((answer) => answer.state === 'pending')
  if (silent.length > 0 && late) throw new OrderFault('node_silent', '', { nodes: namesOf(silent) }, 0)
  return online.length > 0 && silent.length === 0
}

const isOf = (order: StoredOrder, key: string) => order.names.some((name) => key.startsWith(`${name} `))
/** `id name`, so that customers can be shown the number alone. */
const namesOf = (nodes: readonly { nodeId: number; nodeName: string }[]) =>
  nodes.map((node) => `#${node.nodeId} ${node.nodeName}`).join(', ')

/** Takes an order's answers away from the edges. */
export const withdrawAnswers = async (tx: Tx, touch: Touch, orderId: number): Promise<void> => {
  const gone = await rows<{ host: string; token: string; groupId: number }>(
    tx,
    sql`DELETE FROM cert_challenge WHERE order_id = ${orderId} RETURNING host, token, group_id AS "groupId"`,
  )
  for (const c of gone) touch(groupScope(c.groupId), 'challenge', challengeKey(c.host, c.token))
}
