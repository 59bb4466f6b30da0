import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestDatabase, type TestDatabase } from '@tidegate/testkit/database'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readEnv } from '../../platform/env.ts'
import { readMigrations } from '../../platform/migrate.ts'
import { createSecrets } from '../../platform/secrets.ts'
import { RESTORE_CARRIERS } from '../../restore-carriers.ts'
import { testDatabase } from '../../testing/database.ts'
import { backupCommands } from './commands.ts'
import { dump, dumpToFile, readTables } from './dump.ts'
import { restore } from './restore.ts'

const MIGRATIONS = join(import.meta.dirname, '../../../migrations')
const PASSPHRASE = 'a passphrase of this test'
const COST = { N: 1024, r: 8, p: 1 }
const UPLOAD = 'ab/abcdef0123456789.png'

let source: TestDatabase
let target: TestDatabase
let base: string
let masterKey: Buffer
let file: Buffer

const on = async <T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** All rows of all tables as text. */
const contents = (url: string) =>
  on(url, async (client) => {
    const all: Record<string, string[]> = {}
    for (const { name } of await readTables(client)) {
      const { rows } = await client.query<{ row: string }>(`SELECT t::text AS row FROM "${name}" t ORDER BY 1`)
      all[name] = rows.map(({ row }) => row)
    }
    return all
  })

const dumped = async (database: TestDatabase, dataDir: string, version = 'test'): Promise<Buffer> => {
  const parts: Buffer[] = []
  const deps = { databaseUrl: database.appUrl, dataDir, masterKey, version, now: Date.now, cost: COST }
  for await (const bytes of dump(deps, PASSPHRASE)) parts.push(bytes)
  return Buffer.concat(parts)
}

async function* chunksOf(bytes: Buffer) {
  for (let at = 0; at < bytes.length; at += 9_999) yield bytes.subarray(at, at + 9_999)
}

interface Case {
  bytes?: Buffer
  passphrase?: string
  force?: boolean
  fixedKey?: Buffer
  onSafety?: () => void
}

const into = (database: TestDatabase, dataDir: string, { bytes = file, passphrase, force, fixedKey, onSafety }: Case) =>
  restore(
    {
      ownerUrl: database.ownerUrl,
      dataDir,
      migrations: MIGRATIONS,
      fixedKey: fixedKey ?? null,
      read: () => chunksOf(bytes),
      safetyBackup: async () => onSafety?.(),
    },
    passphrase ?? PASSPHRASE,
    force ?? false,
  )

const FILL = `
  INSERT INTO admin (username, password_hash, created_at, password_at) VALUES ('chief', 'h1', now(), now()), ('second', 'h2', now(), now());
  INSERT INTO audit_log (actor_kind, actor_id, actor_name, ip, user_agent, request_id, action, target, after)
    SELECT 'admin', n, E'na\\tme\\n' || n, '::1', '', 'r', 'a.b', 't', '{"x": "\\\\N"}' FROM generate_series(1, 500) n;
  INSERT INTO node_group (name, cname_zone) SELECT 'g' || n, 'z.test' FROM generate_series(1, 30) n;
  INSERT INTO session (token_hash, admin_id, console, ip, user_agent, created_at, used_at)
    VALUES ('\\x01', (SELECT min(id) FROM admin), 'admin', '::1', '', now(), now())`

beforeAll(async () => {
  source = await testDatabase()
  target = await testDatabase()
  base = mkdtempSync(join(tmpdir(), 'tg-backup-'))
  masterKey = randomBytes(32)
  mkdirSync(join(base, 'source/uploads/ab'), { recursive: true })
  mkdirSync(join(base, 'target'))
  writeFileSync(join(base, 'source/uploads', UPLOAD), randomBytes(200_000))
  await on(source.ownerUrl, async (client) => {
    await client.query(FILL)
    await client.query("INSERT INTO installation (key, value) VALUES ('sealed', to_jsonb($1::text))", [
      createSecrets(masterKey).seal('the secret', 'here'),
    ])
  })
  file = await dumped(source, join(base, 'source'))
})
afterAll(async () => {
  await source.drop()
  await target.drop()
  rmSync(base, { recursive: true, force: true })
})

const refusal = (key: string) => ({ name: 'AppError', key })

