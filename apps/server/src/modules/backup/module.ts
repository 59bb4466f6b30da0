/** The console's side of backups. */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { BackupPlace } from '@tidegate/contract/enums'
import { errorText } from '@tidegate/contract/errors'
import type { RestoreOutcome } from '@tidegate/contract/operations/backup'
import type { InputOf } from '@tidegate/contract/operations/index'
import type { Caller, FileBody, Handlers } from '../../platform/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db, Queryable } from '../../platform/db.ts'
import type { Disk } from '../../platform/disk.ts'
import type { Env } from '../../platform/env.ts'
import { AppError, fieldError } from '../../platform/errors.ts'
import { addJob } from '../../platform/jobs.ts'
import type { Log } from '../../platform/log.ts'
import { readMasterKey } from '../../platform/master-key.ts'
import { type Migration, readMigrations } from '../../platform/migrate.ts'
import type { Part } from '../../platform/part.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { audit } from '../audit/index.ts'
import { backupName, dump } from './dump.ts'
import { createListing } from './listing.ts'
import { importOutcomes, type Outcomes } from './outcomes.ts'
import { diskPlace, type Place, s3Place } from './places.ts'
import { type RestoreFiles, restoreFiles, type StoredOutcome } from './request.ts'
import { beginRun, lastRun, performRun, type RunDeps, storageReason } from './runs.ts'
import { type BackupSettings, masked, placeOf, readSettings, storeSettings, unmasked } from './settings.ts'
import { askForRestore, dropStaged, type StagingDeps, stageFile } from './staging.ts'
import { backupTask } from './task.ts'

/** What the module needs of logins: see modules/identity's `OwnerProof`. */
export interface ProofPort {
  prove(caller: Caller, input: InputOf<'backup.prove'>): Promise<string>
  check(caller: Caller, proof: string): Promise<void>
  use(on: Queryable, caller: Caller, proof: string): Promise<void>
  issue(on: Queryable, caller: Caller, data: Record<string, unknown>): Promise<string>
  redeem(on: Queryable, caller: Caller, ticket: string): Promise<Record<string, unknown>>
}

export interface BackupModuleDeps {
  env: Pick<Env, 'DATABASE_URL' | 'TIDEGATE_DATA' | 'TIDEGATE_MASTER_KEY'>
  db: Db
  clock: Clock
  log: Log
  secrets: Secrets
  disk: Disk
  version: string
  /** Folder of the migrations. */
  migrations: string
  proof: () => ProofPort
  /** When the schedule runs a task of this kind next; '' = never. */
  nextOf(kind: string): Promise<string>
}

/** Exports that may be fetched at a time: each holds a connection to the database and a processor. */
const MAX_EXPORTS = 2
const TYPE = 'application/octet-stream'
const EXPORT_AAD = 'backup export passphrase'

interface Inner extends BackupModuleDeps, RunDeps {
  files: RestoreFiles
  outcomes: Outcomes
  known(): Promise<readonly Migration[]>
  exporting: { count: number }
  /** Backups that come in or are being checked for a restore, in this process. */
  checking: { count: number }
}

/** Data that leaves, or takes the place of the present one, is the super administrator's, sitting there. */
const mustOwn = (caller: Caller) => {
  if (!caller.superAdmin || caller.apiKey) throw new AppError('forbidden')
}

const placeNamed = async (deps: Inner, place: BackupPlace): Promise<Place> =>
  deps.placeFor(await readSettings(deps.db, deps.secrets), place)

/** What a storage says in its own words becomes one error. */
const stored = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (cause) {
    throw cause instanceof AppError
      ? cause
      : new AppError('backup_storage', { params: { reason: storageReason(cause) }, cause })
  }
}

const presentOutcome = (found: StoredOutcome, caller: Caller): RestoreOutcome => {
  const { id: _id, error, params, ...rest } = found
  return { ...rest, error: error === '' ? '' : errorText(error, caller.lang, params) }
}

const state = async (deps: Inner, caller: Caller) => {
  const settings = await readSettings(deps.db, deps.secrets)
  const found = await deps.files.outcome()
  return {
    data: {
      run: await lastRun(deps.db, caller),
      restore: found && presentOutcome(found, caller),
      asked: await deps.outcomes.last(caller.lang),
      restoring: deps.checking.count > 0 || (await deps.files.waits()),
      ready: settings.passphrase !== '',
      target: placeOf(settings),
      next: settings.passphrase === '' ? '' : await deps.nextOf('backup.make'),
      mayRestore: caller.superAdmin && !caller.apiKey,
    },
  }
}

const make = (deps: Inner, caller: Caller) =>
  deps.db.transaction(async (tx) => {
    const id = await beginRun(deps, tx, 'hand', 'waiting', caller.name)
    await audit(tx, caller, { action: 'backup.make', target: `backup run ${id}` })
    await addJob(tx, 'backup.make', { id }, { maxAttempts: 1 })
    return { id }
  })

