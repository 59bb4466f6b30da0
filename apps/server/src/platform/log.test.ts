import { Writable } from 'node:stream'
import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { testDatabase } from '../testing/database.ts'
import { openDatabase } from './db.ts'
import { createLog } from './log.ts'

const memory = () => {
  let text = ''
  const sink = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      text += chunk.toString()
      done()
    },
  })
  return { log: createLog('debug', 'test', sink), text: () => text }
}

it('says which query failed and why, never with which values', async () => {
  const { log, text } = memory()
  const database = await testDatabase()
  const { db, close } = openDatabase(database.appUrl, () => {})
  const error = await db.execute(sql`SELECT ${'SECRET-VALUE'} FROM nothing_here`).catch((e: unknown) => e)
  await close()
  await database.drop()
  log.error({ err: error, requestId: 'r1' }, 'request failed')
  expect(text()).toContain('nothing_here')
  expect(text()).toContain('does not exist')
  expect(text()).toMatch(/log\.test\.ts/)
  expect(text()).not.toContain('SECRET-VALUE')
})

it('takes errors that are texts, and causes of causes', () => {
  const { log, text } = memory()
  log.warn({ err: 'plain words' }, 'one')
  log.warn({ err: new Error('outer', { cause: new Error('inner', { cause: 'root' }) }) }, 'two')
  for (const word of ['plain words', 'outer', 'inner', 'root']) expect(text()).toContain(word)
})
