/** All sites: where each stands, and what to do with one or many. */
import { useQueryClient } from '@tanstack/react-query'
import { CERT_SOON_DAYS } from '@tidegate/contract/limits'
import type { SiteRow } from '@tidegate/contract/operations/site'
import { Icon } from '@tidegate/ui/Icon.tsx'
import { SearchBox } from '@tidegate/ui/SearchBox.tsx'
import { TypedConfirm } from '@tidegate/ui/TypedConfirm.tsx'
import { Button, Drawer, Select } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../shared/api/call.ts'
import { here } from '../../shared/console.ts'
import { ListTable } from '../../shared/list/ListTable.tsx'
import { type BulkRun, useBulk } from '../../shared/list/useBulk.ts'
import { useList } from '../../shared/list/useList.ts'
import { PageBody } from '../../shared/Page.tsx'
import type { PushRef } from '../../shared/push/usePushWatch.ts'
import { useSay } from '../../shared/useSay.tsx'
import { AddDrawer } from './AddDrawer.tsx'
import { refreshEvery, SITES } from './api.ts'
import { useSiteColumns } from './columns.tsx'
import { type Owner, OwnerPicker, useSeesOwners } from './OwnerField.tsx'
import './site.css'
import './texts.ts'

interface Shown {
  push: PushRef
  siteId: number
}

const ids = (sites: readonly SiteRow[]) => sites.map((site) => site.id)

const useChanges = (bulk: BulkRun<SiteRow>) => {
  const { t } = useTranslation(['site', 'shared'])
  return {
    enable: (sites: readonly SiteRow[], enabled: boolean) =>
      void bulk.run(
        sites,
        (some) => call('site.enable', { ids: ids(some), enabled }),
        enabled ? t('enabledDone', { n: sites.length }) : t('disabledDone', { n: sites.length }),
      ),
    remove: (sites: readonly SiteRow[]) =>
      bulk.run(sites, (some) => call('site.delete', { ids: ids(some) }), t('deleted', { ns: 'shared' })),
  }
}

const DeleteDialog = ({
  sites,
  onOk,
  onClose,
}: {
  sites: readonly SiteRow[]
  onOk: () => Promise<unknown>
  onClose: () => void
}) => {
  const { t } = useTranslation(['site', 'shared'])
  const say = useSay()
  const n = sites.length
  const one = n === 1 ? sites[0]?.domains[0] : undefined
  return (
    <TypedConfirm
      open={n > 0}
      title={t('deleteTitle')}
      word={one ?? t('deleteWord', { n })}
      okText={t('delete')}
      onOk={onOk}
      onCancel={() => {
        say.cancelled()
        onClose()
      }}
    >
      {one === undefined ? t('deleteManyText', { n }) : t('deleteText')}
      {one === undefined ? <p className="tg-mono">{sites.map((s) => s.domains[0]).join(', ')}</p> : null}
    </TypedConfirm>
  )
}

/** Only who pushes a site from the list sees it. */
const PushView = lazy(async () => ({ default: (await import('../../shared/push/PushView.tsx')).PushView }))

const PushDrawer = ({ shown, onShown }: { shown: Shown | null; onShown: (shown: Shown | null) => void }) => {
  const { t } = useTranslation('site')
  return (
    <Drawer open={shown !== null} onClose={() => onShown(null)} title={t('pushTitle')} size={520} destroyOnHidden>
      {shown === null ? null : (
        <Suspense fallback={<div className="tg-bone" />}>
          <PushView push={shown.push} siteId={shown.siteId} onPush={(push) => onShown({ ...shown, push })} />
        </Suspense>
      )}
    </Drawer>
  )
}

const Tools = ({
  text,
  enabled,
  certDays,
  owner,
  set,
}: {
  text: string
  enabled: string | null
  certDays: number | undefined
  owner: Owner | null
  set: (change: Record<string, string | undefined>) => void
}) => {
  const { t } = useTranslation('site')
  return (
    <>
      <SearchBox label={t('search')} value={text} onSearch={(words) => set({ key: words })} />
      <Select<string>
        aria-label={t('state')}
        value={enabled ?? ''}
        onChange={(value) => set({ enabled: value })}
        className="tool-select"
        options={[
          { value: '', label: t('anyState') },
          { value: '1', label: t('enabledOnly') },
          { value: '0', label: t('disabledOnly') },
        ]}
      />
      <Select<number>
        aria-label={t('certificate')}
        value={certDays ?? ANY}
        onChange={(days) => set({ certDays: days === ANY ? undefined : String(days) })}
        className="tool-select"
        options={[
          { value: ANY, label: t('anyCert') },
          ...CERT_DAYS.concat(certDays !== undefined && !CERT_DAYS.includes(certDays) ? [certDays] : []).map(
            (days) => ({
              value: days,
              label: days === 0 ? t('certExpired') : t('certWithin', { days }),
            }),
          ),
        ]}
      />
      {useSeesOwners() ? (
        <OwnerPicker
          label={t('owner')}
          placeholder={t('owner')}
          value={owner}
          onChange={(chosen) => set({ user: chosen === null ? undefined : String(chosen.id), userName: chosen?.name })}
        />
      ) : null}
    </>
  )
}

