/** The analytics store: ClickHouse's HTTP interface, spoken by a ClickHouse cluster or by our own chdb process. */
import { Readable } from 'node:stream'
import { ClickHouseError, createClient } from '@clickhouse/client'

export interface Analytics {
  /** Rows of a SELECT; `params` are bound by name (`{site:UInt32}`). 64-bit integers come as text. Throws when the store is away or refuses. */
  query<Row>(sql: string, params?: Record<string, unknown>): Promise<Row[]>
  /** Runs a statement without an answer. */
  command(sql: string): Promise<void>
  /**
   * Inserts a block of newline-delimited JSON. The same token with the same block counts once, however often it is sent.
   * Resolves when the store has it. Throws `BlockRefused` when the block itself is unreadable, any other error when it may be tried again.
   */
  insert(table: string, ndjson: Buffer, token: string): Promise<void>
  close(): Promise<void>
}

/** The store read the block and does not take it: sending it again is useless. */
export class BlockRefused extends Error {}

/** ClickHouse's codes for data that cannot be parsed or does not fit its column. */
const DATA_ERRORS = new Set(['6', '26', '27', '33', '38', '41', '53', '69', '70', '72', '117', '131', '321', '376'])
const INSERT_TIMEOUT_MS = 60_000

/** `url`: `http://user:password@host:port/database`; the database is made when it is missing. Opens no connection before it is used. */
export const openAnalytics = (url: string): Analytics => {
  const target = new URL(url)
  const database = decodeURIComponent(target.pathname.slice(1)) || 'default'
  target.pathname = '/'
  const client = createClient({
    url: target,
    database,
    request_timeout: INSERT_TIMEOUT_MS,
    compression: { request: false, response: false },
    clickhouse_settings: { output_format_json_quote_64bit_integers: 1, wait_end_of_query: 1 },
    // The client's own lines would go past our log; what it throws is logged by the caller.
    log: { level: 127 },
  })
  return {
    query: async <Row>(sql: string, params: Record<string, unknown> = {}) => {
      const result = await client.query({ query: sql, query_params: params, format: 'JSONEachRow' })
      return result.json<Row>()
    },
    command: async (sql) => void (await client.command({ query: sql })),
    insert: async (table, ndjson, token) => {
      try {
        const { stream } = await client.exec({
          query: `INSERT INTO ${table} FORMAT JSONEachRow`,
          values: Readable.from([ndjson], { objectMode: false }),
          clickhouse_settings: {
            insert_deduplicate: 1,
            insert_deduplication_token: token,
            // One thread reads the block, so that a block sent again is cut into the same parts.
            input_format_parallel_parsing: 0,
            async_insert: 0,
          },
        })
        for await (const _ of stream);
      } catch (error) {
        if (error instanceof ClickHouseError && DATA_ERRORS.has(error.code)) throw new BlockRefused(error.message)
        throw error
      }
    },
    close: () => client.close(),
  }
}

/** Makes the database that the URL names. The store's own default database exists always. */
export const ensureAnalyticsDatabase = async (url: string): Promise<void> => {
  const target = new URL(url)
  const name = decodeURIComponent(target.pathname.slice(1))
  if (!name || name === 'default') return
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) throw new Error(`CLICKHOUSE_URL: ${name} is not a name for a database`)
  target.pathname = '/default'
  const store = openAnalytics(target.toString())
  try {
    await store.command(`CREATE DATABASE IF NOT EXISTS ${name}`)
  } finally {
    await store.close()
  }
}