const remove = async (deps: Inner, { place, names }: InputOf<'backup.delete'>, caller: Caller) => {
  mustOwn(caller)
  const where = await placeNamed(deps, place)
  const there = new Set((await stored(() => where.list())).map(({ name }) => name))
  if (names.some((name) => !there.has(name))) throw new AppError('not_found')
  await deps.db.transaction(async (tx) => {
    for (const name of new Set(names)) {
      await audit(tx, caller, { action: 'backup.delete', target: `backup ${name}`, before: { place } })
      await stored(() => where.remove(name))
    }
  })
  return {}
}

/** Writes and removes a small file where backups shall go. Throws at the field of the target. */
const tryOut = async (deps: Inner, settings: BackupSettings) => {
  if (placeOf(settings) === 'disk') return
  const name = `try-${randomUUID()}`
  try {
    const place = await deps.placeFor(settings, 's3')
    await place.write(name, Readable.from([Buffer.from('tidegate')]))
    await place.remove(name)
  } catch (error) {
    throw fieldError('target.endpoint', 'backup_storage', { reason: storageReason(error) })
  }
}

const saveSettings = async (deps: Inner, input: InputOf<'backup.settingsSave'>, caller: Caller) => {
  mustOwn(caller)
  await deps.proof().check(caller, input.proof)
  const before = await readSettings(deps.db, deps.secrets)
  const after = unmasked(input, before)
  if (after.passphrase === '') throw fieldError('passphrase', 'required')
  await tryOut(deps, after)
  await deps.db.transaction(async (tx) => {
    await deps.proof().use(tx, caller, input.proof)
    await storeSettings(tx, deps.secrets, after)
    const passphraseChanged = after.passphrase !== before.passphrase
    await audit(tx, caller, {
      action: 'backup.settingsSave',
      target: 'backup settings',
      before: masked(before).target,
      after: { ...masked(after).target, passphraseChanged },
    })
  })
  return {}
}

const exportTicket = async (deps: Inner, input: InputOf<'config.exportTicket'>, caller: Caller) => {
  mustOwn(caller)
  const { proof, passphrase = '', name, place } = input
  const ticket = await deps.db.transaction(async (tx) => {
    await deps.proof().use(tx, caller, proof)
    const what =
      name === undefined ? { passphrase: deps.secrets.seal(passphrase, EXPORT_AAD) } : { name, place: place ?? 'disk' }
    await audit(tx, caller, { action: 'config.exportTicket', target: `backup ${name ?? 'new'}` })
    return deps.proof().issue(tx, caller, what)
  })
  return { ticket }
}

/** What was kept, as it lies there. */
const keptFile = async (deps: Inner, name: string, place: BackupPlace): Promise<FileBody> => {
  const where = await placeNamed(deps, place)
  const found = await stored(() => where.read(name))
  if (!found) throw new AppError('not_found')
  return { type: TYPE, name, size: found.bytes, body: found.body }
}

/** A new one, made while it is fetched. */
const freshFile = async (deps: Inner, passphrase: string, caller: Caller): Promise<FileBody> => {
  if (deps.exporting.count >= MAX_EXPORTS) throw new AppError('backup_running')
  const source = dump({ ...(await deps.source()), by: caller.name }, passphrase)
  deps.exporting.count++
  const body = Readable.from(source, { objectMode: false })
  body.once('close', () => {
    deps.exporting.count--
  })
  return { type: TYPE, name: backupName(deps.clock.now()), body }
}

const fetchExport = async (deps: Inner, ticket: string, caller: Caller): Promise<FileBody> => {
  mustOwn(caller)
  const what = await deps.db.transaction((tx) => deps.proof().redeem(tx, caller, ticket))
  const file =
    typeof what.name === 'string'
      ? await keptFile(deps, what.name, what.place as BackupPlace)
      : await freshFile(deps, deps.secrets.open(String(what.passphrase), EXPORT_AAD), caller)
  await audit(deps.db, caller, { action: 'config.export', target: `backup ${file.name}` })
  return file
}

/** A proxy may give up before a large backup is checked: the state tells then that the work goes on. */
const counted = async <T>({ checking }: Inner, work: () => Promise<T>): Promise<T> => {
  checking.count++
  try {
    return await work()
  } finally {
    checking.count--
  }
}

const importFile = async (deps: Inner, staging: StagingDeps, input: InputOf<'config.import'>, caller: Caller) => {
  mustOwn(caller)
  const { passphrase, proof, request = caller.requestId } = input
  return await deps.outcomes.during(request, caller, 'uploaded', async (taken) => {
    await deps.proof().check(caller, proof)
    const path = await stageFile(staging, input.file)
    try {
      const asked = { action: 'config.import', name: 'uploaded', field: 'file', path, passphrase, request } as const
      const prove = (tx: Queryable) => deps.proof().use(tx, caller, proof)
      return await askForRestore(staging, { ...asked, prove, taken }, caller)
    } catch (error) {
      await dropStaged(path)
      throw error
    }
  })
}

