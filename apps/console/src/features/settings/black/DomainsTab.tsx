/** The domains of the blacklist. */
import { useQueryClient } from '@tanstack/react-query'
import { BLACK_SCOPES } from '@tidegate/contract/black'
import type { BlackRow } from '@tidegate/contract/operations/black'
import { MoreMenu } from '@tidegate/ui/ActionMenu.tsx'
import type { Column } from '@tidegate/ui/DataTable.tsx'
import { RelativeTime } from '@tidegate/ui/RelativeTime.tsx'
import { SearchBox } from '@tidegate/ui/SearchBox.tsx'
import { StatusDot } from '@tidegate/ui/StatusDot.tsx'
import { Select } from 'antd'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../shared/api/call.ts'
import { Confirm } from '../../../shared/Confirm.tsx'
import { EnabledFilter, enabledOf } from '../../../shared/list/EnabledFilter.tsx'
import { ListTable } from '../../../shared/list/ListTable.tsx'
import { type BulkRun, useBulk } from '../../../shared/list/useBulk.ts'
import { type List, useList } from '../../../shared/list/useList.ts'
import { useMay } from '../../../shell/session.ts'
import { BLACK, useBlackState } from './api.ts'
import { ClearDialog } from './ClearDialog.tsx'
import { EntryDrawer } from './EntryForm.tsx'
import { Facts } from './Facts.tsx'
import { ImportDialog } from './ImportDialog.tsx'
import { useScopeWords, written } from './words.ts'

export type Doing =
  | { what: 'add' | 'import' | 'clear' }
  | { what: 'edit'; entry: BlackRow }
  | { what: 'delete'; entries: readonly BlackRow[] }
  | null

const useColumns = (actions: (entry: BlackRow) => ReactNode): Column<BlackRow>[] => {
  const { t } = useTranslation('black')
  const { short } = useScopeWords()
  return [
    {
      key: 'domain',
      title: t('domain'),
      sorter: true,
      render: (_, e) => (
        <div className="tg-two">
          <span className="tg-mono black-name">{e.domain}</span>
          {e.remark === '' ? null : <span className="tg-faint tg-small">{e.remark}</span>}
        </div>
      ),
    },
    { key: 'scope', title: t('scope'), render: (_, e) => short[e.scope] },
    { key: 'category', title: t('category'), render: (_, e) => e.category || <span className="tg-faint">–</span> },
    {
      key: 'state',
      title: t('state'),
      render: (_, e) => (
        <StatusDot tone={e.enabled ? 'good' : 'idle'}>{e.enabled ? t('enabled') : t('disabled')}</StatusDot>
      ),
    },
    {
      key: 'createTime',
      title: t('created'),
      sorter: true,
      render: (_, e) => <RelativeTime iso={e.createTime} both />,
    },
    { key: 'actions', title: '', fixed: 'right', align: 'left', render: (_, e) => actions(e) },
  ]
}

interface ActionProps {
  entry: BlackRow
  onDo: (doing: Doing) => void
  onEnable: (entries: readonly BlackRow[], enabled: boolean) => void
}

const RowActions = ({ entry, onDo, onEnable }: ActionProps) => {
  const { t } = useTranslation(['black', 'shared'])
  const maySave = useMay('dns:black:config:save')
  const mayDelete = useMay('dns:black:config:delete')
  const items = [
    ...(maySave
      ? [
          {
            key: 'enable',
            label: entry.enabled ? t('disable') : t('enable'),
            onClick: () => onEnable([entry], !entry.enabled),
          },
        ]
      : []),
    ...(mayDelete
      ? [
          {
            key: 'delete',
            danger: true,
            label: t('delete', { ns: 'shared' }),
            onClick: () => onDo({ what: 'delete', entries: [entry] }),
          },
        ]
      : []),
  ]
  return (
    <div className="tool-links">
      {maySave ? (
        <button type="button" className="tg-link-button" onClick={() => onDo({ what: 'edit', entry })}>
          {t('edit', { ns: 'shared' })}
        </button>
      ) : null}
      <MoreMenu label={t('actionsOf', { domain: entry.domain })} items={items} />
    </div>
  )
}

