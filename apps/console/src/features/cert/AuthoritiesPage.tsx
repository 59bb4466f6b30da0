/** Certificate authorities: where free certificates come from, and our accounts there. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { AuthorityRow } from '@tidegate/contract/operations/cert'
import type { OutputOf } from '@tidegate/contract/operations/index'
import type { Column } from '@tidegate/ui/DataTable.tsx'
import { DataTable } from '@tidegate/ui/DataTable.tsx'
import { PageModal } from '@tidegate/ui/PageModal.tsx'
import { RelativeTime } from '@tidegate/ui/RelativeTime.tsx'
import { StatusDot } from '@tidegate/ui/StatusDot.tsx'
import { Alert, Tag } from 'antd'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AddButton } from '../../shared/AddButton.tsx'
import { call } from '../../shared/api/call.ts'
import { CERTS } from '../../shared/cert/useCert.ts'
import { DeleteConfirm } from '../../shared/DeleteConfirm.tsx'
import { Failed } from '../../shared/Failed.tsx'
import { PageBody } from '../../shared/Page.tsx'
import { useSay } from '../../shared/useSay.tsx'
import { useMay } from '../../shell/session.ts'
import { AuthorityDrawer } from './AuthorityForm.tsx'
import { useKindWords } from './kinds.ts'
import './cert.css'
import './texts.ts'

type Doing = { what: 'add' } | { what: 'edit' | 'delete'; authority: AuthorityRow } | null
type Tested = OutputOf<'ca.test'>['data'] & { name: string }
const AUTHORITIES = [...CERTS, 'authority'] as const

const useColumns = (actions: (row: AuthorityRow) => ReactNode): Column<AuthorityRow>[] => {
  const { t } = useTranslation('cert')
  const kinds = useKindWords()
  return [
    {
      key: 'name',
      title: t('caName'),
      render: (_, a) => (
        <div className="tg-two">
          <span className="tg-row-tight">
            {a.name}
            {a.isDefault ? <Tag>{t('defaultTag')}</Tag> : null}
          </span>
          <span className="tg-faint tg-mono cert-long">{a.directoryUrl}</span>
        </div>
      ),
    },
    { key: 'kind', title: t('caKind'), render: (_, a) => kinds[a.kind] },
    {
      key: 'enabled',
      title: t('status'),
      render: (_, a) => (
        <StatusDot tone={a.enabled ? 'good' : 'idle'}>{a.enabled ? t('enabled') : t('disabled')}</StatusDot>
      ),
    },
    {
      key: 'account',
      title: t('account'),
      render: (_, a) => (
        <div className="tg-two">
          <span>{a.accountUrl === '' ? t('noAccount') : t('hasAccount')}</span>
          {a.accountTime === '' ? null : <RelativeTime iso={a.accountTime} />}
        </div>
      ),
    },
    { key: 'certs', title: t('certs'), align: 'right', dataIndex: 'certs' },
    { key: 'updateTime', title: t('changedAt'), render: (_, a) => <RelativeTime iso={a.updateTime} /> },
    { key: 'actions', title: t('actions'), fixed: 'right', align: 'left', render: (_, a) => actions(a) },
  ]
}

const TestResult = ({ tested, onClose }: { tested: Tested; onClose: () => void }) => {
  const { t } = useTranslation('cert')
  const notes = [
    ...(tested.caaNames.length === 0 ? [] : [`CAA: ${tested.caaNames.join(', ')}`]),
    ...(tested.needsEab ? [t('testEab')] : []),
    ...(tested.renewalInfo ? [t('testAri')] : []),
  ]
  return (
    <PageModal open title={`${t('test')} · ${tested.name}`} footer={null} onCancel={onClose}>
      {tested.ok ? (
        <Alert type="success" title={t('testOk', { ms: tested.ms })} description={notes.join(' · ')} />
      ) : (
        <Alert type="error" title={tested.fault} description={<span className="cert-detail">{tested.detail}</span>} />
      )}
    </PageModal>
  )
}

const RowActions = ({
  authority,
  onDo,
  onTested,
}: {
  authority: AuthorityRow
  onDo: (doing: Doing) => void
  onTested: (tested: Tested) => void
}) => {
  const { t } = useTranslation('cert')
  const say = useSay()
  const maySave = useMay('cloud:ca:save')
  const [busy, setBusy] = useState(false)
  if (!maySave) return null
  const test = async () => {
    setBusy(true)
    try {
      const { data } = await call('ca.test', { id: authority.id })
      onTested({ ...data, name: authority.name })
    } catch (error) {
      say.failed(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="tool-links">
      <button type="button" className="tg-link-button" disabled={busy} onClick={() => void test()}>
        {t('test')}
      </button>
      <button type="button" className="tg-link-button" onClick={() => onDo({ what: 'edit', authority })}>
        {t('edit')}
      </button>
      {authority.certs > 0 ? null : (
        <button type="button" className="tg-link-button tg-danger" onClick={() => onDo({ what: 'delete', authority })}>
          {t('delete')}
        </button>
      )}
    </div>
  )
}

export const Page = () => {
  const { t } = useTranslation('cert')
  const client = useQueryClient()
  const maySave = useMay('cloud:ca:save')
  const [doing, setDoing] = useState<Doing>(null)
  const [tested, setTested] = useState<Tested | null>(null)
  const list = useQuery({
    queryKey: AUTHORITIES,
    queryFn: async ({ signal }) => (await call('ca.list', {}, { signal })).data,
  })
  const closed = (changed: boolean) => {
    setDoing(null)
    if (changed) void client.invalidateQueries({ queryKey: CERTS })
  }
  const columns = useColumns((authority) => <RowActions authority={authority} onDo={setDoing} onTested={setTested} />)
  return (
    <PageBody
      title={t('caTitle')}
      sub={t('caSub')}
      actions={maySave ? <AddButton label={t('caAdd')} onAdd={() => setDoing({ what: 'add' })} /> : null}
    >
      <DataTable<AuthorityRow>
        id="ca.list"
        label={t('caTitle')}
        columns={columns}
        rows={list.data}
        total={list.data?.length ?? 0}
        loading={list.isPending}
        query={{ page: 1, limit: 20 }}
        onQuery={() => {}}
        paged={false}
        empty={t('caEmpty')}
        failed={list.error === null ? undefined : <Failed error={list.error} onRetry={() => void list.refetch()} />}
      />
      <AuthorityDrawer
        open={doing?.what === 'add' || doing?.what === 'edit'}
        authority={doing?.what === 'edit' ? doing.authority : null}
        onClose={closed}
      />
      {doing?.what === 'delete' ? (
        <DeleteConfirm
          title={t('caDeleteTitle')}
          word={doing.authority.name}
          onDelete={() => call('ca.delete', { id: doing.authority.id })}
          onClose={closed}
        >
          {t('caDeleteText')}
        </DeleteConfirm>
      ) : null}
      {tested === null ? null : <TestResult tested={tested} onClose={() => setTested(null)} />}
    </PageBody>
  )
}
