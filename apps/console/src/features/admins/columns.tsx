/** Columns of the list of administrators. */
import type { AdminRow } from '@tidegate/contract/operations/admin'
import type { Column } from '@tidegate/ui/DataTable.tsx'
import { RelativeTime } from '@tidegate/ui/RelativeTime.tsx'
import { StatusDot } from '@tidegate/ui/StatusDot.tsx'
import { Tag } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

const Roles = ({ admin }: { admin: AdminRow }) => {
  const { t } = useTranslation('admins')
  if (admin.superAdmin) return <Tag>{t('superRole')}</Tag>
  if (admin.roles.length === 0) return <span className="tg-faint">{t('noRole')}</span>
  return (
    <span className="tg-row-tight">
      {admin.roles.map((role) => (
        <Tag key={role.id}>{role.name}</Tag>
      ))}
    </span>
  )
}

export const useAdminColumns = (actions: (admin: AdminRow) => ReactNode): Column<AdminRow>[] => {
  const { t } = useTranslation('admins')
  return [
    {
      key: 'username',
      title: t('username'),
      sorter: true,
      render: (_, a) => (
        <span>
          {a.username} {a.own ? <span className="tg-faint">{t('you')}</span> : null}
        </span>
      ),
    },
    { key: 'roles', title: t('roles'), render: (_, a) => <Roles admin={a} /> },
    {
      key: 'state',
      title: t('state'),
      render: (_, a) => (
        <StatusDot tone={a.enabled ? 'good' : 'idle'}>{a.enabled ? t('enabled') : t('disabled')}</StatusDot>
      ),
    },
    {
      key: 'lastLogin',
      title: t('lastLogin'),
      sorter: true,
      render: (_, a) => (
        <div className="tg-two">
          <RelativeTime iso={a.lastLogin} />
          {a.lastLoginIp === '' ? null : <span className="tg-faint tg-mono">{a.lastLoginIp}</span>}
        </div>
      ),
    },
    {
      key: 'taken',
      title: t('taken'),
      align: 'right',
      render: (_, a) => (
        <span title={a.unvalidModel.join('\n')} className={a.unvalidModel.length === 0 ? 'tg-faint' : undefined}>
          {a.unvalidModel.length === 0 ? '–' : a.unvalidModel.length}
        </span>
      ),
    },
    { key: 'createTime', title: t('created'), sorter: true, render: (_, a) => <RelativeTime iso={a.createTime} /> },
    { key: 'actions', title: t('actions'), fixed: 'right', align: 'left', render: (_, a) => actions(a) },
  ]
}
