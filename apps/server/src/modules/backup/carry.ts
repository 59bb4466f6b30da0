/** What must not go back with the rest of an installation when a backup is restored. */
import type pg from 'pg'
import { quoted } from './dump.ts'

export interface RestoredAt {
  /** Unix ms of the moment that the backup holds, and of the restore. */
  created: number
  now: number
}

/** Looks at the installation that is about to be replaced (null: there is none); the answer is run in the restored one, in the same transaction. */
export type Carrier = (before: pg.Client | null) => Promise<(after: pg.Client, at: RestoredAt) => Promise<void>>

/** A statement that ends what was under way at the moment of the backup. */
export const ending =
  (statement: string): Carrier =>
  async () =>
  async (after) =>
    void (await after.query(statement))

/** Ids that were given out since are not given out again: logs, figures and caches still know them. */
const keepSequences: Carrier = async (before) => {
  const read = async (client: pg.Client) => {
    const { rows } = await client.query<{ name: string; value: string }>(
      "SELECT sequencename AS name, last_value::text AS value FROM pg_sequences WHERE schemaname = 'public' AND last_value IS NOT NULL",
    )
    return new Map(rows.map(({ name, value }) => [name, BigInt(value)]))
  }
  const then = before ? await read(before) : new Map<string, bigint>()
  return async (after) => {
    const now = await read(after)
    const { rows } = await after.query<{ name: string }>(
      "SELECT sequencename AS name FROM pg_sequences WHERE schemaname = 'public'",
    )
    for (const { name } of rows) {
      const value = then.get(name)
      if (value !== undefined && value > (now.get(name) ?? 0n))
        await after.query('SELECT setval($1::regclass, $2::bigint)', [quoted(name), String(value)])
    }
  }
}

export const carryAll = async (carriers: readonly Carrier[], before: pg.Client | null) => {
  const carried: Awaited<ReturnType<Carrier>>[] = []
  for (const carrier of [keepSequences, ...carriers]) carried.push(await carrier(before))
  return async (after: pg.Client, at: RestoredAt): Promise<void> => {
    for (const put of carried) await put(after, at)
  }
}
