/** Exports: whole lists as files. Asked for here, made by the worker, fetched by who asked, removed after a day. */
import { createReadStream } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type ErrorKey, errorText } from '@tidegate/contract/errors'
import { EXPORT_KEEP_HOURS, EXPORT_MAX_ACTIVE } from '@tidegate/contract/limits'
import type { ExportRow } from '@tidegate/contract/operations/export'
import { type InputOf, operationById } from '@tidegate/contract/operations/index'
import { and, count, desc, eq, inArray, lte, sql } from 'drizzle-orm'
import type { Caller, FileBody, Handlers } from '../../platform/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db.ts'
import { AppError, fieldError } from '../../platform/errors.ts'
import type { Exportable } from '../../platform/exportable.ts'
import { addJob } from '../../platform/jobs.ts'
import type { Log } from '../../platform/log.ts'
import { page } from '../../platform/page.ts'
import type { Part } from '../../platform/part.ts'
import { taskKind } from '../../platform/task.ts'
import { audit } from '../audit/index.ts'
import { runExport } from './run.ts'
import { type ExportJob, exportJobs } from './schema.ts'

export interface ExportDeps {
  db: Db
  clock: Clock
  log: Log
  /** Lists that can be exported; asked for late, since every module may give some. */
  lists(): readonly Exportable[]
  /** IANA name of the installation's zone. */
  timeZone(): string
  diskLow(): boolean
  /** Path of an export's file. */
  fileOf(id: number): string
  /** Tests cut sooner. */
  maxRows(): number
}

/** Who does not hold the list's permission may neither make nor have its file. */
const mustRead = (list: Exportable, caller: Caller) => {
  const { permission } = operationById(list.list)
  if (permission !== 'login' && !(permission && caller.permissions.has(permission))) throw new AppError('forbidden')
}

/** One of the lists that the caller's audience has; others are not told of. */
const listOf = (deps: ExportDeps, id: string, caller: Caller): Exportable => {
  const lists = deps.lists().filter((one) => ['any', caller.kind].includes(operationById(one.list).audience))
  const found = lists.find((one) => one.list === id)
  if (found === undefined) throw fieldError('list', 'not_one_of', { values: lists.map((one) => one.list).join(', ') })
  return found
}

/** The columns asked for, each once; all when none was named. */
const columnsOf = (list: Exportable, wanted: readonly string[] | undefined): string[] => {
  const known = list.columns.map((column) => column.key)
  const foreign = wanted?.findIndex((key) => !known.includes(key)) ?? -1
  if (foreign >= 0) throw fieldError(`columns.${foreign}`, 'not_one_of', { values: known.join(', ') })
  return [...new Set(wanted ?? known)]
}

/** The list's input without its page; throws at the field that is wrong. */
const queryOf = (list: Exportable, query: Record<string, unknown>): Record<string, unknown> => {
  const { page: _page, limit: _limit, ...rest } = query
  const parsed = operationById(list.list).input.safeParse(rest)
  if (!parsed.success) throw fieldError(['query', ...(parsed.error.issues[0]?.path ?? [])].join('.'), 'invalid')
  return rest
}

const owned = (caller: Caller) => and(eq(exportJobs.ownerKind, caller.kind), eq(exportJobs.ownerId, caller.id))

