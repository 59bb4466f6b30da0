import pg from 'pg'
import type { ClusterState } from './state.ts'

/** The address of one role: 127.0.0.1 only; the passwords are URL-safe by construction. */
export function roleUrl(role: string, password: string, port: number, database: string): string {
  return `postgres://${role}:${password}@127.0.0.1:${port}/${database}`
}

/** Runs `work` on one connection as superuser and closes it. */
export async function asSuperuser<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  // A server that stops in between reports itself on the connection as well; the query's own error says enough.
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/**
 * Makes `tidegate_owner` (owns the database, runs migrations), `tidegate_app` (what the server runs as: no rights but
 * those that migrations grant) and the database `tidegate`. Can be repeated after an interrupted first start.
 */
export async function ensureRoles(superUrl: string, passwords: ClusterState['passwords']): Promise<void> {
  await asSuperuser(superUrl, async (client) => {
    // A failing statement must not leave its password in the server's log.
    await client.query("SET log_min_error_statement = 'panic'")
    await ensureRole(client, 'tidegate_owner', passwords.owner)
    await ensureRole(client, 'tidegate_app', passwords.app)
    const found = await client.query("SELECT 1 FROM pg_database WHERE datname = 'tidegate'")
    if (found.rowCount === 0) await client.query('CREATE DATABASE tidegate OWNER tidegate_owner')
    await client.query('REVOKE ALL ON DATABASE tidegate FROM PUBLIC')
    await client.query('GRANT CONNECT ON DATABASE tidegate TO tidegate_app')
  })
}

async function ensureRole(client: pg.Client, role: string, password: string): Promise<void> {
  const found = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [role])
  const verb = found.rowCount === 0 ? 'CREATE' : 'ALTER'
  const rights = 'LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS'
  await client.query(
    `${verb} ROLE ${client.escapeIdentifier(role)} ${rights} PASSWORD ${client.escapeLiteral(password)}`,
  )
}
