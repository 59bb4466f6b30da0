/**
 * A control plane that went back to a backup must not number its revisions as before: a node that runs revision 100 of what is gone would
 * take another revision 100 for the same. Every group's revisions go on beyond any that a node can have, and the next one is given whole.
 */
import { purgeKey, SETTINGS_KEY } from '@tidegate/node-config/compile'
import type { Client } from 'pg'

/** A group's row is locked for each revision: a thousand a second is more than can be. */
const PER_SECOND = 1_000
const LEAST = 1_000_000

const jumpOf = (created: number, now: number) => {
  const past = Math.ceil(Math.max(0, now - created) / 1_000) * PER_SECOND
  return Math.ceil(Math.max(past, LEAST) / LEAST) * LEAST
}

const headsOf = async (client: Client) => {
  const { rows } = await client.query<{ scope: string; head: string }>('SELECT scope, head::text FROM config_scope')
  return new Map(rows.map(({ scope, head }) => [scope, Number(head)]))
}

const generationOf = async (client: Client) => {
  const { rows } = await client.query<{ value: string }>('SELECT last_value::text AS value FROM purge_generation')
  return Number(rows[0]?.value ?? 0)
}

const purgesOf = async (client: Client, scope: string) => {
  const { rows } = await client.query<{ siteId: number; kind: string; value: string }>(
    `SELECT p.site_id AS "siteId", p.kind, p.value FROM purge_row p JOIN site s ON s.id = p.site_id
     WHERE 'group:' || s.group_id = $1 ORDER BY p.site_id, p.kind, p.value`,
    [scope],
  )
  return rows.map(({ siteId, kind, value }) => `purge ${purgeKey(Number(siteId), kind, value)}`)
}

const addRevision = (client: Client, scope: string, revision: number, touched: string[], forced: boolean) =>
  client.query(
    `INSERT INTO config_revision (scope, revision, reason, subject, by_name, touched, forced)
     VALUES ($1, $2, 'resync', $3, 'system', $4::jsonb, $5)`,
    [scope, revision, String(touched.length), JSON.stringify(touched), forced],
  )

/** See modules/backup's `Carrier`. */
export const keepRevisionsAhead = async (before: Client | null) => {
  const heads = before ? await headsOf(before) : new Map<string, number>()
  const generation = before ? await generationOf(before) : 0
  return async (after: Client, { created, now }: { created: number; now: number }): Promise<void> => {
    const jump = jumpOf(created, now)
    for (const [scope, head] of await headsOf(after)) {
      const next = Math.max(head, heads.get(scope) ?? 0) + jump
      const purges = await purgesOf(after, scope)
      // The settings by force, so that there is something to publish; of the purges what nodes are not told as it is.
      await addRevision(after, scope, next, [`settings ${SETTINGS_KEY}`], true)
      if (purges.length > 0) await addRevision(after, scope, next + 1, purges, false)
      await after.query('UPDATE config_scope SET head = $2 WHERE scope = $1', [
        scope,
        next + (purges.length > 0 ? 1 : 0),
      ])
      // Whoever knows less than this one gets everything, whoever claims no more than it tells no lie.
      await after.query('UPDATE config_published SET compacted = $2 WHERE scope = $1', [scope, next])
      await after.query('UPDATE node_push SET sent = GREATEST(sent, $2) WHERE scope = $1', [scope, next])
    }
    // Nodes pass over a purge that is older than one they know.
    const raised = Math.max(generation, await generationOf(after)) + jump
    await after.query("SELECT setval('purge_generation', $1::bigint)", [raised])
  }
}
