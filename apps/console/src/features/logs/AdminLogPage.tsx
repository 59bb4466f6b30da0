/** What administrators and the system did. */
import { useTranslation } from 'react-i18next'
import { LogView } from './LogView.tsx'
import './texts.ts'

export const Page = () => {
  const { t } = useTranslation('logs')
  return <LogView kind="audit" title={t('title')} sub={t('sub')} />
}
