/**
 * Backups: made, listed, fetched, restored. What takes data out of the installation or puts other data in its place is the super
 * administrator's alone and asks for the password again, with a second factor where the account has one.
 */
import { z } from 'zod'
import { backupTarget, givenPassphrase, keptPassphrase, passphrase } from '../config/backup.ts'
import { BACKUP_KINDS, BACKUP_PLACES, BACKUP_RUN_STATES, IMPORT_STATES } from '../enums.ts'
import { idOut, none, operation, pageIn, pageOut } from '../operation.ts'
import { fail } from '../validators.ts'
import { presentPassword, webauthnJson } from './security.ts'

/** The file's name, as the list has it. */
const name = z.string().regex(/^[a-z][\w-]{0,80}\.backup$/, { error: 'invalid' })
const place = z.enum(BACKUP_PLACES)

/** Answer of `backup.prove`: good for one use, by the same login, within minutes. */
const proof = z.string({ error: 'required' }).regex(/^[\w-]{1,64}$/, { error: 'invalid' })

const backupRow = z.object({
  name: z.string(),
  place,
  kind: z.enum(BACKUP_KINDS),
  bytes: z.int(),
  /** ISO time of the moment that it holds. */
  time: z.string(),
  /** Release that wrote it; '' when its head cannot be read. */
  version: z.string(),
  /** Who asked for it; '' for those of commands and of the schedule. */
  by: z.string(),
  /** Why it cannot be restored here, in the caller's language; '' when nothing speaks against it. */
  fault: z.string(),
})
export type BackupRow = z.infer<typeof backupRow>

const run = z.object({
  id: z.int(),
  kind: z.enum(BACKUP_KINDS),
  state: z.enum(BACKUP_RUN_STATES),
  place,
  /** Bytes written so far. */
  bytes: z.int(),
  name: z.string(),
  by: z.string(),
  startTime: z.string(),
  finishTime: z.string(),
  /** In the caller's language; '' when it did not fail. */
  error: z.string(),
})
export type BackupRun = z.infer<typeof run>

/** What became of a restore. */
export const restoreOutcome = z.object({
  ok: z.boolean(),
  time: z.string(),
  by: z.string(),
  /** Name of the backup. */
  name: z.string(),
  /** ISO time of the moment that was gone back to; '' when it failed. */
  created: z.string(),
  version: z.string(),
  rows: z.int(),
  files: z.int(),
  /** The backup that was made of what was there before; '' when there is none. */
  safety: z.string(),
  /** Why it failed, in the caller's language. */
  error: z.string(),
})
export type RestoreOutcome = z.infer<typeof restoreOutcome>

/**
 * Names an import or restore: chosen by who asks, at random, else it is the `requestId` of the answer. Nobody can guess it, so it is all that
 * is needed to ask what became of it: the login may have ended with what was replaced.
 */
const request = z.string().regex(/^[0-9a-f]{32}$/, { error: 'invalid' })

/** What became of an import or restore, also of one whose answer got lost on the way. */
export const importOutcome = z.object({
  request,
  state: z.enum(IMPORT_STATES),
  time: z.string(),
  by: z.string(),
  /** Name of the backup. */
  name: z.string(),
  /** Field of the input that was refused; '' = none in particular. */
  field: z.string(),
  /** Why it was refused or failed, in the caller's language. */
  error: z.string(),
})
export type ImportOutcome = z.infer<typeof importOutcome>

const state = z.object({
  /** The last one asked for here; null: none yet. */
  run: run.nullable(),
  /** What became of the last restore that was asked for here; null: none yet. */
  restore: restoreOutcome.nullable(),
  /** The import or restore that was asked for last; null: none yet. */
  asked: importOutcome.nullable(),
  /** A restore is under way, or its backup still comes in or is being checked. */
  restoring: z.boolean(),
  /** Whether there is a passphrase, so that backups can be made without typing one. */
  ready: z.boolean(),
  target: place,
  /** When the schedule makes the next one; '' = never. */
  next: z.string(),
  /** Whether the caller may export, restore and change the settings. */
  mayRestore: z.boolean(),
})
export type BackupState = z.infer<typeof state>

const sees = { audience: 'admin', permission: 'system:backup', effect: 'read' } as const
/** The super administrator's. */
const owns = { audience: 'admin', permission: 'system:backup', effect: 'write', ownOnly: true } as const
const started = z.object({
  /** The moment that the backup holds. */
  created: z.string(),
  version: z.string(),
  rows: z.int(),
  files: z.int(),
})

