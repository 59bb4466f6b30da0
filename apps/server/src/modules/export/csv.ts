/** Lines of a CSV file (RFC 4180) that a spreadsheet may open without running anything in it. Pure. */
import type { Cell } from '../../platform/exportable.ts'

/** Excel takes UTF-8 for what it is only behind this mark. */
export const BOM = '\u{FEFF}'

/** What a spreadsheet takes for a formula, and what it skips before looking for one (OWASP, "CSV Injection"). */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/

const field = (cell: Cell): string => {
  const text = typeof cell === 'number' ? String(cell) : FORMULA.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** One record with its line end. */
export const csvLine = (cells: readonly Cell[]): string => `${cells.map(field).join(',')}\r\n`
