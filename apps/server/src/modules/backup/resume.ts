/** The restore that was asked for in the console, at the start of the control plane: before anything is opened that would remember the old state. */
import { stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import type { Caller } from '../../platform/caller.ts'
import type { Env } from '../../platform/env.ts'
import { AppError } from '../../platform/errors.ts'
import type { Log } from '../../platform/log.ts'
import { readMasterKey } from '../../platform/master-key.ts'
import { createSecrets } from '../../platform/secrets.ts'
import { audit } from '../audit/index.ts'
import type { Carrier } from './carry.ts'
import { backupName, dumpToFile, readBackup } from './dump.ts'
import { importOutcomes } from './outcomes.ts'
import { finishPlacing, isCommitted } from './placing.ts'
import { type RestoreRequest, requestAad, restoreFiles, type StoredOutcome } from './request.ts'
import { restore } from './restore.ts'
import type { Verified } from './verify.ts'

export interface ResumeDeps {
  env: Pick<Env, 'DATABASE_URL' | 'DATABASE_OWNER_URL' | 'TIDEGATE_DATA' | 'TIDEGATE_MASTER_KEY' | 'TIDEGATE_RUN_DIR'>
  log: Log
  version: string
  /** Folder of the migrations. */
  migrations: string
  carriers: readonly Carrier[]
  now(): number
  /** Answers in the product's place until it is closed. */
  maintenance(): Promise<{ close(): Promise<void> }>
  /** Milliseconds that other processes of the control plane have to end. */
  patience?: number
}

const PATIENCE_MS = 60_000
const LOOK_MS = 250
const BEAT_MS = 5_000
/** A process that waits for a restore elsewhere gives up after this. */
const FOREIGN_S = 600

const on = async <T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: url, application_name: 'tidegate-restore' })
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** How many connections other processes of the control plane hold. */
export const othersRunning = async (url: string): Promise<number> =>
  on(url, async (client) => {
    const { rowCount } = await client.query(
      "SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'tidegate'",
    )
    return rowCount ?? 0
  })

const untilAlone = async (url: string, patience: number) => {
  for (let waited = 0; ; waited += LOOK_MS) {
    if ((await othersRunning(url)) === 0) return
    if (waited >= patience) throw new AppError('restore_busy')
    await delay(LOOK_MS)
  }
}

/** Tells the launcher that it must wait: a file whose time is now. */
const beating = async (runDir: string | undefined) => {
  if (!runDir) return () => {}
  const file = join(runDir, 'restoring')
  await writeFile(file, '')
  const timer = setInterval(() => void utimes(file, new Date(), new Date()).catch(() => {}), BEAT_MS)
  return () => clearInterval(timer)
}

const none = { created: '', version: '', rows: 0, files: 0, safety: '', error: '' as const, params: {} }

const failed = (error: unknown): Pick<StoredOutcome, 'error' | 'params'> =>
  error instanceof AppError
    ? { error: error.key, params: error.details.params ?? {} }
    : { error: 'internal', params: {} }

const done = ({ header, rows, files }: Verified) => ({ created: header.created, version: header.version, rows, files })

/** In the restored database: who did it, from where, on what. */
const traced =
  ({ by, name }: RestoreRequest): Carrier =>
  async () =>
  async (after, { created }) => {
    const who: Caller = {
      ...{ kind: 'admin', id: 0, superAdmin: true, permissions: new Set(), unvalidModel: [], sessionId: 0 },
      ...{ console: 'admin', acting: null, lang: 'en', ...by },
    }
    await audit(drizzle(after), who, {
      action: 'config.restored',
      target: `backup ${name}`,
      after: { created: new Date(created).toISOString() },
    })
  }

