/** Saved views of lists: what is looked for and how it is shown, under names of the person's own; per account and table, on this device. */
import { acceptColumns, type ColumnPrefs } from '@tidegate/ui/columns'
import { create } from 'zustand'
import { readJson, storageKey, writeText } from '../storage.ts'

export const MAX_VIEWS = 20
export const MAX_VIEW_NAME = 40

export interface View {
  name: string
  /** Search, filters, order and rows of a page as they stand in the address. */
  search: string
  /** null: the columns as they were made. */
  columns: ColumnPrefs | null
}

/** Members of the address that are of the moment. */
const PASSING: readonly string[] = ['page', 'add', 'install']

/** The part of the address that a view keeps, in a form that can be compared. */
export const searchOf = (search: URLSearchParams): string => {
  const kept = new URLSearchParams([...search].filter(([name]) => !PASSING.includes(name)))
  kept.sort()
  return kept.toString()
}

export const sameView = (a: Omit<View, 'name'>, b: Omit<View, 'name'>): boolean =>
  a.search === b.search && JSON.stringify(a.columns) === JSON.stringify(b.columns)

/** The views with one more, or with another in the place of the one of this name. */
export const withView = (views: readonly View[], view: View): View[] =>
  views.some((v) => v.name === view.name) ? views.map((v) => (v.name === view.name ? view : v)) : [...views, view]

/** By account and table: `7 site.list`. */
type Stored = Readonly<Record<string, readonly View[]>>

const record = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

const acceptView = (value: unknown): View[] => {
  const { name, search, columns } = record(value)
  if (typeof name !== 'string' || name === '' || typeof search !== 'string') return []
  return [{ name, search, columns: columns === null ? null : acceptColumns(columns) }]
}

/** Anything (what was stored) -> views; what is not understood is left out. */
export const acceptViews = (value: unknown): Stored =>
  Object.fromEntries(
    Object.entries(record(value)).map(([key, views]) => [key, Array.isArray(views) ? views.flatMap(acceptView) : []]),
  )

interface Store {
  all: Stored
  set: (account: number, table: string, views: readonly View[]) => void
}

const NAME = 'views'
const keyOf = (account: number, table: string) => `${account} ${table}`

export const useViewStore = create<Store>((set, get) => ({
  all: readJson(NAME, acceptViews, {}),
  set: (account, table, views) => {
    const { [keyOf(account, table)]: _old, ...rest } = get().all
    const all = views.length === 0 ? rest : { ...rest, [keyOf(account, table)]: views }
    set({ all })
    writeText(NAME, JSON.stringify(all))
  },
}))

/** Takes over what another tab of this console saved. */
window.addEventListener('storage', (event) => {
  if (event.key === storageKey(NAME)) useViewStore.setState({ all: readJson(NAME, acceptViews, {}) })
})

const NONE: readonly View[] = []
export const viewsOf = (all: Stored, account: number, table: string): readonly View[] =>
  all[keyOf(account, table)] ?? NONE
