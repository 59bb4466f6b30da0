/** Servers that fetch the list. */
import { desc, gt } from 'drizzle-orm'
import type { Caller } from '../../platform/caller.ts'
import type { Queryable } from '../../platform/db.ts'
import { iso } from '../../platform/query.ts'
import { readers } from './schema.ts'

/** Whoever has not come for so long is not told of. */
const SHOWN_MS = 7 * 86_400_000
const MAX_SHOWN = 50

export const noteReader = async (on: Queryable, caller: Caller, hash: string, now: Date): Promise<void> => {
  const columns = { fetchedAt: now, hash }
  await on
    .insert(readers)
    .values({ ip: caller.ip, name: caller.name, ...columns })
    .onConflictDoUpdate({ target: [readers.ip, readers.name], set: columns })
}

/** Newest first; `hash`: of the present list. */
export const recentReaders = async (on: Queryable, hash: () => Promise<string>, now: Date) => {
  const found = await on
    .select()
    .from(readers)
    .where(gt(readers.fetchedAt, new Date(now.getTime() - SHOWN_MS)))
    .orderBy(desc(readers.fetchedAt))
    .limit(MAX_SHOWN)
  // The list is compiled only where somebody takes it.
  const present = found.length === 0 ? '' : await hash()
  return found.map((one) => ({
    ip: one.ip,
    name: one.name,
    time: iso(one.fetchedAt),
    current: one.hash === present,
  }))
}
