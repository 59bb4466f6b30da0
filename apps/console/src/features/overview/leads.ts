/** Whether a path leads to a screen that this person's menu has in this console. */
import { chainTo } from '../../shell/menu.ts'
import { useSession } from '../../shell/session.ts'

export const useLeads = (): ((path: string) => boolean) => {
  const menu = useSession((s) => s.menu)
  return (path) => chainTo(menu, path.split('?')[0] ?? '').length > 0
}
