/** Names of the consoles. */
import type { ConsoleId } from '@tidegate/contract/enums'
import { useTranslation } from 'react-i18next'

export const useConsoleNames = (): Record<ConsoleId, string> => {
  const { t } = useTranslation('menus')
  return {
    admin: t('consoleAdmin'),
    'dns-admin': t('consoleDnsAdmin'),
    user: t('consoleUser'),
    'dns-user': t('consoleDnsUser'),
  }
}