const start = (deps: ExportDeps, input: InputOf<'export.start'>, caller: Caller): Promise<number> => {
  const list = listOf(deps, input.list, caller)
  mustRead(list, caller)
  const columns = columnsOf(list, input.columns)
  const query = queryOf(list, input.query)
  const now = deps.clock.now()
  return deps.db.transaction(async (tx) => {
    // Two clicks at once count as two.
    await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtext(${`export ${caller.kind}`}), ${caller.id}::int)`)
    const [active] = await tx
      .select({ n: count() })
      .from(exportJobs)
      .where(and(owned(caller), inArray(exportJobs.state, ['waiting', 'running'])))
    if ((active?.n ?? 0) >= EXPORT_MAX_ACTIVE) throw new AppError('export_busy', { params: { max: EXPORT_MAX_ACTIVE } })
    const [made] = await tx
      .insert(exportJobs)
      .values({
        ownerKind: caller.kind,
        ownerId: caller.id,
        list: list.list,
        query,
        columns,
        caller: { ...caller, permissions: [...caller.permissions] },
        createdAt: new Date(now),
        expiresAt: new Date(now + EXPORT_KEEP_HOURS * 3_600_000),
      })
      .returning({ id: exportJobs.id })
    const id = made?.id ?? 0
    await audit(tx, caller, { action: 'export.start', target: `export ${id}`, after: { list: list.list, query } })
    await addJob(tx, 'export.run', { id }, { maxAttempts: 3 })
    return id
  })
}

const present = (job: ExportJob, caller: Caller): ExportRow => ({
  id: job.id,
  list: job.list,
  state: job.state,
  rows: job.rowCount,
  bytes: job.bytes,
  cut: job.cut,
  error: job.error === '' ? '' : errorText(job.error as ErrorKey, caller.lang),
  createTime: job.createdAt.toISOString(),
  expires: job.expiresAt.toISOString(),
})

/** One's own export that is still kept; throws `not_found`. */
const find = async (deps: ExportDeps, id: number, caller: Caller): Promise<ExportJob> => {
  const [job] = await deps.db
    .select()
    .from(exportJobs)
    .where(and(eq(exportJobs.id, id), owned(caller)))
  if (job === undefined || job.expiresAt.getTime() <= deps.clock.now()) throw new AppError('not_found')
  return job
}

const ownList = async (deps: ExportDeps, input: InputOf<'export.list'>, caller: Caller) => {
  const mine = and(owned(caller), sql`${exportJobs.expiresAt} > ${new Date(deps.clock.now()).toISOString()}`)
  const [total] = await deps.db.select({ n: count() }).from(exportJobs).where(mine)
  const jobs = await deps.db
    .select()
    .from(exportJobs)
    .where(mine)
    .orderBy(desc(exportJobs.id))
    .limit(input.limit)
    .offset((input.page - 1) * input.limit)
  return page(
    input,
    total?.n ?? 0,
    jobs.map((job) => present(job, caller)),
  )
}

/** The day and minute of the asking, in the installation's zone: sites-20261121-1403.csv */
const nameOf = (deps: ExportDeps, list: Exportable, job: ExportJob) => {
  const stamp = job.createdAt.toLocaleString('sv-SE', { timeZone: deps.timeZone() })
  return `${list.name}-${stamp.slice(0, 16).replace(/[-:]/g, '').replace(' ', '-')}.csv`
}

const download = async (deps: ExportDeps, id: number, caller: Caller): Promise<FileBody> => {
  const job = await find(deps, id, caller)
  const list = listOf(deps, job.list, caller)
  mustRead(list, caller)
  if (job.state !== 'done') throw new AppError('export_unready')
  const path = deps.fileOf(id)
  const size = await stat(path).then(
    (file) => file.size,
    () => {
      throw new AppError('not_found')
    },
  )
  await audit(deps.db, caller, { action: 'export.download', target: `export ${id}`, after: { list: job.list } })
  return { type: 'text/csv; charset=utf-8', name: nameOf(deps, list, job), size, body: createReadStream(path) }
}

/** Removes what has expired, and files that no row knows; answers how many exports went. */
const retention = async (deps: ExportDeps): Promise<number> => {
  const gone = await deps.db
    .delete(exportJobs)
    .where(lte(exportJobs.expiresAt, new Date(deps.clock.now())))
    .returning({ id: exportJobs.id })
  for (const { id } of gone) await rm(deps.fileOf(id), { force: true })
  const dir = join(deps.fileOf(0), '..')
  const kept = new Set((await deps.db.select({ id: exportJobs.id }).from(exportJobs)).map(({ id }) => id))
  for (const name of await readdir(dir).catch((): string[] => []))
    if (!kept.has(Number.parseInt(name, 10))) await rm(join(dir, name), { force: true })
  return gone.length
}

interface ExportPart extends Part {
  handlers: Handlers<'export.start' | 'export.info' | 'export.list' | 'export.download'>
}

export const createExportModule = (deps: ExportDeps): ExportPart => ({
  name: 'export',
  handlers: {
    'export.start': async (input, caller) => ({ id: await start(deps, input, caller) }),
    'export.info': async ({ id }, caller) => ({ data: present(await find(deps, id, caller), caller) }),
    'export.list': (input, caller) => ownList(deps, input, caller),
    'export.download': ({ id }, caller) => download(deps, id, caller),
  },
  jobs: [{ name: 'export.run', run: (payload) => runExport(deps, Number((payload as { id?: unknown }).id)) }],
  tasks: [
    taskKind({
      kind: 'export.retention',
      title: { zh: '清理导出文件', en: 'Export clean-up' },
      about: { zh: '删除过期的导出文件', en: 'Deletes exported files that have expired.' },
      cron: '23 * * * *',
      run: async () => ({ removed: await retention(deps) }),
    }),
  ],
})
