/**
 * The last-known-good configuration on disk: `<node dir>/state/{sites,certs,challenges,purges}.jsonl` and `meta.json`, which the engine
 * reads at its start too. One item a line; the last line of a key counts; body null removes it. A change appends its lines and
 * then replaces meta.json, whose revision therefore never runs ahead of the lines. When dead lines outnumber the living ones
 * the files are written anew, and the ones before are kept in `state.prev/`.
 */
import { link, mkdir, open, rename, rm, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { groupSettings } from '@tidegate/contract/node/config'
import { z } from 'zod'
import { appendSynced, ensureDir, isCode, readIfExists, syncDir, writeFileAtomic } from '../files.ts'
import { type Change, engineItemOf, type ItemKind } from './item.ts'
import { refusedEntry } from './refused.ts'

export const STATE_FILES = {
  site: 'sites.jsonl',
  cert: 'certs.jsonl',
  challenge: 'challenges.jsonl',
  purge: 'purges.jsonl',
} as const
type FileKind = keyof typeof STATE_FILES
export const FILE_KINDS = ['cert', 'challenge', 'purge', 'site'] as const satisfies readonly FileKind[]

export const metaFile = z.object({
  revision: z.int(),
  settings: groupSettings.nullable(),
  settingsKey: z.string(),
  settingsHash: z.string(),
  scope: z.string(),
  refused: z.array(refusedEntry),
})
export type Meta = z.infer<typeof metaFile>

export const stateLine = z.object({ kind: z.string(), key: z.string(), hash: z.string(), body: z.unknown() })
export type StateLine = z.infer<typeof stateLine>

export function lineOf(change: Change): string {
  return `${JSON.stringify({ ...engineItemOf(change), hash: change.hash })}\n`
}

export const stateDir = (nodeDir: string) => join(nodeDir, 'state')
export const previousDir = (nodeDir: string) => join(nodeDir, 'state.prev')

/** Reads meta.json of a generation; undefined when there is none. Throws when it is damaged. */
export async function readMeta(dir: string): Promise<Meta | undefined> {
  const text = await readIfExists(join(dir, 'meta.json'))
  return text === undefined ? undefined : metaFile.parse(JSON.parse(text))
}

/** Reads one file's lines. A torn last line (crash while appending) is cut off; any other damage throws. */
export async function readStateLines(dir: string, kind: FileKind): Promise<StateLine[]> {
  const path = join(dir, STATE_FILES[kind])
  const text = await readIfExists(path)
  if (text === undefined || text === '') return []
  const end = text.lastIndexOf('\n') + 1
  if (end < text.length) await truncate(path, Buffer.byteLength(text.slice(0, end)))
  const lines = text.slice(0, end).split('\n')
  lines.pop()
  return lines.map((line) => stateLine.parse(JSON.parse(line)))
}

/** Appends changes to the files of their kinds. Settings live in meta.json. */
export async function appendChanges(dir: string, changes: readonly Change[]): Promise<void> {
  for (const kind of FILE_KINDS) {
    const lines = changes.filter((change) => change.kind === kind).map(lineOf)
    if (lines.length > 0) await appendSynced(join(dir, STATE_FILES[kind]), lines.join(''))
  }
}

export async function writeMeta(dir: string, meta: Meta): Promise<void> {
  await writeFileAtomic(join(dir, 'meta.json'), `${JSON.stringify(meta)}\n`)
}

async function writeLines(path: string, lines: Iterable<string>): Promise<void> {
  const file = await open(path, 'w', 0o600)
  try {
    let block = ''
    for (const line of lines) {
      block += line
      if (block.length > 1_000_000) {
        await file.writeFile(block)
        block = ''
      }
    }
    await file.writeFile(block)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Keeps the present files as the generation before, as hard links: the present ones are replaced, never rewritten in place. */
async function keepPrevious(nodeDir: string): Promise<void> {
  const previous = previousDir(nodeDir)
  await mkdir(previous, { recursive: true, mode: 0o700 })
  for (const name of [...Object.values(STATE_FILES), 'meta.json']) {
    const temp = join(previous, `${name}.tmp`)
    await rm(temp, { force: true })
    try {
      await link(join(stateDir(nodeDir), name), temp)
    } catch (error) {
      if (isCode(error, 'ENOENT')) continue
      throw error
    }
    await rename(temp, join(previous, name))
    // Renaming a link onto another link of the same file does nothing and leaves it behind.
    await rm(temp, { force: true })
  }
  await syncDir(previous)
}

/** Writes all files anew; meta.json comes last. */
export async function rewriteState(
  nodeDir: string,
  itemsOf: (kind: ItemKind) => Iterable<Change>,
  meta: Meta,
): Promise<void> {
  const dir = stateDir(nodeDir)
  await ensureDir(dir)
  await keepPrevious(nodeDir)
  for (const kind of FILE_KINDS) {
    const path = join(dir, STATE_FILES[kind])
    await writeLines(
      `${path}.tmp`,
      (function* () {
        for (const item of itemsOf(kind)) yield lineOf(item)
      })(),
    )
    await rename(`${path}.tmp`, path)
  }
  await writeMeta(dir, meta)
}

/** Bytes of the state files; absent ones count nothing. */
export async function stateBytes(nodeDir: string): Promise<number> {
  let bytes = 0
  for (const kind of FILE_KINDS) {
    try {
      bytes += (await stat(join(stateDir(nodeDir), STATE_FILES[kind]))).size
    } catch (error) {
      if (!isCode(error, 'ENOENT')) throw error
    }
  }
  return bytes
}
