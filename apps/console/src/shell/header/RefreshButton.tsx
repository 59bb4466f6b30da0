/** Builds the page in front anew; the other open pages stay as they are. */
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'
import { ToolButton } from './ToolButton.tsx'

export const RefreshButton = () => {
  const { t } = useTranslation('shell')
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  return (
    <ToolButton
      icon="refresh"
      name={t('refresh')}
      onClick={() => void navigate(`/redirect${pathname}${search}`, { replace: true })}
    />
  )
}
