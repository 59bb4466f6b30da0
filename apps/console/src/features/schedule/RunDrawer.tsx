/** One run: what started it, how it went, what it said; live while it runs. */
import type { OutputOf } from '@tidegate/contract/operations/index'
import { useUi } from '@tidegate/ui/context'
import { absolute, millis } from '@tidegate/ui/format'
import { Drawer, Progress } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { FactLines } from '../../shared/Facts.tsx'
import { Failed } from '../../shared/Failed.tsx'
import { underWay, useRun } from './api.ts'
import { ReconcileReport } from './ReconcileReport.tsx'
import { RunStateDot, TaskName, useStarter } from './words.tsx'

type Run = OutputOf<'schedule.logInfo'>['data']

const Values = ({ of }: { of: Record<string, unknown> }) => (
  <span className="tg-mono">
    {Object.entries(of)
      .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
      .join(', ') || '–'}
  </span>
)

const useFacts = (run: Run): [string, ReactNode][] => {
  const { t } = useTranslation('schedule')
  const { lang, timeZone } = useUi()
  const starter = useStarter()
  const at = (iso: string) => (iso === '' ? '–' : <span className="tg-mono">{absolute(iso, timeZone)}</span>)
  return [
    [t('task'), <TaskName key="task" task={run} />],
    [t('state'), <RunStateDot key="state" state={run.state} />],
    [t('startedBy'), starter(run)],
    [t('due'), at(run.dueTime)],
    [t('begun'), at(run.startTime)],
    [t('ended'), at(run.finishTime)],
    [t('took'), run.duration === null ? '–' : millis(run.duration, lang)],
    [t('attempt'), run.attempt],
    [t('params'), <Values key="params" of={run.params} />],
    [t('result'), <Values key="result" of={run.result} />],
    [
      t('runner'),
      <span key="runner" className="tg-mono">
        {run.runner || '–'}
      </span>,
    ],
  ]
}

const Body = ({ run }: { run: Run }) => {
  const { t } = useTranslation('schedule')
  const facts = useFacts(run)
  return (
    <>
      {run.progress !== null && underWay(run.state) ? (
        <Progress percent={run.progress} size="small" aria-label={t('progress')} />
      ) : null}
      <FactLines facts={facts} />
      {run.error === '' ? null : (
        <>
          <h3>{t('error')}</h3>
          <pre className="schedule-output tg-bad">{run.error}</pre>
        </>
      )}
      {run.kind === 'usage.reconcile' && typeof run.result.report === 'number' ? (
        <>
          <h3>{t('reportTitle')}</h3>
          <ReconcileReport id={run.result.report} />
        </>
      ) : null}
      <h3>{t('output')}</h3>
      {run.output === '' ? (
        <p className="tg-faint">{t('noOutput')}</p>
      ) : (
        <pre className="schedule-output">{run.output}</pre>
      )}
    </>
  )
}

const Shown = ({ id }: { id: number }) => {
  const { data, error, refetch } = useRun(id)
  if (error !== null) return <Failed error={error} onRetry={() => void refetch()} />
  return data === undefined ? <div className="tg-bone" /> : <Body run={data} />
}

/** `id` null: closed. */
export const RunDrawer = ({ id, onClose }: { id: number | null; onClose: () => void }) => {
  const { t } = useTranslation('schedule')
  return (
    <Drawer open={id !== null} onClose={onClose} title={t('runTitle', { id: id ?? '' })} size={560} destroyOnHidden>
      {id === null ? null : <Shown id={id} />}
    </Drawer>
  )
}
