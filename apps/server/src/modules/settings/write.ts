/** Changes of config records: checked, sealed, kept as a version, audited, told to every process; one transaction each. */
import { FIRST_OWN_RECORD_ID, MAX_OWN_RECORDS, MAX_RECORD_VERSIONS } from '@tidegate/contract/config/record'
import type { Lang } from '@tidegate/contract/enums'
import { fieldErrors } from '@tidegate/contract/issues'
import { and, eq, inArray, lte, sql } from 'drizzle-orm'
import type { Caller } from '../../platform/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/db.ts'
import { AppError, fieldError } from '../../platform/errors.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { unstorable } from '../../platform/storable.ts'
import { audit } from '../audit/index.ts'
import {
  allRecords,
  type ConfigRecord,
  findRecord,
  isFreeKey,
  mayWrite,
  openedValue,
  paramKeyOf,
  recordFor,
  secretsOfRecord,
  shownValue,
  statusOf,
  type Wanted,
} from './records.ts'
import { settingHistory, settings } from './schema.ts'
import { differsAt, keepMasked, maskedAgain, openValue, sealValue } from './secret-paths.ts'

export interface WriteDeps {
  db: Db
  clock: Clock
  secrets: Secrets
  /** Drops what this process remembers of a key. */
  forget(key: string): void
}

export interface RecordChange {
  /** With masks where secrets stay. Absent: the value stays. */
  value?: unknown
  status?: number | undefined
  remark?: string | null | undefined
  weight?: number | undefined
  /** Refused as `conflict` when another version is stored. */
  version?: number | undefined
}

const LOCK = 7_016_001

/** A value that does not fit its schema, with the members that are wrong. */
class ValueError extends AppError {
  constructor(error: Parameters<typeof fieldErrors>[0], lang: Lang) {
    super('invalid_input', {
      worded: fieldErrors(error, lang).map(({ path, msg }) => ({
        path: path === '' ? 'paramValue' : `paramValue.${path}`,
        msg,
      })),
    })
  }
}

/** What is stored: the schema's output, with opened secrets. */
const checked = (record: ConfigRecord, given: unknown, old: unknown, lang: Lang): unknown => {
  const bad = unstorable(given)
  if (bad) throw fieldError(['paramValue', ...bad].join('.'), 'invalid')
  const { entry } = record
  if (entry === null) return given
  const secrets = secretsOfRecord(record)
  // Who may change a record may not read its secrets, so they go to no other address than they were entered for.
  const [kept] = differsAt(entry.sentTo ?? [], given, old) ? maskedAgain(secrets, given, old) : []
  if (kept !== undefined) throw fieldError(`paramValue.${kept}`, 'secret_again')
  const whole = keepMasked(secrets, given, old)
  const parsed = entry.schema.safeParse(whole, { reportInput: true })
  if (!parsed.success) throw new ValueError(parsed.error, lang)
  return parsed.data
}

const nextStatus = ({ entry }: ConfigRecord, value: unknown, status: number): number => {
  if (status === 1 && value === null && entry?.unset === null) throw new AppError('config_incomplete')
  if (status === 0 && entry !== null && entry.switchable === undefined) throw new AppError('config_always_on')
  return status
}

/** For the audit log and nobody's secrets. */
const traceOf = (record: ConfigRecord) => ({
  value: shownValue(record),
  status: statusOf(record),
  ...(record.stored?.remark && { remark: record.stored.remark }),
})

const store = async (
  tx: Tx,
  deps: WriteDeps,
  record: ConfigRecord,
  caller: Caller,
  next: { value: unknown; status: number; remark: string | null; weight: number | null },
) => {
  const { key } = record
  const at = new Date(deps.clock.now())
  const version = (record.stored?.version ?? 0) + 1
  const sealed = sealValue(deps.secrets, key, secretsOfRecord(record), next.value)
  // drizzle takes a bare null for SQL's own.
  const value = sealed === null ? sql`'null'::jsonb` : sql`${JSON.stringify(sealed)}::jsonb`
  const columns = {
    value,
    status: next.status,
    remark: next.remark,
    weight: next.weight,
    version,
    updatedAt: at,
    updatedBy: caller.name,
  }
  const [stored] = await tx
    .insert(settings)
    .values({ key, ...columns })
    .onConflictDoUpdate({ target: settings.key, set: columns })
    .returning()
  await tx.insert(settingHistory).values({
    key,
    version,
    value,
    status: next.status,
    remark: next.remark,
    createdAt: at,
    createdBy: caller.name,
  })
  await tx
    .delete(settingHistory)
    .where(and(eq(settingHistory.key, key), lte(settingHistory.version, version - MAX_RECORD_VERSIONS)))
  await tx.execute(sql`SELECT pg_notify('setting_changed', ${key})`)
  return { ...record, stored }
}

const apply = async (tx: Tx, deps: WriteDeps, record: ConfigRecord, caller: Caller, change: RecordChange) => {
  if (change.version !== undefined && change.version !== (record.stored?.version ?? 0)) throw new AppError('conflict')
  const old = openedValue(deps.secrets, record)
  const value = 'value' in change ? checked(record, change.value, old, caller.lang) : old
  const asked = change.status ?? record.stored?.status ?? (record.entry?.switchable === 'off' ? 0 : 1)
  return await store(tx, deps, record, caller, {
    value,
    status: nextStatus(record, value, asked),
    remark: change.remark === undefined ? (record.stored?.remark ?? null) : change.remark,
    weight: change.weight ?? record.stored?.weight ?? null,
  })
}

