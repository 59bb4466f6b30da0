/** Puts a backup in the database's place: all of it in one transaction, or nothing. */
import { randomUUID } from 'node:crypto'
import { mkdir, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { AppError } from '../../platform/errors.ts'
import { migrateJobs } from '../../platform/jobs.ts'
import { MIGRATION_LOCK, type Migration, readMigrations } from '../../platform/migrate.ts'
import { type Carrier, carryAll } from './carry.ts'
import { COPY_SETTINGS, quoted, readTables } from './dump.ts'
import { finishPlacing, markPlaced, stagedFiles, stageKey } from './placing.ts'
import type { BackupRecord } from './records.ts'
import { migrationsOf, openBackup, type Verified, verifyBackup } from './verify.ts'

interface RestoreDeps {
  /** The role that owns the schema. */
  ownerUrl: string
  dataDir: string
  /** Folder of the migrations. */
  migrations: string
  /** The master key where the environment fixes it; a backup made under another is refused. */
  fixedKey: Buffer | null
  /** A second look at the same bytes. */
  read(): AsyncIterable<Buffer>
  /** Runs before anything is changed, when there is something to lose. */
  safetyBackup(): Promise<void>
  /** What must not go back with the rest. */
  carriers?: readonly Carrier[]
  now?(): number
  /** By which the restored database says that it was this one. */
  id?: string
}

/** Logins and what belongs to one of them: whoever had them logs in again. */
const ENDED = ['session', 'captcha', 'login_ticket', 'handover', 'verify_code']

const runMigration = async (client: pg.Client, { name, hash, sql }: Migration) => {
  await client.query(sql)
  await client.query('INSERT INTO schema_migration (name, hash) VALUES ($1, $2)', [name, hash])
}

const freshSchema = async (client: pg.Client, migrations: readonly Migration[]) => {
  await client.query('DROP SCHEMA IF EXISTS public CASCADE')
  await client.query('CREATE SCHEMA public')
  await client.query('GRANT USAGE ON SCHEMA public TO PUBLIC')
  await client.query(
    'CREATE TABLE schema_migration (name text PRIMARY KEY, hash text NOT NULL, run_at timestamptz NOT NULL DEFAULT now())',
  )
  for (const migration of migrations) await runMigration(client, migration)
}

interface Rule {
  table: string
  name: string
  definition: string
}

const foreignKeysOf = async (client: pg.Client): Promise<Rule[]> => {
  const { rows } = await client.query<Rule>(
    `SELECT conrelid::regclass::text AS table, conname AS name, pg_get_constraintdef(oid) AS definition
     FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace ORDER BY conname`,
  )
  return rows
}

/** Indexes that belong to no constraint. */
const indexesOf = async (client: pg.Client) => {
  const { rows } = await client.query<{ name: string; definition: string }>(`
    SELECT i.indexrelid::regclass::text AS name, pg_get_indexdef(i.indexrelid) AS definition
    FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'
      AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = i.indexrelid)
    ORDER BY 1`)
  return rows
}

/**
 * Foreign keys would ask for an order of the tables that circles do not have, and an index is made faster of rows that are there: both are
 * taken away and put back, checked, at the end.
 */
const withoutRules = async (client: pg.Client, work: () => Promise<void>) => {
  const keys = await foreignKeysOf(client)
  const tables = (await readTables(client)).map(({ name }) => quoted(name))
  const drop = ({ table, name }: Rule) => client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${quoted(name)}`)
  const add = ({ table, name, definition }: Rule) =>
    client.query(`ALTER TABLE ${table} ADD CONSTRAINT ${quoted(name)} ${definition}`)
  for (const key of keys) await drop(key)
  const indexes = await indexesOf(client)
  for (const { name } of indexes) await client.query(`DROP INDEX ${name}`)
  for (const table of tables) await client.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`)
  await client.query(`TRUNCATE ${tables.join()}`)
  await work()
  await client.query("SET LOCAL maintenance_work_mem = '128MB'")
  for (const { definition } of indexes) await client.query(definition)
  for (const key of keys) await add(key)
  for (const table of tables) await client.query(`ALTER TABLE ${table} ENABLE TRIGGER USER`)
}

/** Pieces up to the close; `close` is called with its count. */
async function* pieces(records: AsyncGenerator<BackupRecord>, close: (count: number) => void): AsyncGenerator<Buffer> {
  for (;;) {
    const { value, done } = await records.next()
    if (done || (value.kind !== 'data' && value.kind !== 'close')) throw new AppError('backup_damaged')
    if (value.kind === 'close') return close(value.count)
    yield value.bytes
  }
}

const fillTable = async (
  client: pg.Client,
  table: { name: string; columns: string[] },
  records: AsyncGenerator<BackupRecord>,
) => {
  let told = -1
  const into = client.query(copyFrom(`COPY ${quoted(table.name)} (${table.columns.map(quoted).join()}) FROM STDIN`))
  const rows = pieces(records, (count) => {
    told = count
  })
  await pipeline(Readable.from(rows, { highWaterMark: 2 }), into)
  if (into.rowCount !== told) throw new AppError('backup_damaged')
}

