/** The end of an order: the certificate in its place, or why there is none. Rows, revision and audit are one transaction. */
import { sql } from 'drizzle-orm'
import { groupScope, type Touch } from '../../platform/config-change.ts'
import type { Tx } from '../../platform/db.ts'
import { row, rows } from '../../platform/query.ts'
import { audit } from '../audit/index.ts'
import type { OrderFault } from './acme/errors.ts'
import { withdrawAnswers } from './challenges.ts'
import type { CertModuleDeps, StoredOrder } from './deps.ts'
import { endOrder } from './orders.ts'
import type { ParsedCert } from './parse.ts'
import { moveCert } from './status.ts'
import { tellFailure } from './tell-failure.ts'

/** Every group whose sites use the certificate publishes it. */
export const touchUsers = async (tx: Tx, touch: Touch, certId: number): Promise<void> => {
  const groups = await rows<{ id: number }>(
    tx,
    sql`SELECT DISTINCT group_id AS id FROM site WHERE cert_id = ${certId} ORDER BY group_id`,
  )
  for (const group of groups) touch(groupScope(group.id), 'cert', String(certId))
}

/** What a certificate and its key become in the row; the key is sealed for it. */
export const contentOf = ({ secrets }: Pick<CertModuleDeps, 'secrets'>, id: number, cert: ParsedCert) =>
  sql`names = ${sql.param(cert.names)}::text[], issuer = ${cert.issuer}, fingerprint = ${cert.fingerprint}, serial = ${cert.serial},
    not_before = ${cert.notBefore.toISOString()}::timestamptz, not_after = ${cert.notAfter.toISOString()}::timestamptz,
    cert_pem = ${cert.certPem}, key_sealed = ${secrets.seal(cert.keyPem, `cert ${id} key`)}`

const meta = (order: StoredOrder) => ({ reason: 'cert', subject: order.names[0] ?? '', by: order.by }) as const

/** The sites chosen take the certificate; those that use it already serve it from the next handshake on. */
export const succeed = async (deps: CertModuleDeps, order: StoredOrder, cert: ParsedCert): Promise<void> => {
  const now = deps.clock.now()
  await deps.withConfigChange(meta(order), async (tx, touch) => {
    if (!(await endOrder(tx, order.id, { serial: cert.serial }, now))) return
    await withdrawAnswers(tx, touch, order.id)
    const sites = await deps.bindCert(tx, touch, { siteIds: order.siteIds, certId: order.certId, by: order.by })
    const fresh = sql`${contentOf(deps, order.certId, cert)}, renew_fails = 0, renew_after = NULL, ari_at = NULL, ari_next = NULL`
    await moveCert(tx, order.certId, 'succeeded', now, fresh)
    await touchUsers(tx, touch, order.certId)
    const { names, serial, fingerprint, notAfter } = cert
    await audit(tx, null, {
      ...{ action: 'cert.issued', target: `cert ${order.certId}` },
      after: { id: order.certId, order: order.id, names, serial, fingerprint, notAfter: notAfter.toISOString(), sites },
    })
  })
}

/** Pauses after renewals that failed in a row, hours. */
const PAUSES = [6, 12, 24, 48, 72]
const HOUR_MS = 3_600_000

/** What there was stays: a certificate that is in force is served until its end. */
export const fail = async (deps: CertModuleDeps, order: StoredOrder, fault: OrderFault): Promise<void> => {
  const now = deps.clock.now()
  await deps.withConfigChange(meta(order), async (tx, touch) => {
    if (!(await endOrder(tx, order.id, { fault }, now))) return
    await withdrawAnswers(tx, touch, order.id)
    const cert = await row<{ hasOne: boolean; fails: number }>(
      tx,
      sql`SELECT not_after IS NOT NULL AS "hasOne", renew_fails AS fails FROM cert WHERE id = ${order.certId} FOR UPDATE`,
    )
    if (!cert) return
    if (!cert.hasOne) await moveCert(tx, order.certId, 'failed', now)
    const pause = (PAUSES[Math.min(cert.fails, PAUSES.length - 1)] ?? 0) * HOUR_MS
    if (cert.hasOne)
      await tx.execute(sql`UPDATE cert SET renew_fails = renew_fails + 1, renew_after = ${new Date(now + pause).toISOString()}::timestamptz
        WHERE id = ${order.certId}`)
    await audit(tx, null, {
      ...{ action: 'cert.refused', target: `cert ${order.certId}` },
      after: { id: order.certId, order: order.id, names: order.names, fault: fault.key, detail: fault.detail },
    })
    if (cert.hasOne && order.reason === 'renew') await tellFailure(deps, tx, order, fault, now + pause)
  })
}
