/** Says, for as long as it lasts, that this is another's place: whose, who holds it and why, and the way out. */
import { useTranslation } from 'react-i18next'
import { actingNow } from '../shared/acting.ts'
import { useLogout } from './ProfileMenu.tsx'

export const ActingBanner = () => {
  const { t } = useTranslation('shell')
  const logout = useLogout()
  const acting = actingNow()
  if (acting === null) return null
  const { kind, name, by, reason } = acting
  const end = async () => {
    await logout()
    // The tab was opened for this; a browser that keeps it open is left at the login.
    window.close()
  }
  return (
    <section className="shell-acting" aria-label={t('acting')}>
      <span>
        <strong>{kind === 'preview' ? t('actingRole', { name }) : t('actingUser', { name })}</strong>{' '}
        {kind === 'preview' ? t('actingRoleText', { by }) : t('actingUserText', { by, reason })}
      </span>
      <button type="button" onClick={() => void end()}>
        {t('actingEnd')}
      </button>
    </section>
  )
}
