/** A server-paged table in a hairline panel: toolbar, rows, bulk bar with results, pager, skeleton, empty and failed states. */
import { Table, type TableColumnType } from 'antd'
import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { type Bulk, BulkBar, BulkResults, BulkStart } from './BulkBar.tsx'
import type { SettableTable } from './ColumnSettings.tsx'
import { arranged, NO_PREFS } from './columns.ts'
import { type TableSettings as Settings, useUi } from './context.ts'
import { Pager } from './Pager.tsx'
import { TableSettings } from './TableSettings.tsx'
import { useMedia } from './useMedia.ts'
import { useStickyTop } from './useStickyTop.ts'
import './texts.ts'

/** What a list asks the server for; kept in the URL by the page. */
export interface ListQuery {
  page: number
  limit: number
  sidx?: string | undefined
  order?: 'asc' | 'desc' | undefined
}
export type Column<Row> = Omit<TableColumnType<Row>, 'key' | 'fixed' | 'title'> & {
  key: string
  title: string
  fixed?: 'left' | 'right'
  /** Heads the row's card on a phone, where the first column does unless another one is named. */
  heads?: boolean
}
export type RowKey = string | number

export interface DataTableProps<Row extends object> {
  /** Names the table in what is remembered of its columns; absent: they cannot be set. */
  id?: string | undefined
  label: string
  columns: Column<Row>[]
  /** Left out for rows with an id or a key. */
  rowKey?: ((row: Row) => RowKey) | undefined
  rows: readonly Row[] | undefined
  total: number
  /** The first answer is on its way: bones. */
  loading: boolean
  /** Another answer is on its way; the rows shown are older. */
  busy?: boolean
  query: ListQuery
  onQuery: (query: Partial<ListQuery>) => void
  toolbar?: ReactNode
  /** At the toolbar's end: export, refresh. */
  tools?: ReactNode
  bulk?: Bulk<Row> | undefined
  /** Shown in the rows' place when there are none: says what to do first. */
  empty: ReactNode
  /** Shown in the rows' place when the list could not be read. */
  failed?: ReactNode
  /** Left out for lists that are given whole. */
  paged?: boolean
}

/** The row's id, or its key when it has none; a table of other rows says what tells them apart. */
export const keyOf = (row: object): RowKey => {
  if ('id' in row && typeof row.id === 'number') return row.id
  if ('key' in row && typeof row.key === 'string') return row.key
  throw new Error('a row has neither id nor key')
}

/** As narrow as the specification's phone. */
const PHONE = '(max-width: 768px)'
/** More rows than this are drawn only where they are seen. */
const VIRTUAL_ABOVE = 100
const VIRTUAL_HEIGHT = 640
const VIRTUAL_COLUMN = 160
const BONES = ['a', 'b', 'c', 'd', 'e', 'f']

const orderOf = (order: 'asc' | 'desc' | undefined) =>
  order === undefined ? null : order === 'asc' ? ('ascend' as const) : ('descend' as const)

/** What a cell is told on a phone, where each row is a card: its column's name, which the style sheet puts above it. */
const inCard = <Row,>(column: Column<Row>, columns: readonly Column<Row>[]) => {
  const head = columns.find((c) => c.heads === true) ?? columns[0]
  const part = column === head ? 'tg-card-head' : column.key === 'actions' ? 'tg-card-foot' : undefined
  return { onCell: () => ({ 'data-label': column.title, ...(part === undefined ? {} : { className: part }) }) }
}

/** antd's columns with the settings' alignment and the URL's sort. On a phone none stays in place: it would cover the others. */
const shaped = <Row,>(columns: readonly Column<Row>[], query: ListQuery, align: Settings['align'], phone: boolean) =>
  columns.map((column): TableColumnType<Row> => {
    const { fixed, heads: _heads, ...rest } = column
    return {
      align,
      ...rest,
      ...(phone ? inCard(column, columns) : {}),
      ...(phone || fixed === undefined ? {} : { fixed: fixed === 'left' ? 'start' : 'end' }),
      ...(column.sorter === true ? { sortOrder: column.key === query.sidx ? orderOf(query.order) : null } : {}),
    }
  })

const Skeleton = () => {
  const { t } = useTranslation('ui')
  return (
    <div className="tg-bones" role="status" aria-label={t('loading')}>
      {BONES.map((bone) => (
        <span key={bone} className="tg-bone" />
      ))}
    </div>
  )
}

