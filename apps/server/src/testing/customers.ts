/** Customers for tests of what is not about logging in. */
import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { TestServer } from './app.ts'

export interface TestCustomer {
  id: number
  token: string
}

/** An account with the first administrator's password, logged in at the CDN console. */
export const createCustomer = async (
  server: TestServer,
  name: string,
  { unvalidModel = [] as readonly string[] } = {},
): Promise<TestCustomer> => {
  const { db } = server.built.context.database
  const token = randomBytes(32).toString('base64url')
  const now = new Date(server.clock.now()).toISOString()
  const { rows } = await db.execute<{ id: number }>(sql`
    WITH c AS (
      INSERT INTO customer (username, password_hash, unvalid_model, created_at, password_at)
      SELECT ${name}, password_hash, ${sql.param([...unvalidModel])}::text[], ${now}, ${now} FROM admin WHERE username = 'admin'
      RETURNING id),
    s AS (
      INSERT INTO session (token_hash, customer_id, console, ip, user_agent, created_at, used_at)
      SELECT ${createHash('sha256').update(token).digest()}, c.id, 'user', '127.0.0.1', '', ${now}, ${now} FROM c)
    SELECT id FROM c`)
  return { id: Number(rows[0]?.id), token }
}
