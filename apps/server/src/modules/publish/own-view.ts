/** What a customer sees of a push: that of the own sites, without what is the operator's. */
import type { FeedbackRow } from '@tidegate/contract/operations/push'
import { sql } from 'drizzle-orm'
import type { Caller } from '../../platform/caller.ts'
import type { PushRef } from '../../platform/config-change.ts'
import type { Queryable } from '../../platform/db.ts'
import { AppError } from '../../platform/errors.ts'
import { nodeFor, ownerOf } from '../../platform/owner.ts'
import { rows } from '../../platform/query.ts'

/** Turns the nodes' answers into what the caller may see of them. */
type View = (feedback: FeedbackRow[]) => FeedbackRow[]

/** Throws `not_found` for a revision that none of the caller's sites is touched by. */
export const viewOf = async (on: Queryable, { scope, revision }: PushRef, caller: Caller): Promise<View> => {
  const owner = ownerOf(caller)
  if (owner === null) return (feedback) => feedback
  const own = await rows<{ id: number }>(
    on,
    sql`SELECT s.id FROM config_revision r CROSS JOIN LATERAL jsonb_array_elements_text(r.touched) AS t (name)
        JOIN site s ON t.name = 'site ' || s.id OR t.name LIKE 'purge ' || s.id || ' %'
        WHERE r.scope = ${scope} AND r.revision = ${revision} AND s.user_id = ${owner}`,
  )
  if (own.length === 0) throw new AppError('not_found')
  const names = new Set(own.map((site) => String(site.id)))
  return (feedback) =>
    feedback.map((row) => ({
      ...nodeFor(caller, row),
      refused: row.refused.filter((r) => r.kind === 'site' && names.has(r.key)),
    }))
}

/** The same events, each seen through the view. */
export async function* seen<E extends { feedback: FeedbackRow[] }>(
  events: AsyncIterable<E>,
  view: View,
): AsyncGenerator<E> {
  for await (const event of events) yield { ...event, feedback: view(event.feedback) }
}
