/** Uploads: images by purpose, kept on disk or in S3, served under names that nobody can guess, removed when nothing names them. */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { StorageConfig } from '@tidegate/contract/config/services'
import {
  IMAGE_TYPES,
  imageTypeOf,
  sizeText,
  UPLOAD_PURPOSES,
  UPLOADS_PER_DAY,
  type UploadPurpose,
} from '@tidegate/contract/uploads'
import { and, count, eq, gt, inArray, lt, sum } from 'drizzle-orm'
import type { Caller, Handlers } from '../../platform/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db, Queryable } from '../../platform/db.ts'
import { AppError, fieldError } from '../../platform/errors.ts'
import type { Log } from '../../platform/log.ts'
import { diskStore, type ObjectStore, s3Store } from '../../platform/object-store.ts'
import type { Part } from '../../platform/part.ts'
import { taskKind } from '../../platform/task.ts'
import { audit } from '../audit/index.ts'
import { uploads } from './schema.ts'

/** Of these names, those that the module still shows somewhere. */
export type UploadsInUse = (names: readonly string[]) => Promise<ReadonlySet<string>>

export interface UploadDeps {
  db: Db
  clock: Clock
  log: Log
  /** Folder of the installation; uploads are kept below it. */
  dataDir: string
  storage(): Promise<StorageConfig>
  /** Who knows what is in use, by purpose. Files of a purpose that nobody knows are kept. */
  inUse: Partial<Record<UploadPurpose, UploadsInUse>>
}

const NAME = /^[a-z0-9]{32}\.(?:png|jpg|gif|webp|ico)$/
const DAY_MS = 24 * 3_600_000
const PRUNE_AT_ONCE = 500

/** Bytes -> their type; a field error where the purpose takes no such image, or no image of that size. */
const checked = (purpose: UploadPurpose, file: Uint8Array) => {
  const { max, types } = UPLOAD_PURPOSES[purpose]
  const type = imageTypeOf(file)
  if (type === null || !(types as readonly string[]).includes(type))
    throw fieldError('file', 'image_type', { types: types.join(', ').toUpperCase() })
  if (file.length > max) throw fieldError('file', 'image_size', { max: sizeText(max) })
  return type
}

const mayUpload = (caller: Caller, purpose: UploadPurpose) => {
  const { permission } = UPLOAD_PURPOSES[purpose]
  if (permission !== null && !caller.permissions.has(permission)) throw new AppError('forbidden')
}

export interface UploadModule extends Part {
  handlers: Handlers<'upload.save'>
  read(name: string): Promise<{ type: string; body: Uint8Array } | null>
  /** Of these names, those that the caller put there for the purpose. */
  owned(on: Queryable, names: readonly string[], purpose: UploadPurpose, caller: Caller): Promise<ReadonlySet<string>>
  /** Removes what has been uploaded a day ago and is shown nowhere. Answers how many. */
  prune(): Promise<number>
  totals(): Promise<{ files: number; bytes: number }>
}

export const createUploadModule = (deps: UploadDeps): UploadModule => {
  const { db, clock } = deps
  const disk = diskStore(join(deps.dataDir, 'uploads'))
  let s3: { of: string; store: Promise<ObjectStore> } | undefined
  const storeOf = async (kind: 'disk' | 's3'): Promise<ObjectStore> => {
    if (kind === 'disk') return disk
    const settings = await deps.storage()
    const of = JSON.stringify(settings)
    if (s3?.of !== of) s3 = { of, store: s3Store({ ...settings, prefix: settings.prefix }) }
    return await s3.store
  }
  const kept = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (cause) {
      if (cause instanceof AppError) throw cause
      deps.log.error({ err: cause instanceof Error ? cause.message : String(cause) }, 'storage of uploads failed')
      throw new AppError('storage_failed', { cause })
    }
  }
  const mustBeFew = async (caller: Caller) => {
    const since = new Date(clock.now() - DAY_MS)
    const [row] = await db
      .select({ n: count() })
      .from(uploads)
      .where(and(eq(uploads.ownerKind, caller.kind), eq(uploads.ownerId, caller.id), gt(uploads.createdAt, since)))
    if ((row?.n ?? 0) >= UPLOADS_PER_DAY) throw new AppError('too_many', { params: { seconds: 3600 } })
  }

  const save: UploadModule['handlers']['upload.save'] = async ({ purpose, file }, caller) => {
    mayUpload(caller, purpose)
    const ext = checked(purpose, file)
    await mustBeFew(caller)
    const name = `${randomBytes(16).toString('hex')}.${ext}`
    const type = IMAGE_TYPES[ext]
    const kind = (await deps.storage()).type === 's3' ? 's3' : 'disk'
    await db.transaction(async (tx) => {
      const size = file.length
      const owner = { ownerKind: caller.kind, ownerId: caller.id }
      await tx
        .insert(uploads)
        .values({ name, purpose, type, size, store: kind, ...owner, createdAt: new Date(clock.now()) })
      await audit(tx, caller, {
        action: 'upload.save',
        target: `upload ${name}`,
        after: { purpose, type, size, store: kind },
      })
      await kept(async () => (await storeOf(kind)).put(name, file, type))
    })
    return { url: `/uploads/${name}`, type, size: file.length }
  }

  const read: UploadModule['read'] = async (name) => {
    if (!NAME.test(name)) return null
    const [row] = await db.select().from(uploads).where(eq(uploads.name, name))
    if (!row) return null
    const body = await kept(async () => (await storeOf(row.store)).get(name))
    return body && { type: row.type, body }
  }

  const prune = async () => {
    const before = new Date(clock.now() - DAY_MS)
    let removed = 0
    for (const [purpose, inUse] of Object.entries(deps.inUse)) {
      const old = await db
        .select()
        .from(uploads)
        .where(and(eq(uploads.purpose, purpose), lt(uploads.createdAt, before)))
      for (let i = 0; i < old.length; i += PRUNE_AT_ONCE) {
        const rows = old.slice(i, i + PRUNE_AT_ONCE)
        const used = await inUse(rows.map((row) => row.name))
        const gone = rows.filter((row) => !used.has(row.name))
        for (const row of gone) await kept(async () => (await storeOf(row.store)).remove(row.name))
        if (gone.length > 0)
          await db.delete(uploads).where(
            inArray(
              uploads.name,
              gone.map((row) => row.name),
            ),
          )
        removed += gone.length
      }
    }
    return removed
  }

  return {
    name: 'upload',
    handlers: { 'upload.save': save },
    read,
    owned: async (on, names, purpose, { kind, id }) => {
      const found = await on
        .select({ name: uploads.name })
        .from(uploads)
        .where(
          and(
            inArray(uploads.name, [...names]),
            eq(uploads.purpose, purpose),
            eq(uploads.ownerKind, kind),
            eq(uploads.ownerId, id),
          ),
        )
      return new Set(found.map((row) => row.name))
    },
    prune,
    totals: async () => {
      const [row] = await db.select({ files: count(), bytes: sum(uploads.size) }).from(uploads)
      return { files: row?.files ?? 0, bytes: Number(row?.bytes ?? 0) }
    },
    tasks: [
      taskKind({
        kind: 'upload.prune',
        title: { zh: '清理上传文件', en: 'Upload clean-up' },
        about: { zh: '删除没有被使用的上传文件', en: 'Deletes uploaded files that nothing uses.' },
        cron: '27 4 * * *',
        timeout: 3600,
        run: async () => ({ removed: await prune() }),
      }),
    ],
  }
}
