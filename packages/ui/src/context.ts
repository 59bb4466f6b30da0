/** What the components need to know of the reader: language, time zone, theme, and how tables are to look. */
import type { Lang } from '@tidegate/contract/enums'
import { createContext, useContext } from 'react'
import type { Accent, Mode } from './tokens.ts'

export const TABLE_SIZES = ['medium', 'small', 'mini'] as const
export const TABLE_ALIGNS = ['left', 'center', 'right'] as const
export interface TableSettings {
  size: (typeof TABLE_SIZES)[number]
  striped: boolean
  border: boolean
  align: (typeof TABLE_ALIGNS)[number]
}
export const DEFAULT_TABLE: TableSettings = { size: 'small', striped: false, border: false, align: 'left' }

export interface UiSettings {
  lang: Lang
  /** IANA name of the installation's zone. */
  timeZone: string
  mode: Mode
  accent: Accent
  table: TableSettings
  setTable: (table: TableSettings) => void
}

export const UiContext = createContext<UiSettings>({
  lang: 'zh',
  timeZone: 'Asia/Shanghai',
  mode: 'light',
  accent: 'blue',
  table: DEFAULT_TABLE,
  setTable: () => {},
})
export const useUi = () => useContext(UiContext)