const run = async (deps: ResumeDeps, request: RestoreRequest, onSafety: (name: string) => void): Promise<Verified> => {
  const { env } = deps
  const ownerUrl = env.DATABASE_OWNER_URL ?? env.DATABASE_URL
  const masterKey = await readMasterKey(env.TIDEGATE_DATA, env.TIDEGATE_MASTER_KEY)
  const passphrase = createSecrets(masterKey).open(request.passphrase, requestAad(request.id))
  await untilAlone(ownerUrl, deps.patience ?? PATIENCE_MS)
  const about = { databaseUrl: ownerUrl, dataDir: env.TIDEGATE_DATA, masterKey, version: deps.version, now: deps.now }
  return await restore(
    {
      ownerUrl,
      dataDir: env.TIDEGATE_DATA,
      migrations: deps.migrations,
      fixedKey: env.TIDEGATE_MASTER_KEY ? masterKey : null,
      read: () => readBackup(request.path),
      safetyBackup: async () => {
        const name = backupName(deps.now(), 'before-restore')
        await dumpToFile({ ...about, by: request.by.name }, passphrase, join(env.TIDEGATE_DATA, 'backups', name))
        onSafety(name)
      },
      carriers: [...deps.carriers, traced(request)],
      now: deps.now,
      id: request.id,
    },
    passphrase,
    true,
  )
}

const restoreAsked = async (deps: ResumeDeps, request: RestoreRequest): Promise<Omit<StoredOutcome, 'time'>> => {
  const { id, name, by } = request
  const about = { id, name, by: by.name }
  let safety = ''
  try {
    const verified = await run(deps, request, (made) => {
      safety = made
    })
    return { ...none, ...about, ...done(verified), safety, ok: true }
  } catch (error) {
    deps.log.error({ err: error }, 'the backup could not be restored')
    return { ...none, ...about, ...failed(error), safety, ok: false }
  }
}

/** What became of one whose process ended in the middle: all of it or nothing. */
const lookBack = async (url: string, { id, name, by }: RestoreRequest): Promise<Omit<StoredOutcome, 'time'>> => {
  const ok = await on(url, (client) => isCommitted(client, id))
  return { ...none, id, name, by: by.name, ok, error: ok ? '' : 'restore_interrupted' }
}

const clearFlag = (url: string) =>
  on(url, async (client) => void (await client.query("DELETE FROM installation WHERE key = 'restoring'"))).catch(
    () => {},
  )

/** Waits while another process restores this database; one that began too long ago counts as gone. */
const untilRestored = async (url: string) => {
  const restoring = () =>
    on(url, async (client) => {
      const { rows } = await client.query("SELECT to_regclass('public.installation') IS NOT NULL AS there")
      if (!rows[0]?.there) return false
      const found = await client.query(
        `SELECT FROM installation WHERE key = 'restoring' AND updated_at > now() - ${FOREIGN_S} * interval '1 second'`,
      )
      return (found.rowCount ?? 0) > 0
    })
  while (await restoring()) await delay(1_000)
}

/** Restores what was asked for; nothing when nothing was. Never throws for a backup that cannot be restored: the outcome says so. */
export const resumeRestore = async (deps: ResumeDeps): Promise<void> => {
  const { env, log } = deps
  const ownerUrl = env.DATABASE_OWNER_URL ?? env.DATABASE_URL
  if (await stat(join(env.TIDEGATE_DATA, 'restore.mark')).catch(() => null))
    await on(ownerUrl, (client) => finishPlacing(client, env.TIDEGATE_DATA))
  const files = restoreFiles(env.TIDEGATE_DATA)
  const taken = await files.take()
  if (taken === null) return await untilRestored(ownerUrl)
  const { request, interrupted } = taken
  log.warn({ backup: request.name, by: request.by.name }, 'restoring a backup')
  const rest = await beating(env.TIDEGATE_RUN_DIR)
  const page = await deps.maintenance()
  try {
    const found = interrupted ? await lookBack(ownerUrl, request) : await restoreAsked(deps, request)
    if (request.request !== '')
      await importOutcomes(env.TIDEGATE_DATA, deps.now).end(request.request, found.error, found.params, deps.now())
    await files.end({ ...found, time: new Date(deps.now()).toISOString() }, request.path)
    await clearFlag(ownerUrl)
  } finally {
    rest()
    await page.close()
  }
}
