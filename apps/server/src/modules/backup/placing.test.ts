/** A restore whose process died between its transaction and the files that follow it. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RestoreOutcome } from '@tidegate/contract/operations/backup'
import type { TestDatabase } from '@tidegate/testkit/database'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { readEnv } from '../../platform/env.ts'
import { createLog } from '../../platform/log.ts'
import { testDatabase } from '../../testing/database.ts'
import { resumeRestore } from './index.ts'
import { markPlaced, stagedFiles, stageKey } from './placing.ts'
import { restoreFiles } from './request.ts'

let database: TestDatabase
let client: pg.Client
let dataDir: string
const OLD = 'a'.repeat(64)
const NEW = Buffer.alloc(32, 7)

beforeAll(async () => {
  database = await testDatabase()
  client = new pg.Client({ connectionString: database.ownerUrl })
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await database.drop()
})
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'tg-placing-'))
  writeFileSync(join(dataDir, 'master.key'), `${OLD}\n`)
  mkdirSync(join(dataDir, 'uploads', 'aa'), { recursive: true })
  writeFileSync(join(dataDir, 'uploads', 'aa', 'old.png'), 'old')
  return () => rmSync(dataDir, { recursive: true })
})

/** As far as a restore comes before its transaction ends. */
const almost = async (id: string) => {
  await client.query('BEGIN')
  mkdirSync(join(stagedFiles(dataDir), 'bb'), { recursive: true })
  writeFileSync(join(stagedFiles(dataDir), 'bb', 'new.png'), 'new')
  await stageKey(dataDir, NEW)
  await markPlaced(client, dataDir, id)
}
const start = () =>
  resumeRestore({
    env: readEnv({ DATABASE_URL: database.appUrl, DATABASE_OWNER_URL: database.ownerUrl, TIDEGATE_DATA: dataDir }),
    ...{ log: createLog('silent', 'test'), version: 'test', migrations: '', carriers: [], now: Date.now },
    maintenance: async () => ({ close: async () => {} }),
  })
const there = () => readdirSync(dataDir).sort()
const request = (id: string) => ({
  ...{ id, name: 'one.backup', path: '/nowhere', passphrase: 'sealed', request: '' },
  by: { name: 'admin', ip: '', userAgent: '', requestId: '' },
})
/** One was asked for and begun. */
const begun = async (id: string) => {
  const files = restoreFiles(dataDir)
  await files.ask(request(id))
  await files.take()
  return files
}

it('is brought to its end by the next start when it was committed', async () => {
  const files = await begun('first')
  await almost('first')
  await client.query('COMMIT')
  await start()
  expect(readFileSync(join(dataDir, 'master.key'), 'utf8').trim()).toBe(NEW.toString('hex'))
  expect(existsSync(join(dataDir, 'uploads', 'bb', 'new.png'))).toBe(true)
  expect(existsSync(join(dataDir, 'uploads', 'aa'))).toBe(false)
  expect(there()).toEqual(['master.key', 'restore', 'uploads'])
  expect(await files.outcome()).toMatchObject({ id: 'first', ok: true, error: '' })
  expect(await files.waits()).toBe(false)
})

it('leaves nothing behind when it was not, and is not tried again by itself', async () => {
  const files = await begun('second')
  await almost('second')
  await client.query('ROLLBACK')
  await start()
  expect(readFileSync(join(dataDir, 'master.key'), 'utf8').trim()).toBe(OLD)
  expect(existsSync(join(dataDir, 'uploads', 'aa', 'old.png'))).toBe(true)
  expect(there()).toEqual(['master.key', 'restore', 'uploads'])
  expect(await files.outcome()).toMatchObject({ id: 'second', ok: false, error: 'restore_interrupted' })
  await start()
  expect(await files.take()).toBeNull()
})

it('says in words that a backup could not be restored, and goes on', async () => {
  const files = restoreFiles(dataDir)
  await files.ask(request('third'))
  await start()
  // Its passphrase was not sealed by this installation.
  expect(await files.outcome()).toMatchObject({ id: 'third', ok: false, error: 'internal' })
  expect(await files.waits()).toBe(false)
})

it('keeps all of what the contract tells of an outcome, and bears an error that another release has named', async () => {
  const told: RestoreOutcome = {
    ...{ ok: false, time: '2026-11-21T10:00:00.000Z', by: 'admin', name: 'one.backup', created: '', version: '1.0.0' },
    ...{ rows: 0, files: 0, safety: 'before.backup', error: 'no_such_key' },
  }
  const files = restoreFiles(dataDir)
  mkdirSync(files.dir)
  const file = join(files.dir, 'outcome.json')
  writeFileSync(file, JSON.stringify({ ...told, id: 'fourth', params: {} }))
  expect(await files.outcome()).toEqual({ ...told, id: 'fourth', params: {}, error: 'internal' })
  const { safety: _safety, ...less } = told
  writeFileSync(file, JSON.stringify({ ...less, id: 'fifth', params: {} }))
  expect(await files.outcome()).toBeNull()
})
