/** A read that failed: what, with code and request id, what its status means, and a way to try again. */
import { useTranslation } from 'react-i18next'
import { errorDetail, errorLine, isSilent } from './api/error.ts'

export const Failed = ({ error, onRetry }: { error: unknown; onRetry: () => void }) => {
  const { t } = useTranslation('shared')
  if (isSilent(error)) return null
  const detail = errorDetail(error)
  return (
    <div className="tg-empty" role="alert">
      <p className="tg-bad">{errorLine(error)}</p>
      {detail === null ? null : <p className="tg-faint">{detail}</p>}
      <button type="button" className="tg-link-button" onClick={onRetry}>
        {t('retry')}
      </button>
    </div>
  )
}
