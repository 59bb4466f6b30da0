/** The administrators: who may come in, with which roles. */
import { useQueryClient } from '@tanstack/react-query'
import type { AdminRow } from '@tidegate/contract/operations/admin'
import { SearchBox } from '@tidegate/ui/SearchBox.tsx'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AddButton } from '../../shared/AddButton.tsx'
import { call } from '../../shared/api/call.ts'
import { DeleteConfirm } from '../../shared/DeleteConfirm.tsx'
import { EnabledFilter, enabledOf } from '../../shared/list/EnabledFilter.tsx'
import { ListTable } from '../../shared/list/ListTable.tsx'
import { type List, useList } from '../../shared/list/useList.ts'
import { PageBody } from '../../shared/Page.tsx'
import { useMay } from '../../shell/session.ts'
import { AdminDrawer } from './AdminForm.tsx'
import { ADMINS } from './api.ts'
import { useAdminColumns } from './columns.tsx'
import { ResetDrawer } from './ResetDrawer.tsx'
import { SecurityDrawer } from './SecurityDrawer.tsx'
import './texts.ts'

type Doing = { what: 'add' } | { what: 'edit' | 'reset' | 'delete' | 'security'; admin: AdminRow } | null

const useRights = () => ({
  save: useMay('account:users:admins:save'),
  remove: useMay('account:users:admins:delete'),
  reset: useMay('account:users:admins:password'),
  security: useMay('account:users:admins:security'),
})

const RowActions = ({ admin, onDo }: { admin: AdminRow; onDo: (doing: Doing) => void }) => {
  const { t } = useTranslation(['admins', 'shared'])
  const may = useRights()
  if (!admin.manageable) return <span className="tg-faint">{t('beyond')}</span>
  return (
    <div className="tool-links">
      {may.save ? (
        <button type="button" className="tg-link-button" onClick={() => onDo({ what: 'edit', admin })}>
          {t('edit', { ns: 'shared' })}
        </button>
      ) : null}
      {may.reset && !admin.own ? (
        <button type="button" className="tg-link-button" onClick={() => onDo({ what: 'reset', admin })}>
          {t('reset')}
        </button>
      ) : null}
      {may.security && !admin.own ? (
        <button type="button" className="tg-link-button" onClick={() => onDo({ what: 'security', admin })}>
          {t('security')}
        </button>
      ) : null}
      {may.remove && !admin.own && !admin.superAdmin ? (
        <button type="button" className="tg-link-button tg-danger" onClick={() => onDo({ what: 'delete', admin })}>
          {t('delete', { ns: 'shared' })}
        </button>
      ) : null}
    </div>
  )
}

const Tools = ({ list }: { list: List<AdminRow> }) => {
  const { t } = useTranslation('admins')
  const { query, search, set } = list
  return (
    <>
      <SearchBox label={t('search')} value={query.key ?? ''} onSearch={(key) => set({ key })} />
      <EnabledFilter search={search} set={set} label={t('state')} enabled={t('enabled')} disabled={t('disabled')} />
    </>
  )
}

export const Page = () => {
  const { t } = useTranslation('admins')
  const client = useQueryClient()
  const list = useList('admin.list', ADMINS, { filters: enabledOf })
  const [doing, setDoing] = useState<Doing>(null)
  const maySave = useMay('account:users:admins:save')
  const close = (changed: boolean) => {
    setDoing(null)
    if (changed) void client.invalidateQueries({ queryKey: ADMINS })
  }
  const columns = useAdminColumns((admin) => <RowActions admin={admin} onDo={setDoing} />)
  return (
    <PageBody
      title={t('title')}
      sub={t('sub')}
      actions={maySave ? <AddButton label={t('add')} onAdd={() => setDoing({ what: 'add' })} /> : undefined}
    >
      <ListTable
        list={list}
        label={t('title')}
        columns={columns}
        toolbar={<Tools list={list} />}
        empty={t('emptyFiltered')}
        exports
      />
      <AdminDrawer
        open={doing?.what === 'add' || doing?.what === 'edit'}
        admin={doing?.what === 'edit' ? doing.admin : null}
        onClose={close}
      />
      <ResetDrawer admin={doing?.what === 'reset' ? doing.admin : null} onClose={() => close(true)} />
      <SecurityDrawer admin={doing?.what === 'security' ? doing.admin : null} onClose={() => close(false)} />
      {doing?.what === 'delete' ? (
        <DeleteConfirm
          title={t('deleteTitle')}
          word={doing.admin.username}
          onDelete={() => call('admin.delete', { ids: [doing.admin.id] })}
          onClose={close}
        >
          {t('deleteText')}
        </DeleteConfirm>
      ) : null}
    </PageBody>
  )
}
