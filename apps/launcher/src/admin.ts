import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openCluster } from '@tidegate/embedded/cluster'
import { identify } from '@tidegate/embedded/process'
import { readSettings, type Settings } from './settings.ts'
import { readJson } from './stores.ts'

/** The scripts name their command first: `admin`, `backup`, `restore`. */
const [command = 'admin', ...rest] = process.argv.slice(2)

/**
 * `npm run admin|backup|restore -- …`: runs the server's command with this installation's secrets, whether or not it is
 * running. A database that was not running is started for it and stopped again.
 */
async function main(): Promise<number> {
  const root = dirname(dirname(fileURLToPath(import.meta.url)))
  const settings = readSettings(root, [], process.env)
  const database = settings.databaseUrl ? undefined : await openDatabase(settings)
  try {
    const child = spawn(process.execPath, [join(root, 'dist', 'server.mjs'), command, ...rest], {
      stdio: 'inherit',
      // npm runs scripts in the project's folder; file names are meant from where it was called.
      cwd: process.env.INIT_CWD || process.cwd(),
      env: {
        ...process.env,
        TIDEGATE_DATA: settings.dataDir,
        TIDEGATE_RUN_DIR: settings.runDir,
        ...(database ? { DATABASE_URL: database.appUrl, DATABASE_OWNER_URL: database.ownerUrl } : {}),
        ...storeAddress(settings),
      },
    })
    // Ctrl-C reaches the command from the terminal; this process stays to put the database away.
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
    return await new Promise((resolve, reject) => {
      child.on('error', reject)
      child.on('exit', (code) => resolve(code ?? 1))
    })
  } finally {
    if (database && !database.adopted) await database.stop()
  }
}

async function openDatabase(settings: Settings) {
  const dir = join(settings.dataDir, 'postgres')
  // A restore begins where nothing is there yet.
  if (command !== 'restore' && !existsSync(join(dir, 'cluster.json'))) {
    throw new Error(`there is no database in ${settings.dataDir}: run npm start first, or set TIDEGATE_DATA`)
  }
  return await openCluster({ dir, runDir: settings.runDir })
}

/** The analytics store is used when it runs; nothing here needs it started. */
function storeAddress(settings: Settings): { CLICKHOUSE_URL?: string } {
  const key = join(settings.dataDir, 'chdb.key')
  const announced = readJson<{ pid: number; port: number }>(join(settings.dataDir, 'chdb', 'store.json'))
  if (settings.clickhouseUrl || !announced || !identify(announced.pid) || !existsSync(key)) return {}
  return { CLICKHOUSE_URL: `http://tidegate:${readFileSync(key, 'utf8').trim()}@127.0.0.1:${announced.port}/` }
}

try {
  process.exit(await main())
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exit(1)
}
