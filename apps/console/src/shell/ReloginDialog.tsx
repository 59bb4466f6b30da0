/** The one dialog for a login that is no longer good, here or because another tab changed it. The page stays behind it. */
import { PageModal } from '@tidegate/ui/PageModal.tsx'
import { Button } from 'antd'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { browserPage } from '../shared/navigation.ts'
import { loginPath } from '../shared/paths.ts'
import { watchOtherTabs, whenExpired } from '../shared/token.ts'

type Why = 'expired' | 'replaced'

export const ReloginDialog = () => {
  const { t } = useTranslation('shell')
  const { pathname, search, hash } = useLocation()
  const [why, setWhy] = useState<Why | null>(null)
  useEffect(() => {
    const stop = whenExpired(() => setWhy('expired'))
    const unwatch = watchOtherTabs((change) => setWhy(change === 'replaced' ? 'replaced' : 'expired'))
    return () => {
      stop()
      unwatch()
    }
  }, [])
  if (why === null) return null
  const go = () => {
    if (why === 'expired') window.location.hash = `#${loginPath(pathname + search + hash)}`
    browserPage.reload()
  }
  return (
    <PageModal
      open
      title={why === 'expired' ? t('expiredTitle') : t('replacedTitle')}
      closable={false}
      mask={{ closable: false }}
      keyboard={false}
      footer={
        <Button type="primary" onClick={go} autoFocus>
          {why === 'expired' ? t('relogin') : t('refresh')}
        </Button>
      }
    >
      {why === 'expired' ? t('expiredText') : t('replacedText')}
    </PageModal>
  )
}
