/** An address that leads nowhere, or nowhere that this person may go. */
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'

export const NotFound = () => {
  const { t } = useTranslation('shell')
  const { pathname } = useLocation()
  return (
    <div className="tg-empty shell-notfound">
      <h1>{t('notFound')}</h1>
      <p>
        {t('notFoundText')} <code className="tg-mono">{pathname}</code>
      </p>
      <Link to="/console">{t('toHome')}</Link>
    </div>
  )
}
