/** Everything about one certificate: what it is, which sites use it, and every order for it. */
import type { CertInfo, CertOrder } from '@tidegate/contract/operations/cert'
import { useUi } from '@tidegate/ui/context'
import { absolute } from '@tidegate/ui/format'
import { RelativeTime } from '@tidegate/ui/RelativeTime.tsx'
import { Descriptions, Drawer } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { CertStatusDot, OrderProgress } from '../../shared/cert/CertStatus.tsx'
import { useCert } from '../../shared/cert/useCert.ts'
import { Failed } from '../../shared/Failed.tsx'
import { useSeesOwners } from './columns.tsx'

const Sites = ({ cert }: { cert: CertInfo }) => {
  const { t } = useTranslation('cert')
  if (cert.siteList.length === 0) return t('notUsed')
  return (
    <ul className="cert-sites">
      {cert.siteList.map((site) => (
        <li key={site.id}>
          <Link to={`/cdn/site/list/detail?id=${site.id}&tab=https`}>{site.domain}</Link>
        </li>
      ))}
    </ul>
  )
}

const Order = ({ order }: { order: CertOrder }) => {
  const { t } = useTranslation('cert')
  return (
    <li>
      <div className="cert-order-head">
        <strong>{order.reason === 'apply' ? t('reasonApply') : t('reasonRenew')}</strong>
        <span className="tg-faint">
          {order.authority} · {t('by', { by: order.by === 'system' ? t('system') : order.by })} ·{' '}
          <RelativeTime iso={order.createTime} both />
        </span>
      </div>
      <OrderProgress order={order} />
    </li>
  )
}

const Detail = ({ cert }: { cert: CertInfo }) => {
  const { t } = useTranslation('cert')
  const { timeZone } = useUi()
  const seesOwners = useSeesOwners()
  const time = (iso: string) => (iso === '' ? '–' : absolute(iso, timeZone))
  const rows = [
    { key: 'status', label: t('status'), children: <CertStatusDot status={cert.status} /> },
    { key: 'names', label: t('names'), children: cert.names.join(', ') },
    ...(seesOwners ? [{ key: 'owner', label: t('owner'), children: cert.userName || t('nobody') }] : []),
    { key: 'source', label: t('source'), children: cert.source === 'upload' ? t('sourceUpload') : cert.authority },
    { key: 'issuer', label: t('issuer'), children: cert.issuer || '–' },
    { key: 'from', label: t('validFrom'), children: time(cert.notBefore) },
    { key: 'ends', label: t('ends'), children: time(cert.notAfter) },
    { key: 'serial', label: t('serial'), children: <span className="tg-mono cert-long">{cert.serial || '–'}</span> },
    {
      key: 'print',
      label: t('fingerprint'),
      children: <span className="tg-mono cert-long">{cert.fingerprint || '–'}</span>,
    },
    ...(cert.source === 'acme'
      ? [{ key: 'auto', label: t('autoRenew'), children: cert.autoRenew ? t('yes') : t('no') }]
      : []),
    { key: 'sites', label: t('sites'), children: <Sites cert={cert} /> },
    { key: 'remark', label: t('remark'), children: cert.remark || '–' },
  ]
  return (
    <>
      <Descriptions column={1} size="small" items={rows} />
      <section className="cert-history" aria-label={t('history')}>
        <h3>{t('history')}</h3>
        {cert.orders.length === 0 ? <p className="tg-faint">{t('historyEmpty')}</p> : null}
        <ol>
          {cert.orders.map((order) => (
            <Order key={order.id} order={order} />
          ))}
        </ol>
      </section>
    </>
  )
}

const Body = ({ id }: { id: number }) => {
  const cert = useCert(id)
  if (cert.error !== null) return <Failed error={cert.error} onRetry={() => void cert.refetch()} />
  return cert.data === undefined ? <div className="tg-bone" /> : <Detail cert={cert.data} />
}

/** `id` null: nothing is shown. */
export const DetailDrawer = ({ id, onClose }: { id: number | null; onClose: () => void }) => {
  const { t } = useTranslation('cert')
  return (
    <Drawer open={id !== null} onClose={onClose} title={t('detail')} size={560} destroyOnHidden>
      {id === null ? null : <Body id={id} />}
    </Drawer>
  )
}
