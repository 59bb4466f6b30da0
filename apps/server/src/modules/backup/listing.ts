/** The list of backups: what lies at a place, newest first, with what each head says of itself. */

import type { BackupPlace } from '@tidegate/contract/enums'
import { type ErrorKey, errorText } from '@tidegate/contract/errors'
import type { BackupRow } from '@tidegate/contract/operations/backup'
import type { InputOf } from '@tidegate/contract/operations/index'
import type { Caller } from '../../platform/caller.ts'
import { AppError } from '../../platform/errors.ts'
import type { Migration } from '../../platform/migrate.ts'
import { page } from '../../platform/page.ts'
import { type Header, peekHeader } from './envelope.ts'
import { nameParts, type Place, type StoredBackup } from './places.ts'
import { migrationsOf } from './verify.ts'

/** Magic, length and text of the header are within it. */
const HEAD_BYTES = 128 * 1024
const REMEMBERED = 2_000

interface Head {
  header?: Header
  fault?: AppError
}

const readHead = async (place: Place, name: string): Promise<Head> => {
  const found = await place.read(name, HEAD_BYTES)
  if (found === null) return { fault: new AppError('not_found') }
  try {
    return { header: await peekHeader(found.body) }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { fault: error }
  } finally {
    found.body.destroy()
  }
}

const faultOf = ({ header, fault }: Head, known: readonly Migration[]): { key: ErrorKey; params: object } | null => {
  if (fault) return { key: fault.key, params: fault.details.params ?? {} }
  try {
    if (header) migrationsOf(header, known)
    return null
  } catch (error) {
    return error instanceof AppError ? { key: error.key, params: error.details.params ?? {} } : null
  }
}

/** Heads are read once: a backup never changes under its name and size. */
export const createListing = (known: () => Promise<readonly Migration[]>) => {
  const heads = new Map<string, Head>()
  const headOf = async (which: BackupPlace, place: Place, { name, bytes }: StoredBackup): Promise<Head> => {
    const key = `${which} ${name} ${bytes}`
    const have = heads.get(key)
    if (have) return have
    const head = await readHead(place, name)
    if (heads.size >= REMEMBERED) heads.clear()
    heads.set(key, head)
    return head
  }
  const present = async (
    which: BackupPlace,
    place: Place,
    stored: StoredBackup,
    caller: Caller,
  ): Promise<BackupRow> => {
    const head = await headOf(which, place, stored)
    const { kind, time } = nameParts(stored.name)
    const fault = faultOf(head, await known())
    return {
      ...stored,
      place: which,
      kind,
      time: head.header?.created ?? time,
      version: head.header?.version ?? '',
      by: head.header?.by ?? '',
      fault: fault === null ? '' : errorText(fault.key, caller.lang, fault.params as Record<string, string>),
    }
  }
  return async (which: BackupPlace, place: Place, input: InputOf<'backup.list'>, caller: Caller) => {
    const wanted = input.key?.trim().toLowerCase() ?? ''
    const all = (await place.list()).filter(({ name }) => name.toLowerCase().includes(wanted))
    const byTime = all.map((one) => ({ ...one, time: nameParts(one.name).time }))
    const way = input.order === 'asc' ? -1 : 1
    const bySize = input.sidx === 'bytes'
    byTime.sort((a, b) => way * (bySize ? b.bytes - a.bytes : a.time < b.time ? 1 : a.time > b.time ? -1 : 0))
    const shown = byTime.slice((input.page - 1) * input.limit, input.page * input.limit)
    const rows: BackupRow[] = []
    for (const { name, bytes } of shown) rows.push(await present(which, place, { name, bytes }, caller))
    return page(input, all.length, rows)
  }
}
