/** Shown when a part of the console could not be fetched: after a new release, or without a network. */
import { useTranslation } from 'react-i18next'
import { browserPage } from './navigation.ts'

export const ReloadNotice = () => {
  const { t } = useTranslation('shared')
  return (
    <div className="tg-empty" role="alert">
      <p>{t('chunkFailed')}</p>
      <button type="button" className="tg-link-button" onClick={() => browserPage.reload()}>
        {t('reload')}
      </button>
    </div>
  )
}
