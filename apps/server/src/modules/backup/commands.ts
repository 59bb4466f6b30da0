/** `backup [--to FILE]` and `restore FILE [--force]`: run on the server itself, by who may read its secrets. */
import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { ERRORS } from '@tidegate/contract/errors'
import { MIN_PASSPHRASE } from '@tidegate/contract/limits'
import type { Env } from '../../platform/env.ts'
import { AppError } from '../../platform/errors.ts'
import { readMasterKey } from '../../platform/master-key.ts'
import type { Command } from '../../platform/part.ts'
import type { Carrier } from './carry.ts'
import { backupName, dumpToFile, readBackup } from './dump.ts'
import { restore } from './restore.ts'
import { othersRunning } from './resume.ts'

interface BackupCommandDeps {
  env: Env
  version: string
  /** Folder of the migrations. */
  migrations: string
  /** What must not go back with a restored backup. */
  carriers: readonly Carrier[]
  now(): number
}

const LEAST = MIN_PASSPHRASE

/** Reads a line without showing it. */
const askHidden = async (question: string): Promise<string> => {
  const { stdin, stderr } = process
  stderr.write(question)
  stdin.setRawMode(true).setEncoding('utf8').resume()
  let typed = ''
  try {
    for (;;) {
      const [keys] = (await once(stdin, 'data')) as [string]
      for (const key of keys) {
        if (key === '\r' || key === '\n') return typed
        if (key === '\u0003') throw new Error('interrupted')
        typed = key === '\u007f' ? typed.slice(0, -1) : typed + key
      }
    }
  } finally {
    stdin.setRawMode(false).pause()
    stderr.write('\n')
  }
}

/** From TIDEGATE_BACKUP_PASSPHRASE, else from the terminal; `twice` for one that is new. */
const passphraseOf = async (given: string | undefined, twice: boolean): Promise<string> => {
  if (!given && !process.stdin.isTTY)
    throw new Error(
      'set TIDEGATE_BACKUP_PASSPHRASE, or run this on a terminal to be asked / 请设置环境变量，或在终端中运行',
    )
  const passphrase = given || (await askHidden('passphrase of the backup / 备份口令: '))
  if (twice && passphrase.length < LEAST)
    throw new Error(`the passphrase must have ${LEAST} characters at least / 口令至少 ${LEAST} 个字符`)
  if (twice && !given && (await askHidden('once more / 再次输入: ')) !== passphrase)
    throw new Error('the two are not the same / 两次输入不一致')
  return passphrase
}

/** A refusal in both languages: nobody is logged in whose language it could be. */
const inWords = (error: unknown): string => {
  if (!(error instanceof AppError)) return error instanceof Error ? error.message : String(error)
  const fill = (text: string) =>
    text.replace(/\{(\w+)\}/g, (_, name: string) => String(error.details.params?.[name] ?? ''))
  return `${fill(ERRORS[error.key].en)} / ${fill(ERRORS[error.key].zh)}`
}

const saying =
  (command: Command): Command =>
  async (args, print) => {
    try {
      return await command(args, print)
    } catch (error) {
      print(`error: ${inWords(error)}`)
      return 1
    }
  }

const dumpDeps = async ({ env, version, now }: BackupCommandDeps, databaseUrl: string) => ({
  databaseUrl,
  dataDir: env.TIDEGATE_DATA,
  masterKey: await readMasterKey(env.TIDEGATE_DATA, env.TIDEGATE_MASTER_KEY),
  version,
  now,
})

const backupCommand = (deps: BackupCommandDeps): Command =>
  saying(async (args, print) => {
    const { to } = parseArgs({ args: [...args], options: { to: { type: 'string' } } }).values
    const path = to ? resolve(to) : join(deps.env.TIDEGATE_DATA, 'backups', backupName(deps.now()))
    const passphrase = await passphraseOf(deps.env.TIDEGATE_BACKUP_PASSPHRASE, true)
    const bytes = await dumpToFile(await dumpDeps(deps, deps.env.DATABASE_URL), passphrase, path)
    print(`backup: ${path}`)
    print(`bytes: ${bytes}`)
    return 0
  })

/** A server that runs would go on with what it remembers of the old state. */
const mustBeStopped = async (url: string) => {
  if ((await othersRunning(url)) > 0)
    throw new Error('the product is running: stop it first, then restore, then start it / 请先停止产品，恢复后再启动')
}

const restoreCommand = (deps: BackupCommandDeps): Command =>
  saying(async (args, print) => {
    const { env } = deps
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { force: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
      allowPositionals: true,
    })
    const [name] = positionals
    if (values.help || name === undefined || positionals.length > 1) {
      print('usage: restore FILE [--force]')
      return values.help ? 0 : 2
    }
    const path = resolve(name)
    await stat(path)
    const ownerUrl = env.DATABASE_OWNER_URL ?? env.DATABASE_URL
    await mustBeStopped(ownerUrl)
    const passphrase = await passphraseOf(env.TIDEGATE_BACKUP_PASSPHRASE, false)
    const found = await restore(
      {
        ownerUrl,
        dataDir: env.TIDEGATE_DATA,
        migrations: deps.migrations,
        fixedKey: env.TIDEGATE_MASTER_KEY ? await readMasterKey(env.TIDEGATE_DATA, env.TIDEGATE_MASTER_KEY) : null,
        read: () => readBackup(path),
        safetyBackup: async () => {
          const safety = join(env.TIDEGATE_DATA, 'backups', backupName(deps.now(), 'before-restore'))
          await dumpToFile(await dumpDeps(deps, ownerUrl), passphrase, safety)
          print(`safety backup: ${safety}`)
        },
        carriers: deps.carriers,
        now: deps.now,
      },
      passphrase,
      values.force,
    )
    print(`restored: ${found.rows} rows of ${found.tables} tables, ${found.files} files, of ${found.header.created}`)
    print('all logins have ended; start the product with npm start / 所有登录已失效，请执行 npm start 启动')
    return 0
  })

/** Commands that need no more than the environment: a restore begins where nothing is there yet. */
export const backupCommands = (deps: BackupCommandDeps): Readonly<Record<string, Command>> => ({
  backup: backupCommand(deps),
  restore: restoreCommand(deps),
})
