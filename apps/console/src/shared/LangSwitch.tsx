/** Switches to the other language; its words are in both, so that whoever needs the other one finds it. For pages outside the frame. */
import { useTranslation } from 'react-i18next'
import { chooseLang, currentLang } from './i18n.ts'

export const LangSwitch = () => {
  const { t } = useTranslation('shared')
  return (
    <button
      type="button"
      className="tg-link-button tg-soft"
      onClick={() => chooseLang(currentLang() === 'zh' ? 'en' : 'zh')}
    >
      {t('switchLang')}
    </button>
  )
}
