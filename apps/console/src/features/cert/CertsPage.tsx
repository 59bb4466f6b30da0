/** Certificates: those that were uploaded, and those that are applied for and renewed by themselves. */
import { useQueryClient } from '@tanstack/react-query'
import { CERT_SOURCES, CERT_STATUSES } from '@tidegate/contract/cert'
import type { CertRow } from '@tidegate/contract/operations/cert'
import { ActionMenu } from '@tidegate/ui/ActionMenu.tsx'
import { Icon } from '@tidegate/ui/Icon.tsx'
import { SearchBox } from '@tidegate/ui/SearchBox.tsx'
import { App, Button, Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../shared/api/call.ts'
import { underWay, useCertWords } from '../../shared/cert/CertStatus.tsx'
import { CERTS, ORDER_POLL_MS } from '../../shared/cert/useCert.ts'
import { saveFile } from '../../shared/list/exports.ts'
import { ListTable } from '../../shared/list/ListTable.tsx'
import { useList } from '../../shared/list/useList.ts'
import { PageBody } from '../../shared/Page.tsx'
import { useSay } from '../../shared/useSay.tsx'
import { useMay } from '../../shell/session.ts'
import { ApplyDrawer } from './ApplyDrawer.tsx'
import { useCertColumns } from './columns.tsx'
import { DetailDrawer } from './DetailDrawer.tsx'
import { DeleteCert, EditDrawer, UploadDrawer } from './dialogs.tsx'
import './cert.css'
import './texts.ts'

type Doing = { what: 'apply' | 'upload' } | { what: 'edit' | 'replace' | 'delete'; cert: CertRow } | null

/** The public part alone: the key never leaves the server. */
const saveChain = async (cert: CertRow) => {
  const { data } = await call('cert.chain', { id: cert.id })
  const name = `${data.name.replace('*', '_')}.pem`
  saveFile({ name, blob: new Blob([data.certPem], { type: 'application/x-pem-file' }) })
}

const useActs = () => {
  const { t } = useTranslation('cert')
  const { message } = App.useApp()
  const say = useSay()
  const client = useQueryClient()
  const act = async (work: () => Promise<void>) => {
    await work().catch(say.failed)
    await client.invalidateQueries({ queryKey: CERTS })
  }
  return {
    order: (cert: CertRow) =>
      void act(async () => {
        await call('cert.renew', { id: cert.id })
        message.success(t('renewStarted'))
      }),
    chain: (cert: CertRow) => void act(() => saveChain(cert)),
  }
}

const RowActions = ({ cert, onDo, onOpen }: { cert: CertRow; onDo: (doing: Doing) => void; onOpen: () => void }) => {
  const { t } = useTranslation('cert')
  const maySave = useMay('cdn:cert:save')
  const acts = useActs()
  const isFree = cert.source === 'acme' && !underWay(cert.order)
  const canOrder = maySave && isFree && cert.status !== 'unapplied' && cert.status !== 'applying'
  const items = [
    ...(cert.notAfter === '' ? [] : [{ key: 'chain', label: t('chain'), onClick: () => acts.chain(cert) }]),
    ...(maySave
      ? [
          { key: 'edit', label: t('edit'), onClick: () => onDo({ what: 'edit', cert }) },
          { key: 'replace', label: t('replace'), onClick: () => onDo({ what: 'replace', cert }) },
          {
            key: 'delete',
            label: t('delete'),
            danger: true,
            disabled: cert.sites > 0,
            onClick: () => onDo({ what: 'delete', cert }),
          },
        ]
      : []),
  ]
  return (
    <div className="tool-links">
      <button type="button" className="tg-link-button" onClick={onOpen}>
        {t('detail')}
      </button>
      {canOrder ? (
        <button type="button" className="tg-link-button" onClick={() => acts.order(cert)}>
          {cert.status === 'failed' ? t('retry') : t('renew')}
        </button>
      ) : null}
      {items.length === 0 ? null : (
        <ActionMenu menu={{ items }}>
          <button type="button" className="tg-link-button" aria-label={`${t('moreActions')} ${cert.names[0] ?? ''}`}>
            <Icon name="more" />
          </button>
        </ActionMenu>
      )}
    </div>
  )
}

const Filters = ({ search, set }: Pick<ReturnType<typeof useList<'cert.list'>>, 'search' | 'set'>) => {
  const { t } = useTranslation('cert')
  const words = useCertWords()
  const sources = { acme: t('sourceAcme'), upload: t('sourceUpload') }
  return (
    <>
      <Select<string>
        allowClear
        aria-label={t('status')}
        placeholder={t('status')}
        className="tool-select"
        value={search.get('status')}
        onChange={(status: string | undefined) => set({ status })}
        options={CERT_STATUSES.map((value) => ({ value, label: words[value] }))}
      />
      <Select<string>
        allowClear
        aria-label={t('source')}
        placeholder={t('source')}
        className="tool-select"
        value={search.get('source')}
        onChange={(source: string | undefined) => set({ source })}
        options={CERT_SOURCES.map((value) => ({ value, label: sources[value] }))}
      />
    </>
  )
}

const filtersOf = (search: URLSearchParams) => ({
  status: CERT_STATUSES.find((one) => one === search.get('status')),
  source: CERT_SOURCES.find((one) => one === search.get('source')),
})

const given = (filters: ReturnType<typeof filtersOf>) => ({
  ...(filters.status !== undefined && { status: filters.status }),
  ...(filters.source !== undefined && { source: filters.source }),
})

const Empty = ({ filtered }: { filtered: boolean }) => {
  const { t } = useTranslation('cert')
  if (filtered) return t('emptyFiltered')
  return (
    <>
      <strong>{t('empty')}</strong>
      <p>{t('emptyText')}</p>
    </>
  )
}

export const Page = () => {
  const { t } = useTranslation('cert')
  const client = useQueryClient()
  const maySave = useMay('cdn:cert:save')
  const list = useList('cert.list', CERTS, {
    filters: (search) => given(filtersOf(search)),
    every: (rows) => (rows?.some((cert) => underWay(cert.order)) ? ORDER_POLL_MS : false),
  })
  const [doing, setDoing] = useState<Doing>(null)
  const shown = Number(list.search.get('id')) || null
  const show = (id: number | undefined) => list.set({ id, page: list.query.page })
  const closed = (changed: boolean) => {
    setDoing(null)
    if (changed) void client.invalidateQueries({ queryKey: CERTS })
  }
  const columns = useCertColumns({
    onOpen: (cert) => show(cert.id),
    actions: (cert) => <RowActions cert={cert} onDo={setDoing} onOpen={() => show(cert.id)} />,
  })
  return (
    <PageBody
      title={t('title')}
      sub={t('sub')}
      actions={
        maySave ? (
          <>
            <Button onClick={() => setDoing({ what: 'upload' })}>{t('upload')}</Button>
            <Button type="primary" icon={<Icon name="plus" />} onClick={() => setDoing({ what: 'apply' })}>
              {t('apply')}
            </Button>
          </>
        ) : null
      }
    >
      <ListTable
        list={list}
        label={t('title')}
        columns={columns}
        toolbar={
          <>
            <SearchBox label={t('search')} value={list.query.key ?? ''} onSearch={(key) => list.set({ key })} />
            <Filters search={list.search} set={list.set} />
          </>
        }
        empty={<Empty filtered={list.filtered} />}
      />
      <ApplyDrawer open={doing?.what === 'apply'} onClose={() => closed(true)} />
      <UploadDrawer
        open={doing?.what === 'upload' || doing?.what === 'replace'}
        cert={doing?.what === 'replace' ? doing.cert : null}
        onClose={closed}
      />
      <EditDrawer cert={doing?.what === 'edit' ? doing.cert : null} onClose={closed} />
      {doing?.what === 'delete' ? <DeleteCert cert={doing.cert} onClose={closed} /> : null}
      <DetailDrawer id={shown} onClose={() => show(undefined)} />
    </PageBody>
  )
}
