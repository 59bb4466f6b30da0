/** A migrated database for a test. */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { createTestDatabase, type TestDatabase } from '@tidegate/testkit/database'
import { migrate, readMigrations } from '../platform/migrate.ts'

const DIR = join(import.meta.dirname, '../../migrations')

/** A fresh copy of the migrated template; drop it when done. */
export const testDatabase = async (): Promise<TestDatabase> => {
  const migrations = await readMigrations(DIR)
  const hash = createHash('sha256')
    .update(migrations.map((m) => m.hash).join())
    .digest('hex')
  return createTestDatabase({
    name: `schema_${hash.slice(0, 16)}`,
    prepare: async (url) => void (await migrate(url, DIR)),
  })
}
