/**
 * What became of every import and restore that was asked for, by the id that the asker gave it: for who lost the answer on the way. Kept as
 * files, because the database is what is replaced; it lives through restarts, and through the process that was asked.
 */
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  ERRORS,
  type ErrorKey,
  errorText,
  FIELD_ERRORS,
  type FieldErrorKey,
  fieldText,
} from '@tidegate/contract/errors'
import { type ImportOutcome, importOutcome } from '@tidegate/contract/operations/backup'
import { z } from 'zod'
import type { Caller } from '../../platform/caller.ts'
import { AppError } from '../../platform/errors.ts'

const stored = importOutcome.extend({
  /** Key of the error table, or of the field errors where `field` names one; '' = none. Another release may have known others. */
  error: z.string(),
  params: z.record(z.string(), z.union([z.string(), z.number()])),
})
type Stored = z.infer<typeof stored>

export interface Outcomes {
  /** Does the work under this id; what it throws is written down as the refusal. */
  during<T>(
    request: string,
    caller: Caller,
    name: string,
    /** `taken`: the restore is certain now, if the transaction commits. */
    work: (taken: () => Promise<void>) => Promise<T>,
  ): Promise<T>
  /** What became of the restore itself. `error` '' = it is done. */
  end(request: string, error: string, params: Readonly<Record<string, string | number>>, at: number): Promise<void>
  /** null: nothing of this id came here. */
  of(request: string, lang: Caller['lang']): Promise<ImportOutcome | null>
  /** The one that was asked for last; null: none. */
  last(lang: Caller['lang']): Promise<ImportOutcome | null>
}

const KEPT = 20
const BEAT_MS = 5_000
/** Nobody is at a check whose file was not touched for so long: its process ended. */
const SILENT_MS = 30_000

const isKey = <Key extends string>(table: Readonly<Record<Key, unknown>>, key: string): key is Key =>
  Object.hasOwn(table, key)

const worded = ({ params, ...found }: Stored, lang: Caller['lang']): ImportOutcome => {
  const { error, field } = found
  if (error === '') return found
  if (field !== '' && isKey<FieldErrorKey>(FIELD_ERRORS, error))
    return { ...found, error: fieldText(error, lang, params) }
  return { ...found, error: errorText(isKey<ErrorKey>(ERRORS, error) ? error : 'internal', lang, params) }
}

const refusal = (error: unknown): Pick<Stored, 'field' | 'error' | 'params'> => {
  if (!(error instanceof AppError)) return { field: '', error: 'internal', params: {} }
  const [fault] = error.details.fields ?? []
  if (fault) return { field: fault.path, error: fault.key, params: fault.params ?? {} }
  return { field: '', error: error.key, params: error.details.params ?? {} }
}

/** `now`: Unix ms. */
export const importOutcomes = (dataDir: string, now: () => number): Outcomes => {
  const dir = join(dataDir, 'imports')
  const fileOf = (request: string) => join(dir, `${request}.json`)
  const write = async (found: Stored) => {
    await mkdir(dir, { recursive: true, mode: 0o700 })
    const file = fileOf(found.request)
    await writeFile(`${file}.new`, JSON.stringify(found), { mode: 0o600, flush: true })
    await rename(`${file}.new`, file)
  }
  const read = async (request: string): Promise<Stored | null> => {
    const text = await readFile(fileOf(request), 'utf8').catch(() => null)
    const parsed = text === null ? null : stored.safeParse(JSON.parse(text))
    if (!parsed?.success) return null
    if (parsed.data.state !== 'checking') return parsed.data
    // By the clock of the file system, which touched it.
    const touched = await stat(fileOf(request)).catch(() => null)
    const silent = touched === null || Date.now() - touched.mtimeMs > SILENT_MS
    return silent ? { ...parsed.data, state: 'refused', error: 'restore_interrupted' } : parsed.data
  }
  const newestFirst = async () => {
    const names = (await readdir(dir).catch(() => [])).filter((name) => name.endsWith('.json'))
    const found = await Promise.all(names.map((name) => read(name.slice(0, -'.json'.length))))
    return found.filter((one) => one !== null).sort((a, b) => b.time.localeCompare(a.time))
  }
  const prune = async () => {
    for (const { request } of (await newestFirst()).slice(KEPT)) await rm(fileOf(request), { force: true })
  }
  const iso = (at: number) => new Date(at).toISOString()
  return {
    during: async (request, caller, name, work) => {
      const about = { request, by: caller.name, name, time: iso(now()), field: '', error: '', params: {} }
      // A second call of the same id must not write over what became of the first.
      if ((await read(request)) !== null) throw new AppError('proof_expired')
      await write({ ...about, state: 'checking' })
      const beats = setInterval(() => void utimes(fileOf(request), new Date(), new Date()).catch(() => {}), BEAT_MS)
      try {
        return await work(() => write({ ...about, state: 'restoring' }))
      } catch (error) {
        await write({ ...about, ...refusal(error), state: 'refused', time: iso(now()) })
        throw error
      } finally {
        clearInterval(beats)
        await prune()
      }
    },
    end: async (request, error, params, at) => {
      const found = await read(request)
      if (found === null) return
      await write({ ...found, state: error === '' ? 'done' : 'failed', time: iso(at), error, params: { ...params } })
    },
    of: async (request, lang) => {
      const found = await read(request)
      return found && worded(found, lang)
    },
    last: async (lang) => {
      const [found] = await newestFirst()
      return found === undefined ? null : worded(found, lang)
    },
  }
}
