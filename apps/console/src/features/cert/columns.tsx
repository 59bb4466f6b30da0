/** Columns of the list of certificates. */
import type { CertRow } from '@tidegate/contract/operations/cert'
import { useUi } from '@tidegate/ui/context'
import type { Column } from '@tidegate/ui/DataTable.tsx'
import { absolute } from '@tidegate/ui/format'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { CertStanding } from '../../shared/cert/CertStatus.tsx'
import { here } from '../../shared/console.ts'
import { useMay } from '../../shell/session.ts'

const DAY_MS = 86_400_000

/** Whether owners are anything to show here. */
export const useSeesOwners = (): boolean => {
  const may = useMay('account:users:users')
  return here.audience === 'admin' && may
}

const Names = ({ cert, onOpen }: { cert: CertRow; onOpen: () => void }) => {
  const { t } = useTranslation('cert')
  const { names, remark } = cert
  const notes = [...(names.length > 1 ? [t('more', { n: names.length })] : []), ...(remark === '' ? [] : [remark])]
  return (
    <div className="tg-two">
      <button type="button" className="tg-link-button cert-name" title={names.join(', ')} onClick={onOpen}>
        {names[0]}
      </button>
      {notes.length === 0 ? null : <span className="tg-faint">{notes.join(' · ')}</span>}
    </div>
  )
}

const Ends = ({ notAfter }: { notAfter: string }) => {
  const { t } = useTranslation('cert')
  const { timeZone } = useUi()
  if (notAfter === '') return <span className="tg-faint">–</span>
  const days = Math.floor((Date.parse(notAfter) - Date.now()) / DAY_MS)
  return (
    <div className="tg-two">
      <span className="tg-mono">{absolute(notAfter, timeZone).slice(0, 10)}</span>
      <span className="tg-faint">{days < 0 ? t('ended') : t('endsIn', { days })}</span>
    </div>
  )
}

interface Acts {
  onOpen: (cert: CertRow) => void
  actions: (cert: CertRow) => ReactNode
}

export const useCertColumns = ({ onOpen, actions }: Acts): Column<CertRow>[] => {
  const { t } = useTranslation('cert')
  const seesOwners = useSeesOwners()
  const owner: Column<CertRow> = {
    key: 'owner',
    title: t('owner'),
    render: (_, c) => (c.userName === '' ? <span className="tg-faint">{t('nobody')}</span> : c.userName),
  }
  return [
    { key: 'names', title: t('names'), render: (_, c) => <Names cert={c} onOpen={() => onOpen(c)} /> },
    ...(seesOwners ? [owner] : []),
    { key: 'source', title: t('source'), render: (_, c) => (c.source === 'upload' ? t('sourceUpload') : c.authority) },
    { key: 'status', title: t('status'), render: (_, c) => <CertStanding cert={c} /> },
    { key: 'notAfter', title: t('ends'), sorter: true, render: (_, c) => <Ends notAfter={c.notAfter} /> },
    { key: 'sites', title: t('sites'), align: 'right', dataIndex: 'sites' },
    { key: 'actions', title: t('actions'), fixed: 'right', align: 'left', render: (_, c) => actions(c) },
  ]
}
