/** Backups of the control plane: what there is, make one now, take one along, go back to one. */
import { useQueryClient } from '@tanstack/react-query'
import type { BackupPlace } from '@tidegate/contract/enums'
import type { BackupRow, BackupState } from '@tidegate/contract/operations/backup'
import { useUi } from '@tidegate/ui/context'
import type { Column } from '@tidegate/ui/DataTable.tsx'
import { bytes, figureText } from '@tidegate/ui/format'
import { Icon } from '@tidegate/ui/Icon.tsx'
import { RelativeTime } from '@tidegate/ui/RelativeTime.tsx'
import { SearchBox } from '@tidegate/ui/SearchBox.tsx'
import { StatusDot } from '@tidegate/ui/StatusDot.tsx'
import { Button, Select } from 'antd'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../shared/api/call.ts'
import { Confirm } from '../../shared/Confirm.tsx'
import { Failed } from '../../shared/Failed.tsx'
import { ListTable } from '../../shared/list/ListTable.tsx'
import { useList } from '../../shared/list/useList.ts'
import { PageBody } from '../../shared/Page.tsx'
import { useSay } from '../../shared/useSay.tsx'
import { useMay } from '../../shell/session.ts'
import { BACKUPS, isBusy, useBackupState } from './api.ts'
import { ExportDialog, RestoreDialog } from './dialogs.tsx'
import { SettingsDialog } from './SettingsDialog.tsx'
import { StatePanel } from './StatePanel.tsx'
import { Waiting } from './Waiting.tsx'
import { useKindWords, usePlaceWords } from './words.ts'
import './backup.css'
import './texts.ts'

type Doing =
  | { what: 'export' | 'import' | 'settings' }
  | { what: 'download' | 'restore' | 'delete'; backup: BackupRow }
  | { what: 'wait'; request: string }
  | null

const useColumns = (actions: (backup: BackupRow) => ReactNode): Column<BackupRow>[] => {
  const { t } = useTranslation('backup')
  const { lang } = useUi()
  const kinds = useKindWords()
  return [
    {
      key: 'time',
      title: t('time'),
      width: 260,
      render: (_, r) => (
        <div className="tg-two">
          {r.time === '' ? <span className="tg-faint">–</span> : <RelativeTime iso={r.time} both />}
          <span className="tg-mono tg-faint">{r.name}</span>
        </div>
      ),
    },
    { key: 'kind', title: t('kind'), render: (_, r) => kinds[r.kind] },
    { key: 'by', title: t('by'), render: (_, r) => (r.by === '' ? <span className="tg-faint">–</span> : r.by) },
    {
      key: 'bytes',
      title: t('size'),
      align: 'right',
      sorter: true,
      render: (_, r) => figureText(bytes(r.bytes, lang)),
    },
    {
      key: 'version',
      title: t('version'),
      render: (_, r) =>
        r.fault === '' ? <span className="tg-mono">{r.version}</span> : <StatusDot tone="bad">{r.fault}</StatusDot>,
    },
    { key: 'actions', title: t('actions'), fixed: 'right', align: 'left', render: (_, r) => actions(r) },
  ]
}

const RowActions = ({ backup, onDo }: { backup: BackupRow; onDo: (doing: Doing) => void }) => {
  const { t } = useTranslation(['backup', 'shared'])
  return (
    <div className="tool-links">
      <button type="button" className="tg-link-button" onClick={() => onDo({ what: 'download', backup })}>
        {t('download')}
      </button>
      <button
        type="button"
        className="tg-link-button"
        disabled={backup.fault !== ''}
        onClick={() => onDo({ what: 'restore', backup })}
      >
        {t('restore')}
      </button>
      <button type="button" className="tg-link-button tg-danger" onClick={() => onDo({ what: 'delete', backup })}>
        {t('delete', { ns: 'shared' })}
      </button>
    </div>
  )
}

const DeleteBackup = ({ backup, onClose }: { backup: BackupRow; onClose: (done: boolean) => void }) => {
  const { t } = useTranslation(['backup', 'shared'])
  const say = useSay()
  return (
    <Confirm
      title={t('deleteTitle')}
      question={t('deleteText', { name: backup.name })}
      okText={t('delete', { ns: 'shared' })}
      danger
      onOk={async () => {
        await call('backup.delete', { place: backup.place, names: [backup.name] })
        say.ok('deleted')
      }}
      onClose={onClose}
    />
  )
}

