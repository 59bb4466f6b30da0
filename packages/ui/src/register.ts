/** Adds a namespace's texts to i18next, whether it has been started already or not. */
import i18next from 'i18next'

export type Texts = Record<string, string>

export const registerTexts = (namespace: string, texts: { zh: Texts; en: Texts }): void => {
  const add = () => {
    i18next.addResourceBundle('zh', namespace, texts.zh)
    i18next.addResourceBundle('en', namespace, texts.en)
  }
  if (i18next.isInitialized) add()
  else i18next.on('initialized', add)
}
