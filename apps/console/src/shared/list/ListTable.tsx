/** A list as a table: what every list page has in common. */
import type { Bulk } from '@tidegate/ui/BulkBar.tsx'
import { type Column, DataTable, type RowKey } from '@tidegate/ui/DataTable.tsx'
import { type Refresh, RefreshInterval } from '@tidegate/ui/RefreshInterval.tsx'
import type { ReactNode } from 'react'
import { Failed } from '../Failed.tsx'
import { ViewsButton } from '../views/ViewsButton.tsx'
import { ExportButton } from './ExportButton.tsx'
import type { List } from './useList.ts'

interface Props<Row extends object> {
  list: List<Row>
  label: string
  columns: Column<Row>[]
  rowKey?: (row: Row) => RowKey
  toolbar?: ReactNode
  bulk?: Bulk<Row>
  /** Says what to do first. */
  empty: ReactNode
  /** Whether the server can give the whole list as a file. */
  exports?: boolean
  refresh?: Refresh
}

export const ListTable = <Row extends object>(props: Props<Row>) => {
  const { list, label, columns, rowKey, toolbar, bulk, empty, exports = false, refresh } = props
  return (
    <DataTable<Row>
      id={list.operation}
      label={label}
      columns={columns}
      rowKey={rowKey}
      rows={list.rows}
      total={list.total}
      loading={list.loading}
      busy={list.stale}
      query={list.query}
      onQuery={(change) => list.set({ ...change })}
      toolbar={toolbar}
      tools={
        <>
          {refresh === undefined ? null : <RefreshInterval refresh={refresh} />}
          <ViewsButton table={list.operation} />
          {exports ? <ExportButton list={list.operation} query={list.filters} total={list.total} /> : null}
        </>
      }
      bulk={bulk}
      empty={empty}
      failed={list.error === null ? undefined : <Failed error={list.error} onRetry={list.refetch} />}
    />
  )
}
