import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { TestDatabase } from '@tidegate/testkit/database'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DOCTOR_TEXTS } from './doctor-texts.ts'
import { type TestAnalytics, testAnalytics } from './testing/analytics.ts'
import { ADMIN_PASSWORD } from './testing/app.ts'
import { testDatabase } from './testing/database.ts'
import { buildProgram, type Program } from './testing/program.ts'

/** A command that is still there after this long hangs: what they do takes a second or two, on a busy machine ten. */
const ENDS_WITHIN_MS = 60_000

/** What a supplier of licenses has at hand. */
const files = mkdtempSync(join(tmpdir(), 'tg-license-'))
const KEY_FILE = join(files, 'key.pem')
const PAYLOAD_FILE = join(files, 'payload.json')
writeFileSync(
  PAYLOAD_FILE,
  JSON.stringify({ id: 'T-1', holder: 'Harbour Ltd', supplier: 'Tide Supplies', issued: '2026-01-05' }),
)

let database: TestDatabase
let analytics: TestAnalytics
let dataDir: string
let program: Program

beforeAll(async () => {
  program = await buildProgram()
  database = await testDatabase()
  analytics = await testAnalytics()
  dataDir = mkdtempSync(join(tmpdir(), 'tg-commands-'))
})
afterAll(async () => {
  await program.remove()
  await analytics.drop()
  await database.drop()
  rmSync(dataDir, { recursive: true, force: true })
  rmSync(files, { recursive: true, force: true })
})

interface Outcome {
  code: number | null
  said: string
  complained: string
}

const start = (words: readonly string[], env: Record<string, string> = {}): ChildProcess =>
  spawn(process.execPath, [program.file, ...words], {
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: database.appUrl,
      DATABASE_OWNER_URL: database.ownerUrl,
      TIDEGATE_DATA: dataDir,
      TIDEGATE_BACKUP_PASSPHRASE: 'a passphrase of this test',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })

/** The program itself with these words; `code` is null when it did not end of itself. */
const command = async (words: string, env: Record<string, string> = {}): Promise<Outcome> => {
  const child = start(words.split(' '), env)
  if (!child.stdout || !child.stderr) throw new Error('no pipes')
  const limit = setTimeout(() => child.kill('SIGKILL'), ENDS_WITHIN_MS)
  const [said, complained] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  clearTimeout(limit)
  return { code: child.exitCode, said, complained }
}

/** Every subcommand with words that make it work, and what it then says. */
const COMMANDS: Record<string, { words: string; says: RegExp }> = {
  'admin license': { words: 'admin license', says: /^license: community\ninstallation: \S+\n/ },
  'admin license-key': { words: `admin license-key ${KEY_FILE}`, says: /^TIDEGATE_LICENSE_KEYS=\S{60}\n$/ },
  'admin license-sign': {
    words: `admin license-sign ${KEY_FILE} ${PAYLOAD_FILE}`,
    says: /^\{\s*"tidegate": ?"license"/,
  },
  migrate: { words: 'migrate', says: /^$/ },
  'admin doctor': {
    words: 'admin doctor',
    says: /database answers[\s\S]*schema is up to date[\s\S]*analytics store answers/,
  },
  'admin reset-password': { words: 'admin reset-password', says: /^account: admin\npassword: \S{20}\n$/ },
  'admin unlock': { words: 'admin unlock --name admin', says: /^unlocked: admin\n$/ },
  backup: { words: 'backup', says: /^backup: \S+\.backup\nbytes: \d+\n$/ },
  restore: { words: 'restore --help', says: /^usage: / },
  'enroll-token': { words: 'enroll-token --name n1 --group 1', says: /"caSha256":"[0-9a-f]{64}"/ },
  'node-status': { words: 'node-status --json', says: /"name":"n1"/ },
  demo: { words: 'demo --origin 127.0.0.1:8099', says: /"domain":"demo\.tidegate\.test"/ },
}

describe('the subcommands', () => {
  it('are these, and an unknown one is refused', async () => {
    // The first start makes the account that others of them are about.
    const server = start(['--roles', 'worker'], { TIDEGATE_ADMIN_PASSWORD: ADMIN_PASSWORD })
    if (!server.stdout) throw new Error('no pipe')
    let log = ''
    for await (const part of server.stdout) {
      log += String(part)
      if (/"msg":"ready"/.test(log)) break
    }
    server.kill('SIGTERM')
    await once(server, 'exit')
    const { code, complained } = await command('no-such-thing')
    expect(code).toBe(2)
    expect(complained.trim().split(': ')[1]?.split(', ')).toEqual(Object.keys(COMMANDS).sort())
  })

  it.each(Object.values(COMMANDS))('ends by itself: $words', async ({ words, says }) => {
    const { code, said, complained } = await command(words, { CLICKHOUSE_URL: analytics.url })
    expect({ code, complained }).toEqual({ code: 0, complained: '' })
    expect(said).toMatch(says)
  })

  it('end with an error in words when there is no database', async () => {
    const { code, complained } = await command('admin doctor', { DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none' })
    expect(code).toBe(1)
    expect(complained).toContain('127.0.0.1:9')
  })
})

describe('the doctor', () => {
  it('ends with 1 and says in both languages that the analytics store does not run', async () => {
    for (const lang of ['en', 'zh'] as const) {
      const { code, said } = await command(`admin doctor --lang ${lang}`)
      expect(code).toBe(1)
      expect(said).toContain(`BAD  ${DOCTOR_TEXTS.analytics_none[lang]}`)
    }
  })

  it('says that the analytics store does not answer when its process is gone', async () => {
    await analytics.kill()
    const { code, said } = await command('admin doctor', { CLICKHOUSE_URL: analytics.url })
    expect(code).toBe(1)
    expect(said).toMatch(/BAD {2}.*analytics/)
  })
})
