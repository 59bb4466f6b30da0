/** The versions of a record: who changed what, and the way back. */
import { useQueryClient } from '@tanstack/react-query'
import type { ConfigRow, ConfigVersion } from '@tidegate/contract/operations/config'
import { PageModal } from '@tidegate/ui/PageModal.tsx'
import { RelativeTime } from '@tidegate/ui/RelativeTime.tsx'
import { App, Button, Drawer, Pagination } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../shared/api/call.ts'
import { Failed } from '../../shared/Failed.tsx'
import { useSay } from '../../shared/useSay.tsx'
import { RECORDS, useRecordHistory } from './api.ts'

const Changes = ({ version }: { version: ConfigVersion }) => {
  const { t } = useTranslation('settings')
  if (version.changes.length === 0) return <p className="tg-faint">{t('noChange')}</p>
  return (
    <dl className="settings-changes">
      {version.changes.map((change) => (
        <div key={change.path}>
          <dt className="tg-mono">{change.path}</dt>
          <dd>
            {change.secret ? (
              <span className="tg-soft">{t('secretChanged')}</span>
            ) : (
              <>
                {change.before === null || change.before === '' ? null : <del>{change.before}</del>}{' '}
                {change.after === null || change.after === '' ? null : <ins>{change.after}</ins>}
              </>
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}

const RestoreDialog = ({
  row,
  version,
  onClose,
}: {
  row: ConfigRow
  version: number
  onClose: (done: boolean) => void
}) => {
  const { t } = useTranslation(['settings', 'shared'])
  const { message } = App.useApp()
  const say = useSay()
  const [busy, setBusy] = useState(false)
  const run = async () => {
    setBusy(true)
    try {
      await call('config.restore', { id: row.id, version })
      message.success(t('saved', { ns: 'shared' }))
      onClose(true)
    } catch (error) {
      say.failed(error)
      setBusy(false)
    }
  }
  return (
    <PageModal
      open
      title={t('restoreTitle', { version })}
      okText={t('restore')}
      cancelText={t('cancel', { ns: 'shared' })}
      confirmLoading={busy}
      onOk={() => void run()}
      onCancel={() => {
        message.info(t('cancelled', { ns: 'shared' }))
        onClose(false)
      }}
    >
      {t('restoreText')}
    </PageModal>
  )
}

const Versions = ({ row }: { row: ConfigRow }) => {
  const { t } = useTranslation('settings')
  const client = useQueryClient()
  const [page, setPage] = useState(1)
  const [asked, ask] = useState<number | null>(null)
  const history = useRecordHistory(row.id, page)
  if (history.error !== null) return <Failed error={history.error} onRetry={() => void history.refetch()} />
  if (history.data === undefined) return <div className="tg-bone" />
  return (
    <>
      <ol className="settings-versions">
        {history.data.list.map((version) => (
          <li key={version.version}>
            <div className="settings-version">
              <strong>{t('version', { version: version.version })}</strong>
              <span className="tg-soft">{version.by}</span>
              <RelativeTime iso={version.time} both />
              {version.current ? (
                <span className="tg-faint">{t('current')}</span>
              ) : (
                <Button size="small" disabled={!row.editable} onClick={() => ask(version.version)}>
                  {t('restore')}
                </Button>
              )}
            </div>
            <Changes version={version} />
          </li>
        ))}
      </ol>
      <Pagination
        size="small"
        hideOnSinglePage
        current={page}
        pageSize={10}
        total={history.data.totalCount}
        onChange={setPage}
      />
      {asked === null ? null : (
        <RestoreDialog
          row={row}
          version={asked}
          onClose={(done) => {
            ask(null)
            if (done) void client.invalidateQueries({ queryKey: RECORDS })
          }}
        />
      )}
    </>
  )
}

/** `row` null: closed. */
export const HistoryDrawer = ({ row, onClose }: { row: ConfigRow | null; onClose: () => void }) => {
  const { t } = useTranslation('settings')
  return (
    <Drawer
      open={row !== null}
      onClose={onClose}
      title={t('historyOf', { name: row?.remark ?? '' })}
      size={560}
      destroyOnHidden
    >
      {row === null ? null : <Versions row={row} />}
    </Drawer>
  )
}
