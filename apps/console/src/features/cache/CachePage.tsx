/** Cache cleanup: submit, watch the nodes, look back. */
import { useQueryClient } from '@tanstack/react-query'
import { PURGE_KINDS } from '@tidegate/contract/node/config'
import { useUi } from '@tidegate/ui/context'
import type { Column } from '@tidegate/ui/DataTable.tsx'
import { millis } from '@tidegate/ui/format'
import { RelativeTime } from '@tidegate/ui/RelativeTime.tsx'
import { Drawer, Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ListTable } from '../../shared/list/ListTable.tsx'
import { useList } from '../../shared/list/useList.ts'
import { PageBody } from '../../shared/Page.tsx'
import { useListQuery } from '../../shared/useListQuery.ts'
import { LIST_POLL_MS, PURGES, type PurgeRow } from './api.ts'
import { PurgeForm } from './PurgeForm.tsx'
import { PurgeState, TaskView } from './TaskView.tsx'
import './cache.css'
import './texts.ts'

type Kind = (typeof PURGE_KINDS)[number]

const useColumns = (onDetails: (row: PurgeRow) => void): Column<PurgeRow>[] => {
  const { t } = useTranslation('cache')
  const { lang } = useUi()
  const kinds: Record<Kind, string> = { site: t('site'), url: t('url'), dir: t('dir') }
  return [
    {
      key: 'entries',
      title: t('content'),
      render: (_, p) => (
        <span title={p.entries.join('\n')}>
          <span className="tg-mono">{p.entries[0]}</span>{' '}
          {p.entries.length > 1 ? (
            <span className="tg-faint tg-small">{t('more', { n: p.entries.length })}</span>
          ) : null}
        </span>
      ),
    },
    { key: 'kind', title: t('kind'), render: (_, p) => kinds[p.kind] },
    { key: 'state', title: t('state'), render: (_, p) => <PurgeState state={p.state} /> },
    {
      key: 'nodes',
      title: t('nodes'),
      align: 'right',
      render: (_, p) => `${p.nodesDone}/${p.nodes}`,
    },
    {
      key: 'duration',
      title: t('duration'),
      align: 'right',
      render: (_, p) => (p.totalMs < 0 ? '–' : millis(p.totalMs, lang)),
    },
    { key: 'by', title: t('by'), dataIndex: 'by' },
    { key: 'time', title: t('time'), render: (_, p) => <RelativeTime iso={p.createTime} both /> },
    {
      key: 'actions',
      title: t('actions'),
      fixed: 'right',
      render: (_, p) => (
        <button type="button" className="tg-link-button" onClick={() => onDetails(p)}>
          {t('details')}
        </button>
      ),
    },
  ]
}

const kindOf = (search: URLSearchParams) => PURGE_KINDS.find((k) => k === search.get('kind'))
const whilePending = (rows: readonly PurgeRow[] | undefined) =>
  rows?.some((purge) => purge.state === 'pending') ? LIST_POLL_MS : false

const History = () => {
  const { t } = useTranslation('cache')
  const list = useList('cache.list', PURGES, { filters: (search) => ({ kind: kindOf(search) }), every: whilePending })
  const kind = kindOf(list.search)
  const [shown, setShown] = useState<number | null>(null)
  const columns = useColumns((row) => setShown(row.id))
  return (
    <>
      <ListTable
        list={list}
        label={t('history')}
        columns={columns}
        toolbar={
          <div className="tg-row">
            <h2 className="cache-history">{t('history')}</h2>
            <Select<Kind | ''>
              aria-label={t('kind')}
              value={kind ?? ''}
              onChange={(value) => list.set({ kind: value })}
              className="tool-select"
              options={[
                { value: '', label: t('allKinds') },
                { value: 'site', label: t('site') },
                { value: 'url', label: t('url') },
                { value: 'dir', label: t('dir') },
              ]}
            />
          </div>
        }
        empty={t('empty')}
      />
      <Drawer
        open={shown !== null}
        onClose={() => setShown(null)}
        title={shown === null ? '' : t('task', { id: shown })}
        size={520}
        destroyOnHidden
      >
        {shown === null ? null : <TaskView id={shown} />}
      </Drawer>
    </>
  )
}

export const Page = () => {
  const { t } = useTranslation('cache')
  const client = useQueryClient()
  const { search } = useListQuery()
  const [task, setTask] = useState<number | null>(null)
  const site = search.get('site')
  return (
    <PageBody title={t('title')} sub={t('sub')}>
      <PurgeForm
        initial={site === null || site === '' || site.startsWith('*') ? '' : `https://${site}`}
        onPurged={(id) => {
          setTask(id)
          void client.invalidateQueries({ queryKey: [...PURGES, 'list'] })
        }}
      />
      {task === null ? null : <TaskView id={task} />}
      <History />
    </PageBody>
  )
}
