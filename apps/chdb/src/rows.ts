import { storeException } from './exception.ts'

/** Formats in which a line break always ends a row, so that a body can be cut there. */
const lineFormats = new Set(['JSONEachRow', 'JSONCompactEachRow', 'TabSeparated', 'TSV'])

/** Rows go to the engine in pieces of this many bytes: what one insert request holds in memory. */
export const CHUNK_BYTES = 8 * 1024 * 1024
/** The longest row, and the largest body of a format that cannot be cut. */
export const ROW_BYTES = 64 * 1024 * 1024

/**
 * Cuts a body into pieces of whole rows. Where it cuts depends on the bytes alone, not on how they arrived: a repeated
 * request makes the same pieces, and the engine recognises each.
 */
export async function* chunksOf(
  body: AsyncIterable<Buffer>,
  format: string,
  chunkBytes = CHUNK_BYTES,
  rowBytes = ROW_BYTES,
): AsyncGenerator<Buffer> {
  const cuttable = lineFormats.has(format)
  let held: Buffer[] = []
  let size = 0
  for await (const part of body) {
    held.push(part)
    size += part.length
    while (cuttable && size >= chunkBytes) {
      const all = Buffer.concat(held)
      const cut = cutAt(all, chunkBytes)
      if (cut === 0) break
      yield all.subarray(0, cut)
      // A copy, so that the whole piece can be freed.
      held = [Buffer.from(all.subarray(cut))]
      size = held[0]?.length ?? 0
    }
    if (size > rowBytes) throw storeException(131, 'TOO_LARGE_STRING_SIZE', `A row is longer than ${rowBytes} bytes`)
  }
  const rest = Buffer.concat(held)
  if (rest.some((byte) => byte > 32)) yield rest
}

/** Behind the last line break within the limit, else behind the first one after it; 0 when there is none. */
function cutAt(all: Buffer, limit: number): number {
  const before = all.lastIndexOf(10, limit - 1)
  return before >= 0 ? before + 1 : all.indexOf(10, limit) + 1
}
