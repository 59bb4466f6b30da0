/** How backups stand: where they go, when the next comes, how the last one went, and what became of the last restore. */
import type { BackupRun, BackupState, ImportOutcome } from '@tidegate/contract/operations/backup'
import { useUi } from '@tidegate/ui/context'
import { absolute, bytes, figureText } from '@tidegate/ui/format'
import { RelativeTime } from '@tidegate/ui/RelativeTime.tsx'
import { StatusDot, type Tone } from '@tidegate/ui/StatusDot.tsx'
import { Alert, Button } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useMay } from '../../shell/session.ts'
import { usePlaceWords, useReason } from './words.ts'

const Fact = ({ label, children }: { label: string; children: ReactNode }) => (
  <div>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
)

const TONES: Readonly<Record<BackupRun['state'], Tone>> = {
  waiting: 'busy',
  running: 'busy',
  done: 'good',
  failed: 'bad',
}

const LastRun = ({ run }: { run: BackupRun | null }) => {
  const { t } = useTranslation('backup')
  const { lang } = useUi()
  if (run === null) return <span className="tg-soft">{t('noRun')}</span>
  const words = { waiting: t('runWaiting'), running: t('runRunning'), done: t('runDone'), failed: t('runFailed') }
  return (
    <>
      <StatusDot tone={TONES[run.state]}>{words[run.state]}</StatusDot>
      <div className="tg-soft">
        {run.state === 'failed' ? run.error : figureText(bytes(run.bytes, lang))} ·{' '}
        <RelativeTime iso={run.finishTime || run.startTime} />
      </div>
    </>
  )
}

const Refused = ({ asked }: { asked: ImportOutcome }) => {
  const { t } = useTranslation('backup')
  const reason = useReason()
  return (
    <>
      <StatusDot tone="bad">{t('refused')}</StatusDot>
      <div className="tg-soft">
        {reason(asked)} · {asked.by} · <RelativeTime iso={asked.time} />
      </div>
    </>
  )
}

const LastRestore = ({ restore, asked }: Pick<BackupState, 'restore' | 'asked'>) => {
  const { t } = useTranslation('backup')
  const { timeZone } = useUi()
  if (asked?.state === 'refused' && asked.time > (restore?.time ?? '')) return <Refused asked={asked} />
  if (restore === null) return <span className="tg-soft">{t('noRestore')}</span>
  return (
    <>
      <StatusDot tone={restore.ok ? 'good' : 'bad'}>{restore.ok ? t('restored') : t('notRestored')}</StatusDot>
      <div className="tg-soft">
        {restore.ok && restore.created !== ''
          ? t('restoredTo', { time: absolute(restore.created, timeZone) })
          : restore.error}{' '}
        · {restore.by} · <RelativeTime iso={restore.time} />
      </div>
      {restore.safety === '' ? null : (
        <div className="tg-soft">
          {t('safety')} <span className="tg-mono">{restore.safety}</span>
        </div>
      )}
    </>
  )
}

const Next = ({ state }: { state: BackupState }) => {
  const { t } = useTranslation('backup')
  const { timeZone } = useUi()
  const maySchedule = useMay('system:schedule:task')
  return (
    <>
      {state.next === '' ? <span className="tg-soft">{t('never')}</span> : absolute(state.next, timeZone)}
      {maySchedule ? (
        <div>
          <Link to="/system/schedule/task?key=backup.make">{t('schedule')}</Link>
        </div>
      ) : null}
    </>
  )
}

export const StatePanel = ({ state, onSetUp }: { state: BackupState; onSetUp: () => void }) => {
  const { t } = useTranslation('backup')
  const places = usePlaceWords()
  return (
    <>
      {state.ready ? null : (
        <Alert
          role="note"
          type="info"
          className="shell-alert"
          title={t('unset')}
          description={t('unsetText')}
          action={state.mayRestore ? <Button onClick={onSetUp}>{t('setUp')}</Button> : null}
        />
      )}
      <section className="tg-panel backup-state" aria-label={t('state')}>
        <dl>
          <Fact label={t('target')}>{places[state.target]}</Fact>
          <Fact label={t('next')}>
            <Next state={state} />
          </Fact>
          <Fact label={t('lastRun')}>
            <LastRun run={state.run} />
          </Fact>
          <Fact label={t('lastRestore')}>
            <LastRestore restore={state.restore} asked={state.asked} />
          </Fact>
        </dl>
      </section>
    </>
  )
}
