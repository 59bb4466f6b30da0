/**
 * Backup and restore of a control plane with many sites, beside `pg_dump -Fc` and `pg_restore` of the same database on the same server, in
 * the same run. Debian's PostgreSQL brings the two; where it is not installed ours is measured alone. Run: node --import tsx
 * bench/backup.bench.ts [sites]
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { siteSettings } from '@tidegate/contract/operations/site'
import { openCluster } from '@tidegate/embedded/cluster'
import { chooseRunner, runnersFor } from '@tidegate/embedded/runner'
import { freePort } from '@tidegate/embedded/start'
import pg from 'pg'
import { dumpToFile, readBackup } from '../apps/server/src/modules/backup/dump.ts'
import { restore } from '../apps/server/src/modules/backup/restore.ts'
import { migrate } from '../apps/server/src/platform/migrate.ts'
import { RESTORE_CARRIERS } from '../apps/server/src/restore-carriers.ts'
import { insertSites } from './lib/plane.ts'

const SITES = Number(process.argv[2] ?? 150_000)
const MIGRATIONS = join(import.meta.dirname, '../apps/server/migrations')
const PASSPHRASE = 'a passphrase of the benchmark'
/** Ours seals, and proves the whole file before it begins: it may take so many times as long. */
const GOAL = 2

const dir = mkdtempSync(join(tmpdir(), 'tgbench-backup-'))
const say = (text: string) => void process.stdout.write(`${text}\n`)

interface Server {
  /** For the superuser, of this database. */
  url(database: string): string
  /** Runs pg_dump or pg_restore; absent: not installed. */
  tool?: (name: 'pg_dump' | 'pg_restore', args: string[]) => void
  stop(): Promise<void>
}

/** The newest of Debian's that is installed. */
const installed = (): string | undefined =>
  (existsSync('/usr/lib/postgresql') ? readdirSync('/usr/lib/postgresql') : [])
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => `/usr/lib/postgresql/${version}/bin`)
    .find((bin) => ['postgres', 'initdb', 'pg_dump', 'pg_restore'].every((name) => existsSync(join(bin, name))))

const untilUp = async (url: string) => {
  for (let i = 0; i < 200; i++) {
    const client = new pg.Client({ connectionString: url })
    try {
      await client.connect()
      return await client.end()
    } catch {
      await delay(100)
    }
  }
  throw new Error('the server does not answer')
}

const debianServer = async (bin: string): Promise<Server> => {
  const { prefix } = chooseRunner(
    runnersFor(process.getuid?.() ?? 0),
    join(bin, 'postgres'),
    join(dir, 'pg'),
    process.env,
  )
  const data = join(dir, 'pg', 'data')
  mkdirSync(join(dir, 'pg'), { mode: 0o700 })
  const words = (name: string, ...args: string[]) => [...prefix, join(bin, name), ...args] as [string, ...string[]]
  const [first, ...rest] = words('initdb', '-D', data, '-U', 'bench', '--auth=trust', '--encoding=UTF8', '--locale=C')
  execFileSync(first, rest, { stdio: 'ignore' })
  const port = await freePort()
  // As the launcher starts ours: packages/embedded.
  const options = ['-c', 'listen_addresses=127.0.0.1', '-c', `unix_socket_directories=${join(dir, 'pg')}`]
  const [program, ...args] = words('postgres', '-D', data, '-p', String(port), ...options)
  const server: ChildProcess = spawn(program, args, { stdio: 'ignore' })
  const url = (database: string) => `postgres://bench@127.0.0.1:${port}/${database}`
  await untilUp(url('postgres'))
  return {
    url,
    tool: (name, given) => void execFileSync(join(bin, name), given, { stdio: ['ignore', 'ignore', 'inherit'] }),
    stop: async () => {
      const ended = new Promise((resolve) => server.once('exit', resolve))
      server.kill('SIGINT')
      await ended
    },
  }
}

const embeddedServer = async (): Promise<Server> => {
  const cluster = await openCluster({ dir: join(dir, 'data'), runDir: join(dir, 'run') })
  const url = (database: string) => {
    const at = new URL(cluster.superUrl)
    at.pathname = `/${database}`
    return at.href
  }
  return { url, stop: () => cluster.stop(10_000) }
}

