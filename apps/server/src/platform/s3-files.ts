/** Large files in storage that speaks S3: written while they are made, in parts, so that neither memory nor disk holds the whole. */
import type { Readable } from 'node:stream'
import { openS3, type S3Settings } from './object-store.ts'

export interface S3File {
  key: string
  bytes: number
}

export interface S3Files {
  /** Whole or not at all; answers the bytes. */
  put(key: string, body: AsyncIterable<Buffer>): Promise<number>
  /** null: there is none. `first`: no more than so many bytes. */
  get(key: string, first?: number): Promise<{ bytes: number; body: Readable } | null>
  list(): Promise<S3File[]>
  remove(key: string): Promise<void>
}

/** Ten thousand parts are possible: 320 GB. */
const PART = 32 * 1024 * 1024
const PART_TIMEOUT_MS = 300_000
const TIMEOUT_MS = 30_000
const TYPE = 'application/octet-stream'

const within = (ms: number) => ({ abortSignal: AbortSignal.timeout(ms) })

/** The bytes in parts of the same size, the last shorter; at least one. */
async function* parts(body: AsyncIterable<Buffer>): AsyncGenerator<{ bytes: Buffer; last: boolean }> {
  let held: Buffer[] = []
  let size = 0
  for await (const piece of body) {
    held.push(piece)
    size += piece.length
    if (size <= PART) continue
    const all = Buffer.concat(held, size)
    yield { bytes: all.subarray(0, PART), last: false }
    // A copy: a view would keep the whole part's memory.
    held = [Buffer.from(all.subarray(PART))]
    size -= PART
  }
  yield { bytes: Buffer.concat(held, size), last: true }
}

export const s3Files = async (settings: S3Settings): Promise<S3Files> => {
  const { client, library } = await openS3(settings)
  const { bucket, prefix } = settings
  const at = (key: string) => ({ Bucket: bucket, Key: prefix + key })

  const putParts = async (key: string, first: Buffer, rest: AsyncGenerator<{ bytes: Buffer }>): Promise<number> => {
    const begin = new library.CreateMultipartUploadCommand({ ...at(key), ContentType: TYPE })
    const { UploadId } = await client.send(begin, within(TIMEOUT_MS))
    const done: { ETag: string | undefined; PartNumber: number }[] = []
    const send = async (Body: Buffer) => {
      const PartNumber = done.length + 1
      const part = new library.UploadPartCommand({ ...at(key), UploadId, PartNumber, Body })
      done.push({ ETag: (await client.send(part, within(PART_TIMEOUT_MS))).ETag, PartNumber })
      return Body.length
    }
    try {
      let total = await send(first)
      for await (const { bytes } of rest) if (bytes.length > 0) total += await send(bytes)
      const all = { ...at(key), UploadId, MultipartUpload: { Parts: done } }
      await client.send(new library.CompleteMultipartUploadCommand(all), within(PART_TIMEOUT_MS))
      return total
    } catch (error) {
      // What was sent so far would be kept, and paid for.
      const abort = new library.AbortMultipartUploadCommand({ ...at(key), UploadId })
      await client.send(abort, within(TIMEOUT_MS)).catch(() => {})
      throw error
    }
  }

  return {
    put: async (key, body) => {
      const rest = parts(body)
      const { value } = await rest.next()
      if (value === undefined) throw new Error('nothing to store')
      if (!value.last) return await putParts(key, value.bytes, rest)
      const whole = new library.PutObjectCommand({ ...at(key), Body: value.bytes, ContentType: TYPE })
      await client.send(whole, within(PART_TIMEOUT_MS))
      return value.bytes.length
    },
    get: async (key, first) => {
      try {
        const range = first === undefined ? {} : { Range: `bytes=0-${first - 1}` }
        const found = await client.send(new library.GetObjectCommand({ ...at(key), ...range }))
        return { bytes: found.ContentLength ?? 0, body: found.Body as Readable }
      } catch (error) {
        if (error instanceof library.NoSuchKey) return null
        throw error
      }
    },
    list: async () => {
      const found: S3File[] = []
      let ContinuationToken: string | undefined
      do {
        const page = new library.ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, ContinuationToken })
        const answer = await client.send(page, within(TIMEOUT_MS))
        for (const { Key = '', Size = 0 } of answer.Contents ?? [])
          found.push({ key: Key.slice(prefix.length), bytes: Size })
        ContinuationToken = answer.IsTruncated ? answer.NextContinuationToken : undefined
      } while (ContinuationToken !== undefined)
      return found
    },
    remove: async (key) => {
      await client.send(new library.DeleteObjectCommand(at(key)), within(TIMEOUT_MS))
    },
  }
}
