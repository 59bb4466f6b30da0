/** A read that failed: what, with code and request id, and a way to try again. */
import { useTranslation } from 'react-i18next'
import { errorLine } from './api/error.ts'

export const Failed = ({ error, onRetry }: { error: unknown; onRetry: () => void }) => {
  const { t } = useTranslation('shared')
  return (
    <div className="tg-empty" role="alert">
      <p className="tg-bad">{errorLine(error)}</p>
      <button type="button" className="tg-link-button" onClick={onRetry}>
        {t('retry')}
      </button>
    </div>
  )
}
