/** A customer's overview: the own figures, and the first steps of a new account. */
import { CHART_RANGES } from '@tidegate/contract/enums'
import { CERT_SOON_DAYS } from '@tidegate/contract/limits'
import { CopyButton } from '@tidegate/ui/CopyButton.tsx'
import { useUi } from '@tidegate/ui/context'
import { FigureStripSkeleton } from '@tidegate/ui/FigureStrip.tsx'
import { QuickRanges } from '@tidegate/ui/QuickRanges.tsx'
import { RefreshInterval, useRefresh } from '@tidegate/ui/RefreshInterval.tsx'
import { Alert } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { Failed } from '../../shared/Failed.tsx'
import { PageBody } from '../../shared/Page.tsx'
import { type OwnState, useChart, useOwnState } from './api.ts'
import { ChartPanels } from './ChartPanels.tsx'
import { Steps } from './Checklist.tsx'
import { Strip } from './Strip.tsx'

type Item = OwnState['checklist'][number]

const FIGURES = 8

/** The name that has to be pointed here, and where to. */
const Pointing = ({ point }: { point: NonNullable<OwnState['point']> }) => {
  const { t } = useTranslation('overview')
  return (
    <>
      {t('ownCnameText', { domain: point.domain })}{' '}
      <span className="tg-row-tight">
        <code className="tg-mono">{point.cname}</code>
        <CopyButton text={point.cname} label={point.cname} />
      </span>
    </>
  )
}

const OwnSteps = ({ state: { checklist, point } }: { state: OwnState }) => {
  const { t } = useTranslation('overview')
  return (
    <Steps<Item['key']>
      items={checklist}
      steps={{
        realName: { name: t('ownRealName'), text: t('ownRealNameText'), path: '/cdn/account/info' },
        phone: { name: t('ownPhone'), text: t('ownPhoneText'), path: '/cdn/account/info' },
        site: { name: t('stepSite'), text: t('ownSiteText'), path: '/cdn/site/list?add=1' },
        cname: {
          name: t('ownCname'),
          text: point === null ? t('ownCnameLater') : <Pointing point={point} />,
          path: '/cdn/site/list',
        },
        certificate: { name: t('stepCertificate'), text: t('stepCertificateText'), path: '/cdn/site/list' },
      }}
    />
  )
}

/** Certificates in use that have ended or end soon, with the way to their sites. */
const OwnCertificates = ({ expiring, expired }: OwnState['certificates']) => {
  const { t } = useTranslation('overview')
  const path = `/cdn/site/list?certDays=${CERT_SOON_DAYS}`
  const lines = [
    { key: 'expired', type: 'error' as const, count: expired, text: t('attCertExpired', { count: expired }) },
    {
      ...{ key: 'expiring', type: 'warning' as const, count: expiring - expired },
      text: t('attCertExpiring', { count: expiring - expired }),
    },
  ]
  return lines.map(({ key, type, count, text }) =>
    count > 0 ? <Alert key={key} type={type} showIcon title={<Link to={path}>{text}</Link>} /> : null,
  )
}

export const OwnOverview = () => {
  const { t } = useTranslation('overview')
  const look = useUi()
  const [search, setSearch] = useSearchParams()
  const range = CHART_RANGES.find((r) => r === search.get('range')) ?? 'today'
  const refresh = useRefresh(60_000)
  const chart = useChart(range, refresh.interval)
  const state = useOwnState(refresh.interval)
  const broken = chart.error ?? state.error
  const sites = state.data?.sites
  return (
    <PageBody
      title={t('title')}
      sub={sites === undefined ? '\u00a0' : t('ownSub', sites)}
      actions={
        <>
          <QuickRanges range={range} onRange={(r) => setSearch(r === 'today' ? {} : { range: r }, { replace: true })} />
          <RefreshInterval refresh={refresh} />
        </>
      }
    >
      {broken !== null && chart.data === undefined ? (
        <div className="tg-panel">
          <Failed error={broken} onRetry={() => void Promise.all([chart.refetch(), state.refetch()])} />
        </div>
      ) : null}
      {/* What comes first decides where the rest stands: nothing is drawn that would have to move. */}
      {state.isPending ? (
        <FigureStripSkeleton cells={FIGURES} />
      ) : (
        <>
          {state.data === undefined ? null : <OwnCertificates {...state.data.certificates} />}
          {state.data === undefined ? null : <OwnSteps state={state.data} />}
          {chart.data === undefined ? (
            <FigureStripSkeleton cells={FIGURES} />
          ) : (
            <Strip data={chart.data} health={null} sites={sites} />
          )}
          <ChartPanels data={chart.data} loading={chart.isPending || chart.isPlaceholderData} look={look} />
        </>
      )}
    </PageBody>
  )
}
