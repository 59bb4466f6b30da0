/** A customer's own log, with what was done to the account. */
import { useTranslation } from 'react-i18next'
import { LogView } from './LogView.tsx'
import './texts.ts'

export const Page = () => {
  const { t } = useTranslation('logs')
  return <LogView kind="ownLog" title={t('ownTitle')} sub={t('ownSub')} />
}
