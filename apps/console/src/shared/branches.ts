/** Flat rows that name their parent -> a tree of branches. */
import type { Branch } from './TreePicker.tsx'

interface Row {
  menuId: number
  parentId: number | null
}

/** `own` gives what an entry itself contributes (its leaves, or none); branches without a leaf are left out. */
export const branchesOf = <R extends Row>(
  rows: readonly R[],
  title: (row: R) => string,
  own: (row: R) => Branch[],
  parentId: number | null = null,
): Branch[] =>
  rows
    .filter((row) => row.parentId === parentId)
    .flatMap((row): Branch[] => {
      const below = [...own(row), ...branchesOf(rows, title, own, row.menuId)]
      const only = below.length === 1 ? below[0] : undefined
      // A screen is its own leaf, not a branch of one.
      if (only?.children === undefined && only?.title === title(row)) return [only]
      return below.length === 0 ? [] : [{ key: `branch:${row.menuId}`, title: title(row), children: below }]
    })
