/**
 * Carries raw lines from PostgreSQL to the analytics store, in blocks. A block's rows are marked with its token before it is sent, so that
 * after a crash between the store's insert and our delete the very same rows go with the very same token, and the store counts them once.
 */
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type pg from 'pg'
import { type Analytics, BlockRefused } from '../../platform/clickhouse.ts'

const expand = promisify(gunzip)
const LOCK = 7_413_402

/** A block holds at most this many lines and bytes of lines (one batch is always taken): what the store writes as one, or not at all. */
const BLOCK_LINES = 50_000
const BLOCK_BYTES = 7 * 1_048_576

export interface ShipDeps {
  pool: pg.Pool
  store: Analytics
  /** Called between the store's insert and our delete: the moment where a crash would count twice without the token. */
  onInserted?: (token: string) => Promise<void> | void
}

/** The analytics store cannot be reached or cannot take lines now: they are to be sent again later. */
export class StoreAway extends Error {
  constructor(cause: unknown) {
    super((cause instanceof Error && cause.message) || String(cause) || 'unreachable', { cause })
    this.name = 'StoreAway'
  }
}

interface Block {
  token: string
  batches: number
  /** Newline-delimited JSON. */
  lines: Buffer
}

/** What became of a call: lines' batches moved, or why not. */
export interface ShipResult {
  batches: number
  /** Batches whose lines the store calls unreadable; they are out of the queue and counted. */
  refused: number
  /** Something is left: the call ended after some blocks, so that its caller can look at the queue and at whether it shall stop. */
  more: boolean
}

/** Blocks of one call. */
const BLOCKS = 20

const MARKED = `SELECT shipment AS token, body FROM ingest_raw
  WHERE shipment = (SELECT shipment FROM ingest_raw WHERE shipment IS NOT NULL AND shipment <> $1 ORDER BY shipment, seq LIMIT 1) ORDER BY seq`
const MARK = `WITH next AS (
    SELECT seq FROM (
      SELECT seq, row_number() OVER w AS n, sum(lines) OVER w AS l, sum(size) OVER w AS b
      FROM (SELECT seq, lines, size FROM ingest_raw WHERE shipment IS NULL ORDER BY seq LIMIT 2000) AS head
      WINDOW w AS (ORDER BY seq)
    ) AS running WHERE n = 1 OR (l <= $1 AND b <= $2)
  ), token AS MATERIALIZED (SELECT gen_random_uuid() AS id)
  UPDATE ingest_raw SET shipment = token.id FROM next, token WHERE ingest_raw.seq = next.seq`

/** Ships until the queue is empty or for a number of blocks. Answers zeros when another process is at it. Throws StoreAway when the store cannot take lines now. */
export const shipLines = async ({ pool, store, onInserted }: ShipDeps): Promise<ShipResult> => {
  const client = await pool.connect()
  let broken = true
  let ahead: Promise<Block | undefined> = Promise.resolve(undefined)
  try {
    const { rows } = await client.query<{ got: boolean }>('SELECT pg_try_advisory_lock($1) AS got', [LOCK])
    const result: ShipResult = { batches: 0, refused: 0, more: rows[0]?.got ?? false }
    for (let n = 0; n < BLOCKS && result.more; n++) {
      const block: Block | undefined = (await ahead) ?? (await nextBlock(client))
      result.more = block !== undefined
      if (!block) break
      // The next one is read while this one is on its way.
      ahead = nextBlock(client, block.token)
      ahead.catch(() => {})
      await shipBlock(client, store, block, result, onInserted)
    }
    await ahead
    if (rows[0]?.got) await client.query('SELECT pg_advisory_unlock($1)', [LOCK])
    broken = false
    return result
  } finally {
    // Closing the connection gives the lock back.
    client.release(broken)
  }
}

const NO_TOKEN = '00000000-0000-0000-0000-000000000000'

