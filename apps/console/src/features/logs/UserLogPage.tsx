/** What customers did, and was done in their place. */
import { useTranslation } from 'react-i18next'
import { LogView } from './LogView.tsx'
import './texts.ts'

export const Page = () => {
  const { t } = useTranslation('logs')
  return <LogView kind="userLog" title={t('usersTitle')} sub={t('usersSub')} />
}
