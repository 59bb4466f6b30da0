/** A node's certificates and its revocation are newer truth than a backup: what was revoked stays revoked, what was renewed stays good. */
import type { Client } from 'pg'

interface Kept {
  id: string
  name: string
  serials: string[]
  notAfter: Date | null
  revokedAt: Date | null
}

const caOf = async (client: Client) => {
  const { rows } = await client.query<{ pem: string }>(
    "SELECT value ->> 'certPem' AS pem FROM installation WHERE key = 'ca'",
  )
  return rows[0]?.pem
}

/** See modules/backup's `Carrier`. Of nodes that both know, under the same authority. */
export const keepNodeTrust = async (before: Client | null) => {
  const ca = before ? await caOf(before) : undefined
  const kept: Kept[] = before
    ? (
        await before.query<Kept>(
          `SELECT id::text, name, cert_serials AS serials, cert_not_after AS "notAfter", revoked_at AS "revokedAt" FROM node
           WHERE enrolled_at IS NOT NULL`,
        )
      ).rows
    : []
  return async (after: Client): Promise<void> => {
    if (ca === undefined || (await caOf(after)) !== ca) return
    for (const { id, name, serials, notAfter, revokedAt } of kept) {
      await after.query(
        `UPDATE node SET cert_serials = $3, cert_not_after = $4, revoked_at = COALESCE(revoked_at, $5)
         WHERE id = $1 AND name = $2 AND enrolled_at IS NOT NULL`,
        [id, name, serials, notAfter, revokedAt],
      )
      if (revokedAt !== null) await after.query('UPDATE node_push SET revoked = true WHERE node_id = $1', [id])
    }
  }
}
