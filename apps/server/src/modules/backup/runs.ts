/** Makes backups that were asked for here, by hand or by the schedule, and keeps a record of how each went. */
import type { BackupKind, BackupPlace } from '@tidegate/contract/enums'
import { type ErrorKey, errorText } from '@tidegate/contract/errors'
import type { BackupRun } from '@tidegate/contract/operations/backup'
import { sql } from 'drizzle-orm'
import type { Caller } from '../../platform/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/db.ts'
import { AppError } from '../../platform/errors.ts'
import type { Log } from '../../platform/log.ts'
import { iso, row } from '../../platform/query.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { backupName, type DumpDeps, dump } from './dump.ts'
import { type Place, prefixOf } from './places.ts'
import { type BackupSettings, placeOf, readSettings } from './settings.ts'

export interface RunDeps {
  db: Db
  clock: Clock
  log: Log
  secrets: Secrets
  /** What a backup is made of. */
  source(): Promise<Omit<DumpDeps, 'by'>>
  placeFor(settings: BackupSettings, place: BackupPlace): Promise<Place>
  diskLow(): boolean
}

type Made = Extract<BackupKind, 'hand' | 'scheduled'>

/** Seconds of silence after which a run's process counts as gone. */
const SILENCE_S = 60
const BEAT_MS = 2_000
const LOCK = 7_413_280

const ALIVE = sql`state IN ('waiting', 'running') AND beat_at > now() - ${SILENCE_S} * interval '1 second'`

/** A run that waits, or is under way at once. Throws `backup_unset`, `backup_running`. */
export const beginRun = async (
  { clock, secrets }: RunDeps,
  tx: Tx,
  kind: Made,
  state: 'waiting' | 'running',
  by: string,
): Promise<number> => {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(${LOCK})`)
  const settings = await readSettings(tx, secrets)
  if (settings.passphrase === '') throw new AppError('backup_unset')
  if (await row(tx, sql`SELECT id FROM backup_run WHERE ${ALIVE} LIMIT 1`)) throw new AppError('backup_running')
  const made = await row<{ id: number }>(
    tx,
    sql`INSERT INTO backup_run (kind, place, state, by_name, started_at)
        VALUES (${kind}, ${placeOf(settings)}, ${state}, ${by}, ${new Date(clock.now()).toISOString()}::timestamptz) RETURNING id`,
  )
  return made?.id ?? 0
}

/** What a failure of the storage says about itself, without addresses and keys. */
export const storageReason = (error: unknown): string => {
  const { name = '', code = '' } = error as { name?: string; code?: string }
  return (code || name || 'Error').slice(0, 80)
}

const faultOf = (error: unknown): { error: ErrorKey; reason: string } => {
  if (error instanceof AppError) return { error: error.key, reason: String(error.details.params?.reason ?? '') }
  return { error: 'backup_storage', reason: storageReason(error) }
}

/** Counts what passes, and stops when it must. */
async function* counted(deps: RunDeps, source: AsyncIterable<Buffer>, seen: { bytes: number }, signal?: AbortSignal) {
  for await (const bytes of source) {
    signal?.throwIfAborted()
    if (deps.diskLow()) throw new AppError('low_disk')
    seen.bytes += bytes.length
    yield bytes
  }
}

interface Ran {
  name: string
  bytes: number
  place: BackupPlace
}

/** Makes the backup of a run. Rejects as it ended, after it was written down. */
export const performRun = async (deps: RunDeps, id: number, signal?: AbortSignal): Promise<Ran> => {
  const { db, clock } = deps
  const taken = await row<{ kind: Made; by: string; place: BackupPlace }>(
    db,
    sql`UPDATE backup_run SET state = 'running', beat_at = now() WHERE id = ${id} AND state IN ('waiting', 'running')
        RETURNING kind, by_name AS by, place`,
  )
  if (!taken) throw new AppError('not_found')
  const { kind, by, place } = taken
  const name = backupName(clock.now(), prefixOf(kind))
  const seen = { bytes: 0 }
  const beat = setInterval(() => {
    const told = sql`UPDATE backup_run SET bytes = ${seen.bytes}, beat_at = now() WHERE id = ${id}`
    db.execute(told).catch((error: Error) => deps.log.warn({ err: error.message }, 'beat of a backup'))
  }, BEAT_MS)
  const end = (state: 'done' | 'failed', error: string, reason: string) =>
    db.execute(sql`UPDATE backup_run SET state = ${state}, name = ${state === 'done' ? name : ''}, bytes = ${seen.bytes}, error = ${error},
      reason = ${reason}, beat_at = now(), finished_at = ${new Date(clock.now()).toISOString()}::timestamptz WHERE id = ${id}`)
  try {
    const settings = await readSettings(db, deps.secrets)
    const target = await deps.placeFor(settings, place)
    const source = dump({ ...(await deps.source()), by: by || undefined }, settings.passphrase)
    const bytes = await target.write(name, counted(deps, source, seen, signal))
    seen.bytes = bytes
    await end('done', '', '')
    return { name, bytes, place }
  } catch (cause) {
    deps.log.error({ err: cause instanceof Error ? cause.message : String(cause) }, 'a backup failed')
    const { error, reason } = faultOf(cause)
    await end('failed', error, reason)
    throw cause instanceof AppError ? cause : new AppError('backup_storage', { params: { reason }, cause })
  } finally {
    clearInterval(beat)
  }
}

interface Stored {
  id: number
  kind: BackupKind
  state: BackupRun['state']
  place: BackupPlace
  bytes: number
  name: string
  by: string
  startTime: string
  finishTime: string | null
  error: string
  reason: string
  alive: boolean
}

/** The last one asked for; one whose process is gone counts as failed. */
export const lastRun = async (db: Db, caller: Caller): Promise<BackupRun | null> => {
  const found = await row<Stored>(
    db,
    sql`SELECT id, kind, state, place, bytes, name, by_name AS by, started_at AS "startTime", finished_at AS "finishTime", error, reason,
          ${ALIVE} AS alive FROM backup_run ORDER BY id DESC LIMIT 1`,
  )
  if (!found) return null
  const { alive, error, reason, startTime, finishTime, ...rest } = found
  const gone = (rest.state === 'running' || rest.state === 'waiting') && !alive
  const key = gone ? 'backup_interrupted' : error
  return {
    ...rest,
    state: gone ? 'failed' : rest.state,
    startTime: iso(startTime),
    finishTime: iso(finishTime),
    error: key === '' ? '' : errorText(key as ErrorKey, caller.lang, { reason }),
  }
}

/** Removes records of runs, not the backups. */
export const dropRuns = (db: Db, before: number): Promise<unknown> =>
  db.execute(
    sql`DELETE FROM backup_run WHERE started_at < ${new Date(before).toISOString()}::timestamptz AND id <> (SELECT max(id) FROM backup_run)`,
  )
