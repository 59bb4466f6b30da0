/** Columns of the list of customers. */
import type { CustomerRow } from '@tidegate/contract/operations/customer'
import type { Column } from '@tidegate/ui/DataTable.tsx'
import { RelativeTime } from '@tidegate/ui/RelativeTime.tsx'
import { StatusDot } from '@tidegate/ui/StatusDot.tsx'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { usePrice } from '../../shared/price.ts'
import { VerifyState } from './VerifyState.tsx'

const Contact = ({ user }: { user: CustomerRow }) => {
  const lines = [user.mobile, user.email].filter((text) => text !== '')
  if (lines.length === 0) return <span className="tg-faint">–</span>
  return (
    <div className="tg-two">
      {lines.map((text) => (
        <span key={text} className="tg-mono">
          {text}
        </span>
      ))}
    </div>
  )
}

interface Doings {
  onOpen: (user: CustomerRow) => void
  actions: (user: CustomerRow) => ReactNode
}

export const useUserColumns = ({ onOpen, actions }: Doings): Column<CustomerRow>[] => {
  const { t } = useTranslation('users')
  const price = usePrice()
  return [
    {
      key: 'username',
      title: t('username'),
      sorter: true,
      render: (_, u) => (
        <div className="tg-two">
          <button type="button" className="tg-link-button users-name" onClick={() => onOpen(u)}>
            {u.username}
          </button>
          {u.note === '' ? null : (
            <span className="tg-faint tg-small users-note" title={u.note}>
              {u.note}
            </span>
          )}
        </div>
      ),
    },
    { key: 'contact', title: t('contact'), render: (_, u) => <Contact user={u} /> },
    {
      key: 'state',
      title: t('state'),
      render: (_, u) => (
        <StatusDot tone={u.enabled ? 'good' : 'idle'}>{u.enabled ? t('enabled') : t('disabled')}</StatusDot>
      ),
    },
    {
      key: 'verify',
      title: t('verify'),
      render: (_, u) => (
        <div className="tg-two">
          <VerifyState status={u.verifyStatus} />
          {u.realName === '' ? null : <span className="tg-faint tg-small">{u.realName}</span>}
        </div>
      ),
    },
    { key: 'balance', title: t('balance'), align: 'right', sorter: true, render: (_, u) => price(u.balance) },
    { key: 'sites', title: t('sites'), align: 'right', dataIndex: 'sites' },
    {
      key: 'lastLogin',
      title: t('lastLogin'),
      sorter: true,
      render: (_, u) => (
        <div className="tg-two">
          <RelativeTime iso={u.lastLogin} />
          {u.lastLoginIp === '' ? null : <span className="tg-faint tg-mono">{u.lastLoginIp}</span>}
        </div>
      ),
    },
    { key: 'createTime', title: t('created'), sorter: true, render: (_, u) => <RelativeTime iso={u.createTime} /> },
    { key: 'actions', title: t('actions'), fixed: 'right', align: 'left', render: (_, u) => actions(u) },
  ]
}