const fillFile = async (path: string, records: AsyncGenerator<BackupRecord>) => {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const file = await open(path, 'wx', 0o600)
  try {
    for await (const bytes of pieces(records, () => {})) await file.write(bytes)
  } finally {
    await file.close()
  }
}

const setSequences = async (client: pg.Client, values: Record<string, string | null>) => {
  for (const [name, value] of Object.entries(values))
    if (value !== null) await client.query('SELECT setval($1::regclass, $2::bigint)', [quoted(name), value])
}

/** Everything of the backup into the emptied tables and the waiting folder. */
const fill = async (client: pg.Client, staged: string, records: AsyncGenerator<BackupRecord>) => {
  const shapes = new Map((await readTables(client)).map(({ name, columns }) => [name, columns.join()]))
  for (;;) {
    const { value: record, done } = await records.next()
    if (done) return
    if (record.kind === 'table') {
      if (shapes.get(record.name) !== record.columns.join()) throw new AppError('backup_damaged')
      await fillTable(client, record, records)
    } else if (record.kind === 'file') await fillFile(join(staged, record.path), records)
    else if (record.kind === 'sequences') await setSequences(client, record.values)
  }
}

const endLogins = async (client: pg.Client) => {
  const present = new Set((await readTables(client)).map(({ name }) => name))
  for (const table of ENDED.filter((name) => present.has(name))) await client.query(`DELETE FROM ${quoted(table)}`)
}

/** Whether there is an installation in the database: somebody can log in. */
const isUsed = async (client: pg.Client): Promise<boolean> => {
  const { rows } = await client.query("SELECT to_regclass('public.admin') IS NOT NULL AS there")
  if (!rows[0]?.there) return false
  return ((await client.query('SELECT FROM admin LIMIT 1')).rowCount ?? 0) > 0
}

const inTransaction = async (client: pg.Client, work: () => Promise<void>) => {
  await client.query('BEGIN')
  try {
    await client.query("SET LOCAL lock_timeout = '60s'")
    await client.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK])
    await work()
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {})
    throw error
  }
}

/** The queue's jobs belong to what was before. */
const freshJobs = async (client: pg.Client) => {
  const { rows } = await client.query("SELECT to_regclass('graphile_worker._private_jobs') IS NOT NULL AS there")
  if (rows[0]?.there) await client.query('DELETE FROM graphile_worker._private_jobs')
}

/**
 * Restores: reads the whole backup first, then replaces database, uploads and master key, and brings an older schema up
 * to date. Throws `backup_foreign`, `backup_damaged`, `backup_newer`, `backup_passphrase`, `backup_other_key`, and
 * `backup_in_use` where an installation stands and `force` does not say so; nothing is changed then.
 */
export const restore = async (deps: RestoreDeps, passphrase: string, force: boolean): Promise<Verified> => {
  const known = await readMigrations(deps.migrations)
  const verified = await verifyBackup(deps.read(), passphrase, known)
  if (deps.fixedKey && !deps.fixedKey.equals(verified.masterKey)) throw new AppError('backup_other_key')
  const client = new pg.Client({ connectionString: deps.ownerUrl, application_name: 'tidegate-restore' })
  client.on('error', () => {})
  await client.connect()
  const staged = stagedFiles(deps.dataDir)
  try {
    await finishPlacing(client, deps.dataDir)
    const used = await isUsed(client)
    if (used) {
      if (!force) throw new AppError('backup_in_use')
      await deps.safetyBackup()
    }
    await mkdir(staged, { recursive: true, mode: 0o700 })
    const { header, records } = await openBackup(deps.read(), passphrase)
    const then = migrationsOf(header, known)
    await inTransaction(client, async () => {
      const carried = await carryAll(deps.carriers ?? [], used ? client : null)
      await freshSchema(client, then)
      await client.query(COPY_SETTINGS)
      await withoutRules(client, () => fill(client, staged, records))
      for (const migration of known.filter((m) => !then.includes(m))) await runMigration(client, migration)
      await endLogins(client)
      await freshJobs(client)
      await carried(client, { created: Date.parse(header.created), now: (deps.now ?? Date.now)() })
      if (!deps.fixedKey) await stageKey(deps.dataDir, verified.masterKey)
      await markPlaced(client, deps.dataDir, deps.id ?? randomUUID())
    })
    await finishPlacing(client, deps.dataDir)
    await migrateJobs(client, deps.ownerUrl)
    return verified
  } catch (error) {
    // Nothing when it was committed: that much is then put in place by whoever comes next.
    await finishPlacing(client, deps.dataDir).catch(() => {})
    throw error
  } finally {
    await client.end()
  }
}