describe('a backup that is not right is refused whole', () => {
  const unchanged = async (given: Case, key: string) => {
    const before = await contents(target.ownerUrl)
    await expect(into(target, join(base, 'target'), given)).rejects.toMatchObject(refusal(key))
    expect(await contents(target.ownerUrl)).toEqual(before)
    expect(readdirSync(join(base, 'target'))).toEqual([])
  }

  it('cut off anywhere', async () => {
    const cuts = [16, 18, 100, 5_000, 66_000, Math.floor(file.length / 2), file.length - 17, file.length - 1]
    for (const at of cuts) await unchanged({ bytes: file.subarray(0, at) }, 'backup_damaged')
  })
  it('changed or with bytes added', async () => {
    for (const at of [file.length - 1, Math.floor(file.length / 2), Math.floor(file.length / 3)]) {
      const flipped = Buffer.from(file)
      flipped[at] = (flipped[at] ?? 0) ^ 1
      await unchanged({ bytes: flipped }, 'backup_damaged')
    }
    await unchanged({ bytes: Buffer.concat([file, Buffer.from('x')]) }, 'backup_damaged')
  })
  it('foreign or empty', async () => {
    await unchanged({ bytes: randomBytes(5_000) }, 'backup_foreign')
    await unchanged({ bytes: Buffer.alloc(0) }, 'backup_foreign')
  })
  it('of another passphrase', () => unchanged({ passphrase: 'another one altogether' }, 'backup_passphrase'))
  it('under another master key than the environment gives', () =>
    unchanged({ fixedKey: randomBytes(32) }, 'backup_other_key'))
  it('newer than this release', async () => {
    const newer = await testDatabase()
    try {
      await on(newer.ownerUrl, (client) =>
        client.query("INSERT INTO schema_migration (name, hash) VALUES ('9999_later.sql', 'x')"),
      )
      await unchanged({ bytes: await dumped(newer, base, '99.0') }, 'backup_newer')
    } finally {
      await newer.drop()
    }
  })
})

it('brings every row, the uploads and the master key into an empty installation, where sealed values open, and ends the logins', async () => {
  const dataDir = join(base, 'target')
  const found = await into(target, dataDir, {})
  const [then, now] = [await contents(source.ownerUrl), await contents(target.ownerUrl)]
  expect(then.session).toHaveLength(1)
  // The restored one says of itself by which restore it was made.
  const installation = now.installation?.filter((row) => !row.startsWith('(restored,'))
  expect({ ...now, installation }).toEqual({ ...then, session: [] })
  expect(found.rows).toBe(Object.values(then).flat().length)
  expect(readFileSync(join(dataDir, 'uploads', UPLOAD))).toEqual(readFileSync(join(base, 'source/uploads', UPLOAD)))
  const key = Buffer.from(readFileSync(join(dataDir, 'master.key'), 'utf8').trim(), 'hex')
  await on(target.appUrl, async (client) => {
    const { rows } = await client.query("SELECT value #>> '{}' AS text FROM installation WHERE key = 'sealed'")
    expect(createSecrets(key).open(rows[0].text, 'here')).toBe('the secret')
    // The runtime role goes on with fresh ids, and still cannot change what was logged.
    const added = await client.query(
      "INSERT INTO node_group (name, cname_zone) VALUES ('after', 'z.test') RETURNING id",
    )
    expect(Number(added.rows[0].id)).toBeGreaterThan(30)
    await expect(client.query('DELETE FROM audit_log')).rejects.toThrow(/permission denied/)
  })
  await on(target.ownerUrl, (client) => expect(client.query('DELETE FROM audit_log')).rejects.toThrow(/append-only/))
})

it('replaces an installation only when told to, and after a safety backup', async () => {
  const dataDir = join(base, 'target')
  await expect(into(target, dataDir, {})).rejects.toMatchObject(refusal('backup_in_use'))
  let saved = 0
  const onSafety = () => {
    saved++
  }
  await into(target, dataDir, { force: true, onSafety })
  expect(saved).toBe(1)
  const failing = () => {
    throw new Error('no room')
  }
  const before = await contents(target.ownerUrl)
  await expect(into(target, dataDir, { force: true, onSafety: failing })).rejects.toThrow('no room')
  expect(await contents(target.ownerUrl)).toEqual(before)
})

it('is one moment of the database, whatever is written meanwhile', async () => {
  await on(source.ownerUrl, (client) =>
    client.query(
      "INSERT INTO installation (key, value) SELECT 'sum' || n, '100' FROM generate_series(1, 10) n; INSERT INTO node_group (name, cname_zone, remark) VALUES ('balance', 'z.test', '1000')",
    ),
  )
  let over = false
  const writer = on(source.ownerUrl, async (client) => {
    while (!over) {
      await client.query('BEGIN')
      await client.query("UPDATE installation SET value = to_jsonb(value::int + 1) WHERE key = 'sum1'")
      await client.query("UPDATE node_group SET remark = (remark::int - 1)::text WHERE name = 'balance'")
      await client.query('COMMIT')
    }
  })
  const bytes = await dumped(source, join(base, 'source'))
  over = true
  await writer
  await into(target, join(base, 'target'), { bytes, force: true })
  await on(target.ownerUrl, async (client) => {
    const { rows } = await client.query(
      "SELECT (SELECT sum(value::int) FROM installation WHERE key LIKE 'sum%') + (SELECT remark::int FROM node_group WHERE name = 'balance') AS whole",
    )
    expect(Number(rows[0].whole)).toBe(2000)
  })
})

