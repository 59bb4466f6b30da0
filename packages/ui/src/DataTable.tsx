/** A server-paged table in a hairline panel: toolbar, rows, bulk bar, pager, empty and failed states. */
import { Grid, Table, type TableColumnType } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useUi } from './context.ts'
import { Pager } from './Pager.tsx'
import { TableSettings } from './TableSettings.tsx'
import './texts.ts'

/** What a list asks the server for; kept in the URL by the page. */
export interface ListQuery {
  page: number
  limit: number
  sidx?: string | undefined
  order?: 'asc' | 'desc' | undefined
}
export type Column<Row> = TableColumnType<Row>

export interface Bulk<Row> {
  chosen: readonly Row[]
  setChosen: (rows: Row[]) => void
  actions: ReactNode
}

export interface DataTableProps<Row extends { id: number } | { key: string }> {
  label: string
  columns: Column<Row>[]
  rows: readonly Row[] | undefined
  total: number
  loading: boolean
  query: ListQuery
  onQuery: (query: Partial<ListQuery>) => void
  toolbar?: ReactNode
  bulk?: Bulk<Row> | undefined
  /** Shown in the rows' place when there are none: says what to do first. */
  empty: ReactNode
  /** Shown in the rows' place when the list could not be read. */
  failed?: ReactNode
  /** Left out for lists that are given whole. */
  paged?: boolean
}

const keyOf = (row: { id: number } | { key: string }) => ('id' in row ? row.id : row.key)

const orderOf = (order: 'asc' | 'desc' | undefined) =>
  order === undefined ? null : order === 'asc' ? ('ascend' as const) : ('descend' as const)

const BulkBar = <Row,>({ bulk }: { bulk: Bulk<Row> }) => {
  const { t } = useTranslation('ui')
  return (
    <div className="tg-bulk" role="status">
      <span>{t('chosen', { count: bulk.chosen.length })}</span>
      {bulk.actions}
      <button type="button" className="tg-link-button" onClick={() => bulk.setChosen([])}>
        {t('clearChoice')}
      </button>
    </div>
  )
}

/** antd's columns with the settings' alignment and the URL's sort. On a phone none stays in place: it would cover the others. */
const shaped = <Row,>(columns: Column<Row>[], query: ListQuery, align: 'left' | 'center' | 'right', phone: boolean) =>
  columns.map((column) => ({
    align,
    ...column,
    ...(phone ? { fixed: false as const } : {}),
    ...(column.sorter === true ? { sortOrder: column.key === query.sidx ? orderOf(query.order) : null } : {}),
  }))

export const DataTable = <Row extends { id: number } | { key: string }>(props: DataTableProps<Row>) => {
  const { label, columns, rows, total, loading, query, onQuery, toolbar, bulk, empty, failed, paged = true } = props
  const { table } = useUi()
  const phone = Grid.useBreakpoint().md === false
  return (
    <section
      className={`tg-panel tg-table tg-table-${table.size}${table.striped ? ' tg-striped' : ''}`}
      aria-label={label}
    >
      <div className="tg-toolbar">
        {bulk !== undefined && bulk.chosen.length > 0 ? (
          <BulkBar bulk={bulk} />
        ) : (
          <div className="tg-tools">{toolbar}</div>
        )}
        <TableSettings />
      </div>
      <Table<Row>
        rowKey={keyOf}
        columns={shaped(columns, query, table.align, phone)}
        dataSource={rows === undefined ? [] : [...rows]}
        loading={loading}
        bordered={table.border}
        size={table.size === 'medium' ? 'middle' : 'small'}
        scroll={{ x: 'max-content' }}
        pagination={false}
        locale={{
          emptyText: loading ? <div className="tg-empty" /> : (failed ?? <div className="tg-empty">{empty}</div>),
        }}
        onChange={(_page, _filters, sort, { action }) => {
          if (action !== 'sort' || Array.isArray(sort)) return
          const order = sort.order === 'ascend' ? 'asc' : sort.order === 'descend' ? 'desc' : undefined
          onQuery({ page: 1, sidx: order === undefined ? undefined : String(sort.columnKey), order })
        }}
        {...(bulk === undefined
          ? {}
          : {
              rowSelection: {
                selectedRowKeys: bulk.chosen.map(keyOf),
                preserveSelectedRowKeys: true,
                onChange: (_keys: unknown, chosen: Row[]) => bulk.setChosen(chosen),
              },
            })}
      />
      {paged && rows !== undefined && total > 0 ? (
        <Pager
          page={query.page}
          limit={query.limit}
          total={total}
          onPage={(page) => onQuery({ page })}
          onLimit={(limit) => onQuery({ page: 1, limit })}
        />
      ) : null}
    </section>
  )
}
