/** The flat menu as a tree, and the entry's form values. Pure. */
import type { ConsoleId } from '@tidegate/contract/enums'
import type { MenuRow } from '@tidegate/contract/operations/menu'

export interface MenuNode extends MenuRow {
  id: number
  children?: MenuNode[]
}

/** The entries of one console as a tree; a leaf has no `children`. */
export const menuTree = (rows: readonly MenuRow[], console: ConsoleId, parentId: number | null = null): MenuNode[] =>
  rows
    .filter((row) => row.parentId === parentId && row.consoles.includes(console))
    .map((row) => {
      const children = menuTree(rows, console, row.menuId)
      return { ...row, id: row.menuId, ...(children.length > 0 && { children }) }
    })

/** Directories that an entry can stand in: above the third level, not itself nor below itself, of the same consoles. */
export const parentsFor = (
  rows: readonly MenuRow[],
  entry: MenuRow | null,
  consoles: readonly ConsoleId[],
): MenuRow[] => {
  const below = new Set<number>(entry === null ? [] : [entry.menuId])
  for (let grown = true; grown; ) {
    const more = rows.filter((r) => r.parentId !== null && below.has(r.parentId) && !below.has(r.menuId))
    for (const row of more) below.add(row.menuId)
    grown = more.length > 0
  }
  return rows.filter(
    (r) => r.type === 0 && r.level < 3 && !below.has(r.menuId) && consoles.every((c) => r.consoles.includes(c)),
  )
}
