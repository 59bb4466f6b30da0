/** Migrations: numbered SQL files, each in one transaction, once, under an advisory lock; a schema newer than the code is refused. */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { migrateJobs } from './jobs.ts'

/** Advisory lock of whoever changes the schema. */
export const MIGRATION_LOCK = 7_413_001

export interface Migration {
  name: string
  sql: string
  hash: string
}

/** The files of a folder in order of their numbers. */
export const readMigrations = async (dir: string): Promise<Migration[]> => {
  const names = (await readdir(dir)).filter((n) => /^\d{4}_[\w-]+\.sql$/.test(n)).sort()
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(dir, name), 'utf8')
      return { name, sql, hash: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

/** Brings the database, the job queue's own schema included, up to date; answers the names that were run. Throws when the database knows a migration that the code does not. */
export const migrate = async (ownerUrl: string, dir: string): Promise<string[]> => {
  const client = new pg.Client({ connectionString: ownerUrl, application_name: 'tidegate-migrate' })
  await client.connect()
  try {
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK])
    await client.query(
      'CREATE TABLE IF NOT EXISTS schema_migration (name text PRIMARY KEY, hash text NOT NULL, run_at timestamptz NOT NULL DEFAULT now())',
    )
    const run = await runMissing(client, await readMigrations(dir))
    await migrateJobs(client, ownerUrl)
    return run
  } finally {
    await client.end()
  }
}

const runMissing = async (client: pg.Client, migrations: Migration[]): Promise<string[]> => {
  const { rows } = await client.query<{ name: string; hash: string }>('SELECT name, hash FROM schema_migration')
  const done = new Map(rows.map((r) => [r.name, r.hash]))
  const known = new Map(migrations.map((m) => [m.name, m.hash]))
  for (const [name, hash] of done) {
    if (!known.has(name)) throw new Error(`the database is newer than this release: it has migration ${name}`)
    if (known.get(name) !== hash) throw new Error(`migration ${name} was edited after it had been run`)
  }
  const run: string[] = []
  for (const m of migrations.filter((x) => !done.has(x.name))) {
    await client.query('BEGIN')
    await client.query(m.sql)
    await client.query('INSERT INTO schema_migration (name, hash) VALUES ($1, $2)', [m.name, m.hash])
    await client.query('COMMIT')
    run.push(m.name)
  }
  return run
}

/** For /readyz: null when the database is exactly at this release's schema, else what differs. */
export const pendingMigrations = async (pool: pg.Pool, dir: string): Promise<string | null> => {
  const { rows } = await pool.query<{ name: string }>('SELECT name FROM schema_migration')
  const done = new Set(rows.map((row) => row.name))
  const known = (await readMigrations(dir)).map((m) => m.name)
  const missing = known.filter((name) => !done.has(name))
  if (missing.length > 0) return `not run: ${missing.join(', ')}`
  return done.size > known.length ? 'the database is newer than this release' : null
}
