/** What is not saved yet, at the foot of the page. */
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'

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
