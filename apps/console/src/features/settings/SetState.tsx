/** Whether a record is set and enabled, as a dot and a word. */
import type { ConfigRow } from '@tidegate/contract/operations/config'
import { StatusDot } from '@tidegate/ui/StatusDot.tsx'
import { useTranslation } from 'react-i18next'

export const SetState = ({ row }: { row: Pick<ConfigRow, 'status' | 'paramValue'> }) => {
  const { t } = useTranslation('settings')
  if (row.paramValue === 'null') return <StatusDot tone="idle">{t('unset')}</StatusDot>
  return row.status === 1 ? (
    <StatusDot tone="good">{t('enabled')}</StatusDot>
  ) : (
    <StatusDot tone="idle">{t('disabled')}</StatusDot>
  )
}