const Dialogs = ({ doing, onDo }: { doing: Doing; onDo: (doing: Doing) => void }) => {
  const client = useQueryClient()
  const close = () => onDo(null)
  const closed = (changed: boolean) => {
    close()
    if (changed) void client.invalidateQueries({ queryKey: BACKUPS })
  }
  if (doing === null) return null
  switch (doing.what) {
    case 'export':
      return <ExportDialog backup={null} onClose={close} />
    case 'download':
      return <ExportDialog backup={doing.backup} onClose={close} />
    case 'settings':
      return <SettingsDialog onClose={closed} />
    case 'delete':
      return <DeleteBackup backup={doing.backup} onClose={closed} />
    case 'wait':
      return <Waiting request={doing.request} onClose={() => closed(true)} />
    default:
      return (
        <RestoreDialog
          backup={doing.what === 'restore' ? doing.backup : null}
          onClose={close}
          onStarted={(request) => onDo({ what: 'wait', request })}
        />
      )
  }
}

const PageActions = ({ state, onDo }: { state: BackupState; onDo: (doing: Doing) => void }) => {
  const { t } = useTranslation('backup')
  const say = useSay()
  const client = useQueryClient()
  const mayMake = useMay('system:backup:make')
  const make = async () => {
    await call('backup.make', {}).catch(say.failed)
    await client.invalidateQueries({ queryKey: [...BACKUPS, 'state'] })
  }
  return (
    <>
      {state.mayRestore ? (
        <>
          <Button onClick={() => onDo({ what: 'settings' })}>{t('settings')}</Button>
          <Button onClick={() => onDo({ what: 'import' })}>{t('import')}</Button>
          <Button onClick={() => onDo({ what: 'export' })}>{t('export')}</Button>
        </>
      ) : null}
      {mayMake ? (
        <Button
          type="primary"
          icon={<Icon name="plus" />}
          disabled={!state.ready}
          loading={isBusy(state)}
          onClick={() => void make()}
        >
          {t('makeNow')}
        </Button>
      ) : null}
    </>
  )
}

/** The list is read again when a backup that was under way has come to its end. */
const useFreshList = (state: BackupState | undefined) => {
  const client = useQueryClient()
  const was = useRef(false)
  const busy = isBusy(state)
  useEffect(() => {
    if (was.current && !busy) void client.invalidateQueries({ queryKey: [...BACKUPS, 'list'] })
    was.current = busy
  }, [busy, client])
}

const placeOf = (search: URLSearchParams): { place?: BackupPlace } => {
  const place = search.get('place')
  return place === 'disk' || place === 's3' ? { place } : {}
}

const BackupList = ({ state, onDo }: { state: BackupState; onDo: (doing: Doing) => void }) => {
  const { t } = useTranslation('backup')
  const places = usePlaceWords()
  const list = useList('backup.list', BACKUPS, { filters: placeOf })
  const columns = useColumns((backup) => (state.mayRestore ? <RowActions backup={backup} onDo={onDo} /> : null))
  return (
    <ListTable
      list={list}
      label={t('title')}
      columns={columns}
      rowKey={(row) => row.name}
      toolbar={
        <>
          <SearchBox label={t('search')} value={list.query.key ?? ''} onSearch={(key) => list.set({ key })} />
          {state.target === 's3' ? (
            <Select<string>
              aria-label={t('target')}
              className="tool-select"
              value={list.search.get('place') ?? state.target}
              onChange={(place) => list.set({ place })}
              options={[
                { value: 's3', label: places.s3 },
                { value: 'disk', label: places.disk },
              ]}
            />
          ) : null}
        </>
      }
      empty={list.filtered ? t('emptyFiltered') : t('empty')}
    />
  )
}

export const Page = () => {
  const { t } = useTranslation('backup')
  const [doing, setDoing] = useState<Doing>(null)
  const { data: state, error, refetch } = useBackupState()
  useFreshList(state)
  return (
    <PageBody
      title={t('title')}
      sub={t('sub')}
      actions={state === undefined ? null : <PageActions state={state} onDo={setDoing} />}
    >
      {state !== undefined ? null : error === null ? (
        <div className="tg-bone" />
      ) : (
        <Failed error={error} onRetry={() => void refetch()} />
      )}
      {state === undefined ? null : (
        <>
          <StatePanel state={state} onSetUp={() => setDoing({ what: 'settings' })} />
          <BackupList state={state} onDo={setDoing} />
        </>
      )}
      <Dialogs doing={doing} onDo={setDoing} />
    </PageBody>
  )
}
