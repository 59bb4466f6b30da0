/** What stands inside a backup: records of a kind (one letter), a length (4 bytes) and bytes, compressed as a whole. */
import { Readable } from 'node:stream'
import { createGunzip, createGzip } from 'node:zlib'
import { z } from 'zod'
import { AppError } from '../../platform/errors.ts'
import { byteReader } from './bytes.ts'

const MAX_RECORD = 8 * 1024 * 1024

/** A piece of COPY's text or of a file's bytes: belongs to the table or file begun before. */
interface Piece {
  kind: 'data'
  bytes: Buffer
}

const heads = {
  /** First. `masterKey`: sealed by the passphrase's key. */
  key: z.object({ masterKey: z.string() }),
  table: z.object({ name: z.string(), columns: z.array(z.string()) }),
  /** Path below the folder of uploads. */
  file: z.object({ path: z.string().regex(/^[a-z0-9]{2}\/[a-z0-9]{2,64}\.[a-z0-9]{2,5}$/) }),
  /** Closes a table (count = rows) or a file (count = bytes). */
  close: z.object({ count: z.int() }),
  /** Last value of each sequence; null = never asked. */
  sequences: z.object({ values: z.record(z.string(), z.string().nullable()) }),
  /** Last. */
  end: z.object({ tables: z.int(), files: z.int() }),
}
type Heads = { [K in keyof typeof heads]: { kind: K } & z.infer<(typeof heads)[K]> }
export type Head = Heads[keyof Heads]
export type BackupRecord = Piece | Head

const LETTERS = { data: 'D', key: 'K', table: 'T', file: 'F', close: 'C', sequences: 'S', end: 'E' } as const
const KINDS = new Map(Object.entries(LETTERS).map(([kind, letter]) => [letter.charCodeAt(0), kind as Head['kind']]))

const encode = (record: BackupRecord): Buffer => {
  const { kind, ...rest } = record
  const bytes = record.kind === 'data' ? record.bytes : Buffer.from(JSON.stringify(rest))
  const head = Buffer.alloc(5)
  head.write(LETTERS[kind], 0, 'latin1')
  head.writeUInt32BE(bytes.length, 1)
  return Buffer.concat([head, bytes])
}

const decode = (kind: string, bytes: Buffer): BackupRecord => {
  if (kind === 'data') return { kind, bytes }
  const schema = heads[kind as Head['kind']]
  const parsed = schema.safeParse(JSON.parse(bytes.toString('utf8')))
  if (!parsed.success) throw new AppError('backup_damaged', { cause: parsed.error })
  return { kind, ...parsed.data } as Head
}

async function* encoded(records: AsyncIterable<BackupRecord>): AsyncGenerator<Buffer> {
  for await (const record of records) yield encode(record)
}

/** Records as compressed bytes. */
export const packed = (records: AsyncIterable<BackupRecord>): AsyncIterable<Buffer> =>
  through(encoded(records), createGzip({ level: 6 }))

/** Records of compressed bytes. Throws `backup_damaged`. */
export async function* unpacked(bytes: AsyncIterable<Buffer>): AsyncGenerator<BackupRecord> {
  const reader = byteReader(through(bytes, createGunzip()))
  for (;;) {
    const head = await reader.take(5)
    if (head === null) return
    const kind = KINDS.get(head.readUInt8(0))
    const size = head.readUInt32BE(1)
    if (kind === undefined || size > MAX_RECORD) throw new AppError('backup_damaged')
    yield decode(kind, size === 0 ? Buffer.alloc(0) : await reader.need(size))
  }
}

/** Bytes through a transformation, an error of either coming out at the end; what is unread is let go. */
async function* through(
  source: AsyncIterable<Buffer>,
  transform: ReturnType<typeof createGzip | typeof createGunzip>,
): AsyncGenerator<Buffer> {
  const from = Readable.from(source, { objectMode: true, highWaterMark: 2 })
  from.on('error', (error) => transform.destroy(error))
  from.pipe(transform)
  try {
    for await (const piece of transform) yield piece as Buffer
  } catch (cause) {
    throw cause instanceof Error && 'code' in cause && String(cause.code).startsWith('Z_')
      ? new AppError('backup_damaged', { cause })
      : cause
  } finally {
    from.destroy()
    transform.destroy()
  }
}
