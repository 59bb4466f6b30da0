/** The overview: what passes through the edge, what needs a person, what to do first. */
import { CHART_RANGES } from '@tidegate/contract/enums'
import { useUi } from '@tidegate/ui/context'
import { FigureStripSkeleton } from '@tidegate/ui/FigureStrip.tsx'
import { QuickRanges } from '@tidegate/ui/QuickRanges.tsx'
import { RefreshInterval, useRefresh } from '@tidegate/ui/RefreshInterval.tsx'
import { RelativeTime } from '@tidegate/ui/RelativeTime.tsx'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { here } from '../../shared/console.ts'
import { Failed } from '../../shared/Failed.tsx'
import { PageBody } from '../../shared/Page.tsx'
import { Attention } from './Attention.tsx'
import { useChart, useHealth } from './api.ts'
import { ChartPanels } from './ChartPanels.tsx'
import { Checklist } from './Checklist.tsx'
import { OwnOverview } from './OwnOverview.tsx'
import { Strip } from './Strip.tsx'
import './overview.css'
import './texts.ts'

const HEALTH_MS = 10_000
const FIGURES = 8

const Overview = () => {
  const { t } = useTranslation('overview')
  const look = useUi()
  const [search, setSearch] = useSearchParams()
  const range = CHART_RANGES.find((r) => r === search.get('range')) ?? 'today'
  const refresh = useRefresh(60_000)
  const chart = useChart(range, refresh.interval)
  const health = useHealth(HEALTH_MS)
  const broken = chart.error ?? health.error
  const age = health.data?.dataAge ?? -1
  return (
    <PageBody
      title={t('title')}
      sub={
        age < 0 ? (
          t('noData')
        ) : (
          <span>
            {t('dataFrom')} <RelativeTime iso={new Date(health.dataUpdatedAt - age * 1000).toISOString()} />
          </span>
        )
      }
      actions={
        <>
          <QuickRanges range={range} onRange={(r) => setSearch(r === 'today' ? {} : { range: r }, { replace: true })} />
          <RefreshInterval refresh={refresh} />
        </>
      }
    >
      {broken !== null && chart.data === undefined ? (
        <div className="tg-panel">
          <Failed error={broken} onRetry={() => void Promise.all([chart.refetch(), health.refetch()])} />
        </div>
      ) : null}
      {/* What comes first decides where the rest stands: nothing is drawn that would have to move. */}
      {health.isPending ? (
        <FigureStripSkeleton cells={FIGURES} />
      ) : (
        <>
          {health.data === undefined ? null : <Checklist items={health.data.checklist} />}
          {chart.data === undefined ? (
            <FigureStripSkeleton cells={FIGURES} />
          ) : (
            <Strip data={chart.data} health={health.data} />
          )}
          <ChartPanels
            data={chart.data}
            loading={chart.isPending || chart.isPlaceholderData}
            look={look}
            attention={<Attention health={health.data} />}
          />
        </>
      )}
    </PageBody>
  )
}

export const Page = () => (here.audience === 'user' ? <OwnOverview /> : <Overview />)