/** A backup of the disk is read where it lies; one of S3 is fetched first. */
const fetched = async (deps: Inner, staging: StagingDeps, name: string, place: BackupPlace) => {
  const where = await placeNamed(deps, place)
  const found = await stored(() => where.read(name))
  if (!found) throw fieldError('name', 'backup_foreign')
  if (place !== 'disk') return await stageFile(staging, found.body)
  found.body.destroy()
  return join(deps.env.TIDEGATE_DATA, 'backups', name)
}

const restoreKept = async (deps: Inner, staging: StagingDeps, input: InputOf<'backup.restore'>, caller: Caller) => {
  mustOwn(caller)
  const { name, place, passphrase, proof, request = caller.requestId } = input
  return await deps.outcomes.during(request, caller, name, async (taken) => {
    await deps.proof().check(caller, proof)
    const path = await fetched(deps, staging, name, place)
    try {
      const asked = { action: 'backup.restore', field: 'name', name, path, passphrase, request } as const
      const prove = (tx: Queryable) => deps.proof().use(tx, caller, proof)
      return await askForRestore(staging, { ...asked, prove, taken }, caller)
    } catch (error) {
      if (place !== 'disk') await dropStaged(path)
      throw error
    }
  })
}

const outcomeOf = async (deps: Inner, request: string, caller: Caller) => {
  const data = await deps.outcomes.of(request, caller.lang)
  if (data === null) throw new AppError('not_found')
  return { data }
}

type Ids =
  | 'backup.prove'
  | 'backup.list'
  | 'backup.state'
  | 'backup.make'
  | 'backup.delete'
  | 'backup.settings'
  | 'backup.settingsSave'
  | 'backup.restore'
  | 'backup.outcome'
  | 'config.exportTicket'
  | 'config.export'
  | 'config.import'

export interface BackupModule extends Part {
  handlers: Handlers<Ids>
}

const innerOf = (deps: BackupModuleDeps): Inner => {
  const dataDir = deps.env.TIDEGATE_DATA
  const disk = diskPlace(join(dataDir, 'backups'))
  return {
    ...deps,
    files: restoreFiles(dataDir),
    outcomes: importOutcomes(dataDir, deps.clock.now),
    known: () => readMigrations(deps.migrations),
    exporting: { count: 0 },
    checking: { count: 0 },
    diskLow: () => deps.disk.state().low,
    source: async () => ({
      ...{ databaseUrl: deps.env.DATABASE_URL, dataDir, version: deps.version, now: deps.clock.now },
      masterKey: await readMasterKey(dataDir, deps.env.TIDEGATE_MASTER_KEY),
    }),
    placeFor: async ({ target }, place) => {
      if (place === 'disk') return disk
      if (target.target !== 's3') throw new AppError('not_found')
      return await s3Place(target)
    },
  }
}

const stagingOf = (deps: Inner): StagingDeps => ({
  ...{ db: deps.db, secrets: deps.secrets, disk: deps.disk, files: deps.files, migrations: deps.known },
  fixedKey: async () =>
    deps.env.TIDEGATE_MASTER_KEY ? await readMasterKey(deps.env.TIDEGATE_DATA, deps.env.TIDEGATE_MASTER_KEY) : null,
})

export const createBackupModule = (given: BackupModuleDeps): BackupModule => {
  const deps = innerOf(given)
  const staging = stagingOf(deps)
  const listing = createListing(deps.known)
  return {
    name: 'backup',
    handlers: {
      'backup.prove': async (input, caller) => {
        mustOwn(caller)
        const proof = await deps.proof().prove(caller, input)
        await audit(deps.db, caller, { action: 'backup.prove', target: `admin ${caller.id}` })
        return { proof }
      },
      'backup.list': async (input, caller) => {
        const settings = await readSettings(deps.db, deps.secrets)
        const which = input.place ?? placeOf(settings)
        return await stored(async () => listing(which, await deps.placeFor(settings, which), input, caller))
      },
      'backup.state': (_input, caller) => state(deps, caller),
      'backup.make': (_input, caller) => make(deps, caller),
      'backup.delete': (input, caller) => remove(deps, input, caller),
      'backup.settings': async (_input, caller) => {
        mustOwn(caller)
        return { data: masked(await readSettings(deps.db, deps.secrets)) }
      },
      'backup.settingsSave': (input, caller) => saveSettings(deps, input, caller),
      'backup.restore': (input, caller) => counted(deps, () => restoreKept(deps, staging, input, caller)),
      'backup.outcome': ({ request }, caller) => outcomeOf(deps, request, caller),
      'config.exportTicket': (input, caller) => exportTicket(deps, input, caller),
      'config.export': ({ ticket }, caller) => fetchExport(deps, ticket, caller),
      'config.import': (input, caller) => counted(deps, () => importFile(deps, staging, input, caller)),
    },
    jobs: [
      {
        name: 'backup.make',
        run: async (payload) => {
          // How it went stands in the run; a job that failed would only be tried again.
          await performRun(deps, Number((payload as { id?: unknown }).id)).catch(() => {})
        },
      },
    ],
    tasks: [backupTask(deps)],
  }
}
