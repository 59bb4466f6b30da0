/** i18next with the two languages; each feature registers its own texts. The person's choice wins over the site's default. */
import { LANGUAGES, type Lang } from '@tidegate/contract/enums'
import { registerTexts } from '@tidegate/ui/register'
import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import en from './locales/en.json'
import zh from './locales/zh.json'
import { usePrefs } from './prefs.ts'

const HTML_LANG: Record<Lang, string> = { zh: 'zh-CN', en: 'en' }

export const currentLang = (): Lang => LANGUAGES.find((l) => l === i18next.language) ?? 'zh'

const apply = (lang: Lang) => {
  document.documentElement.lang = HTML_LANG[lang]
  void i18next.changeLanguage(lang)
}

/** Starts in the chosen language, else in the browser's until the site's default is known. */
export const startI18n = (): void => {
  const browser: Lang = navigator.language.toLowerCase().startsWith('zh') ? 'zh' : 'en'
  const lang = usePrefs.getState().lang ?? browser
  void i18next.use(initReactI18next).init({
    lng: lang,
    fallbackLng: false,
    resources: {},
    ns: [],
    keySeparator: false,
    nsSeparator: false,
    initAsync: false,
    interpolation: { escapeValue: false },
    react: { useSuspense: false },
  })
  document.documentElement.lang = HTML_LANG[lang]
  registerTexts('shared', { zh, en })
}

// Also when it was chosen in another tab.
usePrefs.subscribe(({ lang }) => {
  if (lang !== null && i18next.isInitialized && lang !== i18next.language) apply(lang)
})

/** The person's own choice; stored. */
export const chooseLang = (lang: Lang): void => usePrefs.getState().set({ lang })

/** The site's default; applies only while nothing was chosen on this device. */
export const siteLang = (lang: Lang): void => {
  if (usePrefs.getState().lang === null) apply(lang)
}
