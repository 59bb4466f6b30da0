/** Reads a whole backup before anything is changed: that it is ours, whole, of a release this one knows, and opened by the passphrase. */
import { AppError } from '../../platform/errors.ts'
import type { Migration } from '../../platform/migrate.ts'
import { createSecrets } from '../../platform/secrets.ts'
import { MASTER_KEY_AAD } from './dump.ts'
import { type Header, openEnvelope } from './envelope.ts'
import { type BackupRecord, type Head, unpacked } from './records.ts'

interface OpenBackup {
  header: Header
  masterKey: Buffer
  /** Tables, sequences, files, the end; counts are checked while they are read. Throws `backup_damaged`. */
  records: AsyncGenerator<BackupRecord>
}

/** Of `next` only what may come there: pieces and their close within a table or file, nothing after the end. */
async function* checked(source: AsyncGenerator<BackupRecord>): AsyncGenerator<BackupRecord> {
  const seen = { table: 0, file: 0 }
  let last: BackupRecord['kind'] | undefined
  for await (const record of source) {
    if (last === 'end') throw new AppError('backup_damaged')
    if (record.kind === 'table' || record.kind === 'file') seen[record.kind]++
    if (record.kind === 'end' && (record.tables !== seen.table || record.files !== seen.file))
      throw new AppError('backup_damaged')
    last = record.kind
    yield record
  }
  if (last !== 'end') throw new AppError('backup_damaged')
}

const masterKeyOf = (record: BackupRecord | undefined, wrap: Buffer): Buffer => {
  if (record?.kind !== 'key') throw new AppError('backup_damaged')
  try {
    return Buffer.from(createSecrets(wrap).open(record.masterKey, MASTER_KEY_AAD), 'hex')
  } catch (cause) {
    throw new AppError('backup_damaged', { cause })
  }
}

/** Opens it up to its first table. Throws `backup_foreign`, `backup_damaged`, `backup_newer`, `backup_passphrase`. */
export const openBackup = async (file: AsyncIterable<Buffer>, passphrase: string): Promise<OpenBackup> => {
  const { header, wrap, inside } = await openEnvelope(file, passphrase)
  const all = unpacked(inside)
  const first = await all.next()
  return { header, masterKey: masterKeyOf(first.value ?? undefined, wrap), records: checked(all) }
}

/** The migrations that the backup's schema had, in their order. Throws `backup_newer` where this release does not know one, or knows another of its name. */
export const migrationsOf = (header: Header, known: readonly Migration[]): Migration[] => {
  const hashes = new Map(known.map((m) => [m.name, m.hash]))
  const other = header.migrations.find((m) => hashes.get(m.name) !== m.hash)
  if (other) throw new AppError('backup_newer', { params: { what: `${header.version}, ${other.name}` } })
  const names = new Set(header.migrations.map((m) => m.name))
  return known.filter((m) => names.has(m.name))
}

export interface Verified {
  header: Header
  masterKey: Buffer
  tables: number
  rows: number
  files: number
}

/** Reads it to its end and counts. Changes nothing. */
export const verifyBackup = async (
  file: AsyncIterable<Buffer>,
  passphrase: string,
  known: readonly Migration[],
): Promise<Verified> => {
  const { header, masterKey, records } = await openBackup(file, passphrase)
  migrationsOf(header, known)
  const counted = { tables: 0, rows: 0, files: 0 }
  let within: Head['kind'] | undefined
  for await (const record of records) {
    if (record.kind === 'table') counted.tables++
    if (record.kind === 'file') counted.files++
    if (record.kind === 'close' && within === 'table') counted.rows += record.count
    if (record.kind !== 'data') within = record.kind
  }
  return { header, masterKey, ...counted }
}
