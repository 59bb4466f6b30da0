/** Writes a backup: every table of the schema from one snapshot, the sequences, the uploads kept on disk. */
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { createSecrets } from '../../platform/secrets.ts'
import { createSealer } from './envelope.ts'
import { type BackupRecord, packed } from './records.ts'

export interface DumpDeps {
  /** A role that may read every table. */
  databaseUrl: string
  dataDir: string
  masterKey: Buffer
  version: string
  now(): number
  /** Who asked for it. */
  by?: string | undefined
  /** Cost of the passphrase's key; tests take less. */
  cost?: { N: number; r: number; p: number }
}

export const MASTER_KEY_AAD = 'backup master key'
export const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`
export const COPY_SETTINGS = `SET LOCAL datestyle = 'ISO'; SET LOCAL intervalstyle = 'postgres'; SET LOCAL timezone = 'UTC';
  SET LOCAL extra_float_digits = 3; SET LOCAL bytea_output = 'hex'; SET LOCAL client_encoding = 'UTF8'`

interface TableShape {
  name: string
  columns: string[]
}

/** Tables of the schema with the columns that are stored, the list of migrations aside: the header has it. */
export const readTables = async (client: pg.Client): Promise<TableShape[]> => {
  const { rows } = await client.query<TableShape>(`
    SELECT c.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
      AND a.attgenerated = ''
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relname <> 'schema_migration'
    GROUP BY c.relname ORDER BY c.relname`)
  return rows
}

const sequenceValues = async (client: pg.Client) => {
  const { rows } = await client.query<{ name: string; value: string | null }>(
    "SELECT sequencename AS name, last_value::text AS value FROM pg_sequences WHERE schemaname = 'public'",
  )
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]))
}

async function* tableRecords(client: pg.Client, { name, columns }: TableShape): AsyncGenerator<BackupRecord> {
  yield { kind: 'table', name, columns }
  const stream = client.query(copyTo(`COPY ${quoted(name)} (${columns.map(quoted).join()}) TO STDOUT`))
  for await (const bytes of stream) yield { kind: 'data', bytes }
  yield { kind: 'close', count: stream.rowCount }
}

/** Files of the folder, two levels deep as they are kept. One that goes away meanwhile is left out. */
async function* fileRecords(dir: string): AsyncGenerator<BackupRecord> {
  for (const folder of (await readdir(dir).catch((): string[] => [])).sort())
    for (const name of (await readdir(join(dir, folder)).catch((): string[] => [])).sort()) {
      if (name.endsWith('.new')) continue
      const file = await open(join(dir, folder, name)).catch(() => null)
      if (file === null) continue
      yield { kind: 'file', path: `${folder}/${name}` }
      let count = 0
      for await (const bytes of file.createReadStream()) {
        count += (bytes as Buffer).length
        yield { kind: 'data', bytes: bytes as Buffer }
      }
      yield { kind: 'close', count }
    }
}

async function* allRecords(deps: DumpDeps, client: pg.Client, wrap: Buffer): AsyncGenerator<BackupRecord> {
  yield { kind: 'key', masterKey: createSecrets(wrap).seal(deps.masterKey.toString('hex'), MASTER_KEY_AAD) }
  const tables = await readTables(client)
  for (const table of tables) yield* tableRecords(client, table)
  // Sequences stand outside of the snapshot: read last, they are never behind its rows.
  yield { kind: 'sequences', values: await sequenceValues(client) }
  let files = 0
  for await (const record of fileRecords(join(deps.dataDir, 'uploads'))) {
    if (record.kind === 'file') files++
    yield record
  }
  yield { kind: 'end', tables: tables.length, files }
}

/** The bytes of a backup, made while they are read. */
export async function* dump(deps: DumpDeps, passphrase: string): AsyncGenerator<Buffer> {
  const client = new pg.Client({ connectionString: deps.databaseUrl, application_name: 'tidegate-backup' })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    await client.query(COPY_SETTINGS)
    const { rows: migrations } = await client.query<{ name: string; hash: string }>(
      'SELECT name, hash FROM schema_migration ORDER BY name',
    )
    const created = new Date(deps.now()).toISOString()
    const about = { version: deps.version, created, ...(deps.by && { by: deps.by }), migrations }
    const sealer = await createSealer(passphrase, about, deps.cost)
    yield* sealer.seal(packed(allRecords(deps, client, sealer.wrap)))
  } finally {
    await client.end()
  }
}

/** Writes a file beside its place and moves it there when it is whole and on the disk. Answers its size in bytes. */
export const writeWhole = async (path: string, source: AsyncIterable<Uint8Array>): Promise<number> => {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const part = `${path}.part`
  try {
    const file = await open(part, 'w', 0o600)
    try {
      for await (const bytes of source) await file.write(bytes)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(part, path)
    return (await stat(path)).size
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}

/** As `writeWhole`. */
export const dumpToFile = (deps: DumpDeps, passphrase: string, path: string): Promise<number> =>
  writeWhole(path, dump(deps, passphrase))

/** tidegate-20261121-140305.backup, in UTC. */
export const backupName = (now: number, prefix = 'tidegate'): string =>
  `${prefix}-${new Date(now).toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '-')}.backup`

export const readBackup = (path: string): AsyncIterable<Buffer> => createReadStream(path)
