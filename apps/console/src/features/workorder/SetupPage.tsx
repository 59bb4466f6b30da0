/** What the screens of categories and quick replies have in common: a whole list, a form in a drawer, deletion. */
import type { Column } from '@tidegate/ui/DataTable.tsx'
import { DataTable } from '@tidegate/ui/DataTable.tsx'
import { Icon } from '@tidegate/ui/Icon.tsx'
import { SearchBox } from '@tidegate/ui/SearchBox.tsx'
import { Button, Drawer } from 'antd'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Confirm } from '../../shared/Confirm.tsx'
import { Failed } from '../../shared/Failed.tsx'
import { PageBody } from '../../shared/Page.tsx'
import { useSay } from '../../shared/useSay.tsx'
import { useOrdersAgain } from './api.ts'

interface SetupProps<Row> {
  title: string
  sub: string
  add: string
  edit: string
  /** What a row is called in a question. */
  what: string
  empty: string
  /** What the search looks in. */
  textOf: (row: Row) => string
  columns: Column<Row>[]
  list: { data: Row[] | undefined; isPending: boolean; error: unknown; refetch: () => unknown }
  remove: (row: Row) => Promise<unknown>
  form: (row: Row | null, onSaved: () => void) => ReactNode
}

type Doing<Row> = { what: 'add' } | { what: 'edit' | 'delete'; row: Row } | null

const WHOLE = { page: 1, limit: 200 }

export const SetupPage = <Row extends { id: number; title: string }>(props: SetupProps<Row>) => {
  const { title, sub, add, edit, what, empty, textOf, columns, list, remove, form } = props
  const { t } = useTranslation(['workorder', 'shared'])
  const say = useSay()
  const again = useOrdersAgain()
  const [doing, setDoing] = useState<Doing<Row>>(null)
  const [key, setKey] = useState('')
  const rows = list.data?.filter((row) => textOf(row).toLowerCase().includes(key.toLowerCase()))
  const saved = () => {
    say.ok(doing?.what === 'edit' ? 'edited' : 'added')
    setDoing(null)
    void again()
  }
  const actions: Column<Row> = {
    key: 'actions',
    title: t('actions'),
    fixed: 'right',
    align: 'left',
    render: (_, row) => (
      <div className="tool-links">
        <button type="button" className="tg-link-button" onClick={() => setDoing({ what: 'edit', row })}>
          {t('edit', { ns: 'shared' })}
        </button>
        <button type="button" className="tg-link-button tg-danger" onClick={() => setDoing({ what: 'delete', row })}>
          {t('delete', { ns: 'shared' })}
        </button>
      </div>
    ),
  }
  const row = doing?.what === 'edit' ? doing.row : null
  return (
    <PageBody
      title={title}
      sub={sub}
      actions={
        <Button type="primary" icon={<Icon name="plus" />} onClick={() => setDoing({ what: 'add' })}>
          {add}
        </Button>
      }
    >
      <DataTable<Row>
        label={title}
        columns={[...columns, actions]}
        rows={rows}
        total={rows?.length ?? 0}
        loading={list.isPending}
        query={WHOLE}
        onQuery={() => {}}
        paged={false}
        toolbar={<SearchBox label={t('search', { ns: 'shared' })} value={key} onSearch={setKey} />}
        empty={key === '' ? empty : t('setupEmptyFiltered')}
        failed={list.error === null ? undefined : <Failed error={list.error} onRetry={() => void list.refetch()} />}
      />
      <Drawer
        open={doing?.what === 'add' || doing?.what === 'edit'}
        onClose={() => setDoing(null)}
        title={row === null ? add : edit}
        size={480}
        destroyOnHidden
      >
        {doing?.what === 'add' || doing?.what === 'edit' ? form(row, saved) : null}
      </Drawer>
      {doing?.what === 'delete' ? (
        <Confirm
          title={doing.row.title}
          question={{ ask: 'delete', what, count: 1 }}
          okText={t('delete', { ns: 'shared' })}
          danger
          onOk={async () => {
            await remove(doing.row)
            say.ok('deleted')
          }}
          onClose={(done) => {
            setDoing(null)
            if (done) void again()
          }}
        />
      ) : null}
    </PageBody>
  )
}