export const backupOperations = [
  operation({
    /**
     * Proves that it is really the account's owner who is there. Refused with `second_factor_required` and `{methods, ticket, passkey}`
     * where the account has a second factor and none was given: `code` of the app, a `recovery` code, or `ticket` with the passkey's
     * `assertion`.
     */
    ...owns,
    id: 'backup.prove',
    method: 'POST',
    path: 'sys/backup/prove',
    input: z.object({
      password: presentPassword,
      code: z.string().trim().max(16).optional(),
      recovery: z.string().trim().max(32).optional(),
      ticket: z.string().max(64).optional(),
      assertion: webauthnJson.optional(),
    }),
    output: z.object({ proof: z.string() }),
  }),
  operation({
    /** Newest first. `place` absent: that of the settings. */
    ...sees,
    id: 'backup.list',
    method: 'POST',
    path: 'sys/backup/list',
    input: pageIn.extend({ place: place.optional() }),
    output: pageOut(backupRow),
  }),
  operation({
    ...sees,
    id: 'backup.state',
    method: 'GET',
    path: 'sys/backup/state',
    input: none,
    output: z.object({ data: state }),
  }),
  operation({
    /** Begins one, with the passphrase and to the place of the settings; answers the run's id. */
    id: 'backup.make',
    method: 'POST',
    path: 'sys/backup/make',
    audience: 'admin',
    permission: 'system:backup:make',
    effect: 'write',
    input: none,
    output: idOut,
  }),
  operation({
    ...owns,
    id: 'backup.delete',
    method: 'POST',
    path: 'sys/backup/delete',
    input: z.object({ place, names: z.array(name).min(1, { error: 'required' }).max(200) }),
    output: none,
  }),
  operation({
    /** Secrets masked. */
    ...owns,
    effect: 'read',
    id: 'backup.settings',
    method: 'GET',
    path: 'sys/backup/settings',
    input: none,
    output: z.object({ data: z.object({ target: z.record(z.string(), z.string()), passphrase: z.string() }) }),
  }),
  operation({
    /** A mask that comes back means: unchanged. Storage that speaks S3 is tried before it is stored. */
    ...owns,
    id: 'backup.settingsSave',
    method: 'POST',
    path: 'sys/backup/settings/save',
    input: z.object({ proof, target: backupTarget, passphrase: keptPassphrase }),
    output: none,
  }),
  operation({
    /**
     * A ticket for `sys/config/export/db`, good once and for a few minutes. With `name` and `place` for that backup as it lies there,
     * else for a new one of the moment of its fetching, sealed with `passphrase`.
     */
    ...owns,
    id: 'config.exportTicket',
    method: 'POST',
    path: 'sys/config/export/ticket',
    input: z
      .object({ proof, passphrase: passphrase.optional(), name: name.optional(), place: place.optional() })
      .superRefine((given, ctx) => {
        if (given.name === undefined && given.passphrase === undefined) fail(ctx, 'required', {}, ['passphrase'])
        if (given.name !== undefined && given.place === undefined) fail(ctx, 'required', {}, ['place'])
      }),
    output: z.object({ ticket: z.string() }),
  }),
  operation({
    /** The backup, written while it is fetched: a file that is cut off is refused when it is imported. */
    ...owns,
    id: 'config.export',
    method: 'GET',
    path: 'sys/config/export/db',
    kind: 'file',
    input: z.object({ ticket: proof }),
    output: none,
  }),
  operation({
    /**
     * Puts a backup in the installation's place. multipart/form-data, the file last. The whole file is read and proved first; a wrong one
     * is refused at its field and nothing changes. Then the control plane restarts, makes a safety backup with the same passphrase and
     * restores; all logins end. `backup.outcome` says what became of it, whatever became of this answer.
     */
    ...owns,
    id: 'config.import',
    method: 'POST',
    path: 'sys/config/import/db',
    body: 'stream',
    input: z.object({
      proof,
      passphrase: givenPassphrase,
      request: request.optional(),
      file: z.custom<AsyncIterable<Uint8Array>>(
        (value) => typeof value === 'object' && value !== null && Symbol.asyncIterator in value,
        { error: 'required' },
      ),
    }),
    output: started,
  }),
  operation({
    /** The same with a backup of the list. */
    ...owns,
    id: 'backup.restore',
    method: 'POST',
    path: 'sys/backup/restore',
    input: z.object({ proof, passphrase: givenPassphrase, request: request.optional(), name, place }),
    output: started,
  }),
  operation({
    /** What became of an import or restore. Not found: nothing of it came here. While it is restored everything answers 503. */
    id: 'backup.outcome',
    method: 'GET',
    path: 'sys/backup/outcome/{request}',
    audience: 'public',
    permission: null,
    effect: 'read',
    input: z.object({ request }),
    output: z.object({ data: importOutcome }),
  }),
] as const