const Empty = ({ filtered, onAdd }: { filtered: boolean; onAdd: () => void }) => {
  const { t } = useTranslation('site')
  if (filtered) return t('emptyFiltered')
  return (
    <>
      <strong>{t('empty')}</strong>
      <p>{t('emptyText')}</p>
      <Button type="primary" onClick={onAdd}>
        {t('add')}
      </Button>
    </>
  )
}

const ANY = -1
/** Days within which a certificate ends; 0: it has ended. */
const CERT_DAYS: readonly number[] = [0, CERT_SOON_DAYS, 30]

const certDaysOf = (search: URLSearchParams): number | undefined => {
  const days = search.get('certDays') ?? ''
  return /^\d{1,4}$/.test(days) ? Math.min(Number(days), 3650) : undefined
}

const filtersOf = (search: URLSearchParams) => {
  const enabled = search.get('enabled')
  return {
    certDays: certDaysOf(search),
    userId: Number(search.get('user')) || undefined,
    ...(enabled === '1' || enabled === '0' ? { enabled: enabled === '1' } : {}),
  }
}

export const Page = () => {
  const { t } = useTranslation('site')
  const own = here.audience === 'user'
  const client = useQueryClient()
  const list = useList('site.list', SITES, { filters: filtersOf, every: refreshEvery })
  const { query, search, set } = list
  const userId = Number(search.get('user')) || 0
  const owner = userId > 0 ? { id: userId, name: search.get('userName') ?? `#${userId}` } : null
  const bulk = useBulk<SiteRow>({
    nameOf: (site) => site.domains[0] ?? '',
    after: () => client.invalidateQueries({ queryKey: SITES }),
  })
  const { enable, remove } = useChanges(bulk)
  const [deleting, setDeleting] = useState<readonly SiteRow[]>([])
  const [shown, setShown] = useState<Shown | null>(null)
  const add = (open: boolean) => set({ add: open ? '1' : undefined, page: query.page })
  const columns = useSiteColumns({
    onPush: (site) => setShown({ siteId: site.id, push: { scope: `group:${site.groupId}`, revision: site.revision } }),
    onEnable: (site) => enable([site], !site.enabled),
    onDelete: (site) => setDeleting([site]),
  })
  const bar = bulk.bar([
    { key: 'enable', label: t('enable'), onRun: (sites) => enable(sites, true) },
    { key: 'disable', label: t('disable'), onRun: (sites) => enable(sites, false) },
    { key: 'delete', label: t('delete'), danger: true, onRun: setDeleting },
  ])
  return (
    <PageBody
      title={own ? t('ownTitle') : t('title')}
      sub={own ? t('ownSub') : t('sub')}
      actions={
        <Button type="primary" icon={<Icon name="plus" />} onClick={() => add(true)}>
          {t('add')}
        </Button>
      }
    >
      <ListTable
        list={list}
        label={own ? t('ownTitle') : t('title')}
        columns={columns}
        toolbar={
          <Tools
            text={query.key ?? ''}
            enabled={search.get('enabled')}
            certDays={certDaysOf(search)}
            owner={owner}
            set={set}
          />
        }
        bulk={bar}
        empty={<Empty filtered={list.filtered} onAdd={() => add(true)} />}
        exports
      />
      <AddDrawer
        open={search.get('add') === '1'}
        onClose={() => add(false)}
        onSaved={({ id, push }) => {
          add(false)
          setShown({ siteId: id, push })
        }}
      />
      <PushDrawer shown={shown} onShown={setShown} />
      <DeleteDialog
        sites={deleting}
        onOk={async () => {
          await remove(deleting)
          setDeleting([])
        }}
        onClose={() => setDeleting([])}
      />
    </PageBody>
  )
}
