/** The bar: brand, sections, the buttons of the table in header/items.ts, the person. */
import type { ConsoleId } from '@tidegate/contract/enums'
import type { MenuItem } from '@tidegate/contract/operations/common'
import { Icon } from '@tidegate/ui/Icon.tsx'
import { cssVariables } from '@tidegate/ui/tokens'
import { useMedia } from '@tidegate/ui/useMedia'
import type { CSSProperties } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import brand from '../brand.svg'
import { here } from '../shared/console.ts'
import type { Device } from '../shared/device.ts'
import { currentLang } from '../shared/i18n.ts'
import { modeOf, usePrefs } from '../shared/prefs.ts'
import { PRODUCT, useSite } from '../shared/site-config.ts'
import { HeaderItems } from './header/HeaderItems.tsx'
import { leadsTo } from './menu.ts'
import { ProfileMenu } from './ProfileMenu.tsx'
import { prefetch } from './tabs/address.ts'

interface TopBarProps {
  menu: readonly MenuItem[]
  section: MenuItem | undefined
  device: Device
  onMenu: () => void
}

const Sections = ({ menu, section }: Pick<TopBarProps, 'menu' | 'section'>) => {
  const { t } = useTranslation('shell')
  return (
    <nav className="shell-sections" aria-label={t('sections')}>
      {menu.map((item) => {
        const to = leadsTo(item) ?? '/console'
        const inside = item.menuId === section?.menuId
        return (
          <Link
            key={item.menuId}
            to={to}
            className={inside ? 'shell-on' : undefined}
            aria-current={inside ? 'true' : undefined}
            onMouseEnter={() => prefetch(to)}
            onFocus={() => prefetch(to)}
          >
            {item.meta.title[currentLang()]}
          </Link>
        )
      })}
    </nav>
  )
}

const Brand = ({ dark, bare }: { dark: boolean; bare: boolean }) => {
  const { t } = useTranslation('shell')
  const web = useSite((s) => s.web)
  const name = web.name || PRODUCT
  const logo = web.logo[dark ? 'dark' : 'light']
  const editions: Record<ConsoleId, string> = {
    admin: t('editionAdmin'),
    'dns-admin': t('editionDnsAdmin'),
    user: t('editionUser'),
    'dns-user': t('editionDnsUser'),
  }
  return (
    <Link to="/console" className="shell-brand">
      {logo === '' ? (
        <>
          <img src={brand} alt="" width="24" height="24" />
          {bare ? <span className="shell-unseen">{name}</span> : <strong>{name}</strong>}
        </>
      ) : (
        <img src={logo} alt={name} className="shell-logo" />
      )}
      {bare ? null : <span>{editions[here.id]}</span>}
    </Link>
  )
}

export const TopBar = ({ menu, section, device, onMenu }: TopBarProps) => {
  const { t } = useTranslation('shell')
  const { theme, accent, darkHeader, layout } = usePrefs()
  const mode = modeOf(theme, useMedia('(prefers-color-scheme: dark)'))
  const dark = darkHeader || mode === 'dark'
  const wide = device === 'pc'
  return (
    <header
      data-sticky-top
      className={dark ? 'shell-top shell-top-dark' : 'shell-top'}
      style={dark && mode !== 'dark' ? (cssVariables('dark', accent) as CSSProperties) : undefined}
    >
      {wide ? null : (
        <button type="button" className="shell-tool" aria-label={t('menu')} onClick={onMenu}>
          <Icon name="menu" size={18} />
        </button>
      )}
      <Brand dark={dark} bare={device === 'phone'} />
      {wide && layout === 'ttb' ? <Sections menu={menu} section={section} /> : null}
      <div className="shell-tools">
        <HeaderItems phone={device === 'phone'} />
        <ProfileMenu phone={device === 'phone'} />
      </div>
    </header>
  )
}
