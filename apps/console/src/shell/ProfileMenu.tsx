/** The person's own drop-down: short cuts, the own password, logging out. */
import { ActionMenu } from '@tidegate/ui/ActionMenu.tsx'
import { Icon, iconNamed } from '@tidegate/ui/Icon.tsx'
import type { MenuProps } from 'antd'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { actingNow } from '../shared/acting.ts'
import { call } from '../shared/api/call.ts'
import { here } from '../shared/console.ts'
import { currentLang } from '../shared/i18n.ts'
import { setToken } from '../shared/token.ts'
import { chainTo } from './menu.ts'
import { useSession } from './session.ts'
import { OWN_PASSWORD, reachable, SHORTCUTS } from './shortcuts.ts'

/** Ends the login here at once; the server is told, and if it cannot be reached the token dies of idleness. */
export const useLogout = () => {
  const navigate = useNavigate()
  return async () => {
    const own = here.audience === 'admin' ? 'auth.logout' : 'auth.userLogout'
    const told = call(actingNow() === null ? own : 'acting.leave', {}, { quiet: true }).catch(() => undefined)
    setToken(null)
    // The shell forgets the person as it goes; before that it would lead back here after the next login.
    await navigate('/login', { replace: true })
    await told
  }
}

/** An entry without an icon of its own shows that of the directory above it. */
const useShortcuts = (): NonNullable<MenuProps['items']> => {
  const navigate = useNavigate()
  const menu = useSession((s) => s.menu)
  return reachable(menu, SHORTCUTS[here.id]).map((item) => {
    const icon = chainTo(menu, item.url).findLast((above) => above.meta.icon !== undefined)?.meta.icon
    return {
      key: item.url,
      label: item.meta.title[currentLang()],
      icon: <Icon name={iconNamed(icon)} />,
      onClick: () => void navigate(item.url),
    }
  })
}

export const ProfileMenu = ({ phone }: { phone: boolean }) => {
  const { t } = useTranslation('shell')
  const navigate = useNavigate()
  const user = useSession((s) => s.user)
  const mayChange = useSession((s) => chainTo(s.menu, OWN_PASSWORD).length > 0)
  const shortcuts = useShortcuts()
  const logout = useLogout()
  const name = user?.username ?? ''
  const own = {
    key: OWN_PASSWORD,
    label: t('changePassword'),
    icon: <Icon name="key" />,
    onClick: () => void navigate(OWN_PASSWORD),
  }
  const items: MenuProps['items'] = [
    {
      key: 'who',
      type: 'group',
      label: user?.superAdmin === true ? t('superAdmin', { name }) : name,
      children: [
        ...shortcuts,
        ...(shortcuts.length > 0 ? [{ key: 'line', type: 'divider' as const }] : []),
        ...(mayChange ? [own] : []),
        { key: 'logout', label: t('logout'), icon: <Icon name="logout" />, onClick: () => void logout() },
      ],
    },
  ]
  return (
    <ActionMenu placement="bottomRight" menu={{ items }}>
      <button type="button" className="shell-profile" aria-label={t('profile', { name })}>
        <span className="shell-avatar" aria-hidden="true">
          {name.slice(0, 2).toUpperCase()}
        </span>
        {phone ? null : <span>{name}</span>}
      </button>
    </ActionMenu>
  )
}
