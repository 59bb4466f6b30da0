/** What labels and events are called. */
import type { SenderInfo } from '@tidegate/contract/operations/work-order'
import type { WorkOrderLabel } from '@tidegate/contract/work-order'
import type { Tone } from '@tidegate/ui/StatusDot.tsx'
import { useTranslation } from 'react-i18next'

export const useLabelWord = () => {
  const { t } = useTranslation('workorder')
  const words: Record<WorkOrderLabel, [Tone, string]> = {
    pending: ['warn', t('pending')],
    processing: ['good', t('processing')],
    completed: ['idle', t('completed')],
    appeal: ['bad', t('appealState')],
    closed: ['idle', t('closed')],
    rejected: ['bad', t('rejected')],
  }
  return (label: WorkOrderLabel): [Tone, string] => words[label]
}

export const useEventWord = () => {
  const { t } = useTranslation('workorder')
  const words: Record<Exclude<SenderInfo['event'], ''>, string> = {
    rate: t('didRate'),
    appeal: t('didAppeal'),
    complete: t('didComplete'),
    reject: t('didReject'),
    close: t('didClose'),
    reopen: t('didReopen'),
  }
  return (event: Exclude<SenderInfo['event'], ''>): string => words[event]
}
