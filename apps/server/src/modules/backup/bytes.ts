/** Reading counted bytes from a stream. */
import { AppError } from '../../platform/errors.ts'

export interface ByteReader {
  /** Exactly `n` bytes; null when the stream is at its end. Throws `backup_damaged` when it ends in between. */
  take(n: number): Promise<Buffer | null>
  /** As `take`; an end is damage as well. */
  need(n: number): Promise<Buffer>
}

export const byteReader = (source: AsyncIterable<Buffer>): ByteReader => {
  const pieces = source[Symbol.asyncIterator]()
  let held: Buffer = Buffer.alloc(0)
  const take = async (n: number) => {
    const parts = [held]
    let length = held.length
    while (length < n) {
      const { done, value } = await pieces.next()
      if (done) break
      parts.push(value)
      length += value.length
    }
    const all = parts.length === 1 ? held : Buffer.concat(parts, length)
    if (length === 0 && n > 0) return null
    if (length < n) throw new AppError('backup_damaged')
    held = all.subarray(n)
    return all.subarray(0, n)
  }
  const need = async (n: number) => {
    const bytes = await take(n)
    if (bytes === null) throw new AppError('backup_damaged')
    return bytes
  }
  return { take, need }
}
