/** What does not go back when a backup is restored in place of the installation that it was made of. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, it } from 'vitest'
import { MIGRATIONS } from './compose.ts'
import { dumpToFile, readBackup } from './modules/backup/dump.ts'
import { restore } from './modules/backup/restore.ts'
import { RESTORE_CARRIERS } from './restore-carriers.ts'
import { testDatabase } from './testing/database.ts'

const PASSPHRASE = 'a passphrase of this test'
const THEN = `
  INSERT INTO admin (username, password_hash, created_at, password_at) VALUES ('chief', 'h', now(), now());
  INSERT INTO installation (key, value) VALUES ('ca', '{"certPem": "the same"}'), ('restoring', '"x"');
  INSERT INTO site (group_id, slug, domains, origin_protocol, origins, settings) VALUES (1, 'one', '{one.test}', 'http', '[]', '{}');
  INSERT INTO node (name, group_id, enrolled_at, cert_serials) VALUES ('kept', 1, now(), '{s1}'), ('thrown out', 1, now(), '{s2}');
  INSERT INTO node_push (node_id, scope, sent, applied, answered) SELECT id, 'group:1', 5, 5, 5 FROM node;
  INSERT INTO config_scope (scope, head) VALUES ('group:1', 5);
  INSERT INTO config_published (scope, published) VALUES ('group:1', 5);
  INSERT INTO purge_row (site_id, kind, value, generation) VALUES (1, 'site', '', nextval('purge_generation'));
  INSERT INTO task_run (kind, description, params, timeout_s, lost_rule, exclusive, state, trigger, due_at)
    VALUES ('a', '', '{}', 1, 'retry', true, 'running', 'clock', now());
  INSERT INTO export_job (owner_kind, owner_id, list, query, columns, caller, state, created_at, expires_at)
    VALUES ('admin', 1, 'l', '{}', '{}', '{}', 'waiting', now(), now());
  INSERT INTO notice (event, channel, owner_kind, address, lang, vars, state, created_at)
    VALUES ('test', 'mail', 'address', 'a@example.com', 'en', '{}', 'queued', now());
  INSERT INTO backup_run (kind, place, state, started_at) VALUES ('hand', 'disk', 'running', now())`
const SINCE = `
  UPDATE config_scope SET head = 900;
  UPDATE node SET cert_serials = '{s3,s1}' WHERE name = 'kept';
  UPDATE node SET revoked_at = now() WHERE name = 'thrown out';
  INSERT INTO node (name, group_id, enrolled_at) VALUES ('later', 1, now());
  INSERT INTO site (group_id, slug, domains, origin_protocol, origins, settings) VALUES (1, 'two', '{two.test}', 'http', '[]', '{}');
  UPDATE purge_row SET generation = 70;
  INSERT INTO purge_row (site_id, kind, value, generation) VALUES (1, 'url', 'one.test/a', 71), (2, 'site', '', 72);
  SELECT setval('purge_generation', 72)`

it('revisions and purges go on beyond what nodes know, trust in nodes and ids stay, what was under way is closed', async () => {
  const database = await testDatabase()
  const dataDir = mkdtempSync(join(tmpdir(), 'tg-carriers-'))
  const client = new pg.Client({ connectionString: database.ownerUrl })
  await client.connect()
  const all = async (text: string) => (await client.query({ text, rowMode: 'array' })).rows
  try {
    await client.query(THEN)
    const created = Date.now()
    const path = join(dataDir, 'one.backup')
    const about = { databaseUrl: database.ownerUrl, dataDir, masterKey: randomBytes(32), version: 'test' }
    await dumpToFile({ ...about, now: () => created, cost: { N: 1024, r: 8, p: 1 } }, PASSPHRASE, path)
    await client.query(SINCE)
    await restore(
      {
        ...{ ownerUrl: database.ownerUrl, dataDir, migrations: MIGRATIONS, fixedKey: null },
        ...{ carriers: RESTORE_CARRIERS, read: () => readBackup(path), safetyBackup: async () => {} },
        // An hour later: a thousand revisions a second could have been made.
        now: () => created + 3_600_000,
      },
      PASSPHRASE,
      true,
    )
    expect(await all('SELECT slug FROM site')).toEqual([['one']])
    const next = 900 + 4_000_000
    expect(await all('SELECT head FROM config_scope')).toEqual([[next + 1]])
    expect(await all('SELECT published, compacted FROM config_published')).toEqual([[5, next]])
    expect(await all('SELECT revision, touched, forced FROM config_revision ORDER BY revision')).toEqual([
      [next, ['settings group'], true],
      [next + 1, ['purge 1', 'purge 1 url one.test/a'], false],
    ])
    expect(await all('SELECT DISTINCT sent FROM node_push')).toEqual([[next]])
    expect(await all('SELECT kind, generation FROM purge_row ORDER BY kind')).toEqual([
      ['site', 70],
      ['url', 71],
    ])
    expect(Number((await all("SELECT nextval('purge_generation')"))[0]?.[0])).toBeGreaterThan(72)
    expect(await all('SELECT name, cert_serials, revoked_at IS NOT NULL FROM node ORDER BY name')).toEqual([
      ['kept', ['s3', 's1'], false],
      ['thrown out', ['s2'], true],
    ])
    expect(await all('SELECT revoked FROM node_push ORDER BY node_id')).toEqual([[false], [true]])
    // A site and a node were made since: their ids are not given to others.
    const made = await all(
      `INSERT INTO site (group_id, slug, domains, origin_protocol, origins, settings) VALUES (1, 'x', '{x.test}', 'http', '[]', '{}') RETURNING id`,
    )
    expect(Number(made[0]?.[0])).toBeGreaterThan(2)
    for (const [table, state] of [
      ['task_run', 'lost'],
      ['export_job', 'failed'],
      ['notice', 'skipped'],
      ['backup_run', 'failed'],
    ])
      expect([table, await all(`SELECT state FROM ${table}`)]).toEqual([table, [[state]]])
    expect(await all("SELECT 1 FROM installation WHERE key = 'restoring'")).toEqual([])
  } finally {
    await client.end()
    await database.drop()
    rmSync(dataDir, { recursive: true })
  }
})
