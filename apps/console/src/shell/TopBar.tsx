/** The dark bar: brand, sections, what waits, language, theme, refresh, the person. */
import type { MenuItem } from '@tidegate/contract/operations/common'
import { Icon } from '@tidegate/ui/Icon.tsx'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import brand from '../brand.svg'
import { currentLang } from '../shared/i18n.ts'
import { usePrefs } from '../shared/prefs.ts'
import { PRODUCT, useSite } from '../shared/site-config.ts'
import { HEADER_ITEMS } from './header/items.ts'
import { firstPath } from './menu.ts'
import { ProfileMenu } from './ProfileMenu.tsx'

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
  const header = usePrefs((s) => s.header)
  return (
    <header className="shell-top">
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
        {HEADER_ITEMS.map(({ key, toggle, Item }) =>
          toggle === undefined || header[toggle] ? <Item key={key} /> : null,
        )}
        <ProfileMenu phone={phone} />
      </div>
    </header>
  )
}
