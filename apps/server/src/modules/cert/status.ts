/** The one place where a certificate's state changes: by the contract's table of moves, and not otherwise. */
import { type CertStatus, certMayBecome, certStatus, type StoredCertStatus } from '@tidegate/contract/cert'
import { type SQL, sql } from 'drizzle-orm'
import type { Tx } from '../../platform/db.ts'
import { AppError } from '../../platform/errors.ts'
import { row } from '../../platform/query.ts'

/**
 * Locks the certificate and makes it `to`; throws `cert_move` where that may not be. `now`: Unix ms; `content`: further columns that
 * change with it. Answers what it was.
 */
export const moveCert = async (
  tx: Tx,
  id: number,
  to: StoredCertStatus,
  now: number,
  content?: SQL,
): Promise<CertStatus> => {
  const found = await row<{ status: StoredCertStatus; notAfter: string | null }>(
    tx,
    sql`SELECT status, not_after AS "notAfter" FROM cert WHERE id = ${id} FOR UPDATE`,
  )
  if (!found) throw new AppError('not_found')
  const from = certStatus(found.status, found.notAfter === null ? null : new Date(found.notAfter).getTime(), now)
  if (!certMayBecome(from, to)) throw new AppError('cert_move')
  // What was uploaded is no authority's.
  const source = to === 'own' ? sql`, authority_id = NULL` : sql``
  await tx.execute(
    sql`UPDATE cert SET status = ${to}, updated_at = now()${source}${content ? sql`, ${content}` : sql``} WHERE id = ${id}`,
  )
  return from
}
