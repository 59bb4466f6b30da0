/** Where files are kept: a folder, or storage that speaks S3. Keys are ours: letters, digits, dots. */
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface ObjectStore {
  put(key: string, body: Uint8Array, type: string): Promise<void>
  /** null: there is none. */
  get(key: string): Promise<Uint8Array | null>
  /** Nothing happens when there is none. */
  remove(key: string): Promise<void>
}

const isMissing = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT'

/** A folder of this machine; files are written whole, then renamed. */
export const diskStore = (dir: string): ObjectStore => {
  const file = (key: string) => join(dir, key.slice(0, 2), key)
  return {
    put: async (key, body) => {
      await mkdir(join(dir, key.slice(0, 2)), { recursive: true, mode: 0o700 })
      await writeFile(`${file(key)}.new`, body, { mode: 0o600 })
      await rename(`${file(key)}.new`, file(key))
    },
    get: async (key) => {
      try {
        return await readFile(file(key))
      } catch (error) {
        if (isMissing(error)) return null
        throw error
      }
    },
    remove: (key) => rm(file(key), { force: true }),
  }
}

export interface S3Settings {
  endpoint: string
  region: string
  bucket: string
  /** Before each key, e.g. `tidegate/`; may be empty. */
  prefix: string
  accessKeyId: string
  secretAccessKey: string
}

const TIMEOUT_MS = 15_000

/** A client by path-style addresses, and the library's commands. */
export const openS3 = async ({ endpoint, region, accessKeyId, secretAccessKey }: S3Settings) => {
  // Loaded where it is needed: it is large, and most installations keep files on disk.
  const library = await import('@aws-sdk/client-s3')
  const client = new library.S3Client({
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey },
    forcePathStyle: true,
    maxAttempts: 2,
    // With the default, other makers' servers store the checksum's framing as part of the body.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  return { client, library }
}

/** Storage that speaks S3. */
export const s3Store = async (settings: S3Settings): Promise<ObjectStore> => {
  const { client, library } = await openS3(settings)
  const { PutObjectCommand, GetObjectCommand, DeleteObjectCommand, NoSuchKey } = library
  const { bucket, prefix } = settings
  const at = (key: string) => ({ Bucket: bucket, Key: prefix + key })
  const within = () => ({ abortSignal: AbortSignal.timeout(TIMEOUT_MS) })
  return {
    put: async (key, body, type) => {
      await client.send(new PutObjectCommand({ ...at(key), Body: body, ContentType: type }), within())
    },
    get: async (key) => {
      try {
        const { Body } = await client.send(new GetObjectCommand(at(key)), within())
        return Body ? await Body.transformToByteArray() : null
      } catch (error) {
        if (error instanceof NoSuchKey) return null
        throw error
      }
    },
    remove: async (key) => {
      await client.send(new DeleteObjectCommand(at(key)), within())
    },
  }
}
