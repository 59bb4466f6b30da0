/** The columns of a table as a person wants them: order, what is hidden, what stays in place when one scrolls. Pure. */

export type Pin = 'left' | 'right' | 'none'

export interface ColumnPrefs {
  /** Keys in the order wanted; a column that is not named stands where it was made, after its neighbour. */
  order: readonly string[]
  hidden: readonly string[]
  /** Those that were pinned, or let go, by hand. */
  pins: Readonly<Record<string, Pin>>
}
export const NO_PREFS: ColumnPrefs = { order: [], hidden: [], pins: {} }

/** What arranging needs to know of a column. */
export interface Arrangeable {
  key: string
  fixed?: 'left' | 'right' | undefined
}

/** The column with a row's actions: always there, always last. */
export const ACTIONS = 'actions'

const texts = (value: unknown): string[] =>
  Array.isArray(value) ? [...new Set(value.filter((v): v is string => typeof v === 'string'))] : []

/** Anything (what was stored) -> preferences. */
export const acceptColumns = (value: unknown): ColumnPrefs => {
  const given = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  const pins = typeof given.pins === 'object' && given.pins !== null ? Object.entries(given.pins) : []
  const isPin = (pin: unknown): pin is Pin => pin === 'left' || pin === 'right' || pin === 'none'
  return {
    order: texts(given.order),
    hidden: texts(given.hidden),
    pins: Object.fromEntries(pins.flatMap(([key, pin]) => (isPin(pin) ? [[key, pin]] : []))),
  }
}

/** All columns in the order wanted, hidden ones too. A column of a later release comes behind the one it was made after. */
export const ordered = <C extends Arrangeable>(columns: readonly C[], prefs: ColumnPrefs): C[] => {
  const known = new Map(columns.map((column) => [column.key, column]))
  const list = prefs.order.flatMap((key) => known.get(key) ?? [])
  columns.forEach((column, i) => {
    if (list.includes(column)) return
    const before = columns[i - 1]
    list.splice(before === undefined ? 0 : list.indexOf(before) + 1, 0, column)
  })
  return [...list.filter((c) => c.key !== ACTIONS), ...list.filter((c) => c.key === ACTIONS)]
}

export const pinOf = (column: Arrangeable, prefs: ColumnPrefs): Pin => prefs.pins[column.key] ?? column.fixed ?? 'none'

const isHidden = (column: Arrangeable, prefs: ColumnPrefs) =>
  column.key !== ACTIONS && prefs.hidden.includes(column.key)

/** The columns to show: those pinned left first, those pinned right last. One is always left to see. */
export const arranged = <C extends Arrangeable>(
  columns: readonly C[],
  prefs: ColumnPrefs,
): (Omit<C, 'fixed'> & { fixed?: 'left' | 'right' })[] => {
  const all = ordered(columns, prefs)
  const seen = all.filter((column) => !isHidden(column, prefs))
  const shown = seen.some((column) => column.key !== ACTIONS) ? seen : all
  const pinned = shown.map(({ fixed: _fixed, ...column }, i) => {
    const pin = pinOf(shown[i] ?? { key: '' }, prefs)
    return pin === 'none' ? column : { ...column, fixed: pin }
  })
  const at = (pin: 'left' | 'right' | undefined) => pinned.filter((c) => ('fixed' in c ? c.fixed : undefined) === pin)
  return [...at('left'), ...at(undefined), ...at('right')]
}

/** One step up (-1) or down (1) among the columns that can be moved. */
export const moved = (columns: readonly Arrangeable[], prefs: ColumnPrefs, key: string, step: -1 | 1): ColumnPrefs => {
  const order = ordered(columns, prefs).flatMap((c) => (c.key === ACTIONS ? [] : [c.key]))
  const from = order.indexOf(key)
  const to = from + step
  if (from < 0 || to < 0 || to >= order.length) return prefs
  order.splice(from, 1)
  order.splice(to, 0, key)
  return { ...prefs, order }
}

/** Puts a column in the place of another (drag and drop). */
export const dropped = (
  columns: readonly Arrangeable[],
  prefs: ColumnPrefs,
  key: string,
  onto: string,
): ColumnPrefs => {
  const order = ordered(columns, prefs).flatMap((c) => (c.key === ACTIONS ? [] : [c.key]))
  const from = order.indexOf(key)
  const to = order.indexOf(onto)
  if (from < 0 || to < 0) return prefs
  order.splice(from, 1)
  order.splice(to, 0, key)
  return { ...prefs, order }
}

/** Shows or hides; the last one that is seen stays. */
export const toggled = (columns: readonly Arrangeable[], prefs: ColumnPrefs, key: string): ColumnPrefs => {
  if (prefs.hidden.includes(key)) return { ...prefs, hidden: prefs.hidden.filter((k) => k !== key) }
  const seen = columns.filter((c) => c.key !== ACTIONS && !isHidden(c, prefs))
  return seen.length <= 1 ? prefs : { ...prefs, hidden: [...prefs.hidden, key] }
}
