/** Brings a backup to be restored beside the installation, proves it whole, and leaves it to the next start. */
import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import type { Caller } from '../../platform/caller.ts'
import type { Db, Tx } from '../../platform/db.ts'
import { type Disk, diskState } from '../../platform/disk.ts'
import { AppError, fieldError } from '../../platform/errors.ts'
import type { Migration } from '../../platform/migrate.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { audit } from '../audit/index.ts'
import { readBackup, writeWhole } from './dump.ts'
import { type RestoreFiles, requestAad } from './request.ts'
import { type Verified, verifyBackup } from './verify.ts'

export interface StagingDeps {
  db: Db
  secrets: Secrets
  disk: Disk
  files: RestoreFiles
  migrations(): Promise<readonly Migration[]>
  /** The master key where the environment fixes it. */
  fixedKey(): Promise<Buffer | null>
}

interface Asked {
  action: 'config.import' | 'backup.restore'
  /** Of the backup, for people. */
  name: string
  passphrase: string
  /** Where the whole backup is. */
  path: string
  /** Field of the input that names the backup. */
  field: string
  /** Uses the proof up. */
  prove(tx: Tx): Promise<void>
  /** Names it for who asks what became of it. */
  request: string
  /** Called when nothing speaks against it any more, before the processes end. */
  taken(): Promise<void>
}

/** Refuses what would fill the disk, while it comes. */
async function* bounded(disk: Disk, source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const { total, free } = disk.state()
  let bytes = 0
  try {
    for await (const piece of source) {
      bytes += piece.length
      if (diskState(total, free - bytes).low) throw new AppError('backup_too_large')
      yield piece
    }
  } catch (cause) {
    throw cause instanceof AppError ? cause : new AppError('backup_cut', { cause })
  }
}

/** Writes what comes to a file of its own; answers its path. */
export const stageFile = async ({ disk, files }: StagingDeps, source: AsyncIterable<Uint8Array>): Promise<string> => {
  const path = join(files.dir, `${randomUUID()}.backup`)
  await writeWhole(path, bounded(disk, source))
  return path
}

const AT_FILE = ['backup_foreign', 'backup_damaged', 'backup_newer'] as const
const isAtFile = (key: string): key is (typeof AT_FILE)[number] => (AT_FILE as readonly string[]).includes(key)

/** A refusal at the field that it is about. */
const atField = (error: unknown, field: string): unknown => {
  if (!(error instanceof AppError)) return error
  if (error.key === 'backup_passphrase') return fieldError('passphrase', 'backup_passphrase')
  return isAtFile(error.key) ? fieldError(field, error.key, error.details.params) : error
}

const verified = async (deps: StagingDeps, { path, passphrase, field }: Asked): Promise<Verified> => {
  try {
    const found = await verifyBackup(readBackup(path), passphrase, await deps.migrations())
    const fixed = await deps.fixedKey()
    if (fixed && !fixed.equals(found.masterKey)) throw fieldError(field, 'backup_other_key')
    return found
  } catch (error) {
    throw atField(error, field)
  }
}

/** Proves the backup and asks for its restore: every process of the control plane ends and the next start restores. */
export const askForRestore = async (deps: StagingDeps, asked: Asked, caller: Caller) => {
  const { header, rows, files } = await verified(deps, asked)
  const id = randomUUID()
  const { name: by, ip, userAgent, requestId } = caller
  const asking = deps.db.transaction(async (tx) => {
    // Two at once would end in one of them, nobody knows which.
    await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtext('restore'))`)
    if (await deps.files.waits()) throw new AppError('restoring')
    await asked.prove(tx)
    await audit(tx, caller, {
      action: asked.action,
      target: `backup ${asked.name}`,
      after: { created: header.created, version: header.version, rows, files },
    })
    await tx.execute(sql`INSERT INTO installation (key, value) VALUES ('restoring', to_jsonb(${id}::text))
      ON CONFLICT (key) DO UPDATE SET value = excluded.value, updated_at = now()`)
    const passphrase = deps.secrets.seal(asked.passphrase, requestAad(id))
    await deps.files.ask({
      id,
      name: asked.name,
      path: asked.path,
      passphrase,
      request: asked.request,
      by: { name: by, ip, userAgent, requestId },
    })
    await asked.taken()
    await tx.execute(sql`SELECT pg_notify('restoring', ${id})`)
  })
  await asking.catch(async (error: unknown) => {
    await deps.files.withdraw(id)
    throw error
  })
  return { created: header.created, version: header.version, rows, files }
}

/** Removes what was staged and is not asked for. */
export const dropStaged = (path: string): Promise<void> => rm(path, { force: true })
