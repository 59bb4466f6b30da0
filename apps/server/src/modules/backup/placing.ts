/**
 * Master key and uploads follow a restored database: they are made ready beside their places before the transaction ends and moved right
 * after it. A process that dies in between leaves a mark that says of which restore they are; whoever comes next finds out from the
 * database whether that one was committed, and moves them or throws them away.
 */
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'

const KEY = 'restored'
export const stagedFiles = (dataDir: string): string => join(dataDir, 'uploads.restored')
const stagedKey = (dataDir: string) => join(dataDir, 'master.key.restored')
const markFile = (dataDir: string) => join(dataDir, 'restore.mark')

export const stageKey = (dataDir: string, key: Buffer): Promise<void> =>
  writeFile(stagedKey(dataDir), `${key.toString('hex')}\n`, { mode: 0o600, flush: true })

/** Within the restore's transaction. */
export const markPlaced = async (client: pg.Client, dataDir: string, id: string): Promise<void> => {
  await mkdir(stagedFiles(dataDir), { recursive: true, mode: 0o700 })
  await writeFile(markFile(dataDir), id, { mode: 0o600, flush: true })
  await client.query(
    `INSERT INTO installation (key, value) VALUES ($1, to_jsonb($2::text))
     ON CONFLICT (key) DO UPDATE SET value = excluded.value, updated_at = now()`,
    [KEY, id],
  )
}

/** Whether the database is what the restore of this id made. */
export const isCommitted = async (client: pg.Client, id: string): Promise<boolean> => {
  const { rows } = await client.query("SELECT to_regclass('public.installation') IS NOT NULL AS there")
  if (!rows[0]?.there) return false
  const found = await client.query("SELECT FROM installation WHERE key = $1 AND value #>> '{}' = $2", [KEY, id])
  return (found.rowCount ?? 0) > 0
}

const moveKey = async (dataDir: string) => {
  // Gone: it was moved before, or the environment fixes the key.
  await rename(stagedKey(dataDir), join(dataDir, 'master.key')).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
}

const moveFiles = async (dataDir: string) => {
  const place = join(dataDir, 'uploads')
  const staged = stagedFiles(dataDir)
  const isThere = await readFile(staged).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code === 'EISDIR',
  )
  if (!isThere) return
  await rm(`${place}.old`, { recursive: true, force: true })
  await rename(place, `${place}.old`).catch(() => {})
  await rename(staged, place)
  await rm(`${place}.old`, { recursive: true, force: true })
}

/** Brings an earlier restore's key and files to its end, or throws away those of one that was not committed. */
export const finishPlacing = async (client: pg.Client, dataDir: string): Promise<void> => {
  const id = await readFile(markFile(dataDir), 'utf8').catch(() => null)
  if (id !== null && (await isCommitted(client, id))) {
    await moveKey(dataDir)
    await moveFiles(dataDir)
  }
  await rm(stagedKey(dataDir), { force: true })
  await rm(stagedFiles(dataDir), { recursive: true, force: true })
  await rm(markFile(dataDir), { force: true })
}
