/** Purges since the backup hold: without them, what nodes keep on their disks would be given out again after their next start. */
import type { Client } from 'pg'

/** See modules/backup's `Carrier`. Of sites that both know. */
export const keepPurges = async (before: Client | null) => {
  const found = before
    ? await before.query(
        `SELECT p.site_id, s.slug, p.kind, p.value, p.generation, p.created_at FROM purge_row p JOIN site s ON s.id = p.site_id`,
      )
    : { rows: [] }
  return async (after: Client): Promise<void> => {
    if (found.rows.length === 0) return
    await after.query(
      `INSERT INTO purge_row (site_id, kind, value, generation, created_at)
       SELECT k.site_id, k.kind, k.value, k.generation, k.created_at
       FROM jsonb_to_recordset($1::jsonb) AS k (site_id bigint, slug text, kind text, value text, generation bigint, created_at timestamptz)
       JOIN site s ON s.id = k.site_id AND s.slug = k.slug
       ON CONFLICT (site_id, kind, value) DO UPDATE SET generation = GREATEST(purge_row.generation, excluded.generation)`,
      [JSON.stringify(found.rows)],
    )
  }
}
