/** Pushes that wait, or in red those refused; leads to their list. */
import { Icon } from '@tidegate/ui/Icon.tsx'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { capped, useTasks } from '../badge.ts'
import { chainTo } from '../menu.ts'
import { useSession } from '../session.ts'

const PUSHES = '/cdn/tools/push'

export const TasksButton = () => {
  const { t } = useTranslation('shell')
  const tasks = useTasks()
  const reachable = useSession((s) => chainTo(s.menu, PUSHES).length > 0)
  if (!reachable || tasks === null) return null
  const { pending, refused } = tasks
  const name = t('tasks', { pending, refused })
  const shown = refused > 0 ? refused : pending
  return (
    <Link to={refused > 0 ? `${PUSHES}?state=refused` : PUSHES} className="shell-tool" aria-label={name} title={name}>
      <Icon name="push" size={18} />
      {shown === 0 ? null : (
        <span className={`shell-badge${refused > 0 ? ' shell-count-bad' : ''}`}>{capped(shown)}</span>
      )}
    </Link>
  )
}
