/** The dark bar: brand, sections, what waits, language, theme, refresh, the person. */
import type { MenuItem } from '@tidegate/contract/operations/common'
import { Icon, type IconName } from '@tidegate/ui/Icon.tsx'
import { Dropdown } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useNavigate } from 'react-router'
import brand from '../brand.svg'
import { chooseLang, currentLang } from '../shared/i18n.ts'
import { type Theme, usePrefs } from '../shared/prefs.ts'
import { PRODUCT, useSite } from '../shared/site-config.ts'
import { useTasks } from './badge.ts'
import { chainTo, firstPath } from './menu.ts'
import { ProfileMenu } from './ProfileMenu.tsx'
import { useSession } from './session.ts'

const PUSHES = '/cdn/tools/push'
const THEME_ICONS: Record<Theme, IconName> = { light: 'sun', dark: 'moon', system: 'monitor' }

const ThemeButton = () => {
  const { t } = useTranslation('shell')
  const { theme, set } = usePrefs()
  const names: Record<Theme, string> = { light: t('light'), dark: t('dark'), system: t('system') }
  return (
    <Dropdown
      trigger={['click']}
      menu={{
        selectable: true,
        selectedKeys: [theme],
        items: (['light', 'dark', 'system'] as const).map((key) => ({
          key,
          label: names[key],
          icon: <Icon name={THEME_ICONS[key]} />,
          onClick: () => set({ theme: key }),
        })),
      }}
    >
      <button type="button" className="shell-tool" aria-label={t('theme')} title={t('theme')}>
        <Icon name={THEME_ICONS[theme]} size={18} />
      </button>
    </Dropdown>
  )
}

/** Pushes that wait, or in red those refused; leads to their list. */
const TasksButton = () => {
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
        <span className={`shell-badge${refused > 0 ? ' shell-count-bad' : ''}`}>{shown > 99 ? '99+' : shown}</span>
      )}
    </Link>
  )
}

const LangButton = () => {
  const { t } = useTranslation('shell')
  const name = t('switchLang')
  return (
    <button
      type="button"
      className="shell-tool"
      aria-label={name}
      title={name}
      onClick={() => chooseLang(currentLang() === 'zh' ? 'en' : 'zh')}
    >
      <Icon name="language" size={18} />
    </button>
  )
}

const RefreshButton = () => {
  const { t } = useTranslation('shell')
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  return (
    <button
      type="button"
      className="shell-tool"
      aria-label={t('refresh')}
      title={t('refresh')}
      onClick={() => void navigate(`/redirect${pathname}${search}`, { replace: true })}
    >
      <Icon name="refresh" size={18} />
    </button>
  )
}

interface TopBarProps {
  menu: readonly MenuItem[]
  section: MenuItem | undefined
  phone: boolean
  onMenu: () => void
}

const Sections = ({ menu, section }: Pick<TopBarProps, 'menu' | 'section'>) => {
  const { t } = useTranslation('shell')
  return (
    <nav className="shell-sections" aria-label={t('sections')}>
      {menu.map((item) => (
        <Link
          key={item.menuId}
          to={firstPath([item]) ?? '/console'}
          className={item.menuId === section?.menuId ? 'shell-on' : undefined}
          aria-current={item.menuId === section?.menuId ? 'true' : undefined}
        >
          {item.meta.title[currentLang()]}
        </Link>
      ))}
    </nav>
  )
}

export const TopBar = ({ menu, section, phone, onMenu }: TopBarProps) => {
  const { t } = useTranslation('shell')
  const web = useSite((s) => s.web)
  return (
    <header className="shell-top" data-sticky-top>
      {phone ? (
        <button type="button" className="shell-tool" aria-label={t('menu')} onClick={onMenu}>
          <Icon name="menu" size={18} />
        </button>
      ) : null}
      <Link to="/console" className="shell-brand">
        <img src={brand} alt="" width="24" height="24" />
        <strong>{web.name || PRODUCT}</strong>
        {phone ? null : <span>{t('edition')}</span>}
      </Link>
      {phone ? null : <Sections menu={menu} section={section} />}
      <div className="shell-tools">
        <TasksButton />
        <RefreshButton />
        <LangButton />
        <ThemeButton />
        <ProfileMenu phone={phone} />
      </div>
    </header>
  )
}
