/** The versions of a site, and the way back to one. */
import type { OutputOf } from '@tidegate/contract/operations/index'
import { useUi } from '@tidegate/ui/context'
import { DataTable } from '@tidegate/ui/DataTable.tsx'
import { RelativeTime } from '@tidegate/ui/RelativeTime.tsx'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Failed } from '../../shared/Failed.tsx'
import { useHistory } from './api.ts'

type Version = OutputOf<'site.history'>['data']['list'][number]

export const HistoryTab = ({
  id,
  version,
  onRollback,
}: {
  id: number
  version: number
  onRollback: (version: number) => void
}) => {
  const { t } = useTranslation('site')
  const reasons: Record<string, string> = {
    create: t('reasonCreate'),
    site: t('reasonSite'),
    save: t('reasonSite'),
    enable: t('reasonEnable'),
    disable: t('reasonDisable'),
    rollback: t('reasonRollback'),
    cert: t('reasonCert'),
  }
  const { pageSize: limit } = useUi().table
  const [page, setPage] = useState(1)
  const history = useHistory(id, page, limit)
  return (
    <DataTable<Version>
      id="site.history"
      rowKey={(v) => v.version}
      label={t('tabHistory')}
      columns={[
        {
          key: 'version',
          title: t('version'),
          render: (_, v) => (
            <>
              <span className="tg-mono">{v.version}</span>{' '}
              {v.version === version ? <span className="tg-soft">{t('current')}</span> : null}
            </>
          ),
        },
        { key: 'domains', title: t('domains'), render: (_, v) => v.domains.join(', ') },
        {
          key: 'reason',
          title: t('reason'),
          render: (_, v) => reasons[v.version === 1 ? 'create' : v.reason] ?? v.reason,
        },
        { key: 'revision', title: t('revision'), render: (_, v) => <span className="tg-mono">r{v.revision}</span> },
        { key: 'by', title: t('by'), dataIndex: 'by' },
        { key: 'time', title: t('time'), render: (_, v) => <RelativeTime iso={v.time} both /> },
        {
          key: 'actions',
          title: t('actions'),
          fixed: 'right',
          render: (_, v) => (
            <button
              type="button"
              className="tg-link-button"
              disabled={v.version === version}
              onClick={() => onRollback(v.version)}
            >
              {t('rollback')}
            </button>
          ),
        },
      ]}
      rows={history.data?.list}
      total={history.data?.totalCount ?? 0}
      loading={history.isPending}
      busy={history.isPlaceholderData}
      query={{ page, limit }}
      onQuery={(change) => setPage(change.page ?? page)}
      empty={t('historyEmpty')}
      failed={
        history.error === null ? undefined : <Failed error={history.error} onRetry={() => void history.refetch()} />
      }
    />
  )
}
