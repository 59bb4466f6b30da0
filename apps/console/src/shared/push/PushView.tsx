/** The live view of a push: which nodes run the new version, how long it took, what refused it, and what to do about it. */
import { useUi } from '@tidegate/ui/context'
import { millis } from '@tidegate/ui/format'
import { StatusDot } from '@tidegate/ui/StatusDot.tsx'
import { Button } from 'antd'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../api/call.ts'
import { errorLine } from '../api/error.ts'
import { useSay } from '../useSay.tsx'
import { FeedbackTable } from './FeedbackTable.tsx'
import { type PushSummary, summarize } from './feedback.ts'
import { type PushRef, usePushWatch } from './usePushWatch.ts'

const Headline = ({ sum }: { sum: PushSummary }) => {
  const { t } = useTranslation('shared')
  const { lang } = useUi()
  const { live, nodes, refused, pending, slowestMs } = sum
  if (nodes === 0) return <StatusDot tone="idle">{t('pushNoNodes')}</StatusDot>
  if (refused > 0) return <StatusDot tone="bad">{t('pushRefusedOn', { refused, nodes })}</StatusDot>
  if (pending > 0) return <StatusDot tone="busy">{t('pushLiveOn', { live, nodes })}</StatusDot>
  return <StatusDot tone="good">{t('pushLiveIn', { live, nodes, time: millis(slowestMs, lang) })}</StatusDot>
}

interface PushViewProps {
  push: PushRef
  /** Site to publish again on retry. */
  siteId?: number
  /** Called with the new push after a retry. */
  onPush?: (push: PushRef) => void
  /** Further actions, such as going back a version. */
  actions?: ReactNode
  onClose?: (() => void) | undefined
}

const RetryButton = ({ siteId, onPush }: { siteId: number; onPush: (push: PushRef) => void }) => {
  const { t } = useTranslation('shared')
  const say = useSay()
  const [busy, setBusy] = useState(false)
  const retry = async () => {
    setBusy(true)
    try {
      const { push } = await call('push.site', { id: siteId })
      const first = push[0]
      if (first !== undefined) onPush(first)
    } catch (error) {
      say.failed(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button size="small" loading={busy} onClick={() => void retry()}>
      {t('pushAgain')}
    </Button>
  )
}

export const PushView = ({ push, siteId, onPush, actions, onClose }: PushViewProps) => {
  const { t } = useTranslation('shared')
  const { event, error } = usePushWatch(push)
  const sum = event === null ? null : summarize(event.feedback)
  const stuck = sum !== null && (sum.refused > 0 || sum.pending > 0)
  return (
    <section className="tg-panel push-view" aria-label={t('pushTitle')} aria-live="polite">
      <div className="push-head">
        {error !== null ? <span className="tg-bad">{errorLine(error)}</span> : null}
        {error === null && sum === null ? <StatusDot tone="busy">{t('pushWaiting')}</StatusDot> : null}
        {sum === null ? null : <Headline sum={sum} />}
        <span className="tg-faint tg-mono">r{push.revision}</span>
        <span className="push-actions">
          {stuck && siteId !== undefined && onPush !== undefined ? (
            <RetryButton siteId={siteId} onPush={onPush} />
          ) : null}
          {sum !== null && sum.refused > 0 ? actions : null}
          {onClose === undefined ? null : (
            <button type="button" className="tg-link-button" onClick={onClose}>
              {t('close')}
            </button>
          )}
        </span>
      </div>
      {event === null ? null : <FeedbackTable feedback={event.feedback} />}
    </section>
  )
}
