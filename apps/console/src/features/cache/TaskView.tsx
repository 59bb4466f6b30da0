/** A purge on its way: each node's acknowledgement as it comes. */
import { useUi } from '@tidegate/ui/context'
import { millis } from '@tidegate/ui/format'
import { RelativeTime } from '@tidegate/ui/RelativeTime.tsx'
import { StatusDot, type Tone } from '@tidegate/ui/StatusDot.tsx'
import { useTranslation } from 'react-i18next'
import { errorLine } from '../../shared/api/error.ts'
import { type Task, useTask } from './api.ts'
import '../../shared/push/push.css'

type State = Task['state']
const TONES: Record<State, Tone> = { pending: 'busy', done: 'good', failed: 'bad' }

export const PurgeState = ({ state }: { state: State }) => {
  const { t } = useTranslation('cache')
  const words: Record<State, string> = { pending: t('pending'), done: t('done'), failed: t('failed') }
  return <StatusDot tone={TONES[state]}>{words[state]}</StatusDot>
}

const Headline = ({ task }: { task: Task }) => {
  const { t } = useTranslation('cache')
  const { lang } = useUi()
  const { nodes, nodesDone: done, totalMs, state } = task
  if (nodes === 0) return <StatusDot tone="idle">{t('noNodes')}</StatusDot>
  if (state === 'failed') return <StatusDot tone="bad">{t('summaryFailed')}</StatusDot>
  if (state === 'pending') return <StatusDot tone="busy">{t('summaryPending', { done, nodes })}</StatusDot>
  return (
    <StatusDot tone="good">{t('summaryDone', { done, nodes, time: millis(Math.max(0, totalMs), lang) })}</StatusDot>
  )
}

export const TaskView = ({ id }: { id: number }) => {
  const { t } = useTranslation('cache')
  const { lang } = useUi()
  const { data: task, error } = useTask(id)
  return (
    <section className="tg-panel push-view" aria-live="polite" aria-label={t('task', { id })}>
      <div className="push-head">
        {task === undefined ? <StatusDot tone="busy">{t('pending')}</StatusDot> : <Headline task={task} />}
        <span className="tg-faint">{t('task', { id })}</span>
        {error === null ? null : <span className="tg-bad">{errorLine(error)}</span>}
      </div>
      <ul className="push-nodes">
        {(task?.feedback ?? []).map((node) => (
          <li key={node.nodeId}>
            <div className="push-node">
              <strong>{node.nodeName}</strong>
              <PurgeState state={node.state} />
              <span>{node.ms < 0 ? '–' : millis(node.ms, lang)}</span>
              <span className="tg-faint">
                <RelativeTime iso={node.time} />
              </span>
              {node.error === '' ? null : <span className="tg-bad">{node.error}</span>}
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}
