/** Each node's answer to a push. */
import type { FeedbackRow } from '@tidegate/contract/operations/push'
import { useUi } from '@tidegate/ui/context'
import { millis } from '@tidegate/ui/format'
import { RelativeTime } from '@tidegate/ui/RelativeTime.tsx'
import { StatusDot } from '@tidegate/ui/StatusDot.tsx'
import { useTranslation } from 'react-i18next'
import { refusalWords, resourceWords } from '../words.ts'
import './push.css'

const State = ({ row }: { row: FeedbackRow }) => {
  const { t } = useTranslation('shared')
  if (row.state === 'done') return <StatusDot tone="good">{t('pushLive')}</StatusDot>
  if (row.state === 'refused') return <StatusDot tone="bad">{t('pushRefused')}</StatusDot>
  return row.online ? (
    <StatusDot tone="busy">{t('pushPending')}</StatusDot>
  ) : (
    <StatusDot tone="idle">{t('pushOffline')}</StatusDot>
  )
}

/** Total, of it on the node, of it in the engine. */
const Times = ({ row }: { row: FeedbackRow }) => {
  const { t } = useTranslation('shared')
  const { lang } = useUi()
  if (row.totalMs < 0) return <span className="tg-faint">–</span>
  const part = (ms: number) => (ms < 0 ? '–' : millis(ms, lang))
  return (
    <span className="push-times">
      <strong>{millis(row.totalMs, lang)}</strong>
      <span className="tg-faint">{t('pushParts', { node: part(row.nodeMs), engine: part(row.applyMs) })}</span>
    </span>
  )
}

const Reasons = ({ row }: { row: FeedbackRow }) => {
  const { t } = useTranslation('shared')
  if (row.error === '' && row.refused.length === 0) return null
  return (
    <ul className="push-reasons">
      {row.error === '' ? null : <li>{row.error}</li>}
      {row.refused.map((r) => (
        <li key={`${r.kind} ${r.key}`}>
          <strong>
            {resourceWords(t, r.kind)} {r.key}
          </strong>{' '}
          {refusalWords(t, r.reason)} <code className="tg-mono tg-faint">{r.detail}</code>
        </li>
      ))}
    </ul>
  )
}

export const FeedbackTable = ({ feedback }: { feedback: readonly FeedbackRow[] }) => {
  const { t } = useTranslation('shared')
  return (
    <ul className="push-nodes">
      {feedback.map((row) => (
        <li key={row.nodeId}>
          <div className="push-node">
            <strong>{row.nodeName}</strong>
            <State row={row} />
            <span className="tg-mono tg-faint" title={t('pushRevisions')}>
              r{row.appliedRevision}
            </span>
            <Times row={row} />
            <span className="push-probed">{row.probed ? t('pushProbed') : ''}</span>
            <span className="tg-faint">
              <RelativeTime iso={row.time} />
            </span>
          </div>
          <Reasons row={row} />
        </li>
      ))}
    </ul>
  )
}
