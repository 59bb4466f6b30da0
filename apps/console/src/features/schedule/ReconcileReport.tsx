/** What a reconciliation of the figures found: how it ended, and the greatest differences. */
import type { GapKind, GapState } from '@tidegate/contract/enums'
import type { GapRow, ReconcileReport as Report } from '@tidegate/contract/operations/usage'
import { useUi } from '@tidegate/ui/context'
import { absolute, bytes, figureText, grouped } from '@tidegate/ui/format'
import { StatusDot, type Tone } from '@tidegate/ui/StatusDot.tsx'
import { Drawer, Pagination } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FactLines } from '../../shared/Facts.tsx'
import { Failed } from '../../shared/Failed.tsx'
import { GAPS_SHOWN, useGaps, useReport } from './api.ts'

const TONES: Readonly<Record<GapState, Tone>> = { open: 'bad', doubtful: 'warn', repaired: 'good', known: 'idle' }

const useKindWords = (): Record<GapKind, string> => {
  const { t } = useTranslation('schedule')
  return {
    hour: t('gapHour'),
    day: t('gapDay'),
    total: t('gapTotal'),
    node: t('gapNode'),
    raw: t('gapRaw'),
  }
}

const useStateWords = (): Record<GapState, string> => {
  const { t } = useTranslation('schedule')
  return { open: t('gapOpen'), doubtful: t('gapDoubtful'), repaired: t('gapRepaired'), known: t('gapKnown') }
}

/** In the order in which they are shown. */
const useFigureWords = (): Record<string, string> => {
  const { t } = useTranslation('schedule')
  return {
    requests: t('figRequests'),
    bytes_out: t('figOut'),
    hits: t('figHits'),
    bytes_in: t('figIn'),
    bytes_origin: t('figOrigin'),
    s2xx: '2xx',
    s3xx: '3xx',
    s4xx: '4xx',
    s5xx: '5xx',
    blocked: t('figBlocked'),
  }
}

const Figures = ({ gap }: { gap: GapRow }) => {
  const { t } = useTranslation('schedule')
  const { lang } = useUi()
  const names = useFigureWords()
  const shown = (name: string, n: number) => (name.startsWith('bytes') ? figureText(bytes(n, lang)) : grouped(n, lang))
  const differing = Object.keys(names).filter((name) => (gap.wanted[name] ?? 0) !== (gap.found[name] ?? 0))
  return (
    <table className="schedule-figures">
      <thead>
        <tr>
          <th scope="col">{t('figure')}</th>
          <th scope="col">{gap.kind === 'raw' ? t('counted') : t('addsUp')}</th>
          <th scope="col">{gap.kind === 'raw' ? t('rawLines') : t('stands')}</th>
        </tr>
      </thead>
      <tbody>
        {differing.map((name) => (
          <tr key={name}>
            <th scope="row">{names[name]}</th>
            <td>{shown(name, gap.wanted[name] ?? 0)}</td>
            <td>{shown(name, gap.found[name] ?? 0)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const useWhose = () => {
  const { t } = useTranslation('schedule')
  return ({ siteId, domain }: GapRow): string => {
    if (siteId === null) return t('allSites')
    if (siteId === 0) return t('noSite')
    return domain === '' ? t('siteGone', { id: siteId }) : domain
  }
}

const Gap = ({ gap }: { gap: GapRow }) => {
  const { timeZone } = useUi()
  const kinds = useKindWords()
  const states = useStateWords()
  const whose = useWhose()
  return (
    <li>
      <div className="schedule-gap">
        <div className="tg-two">
          <span>{whose(gap)}</span>
          <span className="tg-faint">
            {kinds[gap.kind]} · <span className="tg-mono">{absolute(gap.time, timeZone)}</span>
          </span>
        </div>
        <StatusDot tone={TONES[gap.state]}>{states[gap.state]}</StatusDot>
      </div>
      <Figures gap={gap} />
    </li>
  )
}

const Gaps = ({ report }: { report: Report }) => {
  const { t } = useTranslation('schedule')
  const [page, setPage] = useState(1)
  const { data, error, refetch } = useGaps(report.id, page)
  if (error !== null) return <Failed error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <div className="tg-bone" />
  return (
    <>
      {report.gaps > data.totalCount ? (
        <p className="tg-soft">{t('greatest', { count: data.totalCount, all: report.gaps })}</p>
      ) : null}
      <ul className="schedule-gaps">
        {data.list.map((gap) => (
          <Gap key={gap.id} gap={gap} />
        ))}
      </ul>
      <Pagination
        size="small"
        hideOnSinglePage
        showSizeChanger={false}
        current={page}
        pageSize={GAPS_SHOWN}
        total={data.totalCount}
        onChange={setPage}
      />
    </>
  )
}

const useFacts = (report: Report): [string, string][] => {
  const { t } = useTranslation('schedule')
  const { lang, timeZone } = useUi()
  const n = (value: number) => grouped(value, lang)
  const raw = { compared: t('rawCompared'), sampled: t('rawSampled'), away: t('rawAway'), none: t('rawNone') }[
    report.raw
  ]
  return [
    [t('reportSpan'), `${report.firstDay} – ${absolute(report.until, timeZone)}`],
    [t('reportCompared'), n(report.compared)],
    [t('reportGaps'), t('reportCounts', { gaps: n(report.gaps), open: n(report.open), repaired: n(report.repaired) })],
    [t('reportRaw'), raw],
    [t('reportMissing'), t('reportKnown', { missing: n(report.missing), known: n(report.known) })],
    ...(report.skipped > 0 ? ([[t('reportSkipped'), n(report.skipped)]] as [string, string][]) : []),
  ]
}

const Shown = ({ report }: { report: Report }) => {
  const { t } = useTranslation('schedule')
  const facts = useFacts(report)
  return (
    <>
      <FactLines facts={facts} />
      {report.gaps === 0 ? (
        <StatusDot tone="good">{t('noGaps')}</StatusDot>
      ) : (
        <>
          <h3>{t('gaps')}</h3>
          <Gaps report={report} />
        </>
      )}
    </>
  )
}

export const ReconcileReport = ({ id }: { id: number }) => {
  const { data, error, refetch } = useReport(id)
  if (error !== null) return <Failed error={error} onRetry={() => void refetch()} />
  return data === undefined ? <div className="tg-bone" /> : <Shown report={data} />
}

/** `id` undefined: closed. */
export const ReportDrawer = ({ id, onClose }: { id: number | undefined; onClose: () => void }) => {
  const { t } = useTranslation('schedule')
  return (
    <Drawer open={id !== undefined} onClose={onClose} title={t('reportTitle')} size={640} destroyOnHidden>
      {id === undefined ? null : <ReconcileReport id={id} />}
    </Drawer>
  )
}
