/** What states, rules and triggers are called. */
import type { Lang, RunState, TaskLostRule, TaskOverlap } from '@tidegate/contract/enums'
import type { RunRow } from '@tidegate/contract/operations/schedule'
import { useUi } from '@tidegate/ui/context'
import { StatusDot, type Tone } from '@tidegate/ui/StatusDot.tsx'
import { useTranslation } from 'react-i18next'

const TONES: Record<RunState, Tone> = {
  waiting: 'idle',
  running: 'busy',
  done: 'good',
  failed: 'bad',
  timeout: 'bad',
  lost: 'warn',
  skipped: 'idle',
}

export const useRunStates = (): Record<RunState, string> => {
  const { t } = useTranslation('schedule')
  return {
    waiting: t('waiting'),
    running: t('running'),
    done: t('done'),
    failed: t('failed'),
    timeout: t('timedOut'),
    lost: t('wasLost'),
    skipped: t('skipped'),
  }
}

export const RunStateDot = ({ state }: { state: RunState }) => (
  <StatusDot tone={TONES[state]}>{useRunStates()[state]}</StatusDot>
)

export const useOverlaps = (): Record<TaskOverlap, string> => {
  const { t } = useTranslation('schedule')
  return { skip: t('overlapSkip'), queue: t('overlapQueue'), parallel: t('overlapParallel') }
}

export const useLostRules = (): Record<TaskLostRule, string> => {
  const { t } = useTranslation('schedule')
  return { retry: t('lostRetry'), fail: t('lostFail') }
}

/** Who or what started a run. */
export const useStarter = () => {
  const { t } = useTranslation('schedule')
  return ({ trigger, by }: Pick<RunRow, 'trigger' | 'by'>): string =>
    trigger === 'hand' ? by : trigger === 'retry' ? t('byRetry') : t('byClock')
}

interface Named {
  title: Record<Lang, string>
  description: string
}

/** A task's own description, else what its kind is called. */
export const useTaskName = () => {
  const { lang } = useUi()
  return ({ title, description }: Named): string => description || title[lang]
}

/** Both, the kind below where there is a description. */
export const TaskName = ({ task }: { task: Named }) => {
  const { lang } = useUi()
  return task.description === '' ? (
    <span>{task.title[lang]}</span>
  ) : (
    <div className="tg-two">
      <span>{task.description}</span>
      <span className="tg-faint">{task.title[lang]}</span>
    </div>
  )
}