/** The block that was marked last time, else a new one; never the one that is on its way. */
const nextBlock = async (client: pg.PoolClient, onItsWay = NO_TOKEN): Promise<Block | undefined> => {
  const marked = await readBlock(client, onItsWay)
  if (marked) return marked
  const { rowCount } = await client.query(MARK, [BLOCK_LINES, BLOCK_BYTES])
  return rowCount ? readBlock(client, onItsWay) : undefined
}

const readBlock = async (client: pg.PoolClient, onItsWay: string): Promise<Block | undefined> => {
  const { rows } = await client.query<{ token: string; body: Buffer }>(MARKED, [onItsWay])
  if (!rows[0]) return undefined
  const lines = Buffer.concat(await Promise.all(rows.map((row) => expand(row.body))))
  return { token: rows[0].token, batches: rows.length, lines }
}

const shipBlock = async (
  client: pg.PoolClient,
  store: Analytics,
  block: Block,
  result: ShipResult,
  onInserted: ShipDeps['onInserted'],
): Promise<void> => {
  try {
    await store.insert('request_log', block.lines, block.token)
  } catch (error) {
    if (!(error instanceof BlockRefused)) throw new StoreAway(error)
    result.refused += await setApart(client, block, error)
    return
  }
  await onInserted?.(block.token)
  await client.query('DELETE FROM ingest_raw WHERE shipment = $1', [block.token])
  result.batches += block.batches
}

/** Notes for the reconciliation in which hours the lines that are gone had come. */
const lossOf = (column: 'refused' | 'dropped_here') => `loss AS (
    INSERT INTO stats_loss AS l (t, ${column})
    SELECT floor(extract(epoch FROM at) / 3600)::bigint * 3600, sum(lines) FROM gone GROUP BY 1
    ON CONFLICT (t) DO UPDATE SET ${column} = l.${column} + excluded.${column})`

/**
 * A refused block is cut into its batches, each with a token of its own; a refused batch is given up and counted, so that it does not hold
 * up all that come after it. Nothing of a refused block is in the store: a block of several batches is small enough to be read wholly before it is written.
 */
const setApart = async (client: pg.PoolClient, block: Block, error: BlockRefused): Promise<number> => {
  if (block.batches > 1) {
    await client.query('UPDATE ingest_raw SET shipment = gen_random_uuid() WHERE shipment = $1', [block.token])
    return 0
  }
  await client.query(
    `WITH gone AS (DELETE FROM ingest_raw WHERE shipment = $1 RETURNING at, lines), ${lossOf('refused')}
     UPDATE stats_state SET refused = refused + (SELECT coalesce(sum(lines), 0) FROM gone), analytics_error = $2`,
    [block.token, error.message.slice(0, 500)],
  )
  return 1
}

/** Drops the oldest waiting lines beyond `maxBytes` (compressed) and counts them; counters are never touched. Answers the lines dropped. */
export const boundQueue = async (pool: pg.Pool, maxBytes: number): Promise<number> => {
  const { rows } = await pool.query<{ lines: number }>(
    `WITH gone AS (
       DELETE FROM ingest_raw WHERE seq IN (
         SELECT seq FROM (SELECT seq, sum(bytes) OVER (ORDER BY seq DESC) AS kept FROM ingest_raw) AS r WHERE kept > $1)
       RETURNING at, lines
     ), ${lossOf('dropped_here')}, lost AS (SELECT coalesce(sum(lines), 0)::bigint AS lines FROM gone)
     UPDATE stats_state SET dropped_here = dropped_here + lost.lines FROM lost RETURNING lost.lines`,
    [maxBytes],
  )
  return rows[0]?.lines ?? 0
}

/** Notes that the store takes lines again, or since when and why not. */
export const noteStore = async (pool: pg.Pool, error: string | null, now: number): Promise<void> => {
  await pool.query(
    error === null
      ? `UPDATE stats_state SET analytics_down_since = NULL, analytics_error = '' WHERE analytics_down_since IS NOT NULL`
      : 'UPDATE stats_state SET analytics_down_since = coalesce(analytics_down_since, $2), analytics_error = $1',
    error === null ? [] : [error.slice(0, 500), new Date(now)],
  )
}