const Toolbar = <Row extends object>(props: DataTableProps<Row>) => {
  const { id, columns, toolbar, tools, bulk, onQuery } = props
  const settable: SettableTable | undefined =
    id === undefined
      ? undefined
      : { id, columns: columns.map(({ key, title, fixed }) => ({ key, name: title, fixed })) }
  const choosing = bulk !== undefined && bulk.chosen.length > 0
  return (
    <div className="tg-toolbar">
      {choosing ? (
        <BulkBar bulk={bulk} />
      ) : (
        <div className="tg-tools">
          {toolbar}
          {bulk === undefined ? null : <BulkStart bulk={bulk} />}
        </div>
      )}
      <div className="tg-row-tight">
        {tools}
        <TableSettings table={settable} onPageSize={(limit) => onQuery({ page: 1, limit })} />
      </div>
    </div>
  )
}

/** What antd is told of many rows: a window of its own, with columns of known widths. */
const virtually = <Row,>(columns: readonly TableColumnType<Row>[], width: number) => ({
  virtual: true,
  columns: columns.map((column) => ({ width: VIRTUAL_COLUMN, ...column })),
  scroll: { x: Math.max(width, columns.length * VIRTUAL_COLUMN), y: VIRTUAL_HEIGHT },
})

/** A table that is wider than its place is moved by the keyboard too; without rows nothing in it takes the focus, so it does itself (WCAG 2.1.1). */
const useReachable = (section: RefObject<HTMLElement | null>, without: boolean) => {
  useEffect(() => {
    for (const part of section.current?.querySelectorAll('.ant-table-body, .ant-table-content') ?? []) {
      if (without) part.setAttribute('tabindex', '0')
      else part.removeAttribute('tabindex')
    }
  })
}

export const DataTable = <Row extends object>(props: DataTableProps<Row>) => {
  const { id = '', label, columns, rows, total, loading, busy = false, query, onQuery, bulk, empty, failed } = props
  const { paged = true, rowKey = keyOf } = props
  const { table, setTable, columns: prefs } = useUi()
  const phone = useMedia(PHONE)
  const section = useRef<HTMLElement>(null)
  const top = useStickyTop()
  useReachable(section, (rows?.length ?? 0) === 0)
  const shown = shaped(arranged(columns, prefs[id] ?? NO_PREFS), query, table.align, phone)
  const many = (rows?.length ?? 0) > VIRTUAL_ABOVE
  const cards = phone && !many
  const looks = `tg-table-${table.size}${table.striped ? ' tg-striped' : ''}${table.border ? ' tg-bordered' : ''}`
  const nothing = failed ?? <div className="tg-empty">{empty}</div>
  return (
    <section
      ref={section}
      className={`tg-panel tg-table ${looks}${cards ? ' tg-cards' : ''}`}
      aria-label={label}
      aria-busy={loading || busy}
    >
      <Toolbar {...props} />
      {bulk?.results === undefined ? null : <BulkResults results={bulk.results} onSeen={() => bulk.onSeen?.()} />}
      <Table<Row>
        rowKey={rowKey}
        dataSource={rows === undefined ? [] : [...rows]}
        loading={busy || bulk?.busy === true}
        bordered={table.border}
        size={table.size === 'medium' ? 'middle' : 'small'}
        {...(many
          ? virtually(shown, section.current?.clientWidth ?? 0)
          : {
              columns: shown,
              ...(cards
                ? {}
                : {
                    scroll: { x: 'max-content' },
                    sticky: top === undefined ? false : { offsetHeader: top },
                  }),
            })}
        pagination={false}
        locale={{ emptyText: loading && failed === undefined ? <Skeleton /> : nothing }}
        onChange={(_page, _filters, sort, { action }) => {
          if (action !== 'sort' || Array.isArray(sort)) return
          const order = sort.order === 'ascend' ? 'asc' : sort.order === 'descend' ? 'desc' : undefined
          onQuery({ page: 1, sidx: order === undefined ? undefined : String(sort.columnKey), order })
        }}
        {...(bulk === undefined
          ? {}
          : {
              rowSelection: {
                selectedRowKeys: bulk.chosen.map(rowKey),
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
          onLimit={(limit) => {
            setTable({ ...table, pageSize: limit })
            onQuery({ page: 1, limit })
          }}
        />
      ) : null}
    </section>
  )
}
