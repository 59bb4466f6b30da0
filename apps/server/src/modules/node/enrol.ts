/** Enrolment: one-time tokens, first certificates, renewals. */
import { createHash, randomBytes } from 'node:crypto'
import { ENROLL_TOKEN_TTL } from '@tidegate/contract/limits'
import type { enrollReply, enrollRequest } from '@tidegate/contract/node/protocol'
import { sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Caller } from '../../platform/caller.ts'
import { groupScope } from '../../platform/config-change.ts'
import type { Db, Tx } from '../../platform/db.ts'
import { AppError } from '../../platform/errors.ts'
import { row, sqlState } from '../../platform/query.ts'
import { audit } from '../audit/index.ts'
import { type Ca, CsrError, type IssuedCert } from './ca.ts'

const hashToken = (token: string) => createHash('sha256').update(token).digest('hex')

interface NamedNode {
  id: number
  enrolled: boolean
}

const findByName = (tx: Tx, name: string) =>
  row<NamedNode>(tx, sql`SELECT id, enrolled_at IS NOT NULL AS enrolled FROM node WHERE name = ${name} FOR UPDATE`)

/** A node row of this name, made when there is none; one that never enrolled is taken again and moves to the group. */
export const ensureNode = async (tx: Tx, name: string, groupId: number): Promise<NamedNode> => {
  const have = await findByName(tx, name)
  if (have?.enrolled) return have
  if (have) {
    await tx.execute(sql`UPDATE node SET group_id = ${groupId} WHERE id = ${have.id}`)
    return have
  }
  try {
    const made = await row<{ id: number }>(
      tx,
      sql`INSERT INTO node (name, group_id) VALUES (${name}, ${groupId}) RETURNING id`,
    )
    if (!made) throw new Error('no node was inserted')
    return { id: made.id, enrolled: false }
  } catch (error) {
    if (sqlState(error) === '23505') throw new AppError('name_taken', { params: { name } })
    throw error
  }
}

/** Issues a token for a node; earlier unused ones of the same node die. */
export const issueToken = async (tx: Tx, caller: Caller | null, nodeId: number, groupId: number) => {
  const token = randomBytes(32).toString('base64url')
  await tx.execute(sql`DELETE FROM enroll_token WHERE node_id = ${nodeId} AND used_at IS NULL`)
  const made = await row<{ expires: string }>(
    tx,
    sql`INSERT INTO enroll_token (hash, node_id, group_id, expires_at)
        VALUES (${hashToken(token)}, ${nodeId}, ${groupId}, now() + make_interval(secs => ${ENROLL_TOKEN_TTL})) RETURNING expires_at AS expires`,
  )
  await audit(tx, caller, { action: 'node.enrollToken', target: `node ${nodeId}`, after: { groupId } })
  return { token, expires: made?.expires ?? '' }
}

export interface Enrolment {
  /** Throws `forbidden` for a token that is unknown, used, too old or of a revoked node; `invalid_input` for a bad request. */
  enroll(request: z.infer<typeof enrollRequest>, ip: string): Promise<z.infer<typeof enrollReply>>
  renew(node: { id: number; serial: string }, csr: string): Promise<{ certificate: string; ca: string }>
}

export const createEnrolment = (db: Db, openCa: () => Promise<Ca>): Enrolment => ({
  enroll: async (request, ip) => {
    const ca = await openCa()
    const hash = hashToken(request.token)
    return db.transaction(async (tx) => {
      const token = await row<{ nodeId: number; groupId: number; name: string }>(
        tx,
        sql`SELECT t.node_id AS "nodeId", t.group_id AS "groupId", n.name FROM enroll_token t JOIN node n ON n.id = t.node_id
            WHERE t.hash = ${hash} AND t.used_at IS NULL AND t.expires_at > now() AND n.revoked_at IS NULL FOR UPDATE OF t, n`,
      )
      if (!token) throw new AppError('forbidden')
      const issued = await issue(ca, token.nodeId, request.csr)
      const scope = groupScope(token.groupId)
      await tx.execute(sql`UPDATE enroll_token SET used_at = now() WHERE hash = ${hash}`)
      await tx.execute(sql`UPDATE node SET group_id = ${token.groupId}, enrolled_at = now(), hostname = ${clean(request.hostname)},
        agent_version = ${clean(request.agentVersion)}, engine_version = ${clean(request.engineVersion)},
        cert_serials = ARRAY[${issued.serial}], cert_not_after = ${issued.notAfter.toISOString()}::timestamptz,
        address = CASE address WHEN '' THEN ${ip} ELSE address END WHERE id = ${token.nodeId}`)
      await startPushes(tx, token.nodeId, scope)
      await tx.execute(sql`SELECT pg_notify('node_revoked', ${String(token.nodeId)})`)
      const after = { serial: issued.serial, hostname: clean(request.hostname), ip }
      await audit(tx, null, { action: 'node.enroll', target: `node ${token.nodeId}`, after })
      return {
        nodeId: token.nodeId,
        nodeName: token.name,
        scope,
        certificate: issued.certificate,
        ca: ca.certPem,
      }
    })
  },
  renew: async (node, csr) => {
    const ca = await openCa()
    const issued = await issue(ca, node.id, csr)
    await db.transaction(async (tx) => {
      const done = await tx.execute(sql`UPDATE node SET cert_serials = ARRAY[${issued.serial}, ${node.serial}],
        cert_not_after = ${issued.notAfter.toISOString()}::timestamptz WHERE id = ${node.id} AND revoked_at IS NULL`)
      if (done.rowCount !== 1) throw new AppError('forbidden')
      await audit(tx, null, { action: 'node.renew', target: `node ${node.id}`, after: { serial: issued.serial } })
    })
    return { certificate: issued.certificate, ca: ca.certPem }
  },
})

/** PostgreSQL stores no NUL. */
const clean = (text: string) => text.replaceAll('\u0000', '')

const issue = async (ca: Ca, nodeId: number, csr: string): Promise<IssuedCert> => {
  try {
    return await ca.issueNode(nodeId, csr)
  } catch (error) {
    if (error instanceof CsrError) throw new AppError('invalid_input', { fields: [{ path: 'csr', key: 'invalid' }] })
    throw error
  }
}

/** Revisions up to now do not wait for a node that was not there. What it was sent before, under another certificate, stays said. */
const startPushes = (tx: Tx, nodeId: number, scope: string) =>
  tx.execute(sql`INSERT INTO node_push AS p (node_id, scope, base, answered)
    SELECT ${nodeId}, ${scope}, head, head FROM (SELECT COALESCE((SELECT head FROM config_scope WHERE scope = ${scope}), 0) AS head) h
    ON CONFLICT (node_id) DO UPDATE SET scope = excluded.scope, base = excluded.base, answered = excluded.answered, applied = 0,
      applied_at = NULL, refused_now = '[]', ack_ok = true, ack_error = '', revoked = false,
      sent = CASE WHEN p.scope = excluded.scope THEN p.sent ELSE 0 END`)
