/** Administrators with chosen permissions, for tests. */
import { sql } from 'drizzle-orm'
import { ADMIN_PASSWORD, call, type TestServer } from './app.ts'

/** An account with the first administrator's password and a role of its own. Answers its id. */
export const createAdmin = async (
  server: TestServer,
  name: string,
  permissions: readonly string[],
): Promise<number> => {
  const { db } = server.built.context.database
  const { rows } = await db.execute<{ id: number }>(sql`
    WITH a AS (
      INSERT INTO admin (username, password_hash, created_at, password_at)
      SELECT ${name}, password_hash, now(), now() FROM admin WHERE username = 'admin' RETURNING id),
    r AS (INSERT INTO role (name) VALUES (${`role of ${name}`}) RETURNING id),
    p AS (INSERT INTO role_permission (role_id, permission) SELECT r.id, unnest(ARRAY[${sql.join(
      permissions.map((p) => sql`${p}`),
      sql`, `,
    )}]::text[]) FROM r),
    l AS (INSERT INTO admin_role (admin_id, role_id) SELECT a.id, r.id FROM a, r)
    SELECT id FROM a`)
  return Number(rows[0]?.id)
}

export const loginAs = async (server: TestServer, username: string): Promise<string> => {
  const reply = await call(server, 'sys/login', { body: { username, password: ADMIN_PASSWORD } })
  if (reply.status !== 200) throw new Error(`login: ${JSON.stringify(reply.body)}`)
  return String(reply.body.token)
}
