/** Actions on many rows of a list: what each came to, and which stay chosen. */
import type { Bulk, BulkAction } from '@tidegate/ui/BulkBar.tsx'
import { type ItemResult, runEach } from '@tidegate/ui/bulk'
import { keyOf } from '@tidegate/ui/DataTable.tsx'
import { App } from 'antd'
import { useState } from 'react'
import { ApiError, errorLine } from '../api/error.ts'

/** Refusals that may be about one row of many. */
const ABOUT_ONE: readonly number[] = [400, 403, 404, 409]
const splits = (error: unknown) => error instanceof ApiError && ABOUT_ONE.includes(error.failure.code)

interface Options<Row> {
  nameOf: (row: Row) => string
  /** Reads the list anew. */
  after: () => Promise<unknown>
}

export interface BulkRun<Row> {
  /** For the table. */
  bar: (actions: readonly BulkAction<Row>[]) => Bulk<Row>
  /** Does it to all or to none; if some row is to blame, one by one. True when all succeeded. */
  run: (rows: readonly Row[], work: (rows: readonly Row[]) => Promise<unknown>, said: string) => Promise<boolean>
}

export const useBulk = <Row extends object>({ nameOf, after }: Options<Row>): BulkRun<Row> => {
  const { message } = App.useApp()
  const [chosen, setChosen] = useState<readonly Row[]>([])
  const [results, setResults] = useState<readonly ItemResult[]>([])
  const [busy, setBusy] = useState(false)
  const run: BulkRun<Row>['run'] = async (rows, work, said) => {
    setBusy(true)
    const done = await runEach(rows, { keyOf, nameOf, run: work, splits, say: errorLine })
    setBusy(false)
    const failed = done.filter((r) => r.error !== '')
    if (failed.length === 0) message.success(said)
    else if (rows.length === 1) message.error(failed[0]?.error)
    setResults(rows.length > 1 ? done : [])
    const succeeded = new Set(done.filter((r) => r.error === '').map((r) => r.key))
    setChosen((old) => old.filter((row) => !succeeded.has(keyOf(row))))
    await after()
    return failed.length === 0
  }
  const bar = (actions: readonly BulkAction<Row>[]): Bulk<Row> => ({
    chosen,
    setChosen,
    actions,
    results,
    busy,
    onSeen: () => setResults([]),
  })
  return { bar, run }
}
