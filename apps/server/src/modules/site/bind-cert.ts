/** Gives a certificate to sites, in the transaction of whoever got it. */
import { sql } from 'drizzle-orm'
import type { Touch } from '../../platform/config-change.ts'
import type { Tx } from '../../platform/db.ts'
import { row } from '../../platform/query.ts'
import { audit } from '../audit/index.ts'
import { addVersion, lockAnySite, touchSite, updateSite } from './store.ts'

/** Those that are gone in the meantime, or became somebody else's, are left out. Answers how many took it. */
export const bindCert = async (
  tx: Tx,
  touch: Touch,
  { siteIds, certId, by }: { siteIds: number[]; certId: number; by: string },
): Promise<number> => {
  const cert = await row<{ userId: number | null }>(tx, sql`SELECT user_id AS "userId" FROM cert WHERE id = ${certId}`)
  let count = 0
  for (const id of [...siteIds].sort((a, b) => a - b)) {
    const site = await lockAnySite(tx, id)
    if (!site || !cert || (cert.userId !== null && cert.userId !== site.userId)) continue
    count += 1
    if (site.certId === certId) continue
    const after = await updateSite(tx, { ...site, certId, settings: { ...site.settings, certId } })
    await addVersion(tx, after, 'cert', by)
    // The one that it had leaves the nodes with the last site that used it.
    await touchSite(tx, touch, site, false)
    await touchSite(tx, touch, after, false)
    await audit(tx, null, {
      ...{ action: 'site.save', target: `site ${id}` },
      ...{ before: { certId: site.certId }, after: { certId } },
    })
  }
  return count
}
