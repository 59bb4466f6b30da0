/** Config records as rows of the wire: the registry and what is stored, put together. Reading only. */
import type { Lang } from '@tidegate/contract/enums'
import type { ConfigRow } from '@tidegate/contract/operations/config'
import type { Caller } from '../../platform/caller.ts'
import type { Queryable } from '../../platform/db.ts'
import { AppError } from '../../platform/errors.ts'
import { iso } from '../../platform/query.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { CONFIG_CLASSES, type ConfigEntry } from './entry.ts'
import { settings } from './schema.ts'
import { maskValue, openValue } from './secret-paths.ts'
import { stateOfUnset } from './store.ts'
import { SETTING_KEYS, SETTINGS } from './values.ts'

export type Stored = typeof settings.$inferSelect

/** One record: known to the registry, or made by an administrator. */
export interface ConfigRecord {
  /** Key of its row; of one's own record its paramKey. */
  key: string
  entry: ConfigEntry | null
  stored: Stored | undefined
}

const known: readonly { key: string; entry: ConfigEntry }[] = SETTING_KEYS.map((key) => ({ key, entry: SETTINGS[key] }))
const byParamKey = new Map(known.map((one) => [one.entry.paramKey, one]))
const keys = new Set<string>(SETTING_KEYS)

/** Rows that the notifier keeps for itself, sealed as a whole. */
const isInternal = (key: string): boolean => key.startsWith('notify.')

/** Whether a record of one's own may have this key. */
export const isFreeKey = (paramKey: string): boolean =>
  !byParamKey.has(paramKey) && !keys.has(paramKey) && !isInternal(paramKey)

export const secretsOfRecord = (record: ConfigRecord): readonly string[] => record.entry?.secrets ?? []
const idOf = ({ entry, stored }: ConfigRecord): number => entry?.id ?? stored?.id ?? 0
export const paramKeyOf = ({ key, entry }: ConfigRecord): string => entry?.paramKey ?? key

/** All records: known ones first, by screen and weight. */
export const allRecords = async (on: Queryable): Promise<ConfigRecord[]> => {
  const rows = new Map((await on.select().from(settings)).map((row) => [row.key, row]))
  const own = [...rows.values()].filter((row) => !keys.has(row.key) && !isInternal(row.key))
  return [
    ...known.map(({ key, entry }): ConfigRecord => ({ key, entry, stored: rows.get(key) })),
    ...own.sort((a, b) => a.id - b.id).map((stored): ConfigRecord => ({ key: stored.key, entry: null, stored })),
  ]
}

/** Own records are the super administrator's; a known one goes with its screen. */
export const mayRead = (caller: Caller, { entry }: ConfigRecord): boolean =>
  caller.superAdmin || (entry !== null && caller.permissions.has(CONFIG_CLASSES[entry.screen]))
export const mayWrite = (caller: Caller, record: ConfigRecord): boolean =>
  caller.superAdmin ||
  (record.entry !== null &&
    mayRead(caller, record) &&
    caller.permissions.has(`${CONFIG_CLASSES[record.entry.screen]}:save`))

/** By id, by key, or by both. */
export interface Wanted {
  id?: number
  paramKey?: string
}

/** The record, if there is one. */
export const findRecord = async (on: Queryable, wanted: Wanted): Promise<ConfigRecord | undefined> =>
  (await allRecords(on)).find(
    (r) =>
      (wanted.id === undefined || idOf(r) === wanted.id) &&
      (wanted.paramKey === undefined || paramKeyOf(r) === wanted.paramKey),
  )

/** The record that a caller asks for; `not_found`, or `forbidden` where it is not theirs. */
export const recordFor = async (
  on: Queryable,
  caller: Caller,
  wanted: Wanted,
  write = false,
): Promise<ConfigRecord> => {
  const record = await findRecord(on, wanted)
  if (!record) throw new AppError('not_found')
  if (!(write ? mayWrite : mayRead)(caller, record)) throw new AppError('forbidden')
  return record
}

/** Value with opened secrets, as it was stored; what the registry says while nothing is. */
export const openedValue = (secrets: Secrets, record: ConfigRecord): unknown => {
  const { key, entry, stored } = record
  if (!stored) return entry ? stateOfUnset(entry).value : null
  return openValue(secrets, key, secretsOfRecord(record), stored.value)
}

export const statusOf = ({ entry, stored }: ConfigRecord): number =>
  stored ? stored.status : entry && stateOfUnset(entry).enabled ? 1 : 0

/** The stored value for a reader: sealed texts are masked without being opened. */
export const shownValue = (record: ConfigRecord): unknown => {
  const { entry, stored } = record
  if (!stored) return entry ? stateOfUnset(entry).value : null
  const masked = maskValue(secretsOfRecord(record), stored.value)
  // Members that a later release added show their defaults.
  const parsed = entry?.schema.safeParse(masked)
  return parsed?.success ? parsed.data : masked
}

export const remarkOf = ({ entry, stored }: ConfigRecord, lang: Lang): string =>
  stored?.remark ?? entry?.remark[lang] ?? ''

export const presentRecord = (record: ConfigRecord, caller: Caller): ConfigRow => {
  const { entry, stored } = record
  return {
    id: idOf(record),
    paramKey: paramKeyOf(record),
    remark: remarkOf(record, caller.lang),
    paramValue: JSON.stringify(shownValue(record)),
    status: statusOf(record),
    weight: stored?.weight ?? entry?.weight ?? 0,
    version: stored?.version ?? 0,
    updateTime: iso(stored?.updatedAt),
    updateBy: stored?.updatedBy ?? '',
    paramClass: entry?.screen ?? 'own',
    switchable: entry === null || entry.switchable !== undefined,
    secrets: [...secretsOfRecord(record)],
    editable: mayWrite(caller, record),
  }
}
