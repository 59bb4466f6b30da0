/** Where backups lie: a folder of the installation, or storage that speaks S3. What is there is the list; no table says so, since a restore would take it back too. */
import { createReadStream } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { BackupKind } from '@tidegate/contract/enums'
import type { S3Settings } from '../../platform/object-store.ts'
import { s3Files } from '../../platform/s3-files.ts'
import { writeWhole } from './dump.ts'

export interface StoredBackup {
  name: string
  bytes: number
}

export interface Place {
  list(): Promise<StoredBackup[]>
  /** Whole or not at all; answers the bytes. */
  write(name: string, source: AsyncIterable<Buffer>): Promise<number>
  /** null: there is none. `first`: no more than so many bytes. */
  read(name: string, first?: number): Promise<{ bytes: number; body: Readable } | null>
  remove(name: string): Promise<void>
}

/** What the first word of a file's name says about it. */
const PREFIXES = { manual: 'hand', scheduled: 'scheduled', tidegate: 'command', 'before-restore': 'safety' } as const
const NAME = /^(manual|scheduled|tidegate|before-restore)-(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)\.backup$/

/** Kind and time (ISO) of a backup by its name; a file that was put there by hand counts as a command's, without a time. */
export const nameParts = (name: string): { kind: BackupKind; time: string } => {
  const [, prefix, y, mo, d, h, mi, s] = NAME.exec(name) ?? []
  if (prefix === undefined) return { kind: 'command', time: '' }
  return { kind: PREFIXES[prefix as keyof typeof PREFIXES], time: `${y}-${mo}-${d}T${h}:${mi}:${s}.000Z` }
}

export const prefixOf = (kind: BackupKind): string =>
  Object.entries(PREFIXES).find(([, known]) => known === kind)?.[0] ?? 'tidegate'

const isMissing = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT'

export const diskPlace = (dir: string): Place => ({
  list: async () => {
    const names = (await readdir(dir).catch((): string[] => [])).filter((name) => name.endsWith('.backup'))
    const found = await Promise.all(
      names.map(async (name) => {
        const { size } = await stat(join(dir, name)).catch(() => ({ size: -1 }))
        return { name, bytes: size }
      }),
    )
    return found.filter(({ bytes }) => bytes >= 0)
  },
  write: (name, source) => writeWhole(join(dir, name), source),
  read: async (name, first) => {
    try {
      const { size } = await stat(join(dir, name))
      const body = createReadStream(join(dir, name), first === undefined ? {} : { end: first - 1 })
      return { bytes: size, body }
    } catch (error) {
      if (isMissing(error)) return null
      throw error
    }
  },
  remove: (name) => rm(join(dir, name), { force: true }),
})

export const s3Place = async (settings: S3Settings): Promise<Place> => {
  const files = await s3Files(settings)
  return {
    list: async () =>
      (await files.list())
        .filter(({ key }) => key.endsWith('.backup') && !key.includes('/'))
        .map(({ key, bytes }) => ({ name: key, bytes })),
    write: files.put,
    read: files.get,
    remove: files.remove,
  }
}
