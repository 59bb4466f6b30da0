/** What a person chose on this device: language, layout, theme, accent, side bar, buttons of the top bar, table look. One choice for all tabs. */
import { LANGUAGES, type Lang } from '@tidegate/contract/enums'
import { PAGE_SIZES } from '@tidegate/contract/limits'
import { DEFAULT_TABLE, TABLE_ALIGNS, TABLE_SIZES, type TableSettings } from '@tidegate/ui/context'
import { ACCENTS, type Accent, type Mode } from '@tidegate/ui/tokens'
import { create } from 'zustand'
import { readJson, storageKey, writeText } from './storage.ts'

export const THEMES = ['light', 'dark', 'system'] as const
export type Theme = (typeof THEMES)[number]

/** ttb: the bar over everything; ltr: the side bar over the full height. */
export const LAYOUTS = ['ttb', 'ltr'] as const
export type Layout = (typeof LAYOUTS)[number]

/** Buttons of the top bar that can be hidden, with what they are at first. */
export const DEFAULT_HEADER = { message: true, fullscreen: true, lock: true, refresh: true, i18n: true } as const
export type HeaderToggle = keyof typeof DEFAULT_HEADER
export const HEADER_TOGGLES = Object.keys(DEFAULT_HEADER) as HeaderToggle[]

export interface Prefs {
  /** null: not chosen, the site's default applies. */
  lang: Lang | null
  layout: Layout
  theme: Theme
  accent: Accent
  /** The top bar and the side bar are dark even in a light theme. */
  darkHeader: boolean
  darkAside: boolean
  collapsed: boolean
  header: Record<HeaderToggle, boolean>
  table: TableSettings
}
export const DEFAULT_PREFS: Prefs = {
  lang: null,
  layout: 'ttb',
  theme: 'light',
  accent: 'blue',
  darkHeader: true,
  darkAside: false,
  collapsed: false,
  header: DEFAULT_HEADER,
  table: DEFAULT_TABLE,
}

const oneOf = <T extends string>(values: readonly T[], value: unknown, fallback: T): T =>
  values.find((v) => v === value) ?? fallback

const flag = (value: unknown, fallback: boolean): boolean => (typeof value === 'boolean' ? value : fallback)

const record = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

/** Anything -> preferences; what is not understood takes its default. */
export const acceptPrefs = (value: unknown): Prefs => {
  const given = record(value)
  const table = record(given.table)
  const header = record(given.header)
  return {
    lang: LANGUAGES.find((l) => l === given.lang) ?? null,
    layout: oneOf(LAYOUTS, given.layout, DEFAULT_PREFS.layout),
    theme: oneOf(THEMES, given.theme, DEFAULT_PREFS.theme),
    accent: oneOf(Object.keys(ACCENTS) as Accent[], given.accent, DEFAULT_PREFS.accent),
    darkHeader: flag(given.darkHeader, DEFAULT_PREFS.darkHeader),
    darkAside: flag(given.darkAside, DEFAULT_PREFS.darkAside),
    collapsed: given.collapsed === true,
    header: Object.fromEntries(HEADER_TOGGLES.map((t) => [t, flag(header[t], DEFAULT_HEADER[t])])) as Prefs['header'],
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

/** Takes over what another tab of this console chose. */
window.addEventListener('storage', (event) => {
  if (event.key === storageKey('prefs')) usePrefs.setState(readJson('prefs', acceptPrefs, DEFAULT_PREFS))
})

/** Light or dark as it applies now. */
export const modeOf = (theme: Theme, systemDark: boolean): Mode =>
  theme === 'system' ? (systemDark ? 'dark' : 'light') : theme