const Tools = ({ list, categories }: { list: List<BlackRow>; categories: readonly string[] }) => {
  const { t } = useTranslation('black')
  const { short } = useScopeWords()
  const { query, search, set } = list
  return (
    <>
      <SearchBox label={t('search')} value={query.key ?? ''} onSearch={(key) => set({ key })} />
      <EnabledFilter search={search} set={set} label={t('state')} enabled={t('enabled')} disabled={t('disabled')} />
      <Select<string>
        allowClear
        aria-label={t('scope')}
        placeholder={t('scope')}
        className="tool-select"
        value={search.get('scope')}
        onChange={(scope) => set({ scope: scope ?? undefined })}
        options={BLACK_SCOPES.map((value) => ({ value, label: short[value] }))}
      />
      {categories.length === 0 ? null : (
        <Select<string>
          allowClear
          showSearch
          aria-label={t('category')}
          placeholder={t('category')}
          className="tool-select"
          value={search.get('category')}
          onChange={(category) => set({ category: category ?? undefined })}
          options={categories.map((value) => ({ value, label: value }))}
        />
      )}
    </>
  )
}

const filtersOf = (search: URLSearchParams) => ({
  ...enabledOf(search),
  scope: BLACK_SCOPES.find((one) => one === search.get('scope')),
  category: search.get('category') ?? undefined,
})

/** Asks, and deletes. */
const DeleteQuestion = ({
  entries,
  bulk,
  onClose,
}: {
  entries: readonly BlackRow[]
  bulk: BulkRun<BlackRow>
  onClose: () => void
}) => {
  const { t } = useTranslation(['black', 'shared'])
  const [first] = entries
  const one = entries.length === 1 && first !== undefined
  const word = t('delete', { ns: 'shared' })
  return (
    <Confirm
      title={word}
      question={one ? t('deleteOne', { domain: written(first) }) : t('deleteMany', { count: entries.length })}
      okText={word}
      danger
      onOk={() =>
        bulk.run(
          entries,
          (some) => call('black.delete', { ids: some.map((e) => e.id) }),
          t('deleted', { ns: 'shared' }),
        )
      }
      onClose={onClose}
    />
  )
}

/** `doing`: what the page's own actions ask for, too. */
export const DomainsTab = ({ doing, onDo }: { doing: Doing; onDo: (doing: Doing) => void }) => {
  const { t } = useTranslation(['black', 'shared'])
  const client = useQueryClient()
  const list = useList('black.list', BLACK, { filters: filtersOf })
  const state = useBlackState()
  const maySave = useMay('dns:black:config:save')
  const mayDelete = useMay('dns:black:config:delete')
  // Opened again it begins empty.
  const [turn, setTurn] = useState(0)
  const renew = () => client.invalidateQueries({ queryKey: BLACK })
  const bulk = useBulk<BlackRow>({ nameOf: (entry) => entry.domain, after: renew })
  const enable = (entries: readonly BlackRow[], enabled: boolean) =>
    void bulk.run(
      entries,
      (some) => call('black.enable', { ids: some.map((e) => e.id), enabled }),
      enabled ? t('enabledDone') : t('disabledDone'),
    )
  const columns = useColumns((entry) => <RowActions entry={entry} onDo={onDo} onEnable={enable} />)
  const close = (changed: boolean) => {
    onDo(null)
    setTurn((n) => n + 1)
    if (changed) void renew()
  }
  const bar = bulk.bar([
    ...(maySave
      ? [
          { key: 'enable', label: t('enable'), onRun: (some: readonly BlackRow[]) => enable(some, true) },
          { key: 'disable', label: t('disable'), onRun: (some: readonly BlackRow[]) => enable(some, false) },
        ]
      : []),
    ...(mayDelete
      ? [
          {
            key: 'delete',
            label: t('delete', { ns: 'shared' }),
            danger: true,
            onRun: (entries: readonly BlackRow[]) => onDo({ what: 'delete', entries }),
          },
        ]
      : []),
  ])
  const categories = state.data?.categories ?? []
  return (
    <>
      <Facts state={state.data} />
      <ListTable
        list={list}
        label={t('title')}
        columns={columns}
        toolbar={<Tools list={list} categories={categories} />}
        {...(maySave || mayDelete ? { bulk: bar } : {})}
        empty={list.filtered ? t('emptyFiltered') : t('empty')}
        exports
      />
      <EntryDrawer
        key={turn}
        open={doing?.what === 'add' || doing?.what === 'edit'}
        entry={doing?.what === 'edit' ? doing.entry : null}
        categories={categories}
        onClose={close}
      />
      {doing?.what === 'import' ? <ImportDialog categories={categories} onClose={close} /> : null}
      {doing?.what === 'clear' ? <ClearDialog list={list} onClose={close} /> : null}
      {doing?.what === 'delete' ? (
        <DeleteQuestion entries={doing.entries} bulk={bulk} onClose={() => onDo(null)} />
      ) : null}
    </>
  )
}
