import type { TestDatabase } from '@tidegate/testkit/database'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testDatabase } from '../testing/database.ts'

describe('the migrated database', () => {
  let database: TestDatabase
  let app: pg.Client
  let owner: pg.Client
  beforeAll(async () => {
    database = await testDatabase()
    app = new pg.Client({ connectionString: database.appUrl })
    owner = new pg.Client({ connectionString: database.ownerUrl })
    await Promise.all([app.connect(), owner.connect()])
    await app.query(`INSERT INTO audit_log (actor_kind, actor_id, actor_name, ip, user_agent, request_id, action, target)
      VALUES ('system', 0, 'system', '', '', '', 'test', 'row 1')`)
  })
  afterAll(async () => {
    await Promise.all([app.end(), owner.end()])
    await database.drop()
  })

  it('lets nobody change an audit row, not even its owner', async () => {
    await expect(app.query("UPDATE audit_log SET action = 'x'")).rejects.toThrow(/permission denied/)
    await expect(app.query('DELETE FROM audit_log')).rejects.toThrow(/permission denied/)
    await expect(owner.query("UPDATE audit_log SET action = 'x'")).rejects.toThrow(/append-only/)
    await expect(owner.query('TRUNCATE audit_log')).rejects.toThrow(/append-only/)
    expect((await app.query('SELECT action FROM audit_log')).rows).toEqual([{ action: 'test' }])
  })

  it('does not let the runtime role touch the list of migrations', async () => {
    await expect(app.query('DELETE FROM schema_migration')).rejects.toThrow(/permission denied/)
  })
})
