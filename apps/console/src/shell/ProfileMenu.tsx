/** The person's own drop-down: change the password, log out. */
import { Icon } from '@tidegate/ui/Icon.tsx'
import { App, Dropdown } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { call } from '../shared/api/call.ts'
import { setToken } from '../shared/token.ts'
import { PasswordDialog } from './PasswordDialog.tsx'
import { useSession } from './session.ts'

/** Ends the login here at once; the server is told, and if it cannot be reached the token dies of idleness. */
export const useLogout = () => {
  const navigate = useNavigate()
  return async () => {
    const told = call('auth.logout', {}, { quiet: true }).catch(() => undefined)
    setToken(null)
    useSession.getState().reset()
    await navigate('/login', { replace: true })
    await told
  }
}

export const ProfileMenu = ({ phone }: { phone: boolean }) => {
  const { t } = useTranslation('shell')
  const { message } = App.useApp()
  const user = useSession((s) => s.user)
  const [changing, setChanging] = useState(false)
  const logout = useLogout()
  const name = user?.username ?? ''
  return (
    <>
      <Dropdown
        trigger={['click']}
        placement="bottomRight"
        menu={{
          items: [
            {
              key: 'who',
              type: 'group',
              label: user?.superAdmin === true ? t('superAdmin', { name }) : name,
              children: [
                {
                  key: 'password',
                  label: t('changePassword'),
                  icon: <Icon name="key" />,
                  onClick: () => setChanging(true),
                },
                { key: 'logout', label: t('logout'), icon: <Icon name="logout" />, onClick: () => void logout() },
              ],
            },
          ],
        }}
      >
        <button type="button" className="shell-profile" aria-label={t('profile', { name })}>
          <span className="shell-avatar" aria-hidden="true">
            {name.slice(0, 2).toUpperCase()}
          </span>
          {phone ? null : <span>{name}</span>}
        </button>
      </Dropdown>
      <PasswordDialog
        open={changing}
        onClose={() => setChanging(false)}
        onChanged={() => {
          message.success(t('passwordChanged'))
          void logout()
        }}
      />
    </>
  )
}
