/** The list as servers take it: a cdb file, made when somebody asks and something has changed, and the text that can be imported again. */
import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { BlackScope } from '@tidegate/contract/black'
import { type BlackConfig, blackExceptions } from '@tidegate/contract/config/black'
import { CDB_HEAD } from '@tidegate/engine-files/cdb'
import { createBlackFile } from '@tidegate/engine-files/dnsdist-black'
import { sql } from 'drizzle-orm'
import type { Db, Queryable, Tx } from '../../platform/db.ts'
import { rows } from '../../platform/query.ts'
import { readState } from './list.ts'

const BATCH = 20_000
const STALE_MS = 3_600_000

interface Keyed {
  key: string
  scope: BlackScope
}

const SNAPSHOT = { isolationLevel: 'repeatable read', accessMode: 'read only' } as const

/** `com.example.` back to `example.com`. */
const nameOf = (key: string) => key.slice(0, -1).split('.').reverse().join('.')

/** Entries in the order of their keys, by batches. */
async function* batches(on: Queryable, onlyEnabled: boolean): AsyncGenerator<Keyed[]> {
  for (let last = ''; ; ) {
    const found = await rows<{ key: string; scope: BlackScope; enabled: boolean }>(
      on,
      sql`SELECT sort_key AS key, scope, enabled FROM dns_black WHERE sort_key > ${last} ORDER BY sort_key LIMIT ${BATCH}`,
    )
    yield onlyEnabled ? found.filter((one) => one.enabled) : found
    if (found.length < BATCH) return
    last = found.at(-1)?.key ?? ''
  }
}

/** Writes the cdb file; answers its SHA-256. */
const writeFile = async (tx: Tx, path: string, exceptions: readonly string[]): Promise<string> => {
  const black = createBlackFile(exceptions)
  const file = await open(path, 'w+', 0o600)
  try {
    let at = CDB_HEAD
    const append = async (bytes: Uint8Array) => {
      await file.write(bytes, 0, bytes.length, at)
      at += bytes.length
    }
    for await (const batch of batches(tx, true)) {
      for (const { key, scope } of batch) black.add(key, scope)
      await append(black.take())
    }
    const { head, tables } = black.end()
    await append(tables)
    await file.write(head, 0, head.length, 0)
    const hash = createHash('sha256')
    for await (const chunk of file.createReadStream({ start: 0, autoClose: false })) hash.update(chunk as Buffer)
    return hash.digest('hex')
  } finally {
    await file.close()
  }
}

interface Compiled {
  path: string
  hash: string
}

export interface CompilerDeps {
  db: Db
  config(): Promise<BlackConfig>
  /** Folder of the made file; its own. */
  dir: string
}

export interface Compiler {
  /** SHA-256 of the present list's file. */
  hash(): Promise<string>
  /** The file; no bytes when it is the one that the caller has. */
  read(have: string): Promise<{ hash: string; size: number; body: Readable }>
}

const PART = /^part-/

/** Takes away what is not this file; parts of a process that was killed too. */
const tidy = async (dir: string, kept: string) => {
  for (const name of await readdir(dir)) {
    const path = join(dir, name)
    const old = PART.test(name) && Date.now() - (await stat(path)).mtimeMs > STALE_MS
    if (old || (!PART.test(name) && path !== kept)) await rm(path, { force: true })
  }
}

/** The file is made once for a state of list and exceptions, however many ask at a time. */
export const createCompiler = ({ db, config, dir }: CompilerDeps): Compiler => {
  let made: { state: string; file: Promise<Compiled> } | null = null
  const make = async (exceptions: readonly string[]): Promise<Compiled> => {
    await mkdir(dir, { recursive: true, mode: 0o700 })
    const part = join(dir, `part-${randomUUID()}`)
    try {
      const hash = await db.transaction((tx) => writeFile(tx, part, exceptions), SNAPSHOT)
      const path = join(dir, `${hash}.cdb`)
      await rename(part, path)
      await tidy(dir, path)
      return { path, hash }
    } catch (error) {
      await rm(part, { force: true })
      throw error
    }
  }
  const current = async (): Promise<Compiled> => {
    const exceptions = blackExceptions(await config())
    const state = `${(await readState(db)).revision} ${exceptions.join(' ')}`
    if (made?.state !== state) {
      const own = { state, file: make(exceptions) }
      made = own
      // A failure is not remembered.
      own.file.catch(() => {
        if (made === own) made = null
      })
    }
    return await made.file
  }
  const opened = async ({ path }: Compiled) => {
    const handle = await open(path)
    return { size: (await handle.stat()).size, body: handle.createReadStream() }
  }
  return {
    hash: async () => (await current()).hash,
    read: async (have) => {
      const file = await current()
      if (file.hash === have) return { hash: have, size: 0, body: Readable.from([]) }
      try {
        return { hash: file.hash, ...(await opened(file)) }
      } catch {
        // A newer one has taken its place, or somebody has removed it.
        made = null
        const again = await current()
        return { hash: again.hash, ...(await opened(again)) }
      }
    },
  }
}

/** The whole list as lines that can be imported again. */
export const textOf = (db: Db): Readable => {
  async function* lines() {
    for await (const batch of batches(db, false))
      yield batch.map(({ key, scope }) => `${scope === 'tree' ? '*.' : ''}${nameOf(key)}\n`).join('')
  }
  return Readable.from(lines(), { objectMode: false })
}
