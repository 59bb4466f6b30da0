/** What a person chose for the columns of each table, on this device. */
import { acceptColumns, type ColumnPrefs } from '@tidegate/ui/columns'
import { create } from 'zustand'
import { readJson, writeText } from './storage.ts'

type Tables = Readonly<Record<string, ColumnPrefs>>

const accept = (value: unknown): Tables =>
  typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).map(([id, prefs]) => [id, acceptColumns(prefs)]))
    : {}

interface Store {
  columns: Tables
  setColumns: (tableId: string, prefs: ColumnPrefs | null) => void
}

export const useTables = create<Store>((set, get) => ({
  columns: readJson('tables', accept, {}),
  setColumns: (tableId, prefs) => {
    const { [tableId]: _old, ...rest } = get().columns
    const columns = prefs === null ? rest : { ...rest, [tableId]: prefs }
    set({ columns })
    writeText('tables', JSON.stringify(columns))
  },
}))
