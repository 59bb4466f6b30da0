/** The other language. Its name stands in both, so that who reads only one of them finds it. */
import { useTranslation } from 'react-i18next'
import { chooseLang, currentLang } from '../../shared/i18n.ts'
import { ToolButton } from './ToolButton.tsx'

export const LangButton = () => {
  const { t } = useTranslation('shell')
  return (
    <ToolButton
      icon="language"
      name={t('switchLang')}
      onClick={() => chooseLang(currentLang() === 'zh' ? 'en' : 'zh')}
    />
  )
}
