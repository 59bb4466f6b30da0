/** A customer's messages: what is unread stands out, opening reads. */
import type { MessageRow } from '@tidegate/contract/operations/message'
import { type Column, DataTable } from '@tidegate/ui/DataTable.tsx'
import { RelativeTime } from '@tidegate/ui/RelativeTime.tsx'
import { SearchBox } from '@tidegate/ui/SearchBox.tsx'
import { StatusDot } from '@tidegate/ui/StatusDot.tsx'
import { App, Button, Segmented } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorLine } from '../../shared/api/error.ts'
import { Failed } from '../../shared/Failed.tsx'
import { useMarkRead } from '../../shared/message/api.ts'
import { MessageDialog } from '../../shared/message/MessageDialog.tsx'
import { useTypeWord } from '../../shared/message/useTypeWord.ts'
import { PageBody } from '../../shared/Page.tsx'
import { useListQuery } from '../../shared/useListQuery.ts'
import { useNotices } from './api.ts'
import './texts.ts'

const useColumns = (onOpen: (id: number) => void): Column<MessageRow>[] => {
  const { t } = useTranslation('messages')
  const type = useTypeWord()
  return [
    {
      key: 'title',
      title: t('title'),
      render: (_, r) => (
        <button type="button" className="tg-link-button" onClick={() => onOpen(r.id)}>
          {r.readStatus === 0 ? <strong>{r.title}</strong> : r.title}
        </button>
      ),
    },
    { key: 'type', title: t('type'), render: (_, r) => type(r.type) },
    {
      key: 'readStatus',
      title: t('state'),
      render: (_, r) =>
        r.readStatus === 0 ? (
          <StatusDot tone="busy">{t('unread')}</StatusDot>
        ) : (
          <StatusDot tone="idle">{t('read')}</StatusDot>
        ),
    },
    { key: 'createtime', title: t('publishAt'), render: (_, r) => <RelativeTime iso={r.createtime} both /> },
  ]
}

export const Page = () => {
  const { t } = useTranslation('messages')
  const { message } = App.useApp()
  const { query, search, set } = useListQuery()
  const only = search.get('only') === 'unread'
  const list = useNotices({ ...query, ...(only ? { readStatus: 0 } : {}) })
  const { mutate, isPending } = useMarkRead()
  const [shown, setShown] = useState<number | null>(null)
  const [chosen, setChosen] = useState<MessageRow[]>([])
  const mark = (input: { ids: number[] } | { all: 1 }) =>
    mutate(input, { onSuccess: () => setChosen([]), onError: (error) => void message.error(errorLine(error)) })
  return (
    <PageBody
      title={t('noticesHeading')}
      sub={t('unreadCount', { count: list.data?.unread ?? 0 })}
      actions={
        <Button loading={isPending} disabled={list.data?.unread === 0} onClick={() => mark({ all: 1 })}>
          {t('allRead')}
        </Button>
      }
    >
      <DataTable<MessageRow>
        label={t('noticesHeading')}
        columns={useColumns(setShown)}
        rows={list.data?.data.list}
        total={list.data?.data.totalCount ?? 0}
        loading={list.isPending}
        query={query}
        onQuery={(change) => set({ ...change })}
        toolbar={
          <>
            <SearchBox label={t('search')} value={query.key ?? ''} onSearch={(key) => set({ key })} />
            <Segmented
              aria-label={t('state')}
              value={only ? 'unread' : 'all'}
              options={[
                { value: 'all', label: t('every') },
                { value: 'unread', label: t('unread') },
              ]}
              onChange={(next) => set({ only: next === 'unread' ? 'unread' : undefined })}
            />
          </>
        }
        bulk={{
          chosen,
          setChosen,
          actions: (
            <Button size="small" onClick={() => mark({ ids: chosen.map((r) => r.id) })}>
              {t('markRead')}
            </Button>
          ),
        }}
        empty={only ? t('noneUnread') : t('noticesEmpty')}
        failed={list.error === null ? undefined : <Failed error={list.error} onRetry={() => void list.refetch()} />}
      />
      {shown === null ? null : <MessageDialog id={shown} onClose={() => setShown(null)} />}
    </PageBody>
  )
}
