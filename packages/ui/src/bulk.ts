/** One action on many rows, and what became of each. */

export interface ItemResult {
  /** The row's id or key. */
  key: string | number
  /** What a person calls the row. */
  name: string
  /** Why it failed; '' when it did not. */
  error: string
}

interface Work<Row> {
  keyOf: (row: Row) => string | number
  nameOf: (row: Row) => string
  /** Does it to all of these or to none. */
  run: (rows: readonly Row[]) => Promise<unknown>
  /** Whether the error may be about one of the rows only. */
  splits: (error: unknown) => boolean
  say: (error: unknown) => string
}

/** Once for all; when that is refused because of some row, one after the other. Never rejects. */
export const runEach = async <Row>(rows: readonly Row[], work: Work<Row>): Promise<ItemResult[]> => {
  const result = (row: Row, error: string): ItemResult => ({ key: work.keyOf(row), name: work.nameOf(row), error })
  try {
    await work.run(rows)
    return rows.map((row) => result(row, ''))
  } catch (error) {
    if (rows.length <= 1 || !work.splits(error)) return rows.map((row) => result(row, work.say(error)))
  }
  const results: ItemResult[] = []
  for (const row of rows) results.push(...(await runEach([row], work)))
  return results
}
