import { spawn } from 'node:child_process'
import { chmodSync, chownSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Binaries, POSTGRES_MAJOR } from './binaries.ts'
import { ClusterError } from './errors.ts'
import type { Runner } from './runner.ts'

/** Throws when the data folder is there but of another major version; true when it is there. */
export function isInitialised(pgdata: string): boolean {
  const file = join(pgdata, 'PG_VERSION')
  if (!existsSync(file)) return false
  const version = readFileSync(file, 'utf8').trim()
  if (version !== POSTGRES_MAJOR) {
    const message = `${pgdata} was made by PostgreSQL ${version}, this release brings ${POSTGRES_MAJOR}`
    throw new ClusterError('wrong-version', message)
  }
  return true
}

export interface InitOptions {
  binaries: Binaries
  runner: Runner
  env: NodeJS.ProcessEnv
  dir: string
  password: string
  fsync: boolean
}

/** Runs initdb aside and renames the result to `<dir>/pgdata`: an interrupted one is begun anew, never half used. */
export async function initCluster(options: InitOptions): Promise<void> {
  const { dir, runner } = options
  const fresh = join(dir, 'pgdata.new')
  const passwordFile = join(dir, 'initdb.password')
  rmSync(fresh, { recursive: true, force: true })
  rmSync(passwordFile, { force: true })
  writeFileSync(passwordFile, `${options.password}\n`, { mode: 0o600 })
  if (runner.uid !== process.getuid?.()) {
    chownSync(passwordFile, runner.uid, -1)
    chownSync(dir, runner.uid, -1)
  }
  chmodSync(dir, 0o700)
  try {
    await runInitdb(options, fresh, passwordFile)
    renameSync(fresh, join(dir, 'pgdata'))
  } finally {
    rmSync(passwordFile, { force: true })
  }
}

async function runInitdb(options: InitOptions, fresh: string, passwordFile: string): Promise<void> {
  const { binaries, runner, env, fsync, dir } = options
  const [program = '', ...args] = [
    ...runner.prefix,
    binaries.initdb,
    `--pgdata=${fresh}`,
    '--username=postgres',
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // PostgreSQL's own collation: the order of rows does not change with the machine's C library.
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
    ...(fsync ? [] : ['--no-sync']),
  ]
  const child = spawn(program, args, { env, cwd: dir, stdio: ['ignore', 'ignore', 'pipe'] })
  let output = ''
  child.stderr.on('data', (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-4_000)
  })
  const status = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  if (status === 0) return
  if (/No space left/i.test(output)) throw new ClusterError('disk-full', `no space left for ${dir}`)
  throw new ClusterError('start-failed', `initdb failed in ${dir}: ${output.trim() || `exit code ${status}`}`)
}
