/** Tells customers that they may only look for now, before they type something that cannot be saved; goes as soon as it is over. */
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { here } from '../shared/console.ts'
import { useMaintenance } from '../shared/maintenance.ts'
import { useSite } from '../shared/site-config.ts'

/** While it lasts; what begins meanwhile is said by the first change that is refused. */
const LOOK_MS = 30_000

export const ReadOnlyBanner = () => {
  const { t } = useTranslation('shell')
  const refused = useMaintenance((s) => s.refused)
  const known = useSite((s) => s.index?.customersReadOnly === true)
  const read = useSite((s) => s.read)
  const shown = here.audience === 'user' && (known || refused)
  useEffect(() => {
    if (!shown) return
    const timer = setInterval(() => void read().catch(() => {}), LOOK_MS)
    return () => clearInterval(timer)
  }, [shown, read])
  if (!shown) return null
  return (
    <section className="shell-read-only" aria-label={t('readOnly')}>
      <strong>{t('readOnly')}</strong> {t('readOnlyText')}
    </section>
  )
}
