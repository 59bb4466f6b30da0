/** The job: reads a list page by page within one snapshot and writes it to a file. */
import { type FileHandle, mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { ErrorKey } from '@tidegate/contract/errors'
import { operationById } from '@tidegate/contract/operations/index'
import { and, eq, inArray } from 'drizzle-orm'
import type { Caller } from '../../platform/caller.ts'
import type { Queryable, Tx } from '../../platform/db.ts'
import { AppError } from '../../platform/errors.ts'
import type { Exportable } from '../../platform/exportable.ts'
import { BOM, csvLine } from './csv.ts'
import type { ExportDeps } from './index.ts'
import { readerOf } from './reader.ts'
import { type ExportJob, exportJobs } from './schema.ts'

/** Largest page that lists give. */
const PAGE = 200

/** One query at a time: lists ask two at once, which a single connection cannot. */
const oneByOne = (tx: Tx): Queryable => {
  let tail: Promise<unknown> = Promise.resolve()
  const execute: Tx['execute'] = ((query: Parameters<Tx['execute']>[0]) => {
    const next = tail.then(() => tx.execute(query))
    tail = next.catch(() => {})
    return next
  }) as Tx['execute']
  return new Proxy(tx, { get: (target, name) => (name === 'execute' ? execute : Reflect.get(target, name)) })
}

interface Written {
  rows: number
  cut: boolean
}

interface Work {
  job: ExportJob
  list: Exportable
  file: FileHandle
  onRows(rows: number): Promise<void>
}

/** Writes title and rows; throws `low_disk` as soon as the disk gets short. */
const writeRows = async (deps: ExportDeps, on: Queryable, work: Work): Promise<Written> => {
  const { job, list, file } = work
  const caller: Caller = { ...job.caller, permissions: new Set(job.caller.permissions) }
  const reader = readerOf(caller.lang, deps.timeZone())
  const max = deps.maxRows()
  const titles = new Map(list.columns.map((column) => [column.key, reader.say(column.title)]))
  await file.appendFile(BOM + csvLine(job.columns.map((key) => titles.get(key) ?? key)))
  const schema = operationById(list.list).input
  let rows = 0
  for (let page = 1; ; page++) {
    if (deps.diskLow()) throw new AppError('low_disk')
    const found = await list.page(on, schema.parse({ ...job.query, page, limit: PAGE }), caller)
    const taken = found.slice(0, max - rows)
    await file.appendFile(taken.map((row) => csvLine(list.cells(row, job.columns, reader))).join(''))
    rows += taken.length
    if (taken.length < found.length) return { rows, cut: true }
    if (found.length < PAGE) return { rows, cut: false }
    await work.onRows(rows)
  }
}

/** Writes beside the place and moves there when whole: a half-written file is never found. */
const writeFile = async (deps: ExportDeps, job: ExportJob, list: Exportable, onRows: Work['onRows']) => {
  const path = deps.fileOf(job.id)
  const part = `${path}.part`
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const file = await open(part, 'w', 0o600)
  try {
    const written = await deps.db.transaction((tx) => writeRows(deps, oneByOne(tx), { job, list, file, onRows }), {
      isolationLevel: 'repeatable read',
      accessMode: 'read only',
    })
    await file.close()
    await rename(part, path)
    return { ...written, bytes: (await stat(path)).size }
  } catch (error) {
    await file.close()
    await rm(part, { force: true })
    throw error
  }
}

const reasonOf = (error: unknown): ErrorKey => (error instanceof AppError ? error.key : 'internal')

/** Makes the file of a waiting export; one whose worker died is made anew. What fails is written at the export, for its owner to see. */
export const runExport = async (deps: ExportDeps, id: number): Promise<void> => {
  const set = (values: Partial<ExportJob>) => deps.db.update(exportJobs).set(values).where(eq(exportJobs.id, id))
  const [job] = await deps.db
    .update(exportJobs)
    .set({ state: 'running', rowCount: 0 })
    .where(and(eq(exportJobs.id, id), inArray(exportJobs.state, ['waiting', 'running'])))
    .returning()
  const list = deps.lists().find((one) => one.list === job?.list)
  if (job === undefined) return
  try {
    if (list === undefined) throw new AppError('operation_unknown')
    const { rows, cut, bytes } = await writeFile(deps, job, list, async (rowCount) => void (await set({ rowCount })))
    await set({ state: 'done', rowCount: rows, cut, bytes })
  } catch (error) {
    if (!(error instanceof AppError)) deps.log.error({ err: error, export: id }, 'export failed')
    await set({ state: 'failed', error: reasonOf(error) })
  }
}
