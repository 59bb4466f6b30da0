/** A customer's overview: the own figures, and the first steps of a new account. */
import { CHART_RANGES } from '@tidegate/contract/enums'
import { CopyButton } from '@tidegate/ui/CopyButton.tsx'
import { useUi } from '@tidegate/ui/context'
import { FigureStripSkeleton } from '@tidegate/ui/FigureStrip.tsx'
import { Icon } from '@tidegate/ui/Icon.tsx'
import { QuickRanges } from '@tidegate/ui/QuickRanges.tsx'
import { RefreshInterval, useRefresh } from '@tidegate/ui/RefreshInterval.tsx'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { Failed } from '../../shared/Failed.tsx'
import { PageBody } from '../../shared/Page.tsx'
import { type OwnState, useChart, useOwnState } from './api.ts'
import { ChartPanels } from './ChartPanels.tsx'
import { Strip } from './Strip.tsx'

type Item = OwnState['checklist'][number]

const PATHS: Record<Item['key'], string> = {
  realName: '/cdn/account/info',
  phone: '/cdn/account/info',
  site: '/cdn/site/list?add=1',
  cname: '/cdn/site/list',
  certificate: '/cdn/site/list',
}
const FIGURES = 8

/** The name that has to be pointed here, and where to. */
const Pointing = ({ point }: { point: NonNullable<OwnState['point']> }) => {
  const { t } = useTranslation('overview')
  return (
    <small>
      {t('ownCnameText', { domain: point.domain })}{' '}
      <span className="tg-row-tight">
        <code className="tg-mono">{point.cname}</code>
        <CopyButton text={point.cname} label={point.cname} />
      </span>
    </small>
  )
}

const Steps = ({ state }: { state: OwnState }) => {
  const { t } = useTranslation('overview')
  const { checklist, point } = state
  if (checklist.every((item) => item.done)) return null
  const texts: Record<Item['key'], [string, string]> = {
    realName: [t('ownRealName'), t('ownRealNameText')],
    phone: [t('ownPhone'), t('ownPhoneText')],
    site: [t('stepSite'), t('ownSiteText')],
    cname: [t('ownCname'), t('ownCnameLater')],
    certificate: [t('stepCertificate'), t('stepCertificateText')],
  }
  const next = checklist.find((item) => !item.done)?.key
  return (
    <section className="tg-panel overview-steps" aria-label={t('firstSteps')}>
      <ol>
        {checklist.map((item, i) => (
          <li key={item.key} className={item.done ? 'overview-done' : item.key === next ? 'overview-next' : ''}>
            <span className="overview-step" aria-hidden="true">
              {item.done ? <Icon name="check" size={13} /> : i + 1}
            </span>
            <div>
              {item.done ? <span>{texts[item.key][0]}</span> : <Link to={PATHS[item.key]}>{texts[item.key][0]}</Link>}
              {item.key === 'cname' && !item.done && point !== null ? (
                <Pointing point={point} />
              ) : (
                <small>{item.done ? t('stepDone') : texts[item.key][1]}</small>
              )}
            </div>
          </li>
        ))}
      </ol>
    </section>
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
          {state.data === undefined ? null : <Steps state={state.data} />}
          {chart.data === undefined ? (
            <FigureStripSkeleton cells={FIGURES} />
          ) : (
            <Strip data={chart.data} health={null} sites={sites} />
          )}
          <ChartPanels data={chart.data} look={look} />
        </>
      )}
    </PageBody>
  )
}
