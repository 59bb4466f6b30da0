/** Top bar, side menu, breadcrumb and page. */
import { Drawer } from 'antd'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { usePrefs } from '../shared/prefs.ts'
import { Breadcrumb } from './Breadcrumb.tsx'
import { chainTo, firstPath, listed } from './menu.ts'
import { PageOutlet } from './PageOutlet.tsx'
import { CollapseButton, SideMenu } from './SideMenu.tsx'
import { useSession } from './session.ts'
import { useMedia } from './ThemeProvider.tsx'
import { TopBar } from './TopBar.tsx'

/** Collapsed by choice on wide screens, by width between 992 and 1366 px unless opened by hand. */
const useCollapsed = (): [boolean, () => void] => {
  const { collapsed, set } = usePrefs()
  const narrow = useMedia('(max-width: 1366px)')
  const [opened, setOpened] = useState(false)
  return narrow ? [!opened, () => setOpened(!opened)] : [collapsed, () => set({ collapsed: !collapsed })]
}

export const Frame = () => {
  const { t } = useTranslation('shell')
  const { pathname } = useLocation()
  const all = useSession((s) => s.menu)
  const menu = listed(all)
  const phone = useMedia('(max-width: 991.98px)')
  const [collapsed, toggle] = useCollapsed()
  const [drawer, setDrawer] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page closes the drawer
  useEffect(() => setDrawer(false), [pathname])
  const chain = chainTo(all, pathname)
  const section = menu.find((item) => item.menuId === chain[0]?.menuId) ?? menu[0]
  return (
    <div className={`shell${phone ? ' shell-phone' : collapsed ? ' shell-collapsed' : ''}`}>
      <button type="button" className="shell-skip" onClick={skip}>
        {t('skip')}
      </button>
      <TopBar menu={menu} section={section} phone={phone} onMenu={() => setDrawer(true)} />
      {phone ? (
        <Drawer
          open={drawer}
          onClose={() => setDrawer(false)}
          placement="left"
          size={280}
          title={t('menu')}
          rootClassName="shell-drawer"
        >
          {menu.map((item) => (
            <div key={item.menuId} className="shell-drawer-section">
              <SideMenu section={item} chain={chain} collapsed={false} titled />
            </div>
          ))}
        </Drawer>
      ) : (
        <aside className="shell-aside">
          {section === undefined ? null : <SideMenu section={section} chain={chain} collapsed={collapsed} />}
          <CollapseButton collapsed={collapsed} onToggle={toggle} />
        </aside>
      )}
      <main className="shell-main" id="main" tabIndex={-1}>
        <Breadcrumb chain={chain} home={firstPath(all)} />
        <PageOutlet />
      </main>
    </div>
  )
}

/** A hash route owns the address's fragment, so the skip link moves the focus itself. */
const skip = () => document.getElementById('main')?.focus()
