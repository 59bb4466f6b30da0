import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { endProcess, identify } from '@tidegate/embedded/process'
import { build } from 'esbuild'
import { findOrphans } from '../src/orphans.ts'
import { readSettings } from '../src/settings.ts'

const project = join(import.meta.dirname, '..', '..', '..')
export const programs = { store: 'chdb.mjs', server: 'server.mjs', agent: 'agent.mjs' }

/** An installation in a folder of its own: the real launcher and store, stand-ins for server and agent. */
export interface Installation {
  dataDir: string
  start(args?: string[], env?: NodeJS.ProcessEnv): Launcher
  /** Processes of this installation by part. */
  processes(): Record<string, number>
  remove(): Promise<void>
}

export interface Launcher {
  child: ChildProcess
  output(): string
  /** Resolves once it printed the text; rejects when it ends before or after 60 s. */
  printed(text: string): Promise<void>
  ended(): Promise<number | null>
}

export async function makeInstallation(name = 'tidegate launch '): Promise<Installation> {
  const root = mkdtempSync(join(tmpdir(), name))
  const dataDir = join(root, 'data')
  mkdirSync(join(root, 'dist'))
  cpSync(join(import.meta.dirname, 'stand-ins'), join(root, 'dist'), { recursive: true })
  symlinkSync(join(project, 'node_modules'), join(root, 'node_modules'))
  await build({
    entryPoints: { launcher: join(project, 'apps/launcher/src/main.ts'), chdb: join(project, 'apps/chdb/src/main.ts') },
    outdir: join(root, 'dist'),
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: ['chdb', 'pg-native'],
    banner: { js: "import { createRequire as __r } from 'node:module';const require = __r(import.meta.url);" },
    logLevel: 'error',
  })
  const orphans = () => {
    const file = join(dataDir, 'instance.id')
    return existsSync(file) ? findOrphans(readFileSync(file, 'utf8').trim(), programs) : []
  }
  const postmaster = () => {
    const file = join(dataDir, 'postgres', 'pgdata', 'postmaster.pid')
    return existsSync(file) ? identify(Number(readFileSync(file, 'utf8').split('\n')[0])) : undefined
  }
  return {
    dataDir,
    start: (args = [], env = {}) =>
      startLauncher(join(root, 'dist', 'launcher.mjs'), args, { TIDEGATE_DATA: dataDir, ...env }),
    processes() {
      const database = postmaster()
      const found = Object.fromEntries(orphans().map((orphan) => [orphan.part, orphan.pid]))
      return database ? { ...found, database: database.pid } : found
    },
    async remove() {
      const database = postmaster()
      for (const left of [...orphans(), ...(database ? [database] : [])]) await endProcess(left, [['SIGKILL', 5_000]])
      const run = readSettings(root, [], { TIDEGATE_DATA: dataDir }).runDir
      for (const dir of [run, root]) rmSync(dir, { recursive: true, force: true })
    },
  }
}

function startLauncher(bundle: string, args: string[], env: NodeJS.ProcessEnv): Launcher {
  const child = spawn(process.execPath, [bundle, ...args], {
    cwd: dirname(bundle),
    env: {
      PATH: process.env.PATH,
      TIDEGATE_HTTP_PORT: '0',
      TIDEGATE_AGENT_PORT: '0',
      TIDEGATE_EDGE_HTTP_PORT: '0',
      TIDEGATE_EDGE_HTTPS_PORT: '0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const take = (chunk: Buffer) => {
    output += chunk.toString()
  }
  child.stdout.on('data', take)
  child.stderr.on('data', take)
  const over = () => child.exitCode !== null || child.signalCode !== null
  return {
    child,
    output: () => output,
    async printed(text) {
      const deadline = Date.now() + 60_000
      while (!output.includes(text)) {
        if (over() || Date.now() > deadline) throw new Error(`no "${text}" in:\n${output}`)
        await delay(20)
      }
    },
    async ended() {
      if (!over()) await once(child, 'exit')
      return child.exitCode
    },
  }
}

/** Waits until `check` holds; throws with its last result after 30 s. */
export async function until<T>(look: () => T, check: (value: T) => boolean): Promise<T> {
  const deadline = Date.now() + 30_000
  for (;;) {
    const value = look()
    if (check(value)) return value
    if (Date.now() > deadline) throw new Error(`still ${JSON.stringify(value)}`)
    await delay(20)
  }
}
