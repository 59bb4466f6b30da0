/** One customer: profile, sites, logins, log, sign-in security. */

import { useQueryClient } from '@tanstack/react-query'
import type { CustomerInfo } from '@tidegate/contract/operations/customer'
import { type Column, DataTable } from '@tidegate/ui/DataTable.tsx'
import { RelativeTime } from '@tidegate/ui/RelativeTime.tsx'
import { StatusDot } from '@tidegate/ui/StatusDot.tsx'
import { App, Button, Descriptions, Drawer, Input, Tabs } from 'antd'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { Action } from '../../shared/actions/Action.tsx'
import { call } from '../../shared/api/call.ts'
import { Failed } from '../../shared/Failed.tsx'
import { usePrice } from '../../shared/price.ts'
import { OthersSecurity } from '../../shared/security/OthersSecurity.tsx'
import { useSay } from '../../shared/useSay.tsx'
import { useMay } from '../../shell/session.ts'
import { USERS, useUser, useUserLog, useUserSites } from './api.ts'
import { VerifyState } from './VerifyState.tsx'

const Note = ({ user }: { user: CustomerInfo }) => {
  const { t } = useTranslation(['users', 'shared'])
  const { message } = App.useApp()
  const say = useSay()
  const client = useQueryClient()
  const maySave = useMay('account:users:users:save')
  const [note, setNote] = useState(user.note)
  const [busy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    try {
      await call('customer.note', { id: user.id, note })
      message.success(t('done', { ns: 'shared' }))
      await client.invalidateQueries({ queryKey: USERS })
    } catch (error) {
      say.failed(error)
    } finally {
      setBusy(false)
    }
  }
  if (!maySave) return <span>{user.note || '–'}</span>
  return (
    <div className="tg-stack users-note-box">
      <Input.TextArea
        aria-label={t('note')}
        rows={2}
        maxLength={2000}
        value={note}
        onChange={(e) => setNote(e.target.value)}
      />
      {note === user.note ? null : (
        <Button size="small" type="primary" loading={busy} onClick={() => void save()}>
          {t('save', { ns: 'shared' })}
        </Button>
      )}
    </div>
  )
}

const Profile = ({ user }: { user: CustomerInfo }) => {
  const { t } = useTranslation('users')
  const price = usePrice()
  const text = (value: string) => (value === '' ? <span className="tg-faint">–</span> : value)
  const rows: [string, ReactNode][] = [
    [
      t('state'),
      <StatusDot key="s" tone={user.enabled ? 'good' : 'idle'}>
        {user.enabled ? t('enabled') : t('disabled')}
      </StatusDot>,
    ],
    [t('mobile'), text(user.mobile)],
    [t('email'), text(user.email)],
    [t('wechat'), text(user.wechat)],
    [t('balance'), price(user.balance)],
    [t('verify'), <VerifyState key="v" status={user.verifyStatus} />],
    [t('realName'), text(user.realName)],
    [t('idCard'), text(user.idCard)],
    [t('verifyAsked'), <RelativeTime key="a" iso={user.verifyAsked} both />],
    [t('verifyTime'), <RelativeTime key="t" iso={user.verifyTime} both />],
    ...(user.verifyReason === '' ? [] : [[t('reason'), user.verifyReason] as [string, ReactNode]]),
    [t('whiteIpStatus'), user.whiteIpStatus === 1 ? user.whiteIps.join(', ') : t('anywhere')],
    [t('taken'), text(user.unvalidModel.join(', '))],
    [t('created'), <RelativeTime key="c" iso={user.createTime} both />],
    [
      t('lastLogin'),
      <span key="l">
        <RelativeTime iso={user.lastLogin} both /> <span className="tg-mono tg-faint">{user.lastLoginIp}</span>
      </span>,
    ],
    [t('passwordTime'), <RelativeTime key="p" iso={user.passwordTime} both />],
    [t('note'), <Note key="n" user={user} />],
  ]
  return (
    <Descriptions column={1} size="small" items={rows.map(([label, children]) => ({ key: label, label, children }))} />
  )
}

