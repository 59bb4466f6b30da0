/** Bandwidth, status codes and top sites. */
import { Chart } from '@tidegate/ui/Chart.tsx'
import { useUi } from '@tidegate/ui/context'
import { bytes, count, figureText, percent } from '@tidegate/ui/format'
import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { ChartData } from './api.ts'
import { bandwidthSpec, type Look, statusSpec } from './charts.ts'
import { useLeads } from './leads.ts'

const HEIGHT = 250
const DETAIL = '/cdn/site/list/detail'

const Panel = ({ title, hint, children }: { title: string; hint?: string; children: ReactNode }) => (
  <section className="tg-panel tg-panel-body" aria-label={title}>
    <div className="tg-panel-head">
      <h2>{title}</h2>
      {hint === undefined ? null : <span className="tg-soft tg-small">{hint}</span>}
    </div>
    {children}
  </section>
)

const TopSites = ({ data }: { data: ChartData }) => {
  const { t } = useTranslation('overview')
  const { lang } = useUi()
  const leads = useLeads()
  if (data.topSites.length === 0) return <p className="tg-soft">{t('noRequests')}</p>
  const most = Math.max(...data.topSites.map((s) => s.requests), 1)
  return (
    <ol className="overview-top">
      {data.topSites.map((site) => (
        <li key={site.siteId}>
          {leads(DETAIL) ? (
            <Link to={`${DETAIL}?id=${site.siteId}`}>{site.domain}</Link>
          ) : (
            <span className="overview-name">{site.domain}</span>
          )}
          <span>{figureText(count(site.requests, lang))}</span>
          <span className="tg-faint">{figureText(bytes(site.bytesOut, lang))}</span>
          <span className="tg-faint" title={t('hitRatio')}>
            {figureText(percent(site.requests === 0 ? 0 : site.hits / site.requests, lang))}
          </span>
          <i style={{ width: `${(site.requests / most) * 100}%` }} aria-hidden="true" />
        </li>
      ))}
    </ol>
  )
}

const stepText = (seconds: number, words: { minute: (n: number) => string; hour: (n: number) => string }) =>
  seconds % 3600 === 0 ? words.hour(seconds / 3600) : words.minute(Math.max(1, Math.round(seconds / 60)))

export const ChartPanels = ({
  data,
  loading,
  look,
  attention,
}: {
  data: ChartData | undefined
  /** The figures of another span are on their way. */
  loading: boolean
  look: Look
  /** The customers' console has none. */
  attention?: ReactNode
}) => {
  const { t } = useTranslation('overview')
  const specs = useMemo(
    () =>
      data === undefined
        ? null
        : {
            bandwidth: bandwidthSpec(data, look, { edge: t('edge'), origin: t('origin'), p95: t('p95') }),
            status: statusSpec(data, look, t('requestsUnit')),
          },
    [data, look, t],
  )
  const hint =
    data === undefined
      ? undefined
      : stepText(data.step, { minute: (n) => t('stepMinutes', { n }), hour: (n) => t('stepHours', { n }) })
  const room = <div className="overview-room" style={{ height: HEIGHT + 20 }} />
  return (
    <>
      <div className="page-grid">
        <Panel title={t('bandwidth')} {...(hint === undefined ? {} : { hint })}>
          <Chart spec={specs?.bandwidth} height={HEIGHT} label={t('bandwidthChart')} loading={loading} />
        </Panel>
        {attention === undefined ? (
          <Panel title={t('topSites')}>{data === undefined ? room : <TopSites data={data} />}</Panel>
        ) : (
          <Panel title={t('attention')}>{attention}</Panel>
        )}
      </div>
      <div className="page-grid page-grid-even">
        <Panel title={t('statusCodes')}>
          <Chart spec={specs?.status} height={HEIGHT} label={t('statusChart')} loading={loading} />
        </Panel>
        {attention === undefined ? null : (
          <Panel title={t('topSites')}>{data === undefined ? room : <TopSites data={data} />}</Panel>
        )}
      </div>
    </>
  )
}
