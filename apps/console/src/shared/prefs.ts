/** What a person chose on this device: language, theme, accent, side bar, table look. */
import { LANGUAGES, type Lang } from '@tidegate/contract/enums'
import { PAGE_SIZES } from '@tidegate/contract/limits'
import { DEFAULT_TABLE, TABLE_ALIGNS, TABLE_SIZES, type TableSettings } from '@tidegate/ui/context'
import { ACCENTS, type Accent, type Mode } from '@tidegate/ui/tokens'
import { create } from 'zustand'
import { readJson, writeText } from './storage.ts'

export const THEMES = ['light', 'dark', 'system'] as const
export type Theme = (typeof THEMES)[number]

export interface Prefs {
  /** null: not chosen, the site's default applies. */
  lang: Lang | null
  theme: Theme
  accent: Accent
  collapsed: boolean
  table: TableSettings
}
export const DEFAULT_PREFS: Prefs = {
  lang: null,
  theme: 'system',
  accent: 'blue',
  collapsed: false,
  table: DEFAULT_TABLE,
}

const oneOf = <T extends string>(values: readonly T[], value: unknown, fallback: T): T =>
  values.find((v) => v === value) ?? fallback

const record = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

/** Anything -> preferences; what is not understood takes its default. */
export const acceptPrefs = (value: unknown): Prefs => {
  const given = record(value)
  const table = record(given.table)
  return {
    lang: LANGUAGES.find((l) => l === given.lang) ?? null,
    theme: oneOf(THEMES, given.theme, DEFAULT_PREFS.theme),
    accent: oneOf(Object.keys(ACCENTS) as Accent[], given.accent, DEFAULT_PREFS.accent),
    collapsed: given.collapsed === true,
    table: {
      size: oneOf(TABLE_SIZES, table.size, DEFAULT_TABLE.size),
      align: oneOf(TABLE_ALIGNS, table.align, DEFAULT_TABLE.align),
      striped: table.striped === true,
      border: table.border === true,
      pageSize: PAGE_SIZES.find((n) => n === table.pageSize) ?? DEFAULT_TABLE.pageSize,
    },
  }
}

interface Store extends Prefs {
  set: (part: Partial<Prefs>) => void
}

export const usePrefs = create<Store>((set, get) => ({
  ...readJson('prefs', acceptPrefs, DEFAULT_PREFS),
  set: (part) => {
    set(part)
    const { set: _set, ...prefs } = get()
    writeText('prefs', JSON.stringify(prefs))
  },
}))

/** Light or dark as it applies now. */
export const modeOf = (theme: Theme, systemDark: boolean): Mode =>
  theme === 'system' ? (systemDark ? 'dark' : 'light') : theme
