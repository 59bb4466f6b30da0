/** A log with its search, filters and entries; one component for all three. */
import type { AuditRow } from '@tidegate/contract/operations/audit'
import { useUi } from '@tidegate/ui/context'
import type { Column } from '@tidegate/ui/DataTable.tsx'
import { DateRange } from '@tidegate/ui/DateRange.tsx'
import { dayStart } from '@tidegate/ui/dates'
import { RelativeTime } from '@tidegate/ui/RelativeTime.tsx'
import { SearchBox } from '@tidegate/ui/SearchBox.tsx'
import { Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Action } from '../../shared/actions/Action.tsx'
import { useActionWords } from '../../shared/actions/words.ts'
import { ListTable } from '../../shared/list/ListTable.tsx'
import { type List, useList } from '../../shared/list/useList.ts'
import { PageBody } from '../../shared/Page.tsx'
import { type Kind, useLogFilters } from './api.ts'
import { EntryDrawer } from './EntryDrawer.tsx'
import './logs.css'
import './texts.ts'

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

const Filters = ({ kind, list }: { kind: Kind; list: List<AuditRow> }) => {
  const { t } = useTranslation('logs')
  const words = useActionWords()
  const { data } = useLogFilters(kind)
  const { query, search, set } = list
  const actor = Number(search.get('actor') ?? '')
  const from = search.get('from')
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
      <DateRange
        label={t('days')}
        value={from === null ? null : { from, to: search.get('to') ?? from }}
        onChange={(days) => set({ from: days?.from, to: days?.to })}
      />
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
  const list: List<AuditRow> = useList(`${kind}.list`, [kind], {
    filters: (search) => {
      const actor = Number(search.get('actor')) || undefined
      return {
        action: search.get('action') ?? undefined,
        ...(kind === 'audit' ? { actorId: actor } : kind === 'userLog' ? { userId: actor } : {}),
        from: dayStart(search.get('from'), timeZone),
        to: dayStart(search.get('to'), timeZone, 1),
      }
    },
  })
  const [shown, setShown] = useState<number | null>(null)
  const columns = useColumns(kind === 'ownLog', (row) => setShown(row.id))
  return (
    <PageBody title={title} sub={sub}>
      <ListTable
        list={list}
        label={title}
        columns={columns}
        toolbar={<Filters kind={kind} list={list} />}
        empty={list.filtered ? t('emptyFiltered') : t('empty')}
        exports
      />
      <EntryDrawer kind={kind} id={shown} onClose={() => setShown(null)} />
    </PageBody>
  )
}
