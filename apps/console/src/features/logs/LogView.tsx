/** A log with its search, filters and entries; one component for all three. */
import type { AuditRow } from '@tidegate/contract/operations/audit'
import { useUi } from '@tidegate/ui/context'
import { type Column, DataTable } from '@tidegate/ui/DataTable.tsx'
import { RelativeTime } from '@tidegate/ui/RelativeTime.tsx'
import { SearchBox } from '@tidegate/ui/SearchBox.tsx'
import { Input, Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Failed } from '../../shared/Failed.tsx'
import { PageBody } from '../../shared/Page.tsx'
import { useListQuery } from '../../shared/useListQuery.ts'
import { type Kind, useLog, useLogFilters } from './api.ts'
import { dayStart } from './days.ts'
import { EntryDrawer } from './EntryDrawer.tsx'
import { useActionWords } from './words.ts'
import './logs.css'
import './texts.ts'

const Action = ({ action }: { action: string }) => {
  const words = useActionWords()(action)
  return (
    <div className="tg-two">
      <span>{words ?? action}</span>
      {words === undefined ? null : <span className="tg-faint tg-mono">{action}</span>}
    </div>
  )
}

const Actor = ({ row, own }: { row: AuditRow; own: boolean }) => {
  const { t } = useTranslation('logs')
  if (own && row.acting) return <span className="tg-soft">{t('staffForYou')}</span>
  if (own && row.actorKind === 'admin') return <span className="tg-soft">{t('staff')}</span>
  if (row.acting)
    return (
      <div className="tg-two">
        <span>{row.actorName}</span>
        <span className="tg-bad tg-small">{t('actedBy', { name: row.actingName })}</span>
      </div>
    )
  if (row.actorKind === 'system') return <span className="tg-soft">{t('system')}</span>
  return row.actorName === '' ? <span className="tg-soft">{t('nobody')}</span> : row.actorName
}

const useColumns = (own: boolean, onDetails: (row: AuditRow) => void): Column<AuditRow>[] => {
  const { t } = useTranslation('logs')
  return [
    { key: 'time', title: t('time'), sorter: true, render: (_, r) => <RelativeTime iso={r.time} both /> },
    { key: 'who', title: t('who'), render: (_, r) => <Actor row={r} own={own} /> },
    { key: 'what', title: t('what'), render: (_, r) => <Action action={r.action} /> },
    { key: 'target', title: t('target'), render: (_, r) => <span className="tg-mono">{r.target}</span> },
    { key: 'from', title: t('from'), render: (_, r) => <span className="tg-mono">{r.ip || '–'}</span> },
    {
      key: 'request',
      title: t('request'),
      render: (_, r) => (
        <span className="tg-mono tg-soft" title={r.requestId}>
          {r.requestId.slice(0, 12) || '–'}
        </span>
      ),
    },
    {
      key: 'actions',
      title: t('change'),
      fixed: 'right',
      render: (_, r) => (
        <button type="button" className="tg-link-button" onClick={() => onDetails(r)}>
          {r.changed ? t('showDiff') : t('details')}
        </button>
      ),
    },
  ]
}

const Filters = ({ kind, list }: { kind: Kind; list: ReturnType<typeof useListQuery> }) => {
  const { t } = useTranslation('logs')
  const words = useActionWords()
  const { data } = useLogFilters(kind)
  const { query, search, set } = list
  const actor = Number(search.get('actor') ?? '')
  return (
    <>
      <SearchBox label={t('search')} value={query.key ?? ''} onSearch={(key) => set({ key })} />
      <Select<string>
        allowClear
        showSearch={{ optionFilterProp: 'label' }}
        aria-label={t('what')}
        placeholder={t('what')}
        className="tool-select log-action"
        value={search.get('action')}
        onChange={(action) => set({ action: action ?? undefined })}
        options={(data?.actions ?? []).map((value) => ({ value, label: words(value) ?? value }))}
      />
      {kind === 'audit' ? (
        <Select<number>
          allowClear
          showSearch={{ optionFilterProp: 'label' }}
          aria-label={t('who')}
          placeholder={t('who')}
          className="tool-select"
          value={actor > 0 ? actor : null}
          onChange={(value) => set({ actor: value ?? undefined })}
          options={(data?.actors ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        />
      ) : null}
      <span className="tg-row-tight log-days">
        <Input
          type="date"
          aria-label={t('firstDay')}
          value={search.get('from') ?? ''}
          max={search.get('to') ?? undefined}
          onChange={(event) => set({ from: event.target.value })}
        />
        –
        <Input
          type="date"
          aria-label={t('lastDay')}
          value={search.get('to') ?? ''}
          min={search.get('from') ?? undefined}
          onChange={(event) => set({ to: event.target.value })}
        />
      </span>
    </>
  )
}

interface LogProps {
  kind: Kind
  title: string
  sub: string
}

export const LogView = ({ kind, title, sub }: LogProps) => {
  const { t } = useTranslation('logs')
  const { timeZone } = useUi()
  const list = useListQuery()
  const { query, search, set } = list
  const actor = Number(search.get('actor') ?? '')
  const log = useLog(kind, {
    ...query,
    action: search.get('action') ?? undefined,
    actorId: actor > 0 ? actor : undefined,
    from: dayStart(search.get('from'), timeZone),
    to: dayStart(search.get('to'), timeZone, 1),
  })
  const [shown, setShown] = useState<number | null>(null)
  const columns = useColumns(kind === 'ownLog', (row) => setShown(row.id))
  const filtered = ['key', 'action', 'actor', 'from', 'to'].some((name) => search.has(name))
  return (
    <PageBody title={title} sub={sub}>
      <DataTable<AuditRow>
        label={title}
        columns={columns}
        rows={log.data?.list}
        total={log.data?.totalCount ?? 0}
        loading={log.isPending}
        query={query}
        onQuery={(change) => set({ ...change })}
        toolbar={<Filters kind={kind} list={list} />}
        empty={filtered ? t('emptyFiltered') : t('empty')}
        failed={log.error === null ? undefined : <Failed error={log.error} onRetry={() => void log.refetch()} />}
      />
      <EntryDrawer kind={kind} id={shown} onClose={() => setShown(null)} />
    </PageBody>
  )
}
