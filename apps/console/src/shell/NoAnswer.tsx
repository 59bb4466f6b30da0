/** The first entry got no answer: the login is kept, and one may try again. */
import { useTranslation } from 'react-i18next'

export const NoAnswer = ({ onRetry }: { onRetry: () => void }) => {
  const { t } = useTranslation('shared')
  return (
    <div className="tg-empty" role="alert">
      <h1>{t('noAnswer')}</h1>
      <p>{t('noAnswerText')}</p>
      <button type="button" className="tg-link-button" onClick={onRetry}>
        {t('retry')}
      </button>
    </div>
  )
}
