/** The roles: named sets of permissions, and how many have them. */
import { useQueryClient } from '@tanstack/react-query'
import type { RoleRow } from '@tidegate/contract/operations/role'
import type { Column } from '@tidegate/ui/DataTable.tsx'
import { SearchBox } from '@tidegate/ui/SearchBox.tsx'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AddButton } from '../../shared/AddButton.tsx'
import { call } from '../../shared/api/call.ts'
import { here } from '../../shared/console.ts'
import { DeleteConfirm } from '../../shared/DeleteConfirm.tsx'
import { ListTable } from '../../shared/list/ListTable.tsx'
import { useList } from '../../shared/list/useList.ts'
import { openActing } from '../../shared/open-acting.ts'
import { PageBody } from '../../shared/Page.tsx'
import { useSay } from '../../shared/useSay.tsx'
import { useMay, useSession } from '../../shell/session.ts'
import { ROLES } from './api.ts'
import { RoleDrawer } from './RoleForm.tsx'
import './texts.ts'

type Doing = { what: 'add' } | { what: 'edit' | 'delete'; role: RoleRow } | null

const RowActions = ({ role, onDo }: { role: RoleRow; onDo: (doing: Doing) => void }) => {
  const { t } = useTranslation(['roles', 'shared'])
  const say = useSay()
  const superAdmin = useSession((s) => s.user?.superAdmin === true)
  const may = { save: useMay('account:role:save'), remove: useMay('account:role:delete') }
  const preview = async () => {
    try {
      const { handover } = await call('role.preview', { id: role.id })
      openActing(here.id, handover)
    } catch (error) {
      say.failed(error)
    }
  }
  const look = (
    <button type="button" className="tg-link-button" onClick={() => void preview()}>
      {t('preview')}
    </button>
  )
  if (role.superRole)
    return <div className="tool-links">{superAdmin ? look : <span className="tg-faint">{t('fixed')}</span>}</div>
  if (!role.manageable) return <span className="tg-faint">{t('beyond')}</span>
  return (
    <div className="tool-links">
      {look}
      {may.save ? (
        <button type="button" className="tg-link-button" onClick={() => onDo({ what: 'edit', role })}>
          {t('edit', { ns: 'shared' })}
        </button>
      ) : null}
      {may.remove ? (
        <button
          type="button"
          className="tg-link-button tg-danger"
          disabled={role.admins > 0}
          title={role.admins > 0 ? t('inUse') : undefined}
          onClick={() => onDo({ what: 'delete', role })}
        >
          {t('delete', { ns: 'shared' })}
        </button>
      ) : null}
    </div>
  )
}

const useColumns = (actions: (role: RoleRow) => ReactNode): Column<RoleRow>[] => {
  const { t } = useTranslation('roles')
  return [
    { key: 'name', title: t('name'), render: (_, r) => (r.superRole ? t('superRole') : r.name) },
    {
      key: 'description',
      title: t('description'),
      render: (_, r) => (r.superRole ? t('superText') : r.description || <span className="tg-faint">–</span>),
    },
    {
      key: 'permissions',
      title: t('permissions'),
      align: 'right',
      render: (_, r) =>
        r.superRole ? t('every') : <span title={r.permissions.join('\n')}>{r.permissions.length}</span>,
    },
    { key: 'admins', title: t('admins'), align: 'right', dataIndex: 'admins' },
    { key: 'actions', title: t('actions'), fixed: 'right', align: 'left', render: (_, r) => actions(r) },
  ]
}

export const Page = () => {
  const { t } = useTranslation('roles')
  const client = useQueryClient()
  const list = useList('role.list', ROLES)
  const [doing, setDoing] = useState<Doing>(null)
  const maySave = useMay('account:role:save')
  const close = (changed: boolean) => {
    setDoing(null)
    if (changed) void client.invalidateQueries({ queryKey: ROLES })
  }
  const columns = useColumns((role) => <RowActions role={role} onDo={setDoing} />)
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
        toolbar={<SearchBox label={t('search')} value={list.query.key ?? ''} onSearch={(key) => list.set({ key })} />}
        empty={t('emptyFiltered')}
        exports
      />
      <RoleDrawer
        open={doing?.what === 'add' || doing?.what === 'edit'}
        role={doing?.what === 'edit' ? doing.role : null}
        onClose={close}
      />
      {doing?.what === 'delete' ? (
        <DeleteConfirm
          title={t('deleteTitle')}
          word={doing.role.name}
          onDelete={() => call('role.delete', { ids: [doing.role.id] })}
          onClose={close}
        >
          {t('deleteText')}
        </DeleteConfirm>
      ) : null}
    </PageBody>
  )
}
