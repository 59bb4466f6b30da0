/** Asks before changes are lost: when one goes to another page, and when the browser's tab or window is closed. */
import { PageModal } from '@tidegate/ui/PageModal.tsx'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useBlocker, useLocation } from 'react-router'
import { useUnsaved } from './unsaved.ts'

export const LeaveGuard = ({ dirty }: { dirty: boolean }) => {
  const { t } = useTranslation('shared')
  const { pathname } = useLocation()
  const mark = useUnsaved((s) => s.mark)
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      dirty && currentLocation.pathname !== nextLocation.pathname && nextLocation.pathname !== '/login',
  )
  useEffect(() => {
    mark(pathname, dirty)
    return () => mark(pathname, false)
  }, [mark, pathname, dirty])
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
