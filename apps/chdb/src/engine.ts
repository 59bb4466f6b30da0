import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fromEngine, storeException } from './exception.ts'
import type { Handle, InsertOutcome, Native, QueryOutcome } from './native.ts'

export interface EngineOptions {
  /** Data folder; exactly one process may have it open. */
  dir: string
  /** Bytes that all queries and merges together may use. */
  memoryBytes: number
  /** Statements that run at once; further ones wait. */
  connections: number
}

export interface Statement {
  sql: string
  format: string
  database: string
  settings: ReadonlyMap<string, string>
  params: Readonly<Record<string, string>>
}

export interface Engine {
  /** Runs one statement; rejects with StoreException. `abandoned` is asked when its turn comes. */
  query(statement: Statement, abandoned: () => boolean): Promise<QueryOutcome>
  /** Inserts complete rows; `statement.sql` ends with its FORMAT clause. */
  insert(statement: Statement, rows: Buffer): Promise<InsertOutcome>
  /** Waits for what is running and closes the folder. */
  close(): Promise<void>
}

interface Slot {
  handle: Handle
  database: string
}

const WAITING_LIMIT = 200

/** Opens the data folder and its pool of connections. Throws when another process has it. */
export function openEngine(native: Native, options: EngineOptions): Engine {
  const defaults = new Map([
    ['max_memory_usage', String(Math.floor(options.memoryBytes * 0.6))],
    ['max_execution_time', '60'],
  ])
  const args = [`--config-file=${writeConfig(options)}`, ...[...defaults].map(([name, value]) => `--${name}=${value}`)]
  const slots: Slot[] = []
  for (let n = 0; n < options.connections; n++) {
    slots.push({ handle: native.CreateConnection(join(options.dir, 'store'), args), database: 'default' })
  }
  const pool = makePool(slots)
  // Bound parameters are not kept apart between connections by the engine: such statements take turns.
  let lastWithParams: Promise<unknown> = Promise.resolve()

  async function run<T>(statement: Statement, work: (slot: Slot) => Promise<T>): Promise<T> {
    const slot = await pool.take()
    try {
      try {
        await enter(native, slot, statement)
        return await work(slot)
      } finally {
        await leave(native, slot, statement, defaults)
      }
    } catch (error) {
      throw fromEngine(error)
    } finally {
      pool.give(slot)
    }
  }

  return {
    async query(statement, abandoned) {
      const { sql, format, params } = statement
      const start = () => {
        if (abandoned()) throw storeException(394, 'QUERY_WAS_CANCELLED', 'The client is gone')
        return Object.keys(params).length === 0
          ? run(statement, (slot) => native.QueryAsyncConnection(slot.handle, sql, format))
          : run(statement, (slot) => native.QueryAsyncConnection(slot.handle, sql, format, { ...params }))
      }
      if (Object.keys(params).length === 0) return await start()
      const turn = lastWithParams.then(start)
      lastWithParams = turn.catch(() => {})
      return await turn
    },
    insert: (statement, rows) =>
      run(statement, (slot) => native.InsertRawAsyncConnection(slot.handle, statement.sql, rows, false)),
    async close() {
      for (const slot of await pool.drain()) native.CloseConnection(slot.handle)
    },
  }
}

/** Puts the request's database and settings on the connection. */
async function enter(native: Native, slot: Slot, statement: Statement): Promise<void> {
  if (slot.database !== statement.database) {
    const name = statement.database.replaceAll('\\', '\\\\').replaceAll('`', '\\`')
    await native.QueryAsyncConnection(slot.handle, `USE \`${name}\``, 'Null')
    slot.database = statement.database
  }
  for (const [name, value] of statement.settings) {
    const quoted = value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")
    await native.QueryAsyncConnection(slot.handle, `SET ${name} = '${quoted}'`, 'Null')
  }
}

/** Takes the request's settings off again, so that the next request on the connection starts from the defaults. */
async function leave(
  native: Native,
  slot: Slot,
  statement: Statement,
  defaults: ReadonlyMap<string, string>,
): Promise<void> {
  for (const name of statement.settings.keys()) {
    const reset = `SET ${name} = ${defaults.get(name) ?? 'DEFAULT'}`
    // A name that the engine does not know was refused when it was put on; there is nothing to take off.
    await native.QueryAsyncConnection(slot.handle, reset, 'Null').catch(() => {})
  }
}

/** Server settings that only a file can set: memory, small caches, and parts that reach the disk before the answer. */
function writeConfig(options: EngineOptions): string {
  mkdirSync(options.dir, { recursive: true, mode: 0o700 })
  const cache = Math.floor(options.memoryBytes / 8)
  const file = join(options.dir, 'engine.xml')
  const mergeTree = {
    fsync_after_insert: 1,
    fsync_part_directory: 1,
    number_of_free_entries_in_pool_to_execute_mutation: 2,
    number_of_free_entries_in_pool_to_lower_max_size_of_merge: 2,
    number_of_free_entries_in_pool_to_execute_optimize_entire_partition: 2,
  }
  const server = { max_server_memory_usage: options.memoryBytes, mark_cache_size: cache, background_pool_size: 4 }
  const tags = (values: Record<string, number>) => Object.entries(values).map(([k, v]) => `<${k}>${v}</${k}>`)
  const lines = [...tags(server), '<merge_tree>', ...tags(mergeTree), '</merge_tree>']
  writeFileSync(file, `<clickhouse>\n${lines.join('\n')}\n</clickhouse>\n`, { mode: 0o600 })
  return file
}

function makePool(slots: Slot[]) {
  const all = [...slots]
  const free = [...slots]
  const waiting: Array<(slot: Slot) => void> = []
  return {
    async take(): Promise<Slot> {
      const slot = free.pop()
      if (slot) return slot
      if (waiting.length >= WAITING_LIMIT) {
        throw storeException(202, 'TOO_MANY_SIMULTANEOUS_QUERIES', `More than ${WAITING_LIMIT} statements are waiting`)
      }
      return await new Promise((resolve) => waiting.push(resolve))
    },
    give(slot: Slot): void {
      const next = waiting.shift()
      if (next) next(slot)
      else free.push(slot)
    },
    async drain(): Promise<Slot[]> {
      while (free.length < all.length) await new Promise((resolve) => setTimeout(resolve, 20))
      return free.splice(0)
    },
  }
}
