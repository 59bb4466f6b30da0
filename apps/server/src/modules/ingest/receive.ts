/** Takes batches from nodes. An answer means: everything of the batch is in PostgreSQL, once. */
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { LogBatch } from '@tidegate/contract/node/log'
import type pg from 'pg'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import { onlyServed, parseBatch, prepareBatch } from './batch.ts'

const compress = promisify(gzip)

/** Stores a batch of a node. Throws AppError `invalid_input` for a malformed one; any other error: the node shall try again. */
export type Ingest = (nodeId: number, batch: unknown) => Promise<{ duplicate: boolean }>

/**
 * One statement, so one transaction and one round trip: whoever inserts the batch's id also inserts its counters and lines; a second
 * one, even at the same moment, waits for the first and then finds the id taken.
 */
const STORE = {
  name: 'ingest_store',
  text: `WITH taken AS (
    INSERT INTO ingest_batch (node_id, id, at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING at
  ), counted AS (
    INSERT INTO ingest_counter (node_id, at, counters, clamped, dropped)
    SELECT $1, at, $4::jsonb, $5::integer, $6::bigint FROM taken WHERE $4::jsonb <> '[]' OR $5::integer > 0 OR $6::bigint > 0
  ), kept AS (
    INSERT INTO ingest_raw (at, lines, bytes, size, body)
    SELECT at, $7::integer, length($8::bytea), $9::integer, $8::bytea FROM taken WHERE $7::integer > 0
  )
  SELECT count(*)::integer AS taken FROM taken`,
}

export interface IngestDeps {
  pool: pg.Pool
  clock: Clock
  log: Pick<Log, 'warn'>
  /** Those of the sites that the node serves or served lately. What it says of others is not counted: somebody pays for it. */
  servedSites(nodeId: number, sites: readonly number[]): Promise<ReadonlySet<number>>
  /** Told of what was not counted: how many requests of how many sites that the node does not serve. */
  onForeign?: (nodeId: number, sites: number, requests: number) => void
  /** Called after something new was stored, to wake the folder and the shipper. */
  onStored?: () => void
}

/** Sites named in a line of the log. */
const NAMED = 20

/** The batch as far as it is the node's to report, and how many requests of how many other sites it holds besides. */
const servedOnly = async ({ servedSites, log }: IngestDeps, nodeId: number, batch: LogBatch) => {
  const named = new Set([...batch.counters, ...batch.lines].map((c) => c.site))
  const served = await servedSites(nodeId, [...named])
  const foreign = [...named].filter((site) => !served.has(site))
  if (foreign.length === 0) return { kept: batch, sites: 0, requests: 0 }
  const kept = onlyServed(batch, served)
  const requests = batch.counters.reduce((sum, c) => sum + (served.has(c.site) ? 0 : c.requests), 0)
  log.warn(
    {
      nodeId,
      batch: batch.id,
      sites: foreign.slice(0, NAMED),
      count: foreign.length,
      requests,
      lines: batch.lines.length - kept.lines.length,
    },
    'a node reports sites that it does not serve: not counted',
  )
  return { kept, sites: foreign.length, requests }
}

export const createIngest = (deps: IngestDeps): Ingest => {
  const { pool, clock, onForeign, onStored } = deps
  return async (nodeId, body) => {
    const now = clock.now()
    const { kept: batch, sites, requests } = await servedOnly(deps, nodeId, parseBatch(body))
    const { counters, ndjson, clamped } = prepareBatch(nodeId, batch, now)
    const raw = ndjson === '' ? Buffer.alloc(0) : await compress(ndjson, { level: 1 })
    const values = [
      nodeId,
      batch.id,
      new Date(now),
      JSON.stringify(counters),
      clamped,
      batch.dropped,
      batch.lines.length,
      raw,
      Buffer.byteLength(ndjson),
    ]
    const { rows } = await pool.query<{ taken: number }>({ ...STORE, values })
    const duplicate = rows[0]?.taken !== 1
    // What is sent again was told of before.
    if (!duplicate && sites > 0) onForeign?.(nodeId, sites, requests)
    if (!duplicate) onStored?.()
    return { duplicate }
  }
}
