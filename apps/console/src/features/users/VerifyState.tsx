/** Where an account's real name stands, as a dot and a word. */
import type { CustomerRow } from '@tidegate/contract/operations/customer'
import { StatusDot, type Tone } from '@tidegate/ui/StatusDot.tsx'
import { useTranslation } from 'react-i18next'

type Status = CustomerRow['verifyStatus']
const TONES: Record<Status, Tone> = { none: 'idle', pending: 'warn', verified: 'good', rejected: 'bad' }

export const useVerifyWords = (): Record<Status, string> => {
  const { t } = useTranslation('users')
  return {
    none: t('verifyNone'),
    pending: t('verifyPending'),
    verified: t('verifyVerified'),
    rejected: t('verifyRejected'),
  }
}

export const VerifyState = ({ status }: { status: Status }) => {
  const words = useVerifyWords()
  return <StatusDot tone={TONES[status]}>{words[status]}</StatusDot>
}
