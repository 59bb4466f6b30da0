/** Sealed batches on disk, gzipped as they will be sent: `<ulid>.json.gz`, oldest first, bounded by the caller through `bytes`. */
import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { ensureDir, syncDir, writeFileAtomic } from '../files.ts'

const SUFFIX = '.json.gz'
const NAME = /^([0-9A-HJKMNP-TV-Z]{26})\.json\.gz$/
const gzipped = promisify(gzip)

export type Spool = Readonly<{
  /** Writes a batch; durable when it resolves. */
  seal: (id: string, json: string) => Promise<void>
  has: (id: string) => boolean
  /** Ids, oldest first. */
  ids: () => string[]
  read: (id: string) => Promise<Buffer>
  remove: (id: string) => Promise<void>
  bytes: () => number
}>

/** Opens the folder, removes what a crash left half-written, counts what is there. */
export async function openSpool(dir: string): Promise<Spool> {
  await ensureDir(dir)
  const sizes = new Map<string, number>()
  for (const name of (await readdir(dir)).sort()) {
    const id = NAME.exec(name)?.[1]
    if (id !== undefined) sizes.set(id, (await stat(join(dir, name))).size)
    else if (name.endsWith('.tmp')) await rm(join(dir, name), { force: true })
  }
  let bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0)
  const path = (id: string) => join(dir, id + SUFFIX)
  return {
    seal: async (id, json) => {
      const data = await gzipped(json, { level: 1 })
      await writeFileAtomic(path(id), data)
      sizes.set(id, data.length)
      bytes += data.length
    },
    has: (id) => sizes.has(id),
    // Ids rise with time and are added in order.
    ids: () => [...sizes.keys()],
    read: (id) => readFile(path(id)),
    remove: async (id) => {
      await rm(path(id), { force: true })
      await syncDir(dir)
      bytes -= sizes.get(id) ?? 0
      sizes.delete(id)
    },
    bytes: () => bytes,
  }
}
