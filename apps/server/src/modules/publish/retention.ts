/** Keeps the history bounded: what nodes run or may ask for is never lost. */
import { sql } from 'drizzle-orm'
import type { Db } from '../../platform/db.ts'
import { row, rows } from '../../platform/query.ts'

/** Versions of a resource, and revisions of a scope, that are kept whatever their age allows. */
const KEEP = 200
const KEEP_DAYS = 30

export interface RetentionResult {
  items: number
  revisions: number
  tombstones: number
}

/**
 * Deletes items beyond the last 200 of their resource or older than 30 days, except the latest and those that some node
 * acknowledged last; answered revisions older than 30 days beyond the last 200 of their scope, with their feedback; and
 * removals older than 30 days (`compacted` rises: nodes that know less get everything). `now`: Unix ms.
 */
export const publishRetention = async (db: Db, now: number): Promise<RetentionResult> => {
  const before = new Date(now - KEEP_DAYS * 86_400_000).toISOString()
  const scopes = await rows<{ scope: string }>(db, sql`SELECT scope FROM config_scope ORDER BY scope`)
  const total = { items: 0, revisions: 0, tombstones: 0 }
  for (const { scope } of scopes) {
    total.tombstones += await dropTombstones(db, scope, before)
    total.items += await dropItems(db, scope, before)
    total.revisions += await dropRevisions(db, scope, before)
  }
  return total
}

const dropTombstones = (db: Db, scope: string, before: string): Promise<number> =>
  db.transaction(async (tx) => {
    const gone = await row<{ count: number; last: number | null }>(
      tx,
      sql`WITH gone AS (
            DELETE FROM config_current c USING config_item i
            WHERE c.scope = ${scope} AND i.scope = c.scope AND i.kind = c.kind AND i.key = c.key AND i.revision = c.revision
              AND i.body IS NULL AND i.created_at < ${before}::timestamptz RETURNING c.revision)
          SELECT count(*) AS count, max(revision) AS last FROM gone`,
    )
    if (!gone || gone.last === null) return 0
    await tx.execute(
      sql`UPDATE config_published SET compacted = GREATEST(compacted, ${gone.last}) WHERE scope = ${scope}`,
    )
    return gone.count
  })

const dropItems = async (db: Db, scope: string, before: string): Promise<number> => {
  const result = await db.execute(sql`
    WITH ranked AS (
      SELECT kind, key, revision, created_at,
        row_number() OVER w AS rank, lag(revision) OVER w AS next
      FROM config_item WHERE scope = ${scope} WINDOW w AS (PARTITION BY kind, key ORDER BY revision DESC))
    DELETE FROM config_item i USING ranked r
    WHERE i.scope = ${scope} AND i.kind = r.kind AND i.key = r.key AND i.revision = r.revision
      AND (r.rank > ${KEEP} OR r.created_at < ${before}::timestamptz)
      AND NOT EXISTS (SELECT FROM config_current c WHERE c.scope = i.scope AND c.kind = i.kind AND c.key = i.key AND c.revision = i.revision)
      AND NOT EXISTS (SELECT FROM node_push p WHERE p.scope = i.scope AND NOT p.revoked AND p.applied >= i.revision
                        AND (r.next IS NULL OR p.applied < r.next))`)
  return result.rowCount ?? 0
}

const dropRevisions = async (db: Db, scope: string, before: string): Promise<number> => {
  const result = await db.execute(sql`
    WITH gone AS (
      DELETE FROM config_revision r
      WHERE r.scope = ${scope} AND r.created_at < ${before}::timestamptz
        AND r.revision <= (SELECT head FROM config_scope WHERE scope = ${scope}) - ${KEEP}
        AND r.revision <= (SELECT published FROM config_published WHERE scope = ${scope})
      RETURNING r.revision),
    answers AS (DELETE FROM push_feedback f USING gone WHERE f.scope = ${scope} AND f.revision = gone.revision)
    SELECT revision FROM gone`)
  return result.rows.length
}
