/** A customer's messages: what is unread stands out, opening reads. */
import { useQueryClient } from '@tanstack/react-query'
import type { MessageRow } from '@tidegate/contract/operations/message'
import type { Column } from '@tidegate/ui/DataTable.tsx'
import { RelativeTime } from '@tidegate/ui/RelativeTime.tsx'
import { SearchBox } from '@tidegate/ui/SearchBox.tsx'
import { StatusDot } from '@tidegate/ui/StatusDot.tsx'
import { Button, Segmented } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ListTable } from '../../shared/list/ListTable.tsx'
import { useBulk } from '../../shared/list/useBulk.ts'
import { useList } from '../../shared/list/useList.ts'
import { MESSAGES, useMarkRead, useUnread } from '../../shared/message/api.ts'
import { MessageDialog } from '../../shared/message/MessageDialog.tsx'
import { useTypeWord } from '../../shared/message/useTypeWord.ts'
import { PageBody } from '../../shared/Page.tsx'
import './texts.ts'
import { useSay } from '../../shared/useSay.tsx'

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
          <StatusDot tone="news">{t('unread')}</StatusDot>
        ) : (
          <StatusDot tone="idle">{t('read')}</StatusDot>
        ),
    },
    { key: 'createtime', title: t('publishAt'), render: (_, r) => <RelativeTime iso={r.createtime} both /> },
  ]
}

const unreadOnly = (search: URLSearchParams) => search.get('only') === 'unread'

export const Page = () => {
  const { t } = useTranslation('messages')
  const say = useSay()
  const client = useQueryClient()
  const unread = useUnread()
  const list = useList('message.notices', MESSAGES, {
    filters: (search) => (unreadOnly(search) ? { readStatus: 0 as const } : {}),
  })
  const only = unreadOnly(list.search)
  const { mutate, mutateAsync, isPending } = useMarkRead()
  const [shown, setShown] = useState<number | null>(null)
  const bulk = useBulk<MessageRow>({
    nameOf: (row) => row.title,
    after: () => client.invalidateQueries({ queryKey: MESSAGES }),
  })
  const bar = bulk.bar([
    {
      key: 'read',
      label: t('markRead'),
      onRun: (rows) => void bulk.run(rows, (some) => mutateAsync({ ids: some.map((r) => r.id) }), t('marked')),
    },
  ])
  return (
    <PageBody
      title={t('noticesHeading')}
      sub={t('unreadCount', { count: unread ?? 0 })}
      actions={
        <Button
          loading={isPending}
          disabled={unread === 0}
          onClick={() => mutate({ all: 1 }, { onError: (error) => say.failed(error) })}
        >
          {t('allRead')}
        </Button>
      }
    >
      <ListTable
        list={list}
        label={t('noticesHeading')}
        columns={useColumns(setShown)}
        toolbar={
          <>
            <SearchBox label={t('search')} value={list.query.key ?? ''} onSearch={(key) => list.set({ key })} />
            <Segmented
              aria-label={t('state')}
              value={only ? 'unread' : 'all'}
              options={[
                { value: 'all', label: t('every') },
                { value: 'unread', label: t('unread') },
              ]}
              onChange={(next) => list.set({ only: next === 'unread' ? 'unread' : undefined })}
            />
          </>
        }
        bulk={bar}
        empty={list.query.key !== undefined ? t('emptyFiltered') : only ? t('noneUnread') : t('noticesEmpty')}
      />
      {shown === null ? null : <MessageDialog id={shown} onClose={() => setShown(null)} />}
    </PageBody>
  )
}
