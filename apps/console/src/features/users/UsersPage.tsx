/** The customers: who they are, what they have, and what the operator does for them. */

import { useQueryClient } from '@tanstack/react-query'
import { VERIFY_STATUSES } from '@tidegate/contract/enums'
import type { CustomerRow } from '@tidegate/contract/operations/customer'
import { MoreMenu } from '@tidegate/ui/ActionMenu.tsx'
import { SearchBox } from '@tidegate/ui/SearchBox.tsx'
import { Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AddButton } from '../../shared/AddButton.tsx'
import { call } from '../../shared/api/call.ts'
import { EnabledFilter, enabledOf } from '../../shared/list/EnabledFilter.tsx'
import { ListTable } from '../../shared/list/ListTable.tsx'
import { type BulkRun, useBulk } from '../../shared/list/useBulk.ts'
import { type List, useList } from '../../shared/list/useList.ts'
import { PageBody } from '../../shared/Page.tsx'
import { useMay } from '../../shell/session.ts'
import { USERS } from './api.ts'
import { useUserColumns } from './columns.tsx'
import { DetailDrawer } from './DetailDrawer.tsx'
import { ActDialog, DeleteDialog, ResetDialog, VerifyDialog } from './dialogs.tsx'
import { UserDrawer } from './UserForm.tsx'
import { useVerifyWords } from './VerifyState.tsx'
import './users.css'
import './texts.ts'

type Doing =
  | { what: 'add' }
  | { what: 'edit' | 'reset' | 'delete' | 'verify' | 'act' | 'show'; user: CustomerRow }
  | null

const useRights = () => ({
  save: useMay('account:users:users:save'),
  remove: useMay('account:users:users:delete'),
  reset: useMay('account:users:users:password'),
  verify: useMay('account:users:users:verify'),
  act: useMay('account:users:users:impersonate'),
})

const useEnable = (bulk: BulkRun<CustomerRow>) => {
  const { t } = useTranslation('users')
  return (users: readonly CustomerRow[], enabled: boolean) =>
    void bulk.run(
      users,
      (some) => call('customer.enable', { ids: some.map((u) => u.id), enabled }),
      enabled ? t('enabledDone') : t('disabledDone'),
    )
}

interface ActionProps {
  user: CustomerRow
  onDo: (doing: Doing) => void
  onEnable: (users: readonly CustomerRow[], enabled: boolean) => void
}

const RowActions = ({ user, onDo, onEnable }: ActionProps) => {
  const { t } = useTranslation(['users', 'shared'])
  const may = useRights()
  const items = [
    ...(may.act && user.enabled ? [{ key: 'act', label: t('act'), onClick: () => onDo({ what: 'act', user }) }] : []),
    ...(may.save
      ? [
          {
            key: 'enable',
            label: user.enabled ? t('disable') : t('enable'),
            onClick: () => onEnable([user], !user.enabled),
          },
        ]
      : []),
    ...(may.reset ? [{ key: 'reset', label: t('reset'), onClick: () => onDo({ what: 'reset', user }) }] : []),
    ...(may.remove
      ? [
          {
            key: 'delete',
            danger: true,
            label: t('delete', { ns: 'shared' }),
            onClick: () => onDo({ what: 'delete', user }),
          },
        ]
      : []),
  ]
  return (
    <div className="tool-links">
      {may.verify && user.verifyStatus === 'pending' ? (
        <button type="button" className="tg-link-button" onClick={() => onDo({ what: 'verify', user })}>
          {t('review')}
        </button>
      ) : null}
      {may.save ? (
        <button type="button" className="tg-link-button" onClick={() => onDo({ what: 'edit', user })}>
          {t('edit', { ns: 'shared' })}
        </button>
      ) : null}
      <MoreMenu label={t('more', { name: user.username })} items={items} />
    </div>
  )
}

const Tools = ({ list }: { list: List<CustomerRow> }) => {
  const { t } = useTranslation('users')
  const words = useVerifyWords()
  const { query, search, set } = list
  return (
    <>
      <SearchBox label={t('search')} value={query.key ?? ''} onSearch={(key) => set({ key })} />
      <EnabledFilter search={search} set={set} label={t('state')} enabled={t('enabled')} disabled={t('disabled')} />
      <Select<string>
        allowClear
        aria-label={t('verify')}
        placeholder={t('verify')}
        className="tool-select"
        value={search.get('verify')}
        onChange={(verify) => set({ verify: verify ?? undefined })}
        options={VERIFY_STATUSES.map((value) => ({ value, label: words[value] }))}
      />
    </>
  )
}

const Dialogs = ({ doing, close }: { doing: Doing; close: (changed: boolean) => void }) => {
  const user = doing !== null && 'user' in doing ? doing.user : null
  const editing = doing?.what === 'edit' ? user : null
  return (
    <>
      <UserDrawer
        open={doing?.what === 'add' || doing?.what === 'edit'}
        id={editing?.id ?? null}
        name={editing?.username ?? ''}
        onClose={close}
      />
      <DetailDrawer
        id={doing?.what === 'show' ? doing.user.id : null}
        name={user?.username ?? ''}
        onClose={() => close(false)}
      />
      {doing?.what === 'delete' ? <DeleteDialog user={doing.user} onClose={close} /> : null}
      {doing?.what === 'reset' ? <ResetDialog user={doing.user} onClose={close} /> : null}
      {doing?.what === 'verify' ? <VerifyDialog user={doing.user} onClose={close} /> : null}
      {doing?.what === 'act' ? <ActDialog user={doing.user} onClose={close} /> : null}
    </>
  )
}

const filtersOf = (search: URLSearchParams) => ({
  verifyStatus: VERIFY_STATUSES.find((s) => s === search.get('verify')),
  ...enabledOf(search),
})

export const Page = () => {
  const { t } = useTranslation('users')
  const client = useQueryClient()
  const list = useList('customer.list', USERS, { filters: filtersOf })
  const [doing, setDoing] = useState<Doing>(null)
  const maySave = useMay('account:users:users:save')
  const renew = () => client.invalidateQueries({ queryKey: USERS })
  const bulk = useBulk<CustomerRow>({ nameOf: (user) => user.username, after: renew })
  const enable = useEnable(bulk)
  const columns = useUserColumns({
    onOpen: (user) => setDoing({ what: 'show', user }),
    actions: (user) => <RowActions user={user} onDo={setDoing} onEnable={enable} />,
  })
  const bar = bulk.bar([
    { key: 'enable', label: t('enable'), onRun: (users) => enable(users, true) },
    { key: 'disable', label: t('disable'), onRun: (users) => enable(users, false) },
  ])
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
        {...(maySave ? { bulk: bar } : {})}
        empty={list.filtered ? t('emptyFiltered') : t('empty')}
        exports
      />
      <Dialogs
        doing={doing}
        close={(changed) => {
          setDoing(null)
          if (changed) void renew()
        }}
      />
    </PageBody>
  )
}
