/**
 * The server's program.
 *   main [--roles api,worker,ingest]    serve until SIGTERM or SIGINT
 *   main COMMAND [ARGS]                 e.g. `admin reset-password --name admin`, `admin doctor`, `migrate`
 */
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { buildParts, commandsOf, MIGRATIONS } from './compose.ts'
import { closeContext, openContext } from './context.ts'
import { serveMaintenance } from './http/maintenance.ts'
import { backupCommands, resumeRestore } from './modules/backup/index.ts'
import { type Env, readEnv } from './platform/env.ts'
import { createLog, type Log } from './platform/log.ts'
import { migrate } from './platform/migrate.ts'
import { ROLES, type Role } from './platform/part.ts'
import { consoleTls } from './platform/tls.ts'
import { RESTORE_CARRIERS } from './restore-carriers.ts'
import { start } from './running.ts'
import { VERSION } from './version.ts'

const print = (line: string) => void process.stdout.write(`${line}\n`)
const complain = (line: string) => void process.stderr.write(`${line}\n`)

const parseRoles = (text: string): ReadonlySet<Role> => {
  const names = text.split(',').map((name) => name.trim())
  const wrong = names.filter((name) => !(ROLES as readonly string[]).includes(name))
  if (wrong.length > 0) throw new Error(`unknown role ${wrong.join(', ')}; there are ${ROLES.join(', ')}`)
  return new Set(names as Role[])
}

const runMigrations = async (env: Env, log: Log) => {
  const run = await migrate(env.DATABASE_OWNER_URL ?? env.DATABASE_URL, MIGRATIONS)
  if (run.length > 0) log.info({ migrations: run }, 'database brought up to date')
}

/** Tells the launcher the ports that were bound; written whole, then renamed. */
const writePorts = async (dir: string, ports: object) => {
  await mkdir(dir, { recursive: true })
  const file = join(dir, 'ports.json')
  await writeFile(`${file}.new`, `${JSON.stringify(ports)}\n`)
  await rename(`${file}.new`, file)
}

const restoreIfAsked = (env: Env, log: Log) =>
  resumeRestore({
    ...{ env, log, version: VERSION, migrations: MIGRATIONS, carriers: RESTORE_CARRIERS, now: Date.now },
    maintenance: async () =>
      serveMaintenance({ host: env.TIDEGATE_BIND, port: env.TIDEGATE_HTTP_PORT }, await consoleTls(env, log)),
  })

const serve = async (env: Env, log: Log, roles: ReadonlySet<Role>) => {
  await restoreIfAsked(env, log)
  await runMigrations(env, log)
  const built = buildParts(await openContext(env, log))
  const running = await start(built, roles)
  if (env.TIDEGATE_RUN_DIR) await writePorts(env.TIDEGATE_RUN_DIR, running.ports)
  log.info({ roles: [...roles], ports: running.ports }, 'ready')
  let stopping = false
  const stop = (signal: string) => {
    if (stopping) return
    stopping = true
    log.info({ signal }, 'stopping')
    void running.stop().then(() => process.exit(0))
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop(signal))
  // Whoever looks after this process starts it again, and the restore is done before anything remembers the old state.
  built.context.bus.on('restoring', () => stop('restore'))
}

/** Runs the subcommand that the words begin with; longer names first. */
const runCommand = async (env: Env, log: Log, words: readonly string[]): Promise<number> => {
  if (words[0] === 'migrate') {
    await runMigrations(env, log)
    return 0
  }
  const bare = backupCommands({
    ...{ env, version: VERSION, migrations: MIGRATIONS, carriers: RESTORE_CARRIERS, now: Date.now },
  })
  const early = bare[words[0] ?? '']
  if (early) return await early(words.slice(1), print)
  const built = buildParts(await openContext(env, log))
  try {
    const commands = commandsOf(built.parts)
    const text = words.join(' ')
    const name = Object.keys(commands)
      .sort((a, b) => b.length - a.length)
      .find((n) => text === n || text.startsWith(`${n} `))
    const command = name === undefined ? undefined : commands[name]
    if (name === undefined || command === undefined) {
      complain(
        `unknown command; there are: ${['migrate', ...Object.keys(bare), ...Object.keys(commands)].sort().join(', ')}`,
      )
      return 2
    }
    return await command(words.slice(name.split(' ').length), print)
  } finally {
    // Parts hold timers and subscriptions from the moment they are built.
    for (const part of built.parts) await part.stop?.()
    await closeContext(built.context)
  }
}

const main = async () => {
  const words = process.argv.slice(2)
  const env = readEnv(process.env)
  if (words[0] && !words[0].startsWith('-')) {
    process.exitCode = await runCommand(env, createLog('warn', 'command'), words)
    return
  }
  const { roles } = parseArgs({ args: words, options: { roles: { type: 'string', default: ROLES.join(',') } } }).values
  await serve(env, createLog(env.TIDEGATE_LOG_LEVEL, 'server'), parseRoles(roles))
}

main().catch((error: unknown) => {
  complain(`error: ${error instanceof Error ? error.message : String(error)}`)
  process.exit(1)
})
