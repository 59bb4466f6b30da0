/** What is not saved yet, at the foot of the page, and the guard that keeps it from being lost. */
import { PageModal } from '@tidegate/ui/PageModal.tsx'
import { Button } from 'antd'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useBlocker } from 'react-router'

interface SaveBarProps {
  dirty: number
  wrong: number
  busy: boolean
  onSave: () => void
  onDiscard: () => void
}

export const SaveBar = ({ dirty, wrong, busy, onSave, onDiscard }: SaveBarProps) => {
  const { t } = useTranslation('site')
  if (dirty === 0) return null
  return (
    <section className="save-bar" aria-label={t('dirty', { n: dirty })}>
      <span>
        {t('dirty', { n: dirty })}
        {wrong === 0 ? null : <strong>{t('errorsLeft', { n: wrong })}</strong>}
      </span>
      <span className="tg-row">
        <Button onClick={onDiscard} disabled={busy}>
          {t('discard')}
        </Button>
        <Button type="primary" onClick={onSave} loading={busy}>
          {t('saveConfig')}
        </Button>
      </span>
    </section>
  )
}

export const LeaveGuard = ({ dirty }: { dirty: boolean }) => {
  const { t } = useTranslation('site')
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      dirty && currentLocation.pathname !== nextLocation.pathname && nextLocation.pathname !== '/login',
  )
  useEffect(() => {
    if (!dirty) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [dirty])
  if (blocker.state !== 'blocked') return null
  return (
    <PageModal
      open
      title={t('leaveTitle')}
      okText={t('leave')}
      cancelText={t('stay')}
      okButtonProps={{ danger: true }}
      onOk={() => blocker.proceed()}
      onCancel={() => blocker.reset()}
    >
      {t('leaveText')}
    </PageModal>
  )
}