const Sites = ({ id }: { id: number }) => {
  const { t } = useTranslation('users')
  const [page, setPage] = useState(1)
  const sites = useUserSites(id, page)
  const columns: Column<NonNullable<typeof sites.data>['list'][number]>[] = [
    {
      key: 'domain',
      title: t('domain'),
      render: (_, s) => <Link to={`/cdn/site/list/detail?id=${s.id}`}>{s.domains[0]}</Link>,
    },
    { key: 'state', title: t('state'), render: (_, s) => (s.enabled ? t('enabled') : t('disabled')) },
    { key: 'updated', title: t('updated'), render: (_, s) => <RelativeTime iso={s.updateTime} /> },
  ]
  return (
    <DataTable
      label={t('sites')}
      columns={columns}
      rows={sites.data?.list}
      total={sites.data?.totalCount ?? 0}
      loading={sites.isPending}
      query={{ page, limit: 10 }}
      onQuery={(change) => setPage(change.page ?? 1)}
      empty={t('noSites')}
      failed={sites.error === null ? undefined : <Failed error={sites.error} onRetry={() => void sites.refetch()} />}
    />
  )
}

const Log = ({ id, logins }: { id: number; logins: boolean }) => {
  const { t } = useTranslation('users')
  const [page, setPage] = useState(1)
  const log = useUserLog(id, logins, page)
  const columns: Column<NonNullable<typeof log.data>['list'][number]>[] = [
    { key: 'time', title: t('time'), render: (_, r) => <RelativeTime iso={r.time} both /> },
    { key: 'what', title: t('what'), render: (_, r) => <Action action={r.action} /> },
    {
      key: 'who',
      title: t('who'),
      render: (_, r) => (r.acting ? `${r.actorName} (${r.actingName})` : r.actorName || '–'),
    },
    { key: 'from', title: t('from'), render: (_, r) => <span className="tg-mono">{r.ip || '–'}</span> },
  ]
  return (
    <DataTable
      label={logins ? t('logins') : t('log')}
      columns={columns}
      rows={log.data?.list}
      total={log.data?.totalCount ?? 0}
      loading={log.isPending}
      query={{ page, limit: 10 }}
      onQuery={(change) => setPage(change.page ?? 1)}
      empty={t('noLog')}
      failed={log.error === null ? undefined : <Failed error={log.error} onRetry={() => void log.refetch()} />}
    />
  )
}

const Body = ({ id }: { id: number }) => {
  const { t } = useTranslation('users')
  const { data, error, refetch } = useUser(id)
  const maySites = useMay('cdn:site:list')
  const mayLog = useMay('cdn:log:users')
  const maySecurity = useMay('account:users:users:security')
  if (error !== null) return <Failed error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <div className="tg-bone" />
  return (
    <Tabs
      items={[
        { key: 'profile', label: t('profile'), children: <Profile user={data} /> },
        ...(maySites ? [{ key: 'sites', label: t('sites'), children: <Sites id={id} /> }] : []),
        ...(mayLog
          ? [
              { key: 'logins', label: t('logins'), children: <Log id={id} logins /> },
              { key: 'log', label: t('log'), children: <Log id={id} logins={false} /> },
            ]
          : []),
        ...(maySecurity
          ? [
              {
                key: 'security',
                label: t('security'),
                children: <OthersSecurity kind="user" id={id} name={data.username} />,
              },
            ]
          : []),
      ]}
    />
  )
}

export const DetailDrawer = ({ id, name, onClose }: { id: number | null; name: string; onClose: () => void }) => (
  <Drawer open={id !== null} onClose={onClose} title={name} size={760} destroyOnHidden>
    {id === null ? null : <Body id={id} />}
  </Drawer>
)
