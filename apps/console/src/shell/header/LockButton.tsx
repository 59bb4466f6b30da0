/** Locks this console in all its tabs. */
import { useTranslation } from 'react-i18next'
import { lock } from '../lock/lock.ts'
import { ToolButton } from './ToolButton.tsx'

export const LockButton = () => {
  const { t } = useTranslation('shell')
  return <ToolButton icon="lock" name={t('lock')} onClick={lock} />
}
