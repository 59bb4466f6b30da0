/** Tables are written twice, in SQL and for typed queries: here the two are compared, so that they cannot drift. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestDatabase } from '@tidegate/testkit/database'
import { is } from 'drizzle-orm'
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testDatabase } from '../testing/database.ts'

interface Column {
  name: string
  type: string
  required: boolean
}

const byName = (a: Column, b: Column) => (a.name < b.name ? -1 : 1)

describe('tables for typed queries', () => {
  let database: TestDatabase
  let client: pg.Client
  beforeAll(async () => {
    database = await testDatabase()
    client = new pg.Client({ connectionString: database.ownerUrl })
    await client.connect()
  })
  afterAll(async () => {
    await client.end()
    await database.drop()
  })

  it('have the columns, types and nullability of the migrated database', async () => {
    let compared = 0
    for await (const file of schemaFiles()) {
      const module = (await import(file)) as Record<string, unknown>
      for (const table of Object.values(module)) {
        if (!is(table, PgTable)) continue
        const config = getTableConfig(table)
        const wanted = config.columns.map((c) => ({ name: c.name, type: c.getSQLType(), required: c.notNull }))
        const { rows } = await client.query<Column>(
          `SELECT a.attname AS name, format_type(a.atttypid, NULL) AS type, a.attnotnull AS required FROM pg_attribute a
           WHERE a.attrelid = to_regclass($1) AND a.attnum > 0 AND NOT a.attisdropped`,
          [`public.${config.name}`],
        )
        expect({ table: config.name, columns: rows.sort(byName) }).toEqual({
          table: config.name,
          columns: wanted.sort(byName),
        })
        compared += 1
      }
    }
    expect(compared).toBeGreaterThan(8)
  })
})

const schemaFiles = async function* () {
  for (const entry of await readdir(import.meta.dirname, { recursive: true }))
    if (entry.endsWith('schema.ts')) yield join(import.meta.dirname, entry)
}
