/** All sites: where each stands, and what to do with one or many. */
import { useQueryClient } from '@tanstack/react-query'
import type { SiteRow } from '@tidegate/contract/operations/site'
import { DataTable } from '@tidegate/ui/DataTable.tsx'
import { Icon } from '@tidegate/ui/Icon.tsx'
import { SearchBox } from '@tidegate/ui/SearchBox.tsx'
import { TypedConfirm } from '@tidegate/ui/TypedConfirm.tsx'
import { App, Button, Drawer, Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../shared/api/call.ts'
import { Failed } from '../../shared/Failed.tsx'
import { PageBody } from '../../shared/Page.tsx'
import { PushView } from '../../shared/push/PushView.tsx'
import type { PushRef } from '../../shared/push/usePushWatch.ts'
import { useListQuery } from '../../shared/useListQuery.ts'
import { useSay } from '../../shared/useSay.tsx'
import { AddDrawer } from './AddDrawer.tsx'
import { SITES, useSites } from './api.ts'
import { useSiteColumns } from './columns.tsx'
import { type Owner, OwnerPicker, useSeesOwners } from './OwnerField.tsx'
import './site.css'
import './texts.ts'

interface Shown {
  push: PushRef
  siteId: number
}

const useBulk = (done: () => void) => {
  const { t } = useTranslation(['site', 'shared'])
  const { message } = App.useApp()
  const say = useSay()
  const client = useQueryClient()
  const run = async (work: () => Promise<unknown>, said: string) => {
    try {
      await work()
    } catch (error) {
      say.failed(error)
      throw error
    }
    message.success(said)
    done()
    await client.invalidateQueries({ queryKey: SITES })
  }
  const ids = (sites: readonly SiteRow[]) => sites.map((s) => s.id)
  return {
    enable: (sites: readonly SiteRow[], enabled: boolean) => {
      const n = sites.length
      run(
        () => call('site.enable', { ids: ids(sites), enabled }),
        enabled ? t('enabledDone', { n }) : t('disabledDone', { n }),
      ).catch(() => undefined)
    },
    remove: (sites: readonly SiteRow[]) =>
      run(() => call('site.delete', { ids: ids(sites) }), t('deleted', { ns: 'shared' })),
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

const PushDrawer = ({ shown, onShown }: { shown: Shown | null; onShown: (shown: Shown | null) => void }) => {
  const { t } = useTranslation('site')
  return (
    <Drawer open={shown !== null} onClose={() => onShown(null)} title={t('pushTitle')} size={520} destroyOnHidden>
      {shown === null ? null : (
        <PushView push={shown.push} siteId={shown.siteId} onPush={(push) => onShown({ ...shown, push })} />
      )}
    </Drawer>
  )
}

const Tools = ({
  text,
  enabled,
  owner,
  set,
}: {
  text: string
  enabled: string | null
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

export const Page = () => {
  const { t } = useTranslation('site')
  const { query, search, set } = useListQuery()
  const enabled = search.get('enabled')
  const userId = Number(search.get('user')) || 0
  const owner = userId > 0 ? { id: userId, name: search.get('userName') ?? `#${userId}` } : null
  const sites = useSites({
    ...query,
    ...(owner === null ? {} : { userId }),
    ...(enabled === '1' || enabled === '0' ? { enabled: enabled === '1' } : {}),
  })
  const [chosen, setChosen] = useState<SiteRow[]>([])
  const [deleting, setDeleting] = useState<readonly SiteRow[]>([])
  const [shown, setShown] = useState<Shown | null>(null)
  const bulk = useBulk(() => {
    setChosen([])
    setDeleting([])
  })
  const add = (open: boolean) => set({ add: open ? '1' : undefined, page: query.page })
  const columns = useSiteColumns({
    onPush: (site) => setShown({ siteId: site.id, push: { scope: `group:${site.groupId}`, revision: site.revision } }),
    onEnable: (site) => bulk.enable([site], !site.enabled),
    onDelete: (site) => setDeleting([site]),
  })
  const actions = (
    <>
      <button type="button" className="tg-link-button" onClick={() => bulk.enable(chosen, true)}>
        {t('enable')}
      </button>
      <button type="button" className="tg-link-button" onClick={() => bulk.enable(chosen, false)}>
        {t('disable')}
      </button>
      <button type="button" className="tg-link-button tg-danger" onClick={() => setDeleting(chosen)}>
        {t('delete')}
      </button>
    </>
  )
  return (
    <PageBody
      title={t('title')}
      sub={t('sub')}
      actions={
        <Button type="primary" icon={<Icon name="plus" />} onClick={() => add(true)}>
          {t('add')}
        </Button>
      }
    >
      <DataTable<SiteRow>
        label={t('title')}
        columns={columns}
        rows={sites.data?.list}
        total={sites.data?.totalCount ?? 0}
        loading={sites.isPending}
        query={query}
        onQuery={(change) => set({ ...change })}
        toolbar={<Tools text={query.key ?? ''} enabled={enabled} owner={owner} set={set} />}
        bulk={{ chosen, setChosen, actions }}
        empty={
          <Empty filtered={query.key !== undefined || enabled !== null || owner !== null} onAdd={() => add(true)} />
        }
        failed={sites.error === null ? undefined : <Failed error={sites.error} onRetry={() => void sites.refetch()} />}
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
      <DeleteDialog sites={deleting} onOk={() => bulk.remove(deleting)} onClose={() => setDeleting([])} />
    </PageBody>
  )
}