it('brings the backup of an older schema up to date, its rows kept', async () => {
  const old = (await readMigrations(MIGRATIONS)).slice(0, 8)
  const database = await createTestDatabase({
    name: 'backup_schema_8',
    prepare: (url) =>
      on(url, async (client) => {
        await client.query(
          'CREATE TABLE schema_migration (name text PRIMARY KEY, hash text NOT NULL, run_at timestamptz NOT NULL DEFAULT now())',
        )
        for (const { name, hash, sql } of old) {
          await client.query(sql)
          await client.query('INSERT INTO schema_migration (name, hash) VALUES ($1, $2)', [name, hash])
        }
        await client.query(FILL)
      }),
  })
  try {
    const bytes = await dumped(database, join(base, 'none'))
    const saved: string[] = []
    await into(target, join(base, 'target'), { bytes, force: true, onSafety: () => void saved.push('yes') })
    expect(saved).toEqual(['yes'])
    const [fresh, now] = await Promise.all([source, target].map((one) => contents(one.ownerUrl)))
    expect(Object.keys(now ?? {})).toEqual(Object.keys(fresh ?? {}))
    await on(target.ownerUrl, async (client) => {
      const { rows } = await client.query('SELECT count(*)::int AS n FROM schema_migration')
      expect(rows[0].n).toBe((await readMigrations(MIGRATIONS)).length)
      expect((await client.query('SELECT username AS name FROM admin ORDER BY id')).rows.map((r) => r.name)).toEqual([
        'chief',
        'second',
      ])
    })
  } finally {
    await database.drop()
  }
})

it('leaves no half-written file behind', async () => {
  const path = join(base, 'kept', 'one.backup')
  const deps = { databaseUrl: source.appUrl, dataDir: base, masterKey, version: 'test', now: Date.now, cost: COST }
  expect(await dumpToFile(deps, PASSPHRASE, path)).toBeGreaterThan(1_000)
  await expect(
    dumpToFile({ ...deps, databaseUrl: 'postgres://nobody@127.0.0.1:9/none' }, PASSPHRASE, join(base, 'kept', 'two')),
  ).rejects.toThrow()
  expect(readdirSync(join(base, 'kept'))).toEqual(['one.backup'])
  expect(existsSync(path)).toBe(true)
})

it('makes and restores by command; the restore asks for a stopped product, and refuses in both languages', async () => {
  const dataDir = join(base, 'commands')
  mkdirSync(dataDir)
  const path = join(base, 'by-command.backup')
  const commandsOf = (database: TestDatabase, passphrase: string) =>
    backupCommands({
      env: readEnv({
        DATABASE_URL: database.appUrl,
        DATABASE_OWNER_URL: database.ownerUrl,
        TIDEGATE_DATA: dataDir,
        TIDEGATE_BACKUP_PASSPHRASE: passphrase,
      }),
      version: 'test',
      migrations: MIGRATIONS,
      carriers: RESTORE_CARRIERS,
      now: Date.now,
    })
  const run = async (database: TestDatabase, words: string[], passphrase = PASSPHRASE) => {
    const said: string[] = []
    const code = await commandsOf(database, passphrase)[words[0] ?? '']?.(words.slice(1), (line) => said.push(line))
    return { code, said: said.join('\n') }
  }
  expect(await run(source, ['backup', '--to', path], 'too short')).toMatchObject({ code: 1 })
  expect(await run(source, ['backup', '--to', path])).toMatchObject({ code: 0 })
  const server = new pg.Client({ connectionString: target.appUrl, application_name: 'tidegate' })
  await server.connect()
  const refused = await run(target, ['restore', path, '--force'])
  await server.end()
  expect(refused).toEqual({ code: 1, said: expect.stringMatching(/is running.*请先停止产品/) })
  const wrong = await run(target, ['restore', path, '--force'], 'another one altogether')
  expect(wrong).toEqual({
    code: 1,
    said: expect.stringMatching(/passphrase of the backup is not right.*备份口令不正确/),
  })
  expect((await run(target, ['restore', path])).said).toContain('--force')
  expect(await run(target, ['restore', path, '--force'])).toMatchObject({ code: 0 })
  expect(readdirSync(join(dataDir, 'backups'))).toEqual([expect.stringMatching(/^before-restore-.*\.backup$/)])
})
