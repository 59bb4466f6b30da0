/** What the components need to know of the reader: language, time zone, theme, and how tables are to look. */
import type { Lang } from '@tidegate/contract/enums'
import { DEFAULT_PAGE_SIZE } from '@tidegate/contract/limits'
import { createContext, useContext } from 'react'
import type { ColumnPrefs } from './columns.ts'
import type { Accent, Mode } from './tokens.ts'

export const TABLE_SIZES = ['medium', 'small', 'mini'] as const
export const TABLE_ALIGNS = ['left', 'center', 'right'] as const
export interface TableSettings {
  size: (typeof TABLE_SIZES)[number]
  striped: boolean
  border: boolean
  align: (typeof TABLE_ALIGNS)[number]
  /** Rows of a page, where the address does not say otherwise. */
  pageSize: number
}
export const DEFAULT_TABLE: TableSettings = {
  size: 'small',
  striped: false,
  border: false,
  align: 'left',
  pageSize: DEFAULT_PAGE_SIZE,
}

export interface UiSettings {
  lang: Lang
  /** IANA name of the installation's zone. */
  timeZone: string
  mode: Mode
  accent: Accent
  table: TableSettings
  setTable: (table: TableSettings) => void
  /** What was chosen for the columns of a table, by the table's id. */
  columns: Readonly<Record<string, ColumnPrefs>>
  /** null: as they were made. */
  setColumns: (tableId: string, prefs: ColumnPrefs | null) => void
}

export const UiContext = createContext<UiSettings>({
  lang: 'zh',
  timeZone: 'Asia/Shanghai',
  mode: 'light',
  accent: 'blue',
  table: DEFAULT_TABLE,
  setTable: () => {},
  columns: {},
  setColumns: () => {},
})
export const useUi = () => useContext(UiContext)
