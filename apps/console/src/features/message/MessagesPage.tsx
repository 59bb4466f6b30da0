/** The staff's screen: what was published, for whom, and how many have read it. */
import { useQueryClient } from '@tanstack/react-query'
import { MESSAGE_TYPE } from '@tidegate/contract/enums'
import type { ManagedMessage } from '@tidegate/contract/operations/message'
import { type Column, DataTable } from '@tidegate/ui/DataTable.tsx'
import { Icon } from '@tidegate/ui/Icon.tsx'
import { RelativeTime } from '@tidegate/ui/RelativeTime.tsx'
import { SearchBox } from '@tidegate/ui/SearchBox.tsx'
import { StatusDot } from '@tidegate/ui/StatusDot.tsx'
import { App, Button, Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../shared/api/call.ts'
import { errorLine } from '../../shared/api/error.ts'
import { Failed } from '../../shared/Failed.tsx'
import { MESSAGES } from '../../shared/message/api.ts'
import { MessageDialog } from '../../shared/message/MessageDialog.tsx'
import { useTypeWord } from '../../shared/message/useTypeWord.ts'
import { PageBody } from '../../shared/Page.tsx'
import { useListQuery } from '../../shared/useListQuery.ts'
import { useMay } from '../../shell/session.ts'
import { useManaged } from './api.ts'
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
const useDelete = (onDeleted: () => void) => {
  const { t } = useTranslation(['messages', 'shared'])
  const { message, modal } = App.useApp()
  return (rows: readonly ManagedMessage[]) => {
    modal.confirm({
      title: rows.length === 1 ? t('deleteOne', { title: rows[0]?.title }) : t('deleteMany', { count: rows.length }),
      okText: t('delete', { ns: 'shared' }),
      okButtonProps: { danger: true },
      onOk: async () => {
        try {
          await call('message.delete', { ids: rows.map((r) => r.id) })
          message.success(t('deleted', { ns: 'shared' }))
          onDeleted()
        } catch (error) {
          message.error(errorLine(error))
        }
      },
      onCancel: () => void message.info(t('cancelled', { ns: 'shared' })),
    })
  }
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

export const Page = () => {
  const { t } = useTranslation(['messages', 'shared'])
  const client = useQueryClient()
  const { query, search, set } = useListQuery()
  const type = search.get('type')
  const list = useManaged({ ...query, ...(type === '1' || type === '2' ? { type: type === '1' ? 1 : 2 } : {}) })
  const [doing, setDoing] = useState<Doing>(null)
  const [chosen, setChosen] = useState<ManagedMessage[]>([])
  const mayDelete = useMay('account:message:delete')
  const again = () => {
    setChosen([])
    void client.invalidateQueries({ queryKey: MESSAGES })
  }
  const remove = useDelete(again)
  const columns = useColumns((row) => <RowActions row={row} onDo={setDoing} onDelete={remove} />)
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
      <DataTable<ManagedMessage>
        label={t('heading')}
        columns={columns}
        rows={list.data?.list}
        total={list.data?.totalCount ?? 0}
        loading={list.isPending}
        query={query}
        onQuery={(change) => set({ ...change })}
        toolbar={
          <>
            <SearchBox label={t('search')} value={query.key ?? ''} onSearch={(key) => set({ key })} />
            <TypeFilter value={type} onChange={(next) => set({ type: next })} />
          </>
        }
        bulk={
          mayDelete
            ? {
                chosen,
                setChosen,
                actions: (
                  <Button size="small" danger onClick={() => remove(chosen)}>
                    {t('delete', { ns: 'shared' })}
                  </Button>
                ),
              }
            : undefined
        }
        empty={query.key || type ? t('emptyFiltered') : t('empty')}
        failed={list.error === null ? undefined : <Failed error={list.error} onRetry={() => void list.refetch()} />}
      />
      <MessageFormDrawer
        open={doing?.what === 'add' || doing?.what === 'edit'}
        id={doing?.what === 'edit' ? doing.id : null}
        onClose={(saved) => {
          setDoing(null)
          if (saved) again()
        }}
      />
      {doing?.what === 'see' ? <MessageDialog id={doing.id} onClose={() => setDoing(null)} /> : null}
    </PageBody>
  )
}
