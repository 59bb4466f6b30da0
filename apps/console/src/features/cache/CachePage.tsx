/** Cache cleanup: submit, watch the nodes, look back. */
import { useQueryClient } from '@tanstack/react-query'
import { PURGE_KINDS } from '@tidegate/contract/node/config'
import { useUi } from '@tidegate/ui/context'
import { DataTable } from '@tidegate/ui/DataTable.tsx'
import { millis } from '@tidegate/ui/format'
import { RelativeTime } from '@tidegate/ui/RelativeTime.tsx'
import { Drawer, Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Failed } from '../../shared/Failed.tsx'
import { PageBody } from '../../shared/Page.tsx'
import { useListQuery } from '../../shared/useListQuery.ts'
import { PURGES, type PurgeRow, usePurges } from './api.ts'
import { PurgeForm } from './PurgeForm.tsx'
import { PurgeState, TaskView } from './TaskView.tsx'
import './cache.css'
import './texts.ts'

type Kind = (typeof PURGE_KINDS)[number]

const useColumns = (onDetails: (row: PurgeRow) => void) => {
  const { t } = useTranslation('cache')
  const { lang } = useUi()
  const kinds: Record<Kind, string> = { site: t('site'), url: t('url'), dir: t('dir') }
  return [
    {
      key: 'entries',
      title: t('content'),
      render: (_: unknown, p: PurgeRow) => (
        <span title={p.entries.join('\n')}>
          <span className="tg-mono">{p.entries[0]}</span>{' '}
          {p.entries.length > 1 ? (
            <span className="tg-faint tg-small">{t('more', { n: p.entries.length })}</span>
          ) : null}
        </span>
      ),
    },
    { key: 'kind', title: t('kind'), render: (_: unknown, p: PurgeRow) => kinds[p.kind] },
    { key: 'state', title: t('state'), render: (_: unknown, p: PurgeRow) => <PurgeState state={p.state} /> },
    {
      key: 'nodes',
      title: t('nodes'),
      align: 'right' as const,
      render: (_: unknown, p: PurgeRow) => `${p.nodesDone}/${p.nodes}`,
    },
    {
      key: 'duration',
      title: t('duration'),
      align: 'right' as const,
      render: (_: unknown, p: PurgeRow) => (p.totalMs < 0 ? '–' : millis(p.totalMs, lang)),
    },
    { key: 'by', title: t('by'), dataIndex: 'by' },
    { key: 'time', title: t('time'), render: (_: unknown, p: PurgeRow) => <RelativeTime iso={p.createTime} both /> },
    {
      key: 'actions',
      title: '',
      fixed: 'right' as const,
      render: (_: unknown, p: PurgeRow) => (
        <button type="button" className="tg-link-button" onClick={() => onDetails(p)}>
          {t('details')}
        </button>
      ),
    },
  ]
}

const History = () => {
  const { t } = useTranslation('cache')
  const { query, search, set } = useListQuery()
  const kind = PURGE_KINDS.find((k) => k === search.get('kind'))
  const purges = usePurges({ ...query, ...(kind === undefined ? {} : { kind }) })
  const [shown, setShown] = useState<number | null>(null)
  const columns = useColumns((row) => setShown(row.id))
  return (
    <>
      <DataTable<PurgeRow>
        label={t('history')}
        columns={columns}
        rows={purges.data?.list}
        total={purges.data?.totalCount ?? 0}
        loading={purges.isPending}
        query={query}
        onQuery={(change) => set({ ...change })}
        toolbar={
          <div className="tg-row">
            <h2 className="cache-history">{t('history')}</h2>
            <Select<Kind | ''>
              aria-label={t('kind')}
              value={kind ?? ''}
              onChange={(value) => set({ kind: value })}
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
        failed={
          purges.error === null ? undefined : <Failed error={purges.error} onRetry={() => void purges.refetch()} />
        }
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
