/** The staff's screen: what was published, for whom, and how many have read it. */
import { useQueryClient } from '@tanstack/react-query'
import { MESSAGE_TYPE } from '@tidegate/contract/enums'
import type { ManagedMessage } from '@tidegate/contract/operations/message'
import type { Column } from '@tidegate/ui/DataTable.tsx'
import { Icon } from '@tidegate/ui/Icon.tsx'
import { RelativeTime } from '@tidegate/ui/RelativeTime.tsx'
import { SearchBox } from '@tidegate/ui/SearchBox.tsx'
import { StatusDot } from '@tidegate/ui/StatusDot.tsx'
import { Button, Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../shared/api/call.ts'
import { Confirm } from '../../shared/Confirm.tsx'
import { ListTable } from '../../shared/list/ListTable.tsx'
import { type BulkRun, useBulk } from '../../shared/list/useBulk.ts'
import { useList } from '../../shared/list/useList.ts'
import { MESSAGES } from '../../shared/message/api.ts'
import { MessageDialog } from '../../shared/message/MessageDialog.tsx'
import { useTypeWord } from '../../shared/message/useTypeWord.ts'
import { PageBody } from '../../shared/Page.tsx'
import { useMay } from '../../shell/session.ts'
import { MessageFormDrawer } from './MessageForm.tsx'
import './texts.ts'
import { useStateWord, useTargetWord } from './words.ts'

type Doing = { what: 'add' } | { what: 'edit' | 'see'; id: number } | null

const useColumns = (actions: (row: ManagedMessage) => React.ReactNode): Column<ManagedMessage>[] => {
  const { t } = useTranslation('messages')
  const type = useTypeWord()
  const target = useTargetWord()
  const state = useStateWord()
  return [
    { key: 'title', title: t('title'), sorter: true, dataIndex: 'title', ellipsis: true, width: 280 },
    { key: 'type', title: t('type'), sorter: true, render: (_, r) => type(r.type) },
    { key: 'target', title: t('target'), render: (_, r) => target(r.target) },
    {
      key: 'status',
      title: t('state'),
      sorter: true,
      render: (_, r) => {
        const [tone, word] = state(r)
        return <StatusDot tone={tone}>{word}</StatusDot>
      },
    },
    {
      key: 'createtime',
      title: t('publishAt'),
      sorter: true,
      render: (_, r) => <RelativeTime iso={r.createtime} both />,
    },
    { key: 'reads', title: t('reads'), align: 'right', dataIndex: 'reads' },
    { key: 'actions', title: t('actions'), fixed: 'right', align: 'left', render: (_, r) => actions(r) },
  ]
}

/** Asks, and deletes. */
const DeleteQuestion = ({
  rows,
  bulk,
  onClose,
}: {
  rows: readonly ManagedMessage[]
  bulk: BulkRun<ManagedMessage>
  onClose: () => void
}) => {
  const { t } = useTranslation(['messages', 'shared'])
  return (
    <Confirm
      title={t('delete', { ns: 'shared' })}
      question={rows.length === 1 ? t('deleteOne', { title: rows[0]?.title }) : t('deleteMany', { count: rows.length })}
      okText={t('delete', { ns: 'shared' })}
      danger
      onOk={() =>
        bulk.run(rows, (some) => call('message.delete', { ids: some.map((r) => r.id) }), t('deleted', { ns: 'shared' }))
      }
      onClose={onClose}
    />
  )
}

const RowActions = ({
  row,
  onDo,
  onDelete,
}: {
  row: ManagedMessage
  onDo: (doing: Doing) => void
  onDelete: (rows: readonly ManagedMessage[]) => void
}) => {
  const { t } = useTranslation(['messages', 'shared'])
  const mayDelete = useMay('account:message:delete')
  return (
    <div className="tool-links">
      <button type="button" className="tg-link-button" onClick={() => onDo({ what: 'see', id: row.id })}>
        {t('see')}
      </button>
      <button type="button" className="tg-link-button" onClick={() => onDo({ what: 'edit', id: row.id })}>
        {t('edit', { ns: 'shared' })}
      </button>
      {mayDelete ? (
        <button type="button" className="tg-link-button tg-danger" onClick={() => onDelete([row])}>
          {t('delete', { ns: 'shared' })}
        </button>
      ) : null}
    </div>
  )
}

const TypeFilter = ({ value, onChange }: { value: string | null; onChange: (type: string | undefined) => void }) => {
  const { t } = useTranslation('messages')
  const word = useTypeWord()
  return (
    <Select
      allowClear
      aria-label={t('type')}
      placeholder={t('type')}
      className="tool-select"
      value={value ?? undefined}
      onChange={onChange}
      options={[MESSAGE_TYPE.announcement, MESSAGE_TYPE.inSite].map((n) => ({ value: String(n), label: word(n) }))}
    />
  )
}

const typeOf = (search: URLSearchParams) => {
  const type = search.get('type')
  return type === '1' || type === '2' ? { type: type === '1' ? (1 as const) : (2 as const) } : {}
}

export const Page = () => {
  const { t } = useTranslation(['messages', 'shared'])
  const client = useQueryClient()
  const list = useList('message.list', MESSAGES, { filters: typeOf })
  const { query, search, set } = list
  const [doing, setDoing] = useState<Doing>(null)
  const mayDelete = useMay('account:message:delete')
  const again = () => client.invalidateQueries({ queryKey: MESSAGES })
  const bulk = useBulk<ManagedMessage>({ nameOf: (row) => row.title, after: again })
  const [asked, setAsked] = useState<readonly ManagedMessage[]>([])
  const columns = useColumns((row) => <RowActions row={row} onDo={setDoing} onDelete={setAsked} />)
  const bar = bulk.bar([{ key: 'delete', label: t('delete', { ns: 'shared' }), danger: true, onRun: setAsked }])
  return (
    <PageBody
      title={t('heading')}
      sub={t('sub')}
      actions={
        <Button type="primary" icon={<Icon name="plus" />} onClick={() => setDoing({ what: 'add' })}>
          {t('add')}
        </Button>
      }
    >
      <ListTable
        list={list}
        label={t('heading')}
        columns={columns}
        toolbar={
          <>
            <SearchBox label={t('search')} value={query.key ?? ''} onSearch={(key) => set({ key })} />
            <TypeFilter value={search.get('type')} onChange={(next) => set({ type: next })} />
          </>
        }
        {...(mayDelete ? { bulk: bar } : {})}
        empty={list.filtered ? t('emptyFiltered') : t('empty')}
      />
      <MessageFormDrawer
        open={doing?.what === 'add' || doing?.what === 'edit'}
        id={doing?.what === 'edit' ? doing.id : null}
        onClose={(saved) => {
          setDoing(null)
          if (saved) void again()
        }}
      />
      {asked.length === 0 ? null : <DeleteQuestion rows={asked} bulk={bulk} onClose={() => setAsked([])} />}
      {doing?.what === 'see' ? <MessageDialog id={doing.id} onClose={() => setDoing(null)} /> : null}
    </PageBody>
  )
}
