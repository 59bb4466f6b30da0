/**
 * A restore that was asked for in the console is done by the next start of the control plane, when nothing remembers the old state. What to do
 * stands in a file beside the staged backup, what became of it in another: the database itself is what is replaced.
 */
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ERRORS, type ErrorKey } from '@tidegate/contract/errors'
import { restoreOutcome } from '@tidegate/contract/operations/backup'
import { z } from 'zod'

const request = z.object({
  id: z.string(),
  /** Of the backup, for people. */
  name: z.string(),
  /** Where its bytes are. */
  path: z.string(),
  /** Sealed by the installation's master key, bound to the id. */
  passphrase: z.string(),
  /** By which it is asked what became of it. */
  request: z.string().default(''),
  by: z.object({ name: z.string(), ip: z.string(), userAgent: z.string(), requestId: z.string() }),
})
export type RestoreRequest = z.infer<typeof request>

/** Another release may have known others. */
const isErrorKey = (key: string): key is ErrorKey => Object.hasOwn(ERRORS, key)

/** As it is kept: what went wrong is put into words for who asks. */
const outcome = restoreOutcome.extend({
  id: z.string(),
  /** Key of the error table; '' = none. */
  error: z.string().transform((key) => (key === '' || isErrorKey(key) ? key : 'internal')),
  params: z.record(z.string(), z.union([z.string(), z.number()])),
})
export type StoredOutcome = z.infer<typeof outcome>

export const requestAad = (id: string): string => `restore ${id} passphrase`

export interface RestoreFiles {
  /** Folder for staged backups. */
  dir: string
  ask(what: RestoreRequest): Promise<void>
  /** Takes back what was asked for under this id. */
  withdraw(id: string): Promise<void>
  /** Whether one was asked for and has not come to its end. */
  waits(): Promise<boolean>
  /** The request, from now on under way; it is taken once. `interrupted`: one that was under way when its process ended. */
  take(): Promise<{ request: RestoreRequest; interrupted: boolean } | null>
  /** Writes what became of it and removes what was staged. */
  end(what: StoredOutcome, staged: string): Promise<void>
  outcome(): Promise<StoredOutcome | null>
}

export const restoreFiles = (dataDir: string): RestoreFiles => {
  const dir = join(dataDir, 'restore')
  const [asked, taken, ended] = ['request.json', 'taken.json', 'outcome.json'].map((name) => join(dir, name)) as [
    string,
    string,
    string,
  ]
  const read = async <T>(file: string, schema: z.ZodType<T>): Promise<T | null> => {
    const text = await readFile(file, 'utf8').catch(() => null)
    if (text === null) return null
    const parsed = schema.safeParse(JSON.parse(text))
    return parsed.success ? parsed.data : null
  }
  const write = async (file: string, value: object) => {
    await mkdir(dir, { recursive: true, mode: 0o700 })
    await writeFile(`${file}.new`, JSON.stringify(value), { mode: 0o600, flush: true })
    await rename(`${file}.new`, file)
  }
  return {
    dir,
    ask: (what) => write(asked, what),
    withdraw: async (id) => {
      if ((await read(asked, request))?.id === id) await rm(asked, { force: true })
    },
    waits: async () => ((await read(asked, request)) ?? (await read(taken, request))) !== null,
    take: async () => {
      const before = await read(taken, request)
      if (before !== null) return { request: before, interrupted: true }
      const waiting = await read(asked, request)
      if (waiting === null) return null
      await rename(asked, taken)
      return { request: waiting, interrupted: false }
    },
    end: async (what, staged) => {
      await write(ended, what)
      await rm(taken, { force: true })
      if (staged.startsWith(dir)) await rm(staged, { force: true })
    },
    outcome: () => read(ended, outcome),
  }
}