const bin = installed()
const server = bin === undefined ? await embeddedServer() : await debianServer(bin)
const end = async () => {
  await server.stop()
  rmSync(dir, { recursive: true, force: true })
}
const leave = (code: number) => void end().finally(() => process.exit(code))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => leave(1))
process.once('uncaughtException', (error) => {
  process.stderr.write(`${error.stack}\n`)
  leave(1)
})

const sql = async (database: string, text: string) => {
  const client = new pg.Client({ connectionString: server.url(database) })
  await client.connect()
  const { rows } = await client.query(text)
  await client.end()
  return rows as Record<string, string>[]
}
const timed = async (work: () => Promise<unknown> | unknown) => {
  const at = performance.now()
  await work()
  return (performance.now() - at) / 1000
}

for (const name of ['source', 'ours', 'theirs']) await sql('postgres', `CREATE DATABASE ${name}`)
await migrate(server.url('source'), MIGRATIONS)
const pool = new pg.Pool({ connectionString: server.url('source'), max: 1 })
await insertSites(pool, SITES, siteSettings.parse({}))
await pool.query(
  `INSERT INTO audit_log (actor_kind, actor_id, actor_name, ip, user_agent, request_id, action, target, after)
   SELECT 'admin', 1, 'admin', '192.0.2.1', 'Mozilla/5.0', md5(n::text), 'site.save', 'site ' || n, jsonb_build_object('id', n, 'domains', ARRAY['www.site-' || n || '.example'])
   FROM generate_series(1, $1::int) n`,
  [SITES],
)
await pool.query('VACUUM ANALYZE')
await pool.end()
const [size] = await sql('source', "SELECT sum(pg_table_size(oid))::bigint AS bytes FROM pg_class WHERE relkind = 'r'")
const mb = Number(size?.bytes) / 1e6
say(`${SITES} sites with their domains and as many log entries: ${mb.toFixed(0)} MB of tables`)

const file = join(dir, 'ours.backup')
const dataDir = join(dir, 'ours')
mkdirSync(dataDir)
const about = {
  databaseUrl: server.url('source'),
  dataDir,
  masterKey: randomBytes(32),
  version: 'bench',
  now: Date.now,
}
const line = (what: string, seconds: number, bytes: number) =>
  say(
    `${what.padEnd(28)}${seconds.toFixed(1).padStart(8)} s ${(mb / seconds).toFixed(0).padStart(6)} MB/s  file ${(bytes / 1e6).toFixed(1)} MB`,
  )

const most = () => process.resourceUsage().maxRSS / 1024
const before = most()
const backup = await timed(() => dumpToFile(about, PASSPHRASE, file))
line('backup', backup, statSync(file).size)
const back = await timed(() =>
  restore(
    {
      ...{ ownerUrl: server.url('ours'), dataDir, migrations: MIGRATIONS, fixedKey: null, carriers: RESTORE_CARRIERS },
      read: () => readBackup(file),
      safetyBackup: async () => {},
    },
    PASSPHRASE,
    false,
  ),
)
line('restore, proved first', back, statSync(file).size)
say(
  `the most memory that this process had: ${most().toFixed(0)} MB, ${(most() - before).toFixed(0)} MB more than before`,
)

let right = true
if (server.tool) {
  const theirs = join(dir, 'theirs.dump')
  const dump = await timed(() => server.tool?.('pg_dump', ['-Fc', '-f', theirs, server.url('source')]))
  line('pg_dump -Fc', dump, statSync(theirs).size)
  const load = await timed(() => server.tool?.('pg_restore', ['-d', server.url('theirs'), theirs]))
  line('pg_restore', load, statSync(theirs).size)
  const ratios = [backup / dump, back / load]
  right = ratios.every((ratio) => ratio <= GOAL)
  say(
    `ratio: backup ${ratios[0]?.toFixed(2)}, restore ${ratios[1]?.toFixed(2)}; goal ${GOAL} each: ${right ? 'met' : 'MISSED'}`,
  )
} else say('pg_dump is not installed (Debian: postgresql): nothing to compare with')
const [ours] = await sql(
  'ours',
  'SELECT (SELECT count(*) FROM site) AS sites, (SELECT count(*) FROM site_domain) AS domains',
)
const same = Number(ours?.sites) === SITES && Number(ours?.domains) === 2 * SITES
say(`all rows are there: ${same ? 'yes' : 'NO'}`)
await end()
process.exit(right && same ? 0 : 1)
