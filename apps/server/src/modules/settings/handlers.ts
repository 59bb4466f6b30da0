/** `sys/config/*` over the records. */
import type { ConfigRow } from '@tidegate/contract/operations/config'
import type { Caller, Handlers } from '../../platform/caller.ts'
import { columnOf, page } from '../../platform/page.ts'
import { recordHistory } from './history.ts'
import { allRecords, type ConfigRecord, mayRead, presentRecord, recordFor, statusOf, type Wanted } from './records.ts'
import { changeRecord, deleteRecords, type RecordChange, restoreRecord, saveRecord, type WriteDeps } from './write.ts'

type ConfigIds =
  | 'config.list'
  | 'config.info'
  | 'config.info2'
  | 'config.kinfo'
  | 'config.toggle'
  | 'config.setStatus'
  | 'config.classes'
  | 'config.view'
  | 'config.save'
  | 'config.update'
  | 'config.delete'
  | 'config.history'
  | 'config.restore'

interface ListInput {
  page: number
  limit: number
  sidx?: string | undefined
  order?: 'asc' | 'desc' | undefined
  key?: string | undefined
  paramClass?: string | undefined
  status?: number | undefined
}

type Sort = (a: ConfigRow, b: ConfigRow) => number
const SORTS: Readonly<Record<string, Sort>> = {
  id: (a, b) => a.id - b.id,
  paramKey: (a, b) => (a.paramKey < b.paramKey ? -1 : 1),
  weight: (a, b) => a.weight - b.weight || a.id - b.id,
  status: (a, b) => a.status - b.status || a.id - b.id,
  updateTime: (a, b) => (a.updateTime < b.updateTime ? -1 : 1),
}

/** Some dozens of rows: filtered and sorted here. */
const listed = (rows: readonly ConfigRow[], input: ListInput) => {
  const text = input.key?.trim().toLowerCase() ?? ''
  const found = rows.filter(
    (row) =>
      (text === '' || `${row.paramKey} ${row.remark}`.toLowerCase().includes(text)) &&
      (input.paramClass === undefined || row.paramClass === input.paramClass) &&
      (input.status === undefined || row.status === input.status),
  )
  const by = columnOf(SORTS, input.sidx, SORTS.id ?? (() => 0))
  found.sort((a, b) => (input.order === 'desc' ? by(b, a) : by(a, b)))
  const from = (input.page - 1) * input.limit
  return page(input, found.length, found.slice(from, from + input.limit))
}

const readable = async (deps: WriteDeps, caller: Caller) =>
  (await allRecords(deps.db)).filter((record) => mayRead(caller, record))

const byClass = (rows: readonly ConfigRow[]) => {
  const classes = [...new Set(rows.map((row) => row.paramClass))]
  return classes.map((paramClass) => ({
    paramClass,
    records: rows
      .filter((row) => row.paramClass === paramClass)
      .map(({ id, paramKey, remark, status }) => ({ id, paramKey, remark, status })),
  }))
}

const saved = (record: ConfigRecord, caller: Caller) => {
  const { id, version } = presentRecord(record, caller)
  return { id, version }
}

/** What of the input a change carries. */
const changeOf = (input: { paramValue: string } & Omit<RecordChange, 'value'>): RecordChange => ({
  value: JSON.parse(input.paramValue) as unknown,
  status: input.status,
  remark: input.remark,
  weight: input.weight,
  version: input.version,
})

export const configHandlers = (deps: WriteDeps): Handlers<ConfigIds> => {
  const one = async (caller: Caller, wanted: Wanted) => ({
    data: presentRecord(await recordFor(deps.db, caller, wanted), caller),
  })
  const rows = async (caller: Caller) => (await readable(deps, caller)).map((record) => presentRecord(record, caller))
  return {
    'config.list': async (input, caller) => listed(await rows(caller), input),
    'config.info': ({ id }, caller) => one(caller, { id }),
    'config.info2': ({ key }, caller) => one(caller, { paramKey: key }),
    'config.kinfo': ({ key }, caller) => one(caller, { paramKey: key }),
    'config.toggle': async ({ id, status }, caller) => {
      const flip = (record: ConfigRecord) => ({ status: status ?? 1 - statusOf(record) })
      return { status: statusOf(await changeRecord(deps, caller, 'config.toggle', { id }, flip)) }
    },
    'config.setStatus': async ({ key, status }, caller) => {
      const record = await changeRecord(deps, caller, 'config.setStatus', { paramKey: key }, () => ({ status }))
      return { status: statusOf(record) }
    },
    'config.classes': async (_input, caller) => ({ data: byClass(await rows(caller)) }),
    'config.view': async (_input, caller) => ({
      data: Object.fromEntries(
        (await rows(caller)).map((row) => [row.paramKey, JSON.parse(row.paramValue) as unknown]),
      ),
    }),
    'config.save': async ({ paramKey, ...input }, caller) =>
      saved(await saveRecord(deps, caller, paramKey, changeOf(input)), caller),
    'config.update': async ({ id, paramKey, ...input }, caller) =>
      saved(await changeRecord(deps, caller, 'config.update', wantedBy(id, paramKey), () => changeOf(input)), caller),
    'config.delete': async ({ ids }, caller) => {
      await deleteRecords(deps, caller, ids)
      return {}
    },
    'config.history': async ({ id, ...input }, caller) =>
      recordHistory(deps.db, deps.secrets, await recordFor(deps.db, caller, { id }), input),
    'config.restore': async ({ id, version }, caller) => saved(await restoreRecord(deps, caller, id, version), caller),
  }
}

/** A key renames nothing: it must be the record's own. */
const wantedBy = (id: number, paramKey: string | undefined): Wanted => ({ id, ...(paramKey && { paramKey }) })
