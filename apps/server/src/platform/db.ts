/** PostgreSQL: pool, drizzle, transactions. int8 comes as number (ids and counters stay below 2^53; money is asked for as bigint by its columns). */
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import pg from 'pg'

pg.types.setTypeParser(pg.types.builtins.INT8, Number)

export type Db = NodePgDatabase
export type Tx = Parameters<Parameters<Db['transaction']>[0]>[0]
/** What a query needs: the database or a transaction on it. */
export type Queryable = Db | Tx

export interface Database {
  db: Db
  pool: pg.Pool
  url: string
  close(): Promise<void>
}

/** Opens a pool. A lost connection is an event of the pool, never an uncaught error. */
export const openDatabase = (url: string, onError: (error: Error) => void, max = 20): Database => {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    application_name: 'tidegate',
    connectionTimeoutMillis: 10_000,
  })
  // A client that is checked out reports its end itself, the pool does so only for idle ones; unheard it would end the process.
  pool.on('connect', (client) => client.on('error', onError))
  pool.on('error', () => {})
  return { db: drizzle(pool), pool, url, close: () => pool.end() }
}
