/** Durable files: what these functions have returned from survives a crash of the machine. Everything is 0600 / 0700. */
import { type FileHandle, mkdir, open, readFile, rename } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Makes a private folder (0700) and its parents. */
export async function ensureDir(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 })
}

async function withFile<T>(path: string, flags: string, work: (file: FileHandle) => Promise<T>): Promise<T> {
  const file = await open(path, flags, 0o600)
  try {
    return await work(file)
  } finally {
    await file.close()
  }
}

/** Makes renames and new names in a folder durable. */
export async function syncDir(path: string): Promise<void> {
  await withFile(path, 'r', (dir) => dir.sync())
}

/** Replaces a file atomically: temp, fsync, rename, fsync of the folder. */
export async function writeFileAtomic(path: string, data: string | Uint8Array): Promise<void> {
  const temp = `${path}.tmp`
  await withFile(temp, 'w', async (file) => {
    await file.writeFile(data)
    await file.sync()
  })
  await rename(temp, path)
  await syncDir(dirname(path))
}

/** Appends and syncs the data; not atomic: a reader must be able to do without a torn last line. */
export async function appendSynced(path: string, data: string): Promise<void> {
  await withFile(path, 'a', async (file) => {
    await file.writeFile(data)
    await file.datasync()
  })
}

/** The file's text, or undefined when it does not exist. Other errors are thrown. */
export async function readIfExists(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined
    throw error
  }
}

/** Whether a thrown value is a system error with this code. */
export function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
