/** Work that one process at a time does: PostgreSQL's advisory locks, held by a connection for as long as the work takes. */
import type { Pool, PoolClient } from 'pg'

/** The two halves of a lock: a number of the kind of work, and which of them it is. Texts are hashed. */
export type LockKey = readonly [kind: number, which: number | string]

const args = ([, which]: LockKey): string => (typeof which === 'string' ? '($1, hashtext($2))' : '($1, $2)')

const onConnection = async <T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> => {
  const client = await pool.connect()
  let failed: Error | undefined
  // A killed connection reports itself as an event, too; the query's own error says enough.
  const quiet = () => {}
  client.on('error', quiet)
  try {
    return await work(client)
  } catch (error) {
    failed = error instanceof Error ? error : new Error(String(error))
    throw error
  } finally {
    client.off('error', quiet)
    // A connection that failed is closed, and the lock with it.
    client.release(failed)
  }
}

/** Waits for the lock, works with its connection, and frees it. */
export const underLock = <T>(pool: Pool, key: LockKey, work: (client: PoolClient) => Promise<T>): Promise<T> =>
  onConnection(pool, async (client) => {
    await client.query(`SELECT pg_advisory_lock${args(key)}`, [...key])
    const result = await work(client)
    await client.query(`SELECT pg_advisory_unlock${args(key)}`, [...key])
    return result
  })

/** Works under the lock if nobody else has it; false when somebody has. */
export const ifUnlocked = (pool: Pool, key: LockKey, work: () => Promise<void>): Promise<boolean> =>
  onConnection(pool, async (client) => {
    const { rows } = await client.query<{ got: boolean }>(`SELECT pg_try_advisory_lock${args(key)} AS got`, [...key])
    if (!rows[0]?.got) return false
    await work()
    await client.query(`SELECT pg_advisory_unlock${args(key)}`, [...key])
    return true
  })
