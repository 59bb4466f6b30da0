/** What targets and states are called. */
import type { MessageTarget } from '@tidegate/contract/enums'
import type { ManagedMessage } from '@tidegate/contract/operations/message'
import type { Tone } from '@tidegate/ui/StatusDot.tsx'
import { useTranslation } from 'react-i18next'

export const useTargetWord = () => {
  const { t } = useTranslation('messages')
  const words: Record<MessageTarget, string> = {
    all: t('targetAll'),
    users: t('targetUsers'),
    admins: t('targetAdmins'),
    chosen: t('targetChosen'),
  }
  return (target: MessageTarget): string => words[target]
}

export const useStateWord = () => {
  const { t } = useTranslation('messages')
  const words: Record<ManagedMessage['state'], [Tone, string]> = {
    scheduled: ['news', t('scheduled')],
    out: ['good', t('out')],
    over: ['idle', t('over')],
  }
  return ({ state, status }: ManagedMessage): [Tone, string] => (status === 0 ? ['idle', t('off')] : words[state])
}
