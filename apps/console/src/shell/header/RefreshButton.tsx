/** Builds the page in front anew; the other open pages stay as they are. */
import { useTranslation } from 'react-i18next'
import { useTabs } from '../tabs/tabs.ts'
import { useTabActions } from '../tabs/useTabActions.ts'
import { ToolButton } from './ToolButton.tsx'

export const RefreshButton = () => {
  const { t } = useTranslation('shell')
  const { refresh } = useTabActions()
  const onClick = () => {
    const { active } = useTabs.getState()
    if (active !== null) void refresh(active)
  }
  return <ToolButton icon="refresh" name={t('refresh')} onClick={onClick} />
}
