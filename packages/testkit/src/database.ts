/** Databases for tests: copies of a template that is prepared once a run. A copy takes about 60 ms where `makeScratch` has memory. */
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { testCluster } from './test-cluster.ts'

export interface TestDatabase {
  /** Runtime role: neither superuser nor owner. */
  appUrl: string
  /** Role that owns the schema. */
  ownerUrl: string
  superUrl: string
  drop(): Promise<void>
}

export interface Template {
  /** Names the state of the template; another state, another name. Lower-case letters, digits and _. */
  name: string
  /** Fills the empty database, with the owner's rights. */
  prepare(ownerUrl: string): Promise<void>
}

const TEMPLATE_LOCK = 7_413_900

const withDatabase = (url: string, name: string) => {
  const next = new URL(url)
  next.pathname = `/${name}`
  return next.toString()
}

const asSuper = async <T>(work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: testCluster().superUrl })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

const ensureTemplate = (client: pg.Client, template: Template) =>
  underLock(client, async () => {
    const name = `tpl_${template.name}`
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1 AND datistemplate', [name])
    if (rowCount) return name
    await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
    await client.query(`CREATE DATABASE ${name} OWNER tidegate_owner TEMPLATE template0 ENCODING 'UTF8'`)
    await template.prepare(withDatabase(testCluster().ownerUrl, name))
    await client.query(`ALTER DATABASE ${name} IS_TEMPLATE true`)
    return name
  })

const underLock = async <T>(client: pg.Client, work: () => Promise<T>): Promise<T> => {
  await client.query('SELECT pg_advisory_lock($1)', [TEMPLATE_LOCK])
  try {
    return await work()
  } finally {
    await client.query('SELECT pg_advisory_unlock($1)', [TEMPLATE_LOCK])
  }
}

/** A database of its own for one test file or test. */
export const createTestDatabase = async (template: Template): Promise<TestDatabase> => {
  if (!/^[a-z0-9_]{1,50}$/.test(template.name)) throw new Error(`template name ${template.name}`)
  const name = `t_${randomBytes(8).toString('hex')}`
  await asSuper(async (client) => {
    const source = await ensureTemplate(client, template)
    await client.query(`CREATE DATABASE ${name} OWNER tidegate_owner TEMPLATE ${source} STRATEGY file_copy`)
  })
  const { appUrl, ownerUrl, superUrl } = testCluster()
  return {
    appUrl: withDatabase(appUrl, name),
    ownerUrl: withDatabase(ownerUrl, name),
    superUrl: withDatabase(superUrl, name),
    drop: () => asSuper(async (client) => void (await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`))),
  }
}