/** Disables the others of a record's group when it is enabled; answers those that were. */
const disableOthers = async (
  tx: Tx,
  deps: WriteDeps,
  record: ConfigRecord,
  caller: Caller,
): Promise<ConfigRecord[]> => {
  const group = record.entry?.exclusive
  if (group === undefined || statusOf(record) !== 1) return []
  const others = (await allRecords(tx)).filter(
    (r) => r.key !== record.key && r.entry?.exclusive === group && statusOf(r) === 1,
  )
  const disabled: ConfigRecord[] = []
  for (const other of others) disabled.push(await apply(tx, deps, other, caller, { status: 0 }))
  return disabled
}

/** Runs one change at a time: two of them together could leave two providers enabled. */
const inTurn = async <T>(
  deps: WriteDeps,
  work: (tx: Tx) => Promise<{ result: T; keys: readonly string[] }>,
): Promise<T> => {
  const { result, keys } = await deps.db.transaction(async (tx) => {
    await tx.execute(sql`SELECT pg_advisory_xact_lock(${LOCK})`)
    return await work(tx)
  })
  for (const key of keys) deps.forget(key)
  return result
}

type Action = 'config.save' | 'config.update' | 'config.toggle' | 'config.setStatus' | 'config.restore'

const changeIn = async (
  tx: Tx,
  deps: WriteDeps,
  caller: Caller,
  action: Action,
  record: ConfigRecord,
  change: RecordChange,
) => {
  const before = record.stored === undefined ? undefined : traceOf(record)
  const next = await apply(tx, deps, record, caller, change)
  const disabled = await disableOthers(tx, deps, next, caller)
  const also = disabled.length === 0 ? {} : { disabled: disabled.map(paramKeyOf) }
  await audit(tx, caller, {
    action,
    target: `config ${paramKeyOf(record)}`,
    ...(before && { before: { ...before, version: record.stored?.version } }),
    after: { ...traceOf(next), version: next.stored?.version, ...also },
  })
  return { result: next, keys: [next.key, ...disabled.map((r) => r.key)] }
}

/** Changes a record that exists. Throws `not_found`, `forbidden`, `conflict`, field errors below `paramValue`. */
export const changeRecord = (
  deps: WriteDeps,
  caller: Caller,
  action: Action,
  wanted: Wanted,
  change: (record: ConfigRecord) => RecordChange,
): Promise<ConfigRecord> =>
  inTurn(deps, async (tx) => {
    const record = await recordFor(tx, caller, wanted, true)
    return await changeIn(tx, deps, caller, action, record, change(record))
  })

/** Sets a known record by its paramKey, or makes one's own. */
export const saveRecord = (
  deps: WriteDeps,
  caller: Caller,
  paramKey: string,
  change: RecordChange,
): Promise<ConfigRecord> =>
  inTurn(deps, async (tx) => {
    const found = await findRecord(tx, { paramKey })
    if (found?.entry === null) throw new AppError('name_taken', { params: { name: paramKey } })
    const record = found ?? { key: paramKey, entry: null, stored: undefined }
    if (!mayWrite(caller, record)) throw new AppError('forbidden')
    if (found === undefined) await mustHaveRoom(tx, paramKey)
    return await changeIn(tx, deps, caller, 'config.save', record, change)
  })

const mustHaveRoom = async (tx: Tx, paramKey: string) => {
  if (!isFreeKey(paramKey)) throw new AppError('name_taken', { params: { name: paramKey } })
  const own = (await allRecords(tx)).filter((r) => r.entry === null)
  if (own.length >= MAX_OWN_RECORDS) throw new AppError('too_many_records', { params: { max: MAX_OWN_RECORDS } })
}

/** Deletes records that administrators made, with their history. */
export const deleteRecords = (deps: WriteDeps, caller: Caller, ids: readonly number[]): Promise<void> =>
  inTurn(deps, async (tx) => {
    if (ids.some((id) => id < FIRST_OWN_RECORD_ID)) throw new AppError('fixed_entry')
    const records: ConfigRecord[] = []
    for (const id of new Set(ids)) records.push(await recordFor(tx, caller, { id }, true))
    const keys = records.map((r) => r.key)
    await tx.delete(settings).where(inArray(settings.key, keys))
    await tx.delete(settingHistory).where(inArray(settingHistory.key, keys))
    await audit(tx, caller, {
      action: 'config.delete',
      target: records.map((r) => `config ${paramKeyOf(r)}`).join(', '),
      before: records.map((r) => ({ paramKey: r.key, ...traceOf(r) })),
    })
    return { result: undefined, keys }
  })

/** Makes an earlier version the present one. A value that no longer fits its schema is refused with what is wrong. */
export const restoreRecord = async (
  deps: WriteDeps,
  caller: Caller,
  id: number,
  version: number,
): Promise<ConfigRecord> => {
  const record = await recordFor(deps.db, caller, { id }, true)
  const [old] = await deps.db
    .select()
    .from(settingHistory)
    .where(and(eq(settingHistory.key, record.key), eq(settingHistory.version, version)))
  if (!old) throw fieldError('version', 'invalid')
  const value = openValue(deps.secrets, record.key, secretsOfRecord(record), old.value)
  return await changeRecord(deps, caller, 'config.restore', { id }, () => ({
    value,
    status: old.status,
    remark: old.remark,
  }))
}
