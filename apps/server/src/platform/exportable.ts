/** How a module says that one of its lists can be had whole, as a file. */
import type { Lang } from '@tidegate/contract/enums'
import type { InputOf, ListId, ListRow } from '@tidegate/contract/operations/index'
import type { Caller } from './caller.ts'
import type { Queryable } from './db.ts'

/** Text is guarded against being taken for a formula; numbers are written as they are. */
export type Cell = string | number
export type Words = Readonly<Record<Lang, string>>

/** What the reader of a file needs words for. */
export interface Reader {
  /** An ISO time as 2026-11-21 14:03:22 in the installation's time zone; '' stays ''. */
  time(iso: string): string
  say(words: Words): string
  /** yes or no. */
  flag(on: boolean): string
}

export interface ExportColumn<Row> {
  key: string
  title: Words
  value: (row: Row, reader: Reader) => Cell
}

export interface Exportable {
  /** Operation id of the list; its permission is the export's too. */
  list: ListId
  /** Begins the file's name. */
  name: string
  columns: readonly { key: string; title: Words }[]
  /** One page, read on a connection of the exporter's. `input` has been made by the list's own schema. */
  page(on: Queryable, input: unknown, caller: Caller): Promise<readonly unknown[]>
  /** A row of `page` as cells of these columns. */
  cells(row: unknown, keys: readonly string[], reader: Reader): Cell[]
}

/** Registers a list: `read` is what its handler calls, on whichever connection. */
export const exportable = <Id extends ListId>(
  list: Id,
  name: string,
  read: (on: Queryable, input: InputOf<Id>, caller: Caller) => Promise<{ data: { list: ListRow<Id>[] } }>,
  columns: readonly ExportColumn<ListRow<Id>>[],
): Exportable => {
  const byKey = new Map(columns.map((column) => [column.key, column]))
  return {
    list,
    name,
    columns,
    page: async (on, input, caller) => (await read(on, input as InputOf<Id>, caller)).data.list,
    cells: (row, keys, reader) => keys.map((key) => byKey.get(key)?.value(row as ListRow<Id>, reader) ?? ''),
  }
}
