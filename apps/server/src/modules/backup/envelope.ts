/**
 * The outside of a backup: magic, length and text of the header, a check of passphrase and header, then AES-256-GCM in
 * chunks. A chunk is its plain length (4 bytes), its bytes and a tag of 16; all but the last are full, so the first
 * that is not is the last, and its nonce says so too: chunks cannot be cut off, left out, moved or added.
 */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  randomBytes,
  scrypt as scryptCallback,
  timingSafeEqual,
} from 'node:crypto'
import { promisify } from 'node:util'
import { z } from 'zod'
import { AppError } from '../../platform/errors.ts'
import { type ByteReader, byteReader } from './bytes.ts'

const MAGIC = Buffer.from('TIDEGATE BACKUP\n')
const FORMAT = 1
const CHUNK = 64 * 1024
const TAG = 16
const MAX_HEADER = 1024 * 1024
/** Memory is 128 * r * N bytes: 128 MB, as OWASP's table of parameters has it. */
const SCRYPT = { N: 2 ** 17, r: 8, p: 1 }

const header = z.object({
  format: z.int(),
  /** Release that wrote it. */
  version: z.string(),
  /** ISO time. */
  created: z.string(),
  /** Who asked for it. */
  by: z.string().optional(),
  migrations: z.array(z.object({ name: z.string(), hash: z.string() })),
  kdf: z.object({
    name: z.literal('scrypt'),
    N: z
      .int()
      .min(2)
      .max(2 ** 18),
    r: z.int().min(1).max(16),
    p: z.int().min(1).max(4),
    salt: z.string(),
  }),
})
export type Header = z.infer<typeof header>

interface Keys {
  /** Of the chunks. */
  stream: Buffer
  /** Wraps the master key. */
  wrap: Buffer
  check: Buffer
}

const scrypt = promisify<string, Buffer, number, object, Buffer>(scryptCallback)

const keysOf = async (passphrase: string, { N, r, p, salt }: Header['kdf']): Promise<Keys> => {
  const maxmem = 256 * N * r
  const all = await scrypt(passphrase.normalize('NFKC'), Buffer.from(salt, 'base64'), 96, { N, r, p, maxmem })
  return { stream: all.subarray(0, 32), wrap: all.subarray(32, 64), check: all.subarray(64) }
}

const nonceOf = (counter: number, last: boolean) => {
  const nonce = Buffer.alloc(12)
  nonce.writeUInt8(last ? 1 : 0, 0)
  nonce.writeBigUInt64BE(BigInt(counter), 4)
  return nonce
}

const sizeOf = (bytes: number) => {
  const size = Buffer.alloc(4)
  size.writeUInt32BE(bytes)
  return size
}

async function* sealChunks(key: Buffer, source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let counter = 0
  const seal = (plain: Buffer, last: boolean) => {
    const cipher = createCipheriv('aes-256-gcm', key, nonceOf(counter++, last))
    return Buffer.concat([sizeOf(plain.length), cipher.update(plain), cipher.final(), cipher.getAuthTag()])
  }
  let held: Buffer = Buffer.alloc(0)
  for await (const piece of source) {
    held = held.length === 0 ? piece : Buffer.concat([held, piece])
    for (; held.length >= CHUNK; held = held.subarray(CHUNK)) yield seal(held.subarray(0, CHUNK), false)
  }
  yield seal(held, true)
}

async function* openChunks(key: Buffer, bytes: ByteReader): AsyncGenerator<Buffer> {
  for (let counter = 0, last = false; !last; counter++) {
    const size = (await bytes.need(4)).readUInt32BE()
    if (size > CHUNK) throw new AppError('backup_damaged')
    last = size < CHUNK
    const sealed = await bytes.need(size + TAG)
    const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(counter, last)).setAuthTag(sealed.subarray(size))
    const plain = decipher.update(sealed.subarray(0, size))
    try {
      decipher.final()
    } catch (cause) {
      throw new AppError('backup_damaged', { cause })
    }
    yield plain
  }
  if ((await bytes.take(1)) !== null) throw new AppError('backup_damaged')
}

interface Sealer {
  /** Key that wraps the master key inside. */
  wrap: Buffer
  /** The whole file's bytes around `inside`. */
  seal(inside: AsyncIterable<Buffer>): AsyncGenerator<Buffer>
}

/** Derives the keys and writes the header. */
export const createSealer = async (
  passphrase: string,
  about: Pick<Header, 'version' | 'created' | 'by' | 'migrations'>,
  cost = SCRYPT,
): Promise<Sealer> => {
  const kdf = { name: 'scrypt', ...cost, salt: randomBytes(16).toString('base64') } as const
  const keys = await keysOf(passphrase, kdf)
  const text = Buffer.from(JSON.stringify({ format: FORMAT, ...about, kdf } satisfies Header))
  const check = createHmac('sha256', keys.check).update(text).digest()
  return {
    wrap: keys.wrap,
    async *seal(inside) {
      yield Buffer.concat([MAGIC, sizeOf(text.length), text, check])
      yield* sealChunks(keys.stream, inside)
    },
  }
}

const parsedHeader = (text: Buffer): Header => {
  try {
    const value: unknown = JSON.parse(text.toString('utf8'))
    const format = z.object({ format: z.int() }).parse(value).format
    if (format > FORMAT) throw new AppError('backup_newer', { params: { what: `format ${format}` } })
    return header.parse(value)
  } catch (cause) {
    throw cause instanceof AppError ? cause : new AppError('backup_damaged', { cause })
  }
}

/** The header of the bytes that a backup begins with, not proved. Throws as `openEnvelope`. */
export const peekHeader = async (file: AsyncIterable<Buffer>): Promise<Header> =>
  (await readHeader(byteReader(file))).header

/** The header alone, not yet proved by the passphrase. Throws `backup_foreign`, `backup_damaged`, `backup_newer`. */
const readHeader = async (bytes: ByteReader): Promise<{ header: Header; text: Buffer }> => {
  const magic = await bytes.need(MAGIC.length).catch(() => null)
  if (magic === null || !magic.equals(MAGIC)) throw new AppError('backup_foreign')
  const size = (await bytes.need(4)).readUInt32BE()
  if (size > MAX_HEADER) throw new AppError('backup_damaged')
  const text = await bytes.need(size)
  return { header: parsedHeader(text), text }
}

interface Opened {
  header: Header
  wrap: Buffer
  inside: AsyncGenerator<Buffer>
}

/** Throws `backup_passphrase` beside what `readHeader` throws; `inside` throws `backup_damaged` where it is not what was written. */
export const openEnvelope = async (file: AsyncIterable<Buffer>, passphrase: string): Promise<Opened> => {
  const bytes = byteReader(file)
  const { header: found, text } = await readHeader(bytes)
  const keys = await keysOf(passphrase, found.kdf)
  const check = createHmac('sha256', keys.check).update(text).digest()
  if (!timingSafeEqual(await bytes.need(check.length), check)) throw new AppError('backup_passphrase')
  return { header: found, wrap: keys.wrap, inside: openChunks(keys.stream, bytes) }
}
