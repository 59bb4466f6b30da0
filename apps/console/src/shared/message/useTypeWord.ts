/** What a message's type is called. */
import { MESSAGE_TYPE } from '@tidegate/contract/enums'
import { useTranslation } from 'react-i18next'
import './texts.ts'

export const useTypeWord = () => {
  const { t } = useTranslation('message')
  const words: Readonly<Record<number, string>> = {
    [MESSAGE_TYPE.inSite]: t('inSite'),
    [MESSAGE_TYPE.announcement]: t('announcement'),
    [MESSAGE_TYPE.workOrder]: t('workOrder'),
  }
  return (type: number): string => words[type] ?? String(type)
}
