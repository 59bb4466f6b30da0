/** Top bar, side menu, open pages, footer; side by side (ltr) or one below the other (ttb). */
import type { MenuItem } from '@tidegate/contract/operations/common'
import { cssVariables } from '@tidegate/ui/tokens'
import { useMedia } from '@tidegate/ui/useMedia'
import { Drawer } from 'antd'
import { type CSSProperties, type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { useDevice, useDeviceMark } from '../shared/device.ts'
import { currentLang } from '../shared/i18n.ts'
import { usePrefs } from '../shared/prefs.ts'
import { anyUnsaved } from '../shared/unsaved.ts'
import { Breadcrumb } from './Breadcrumb.tsx'
import { Footer } from './Footer.tsx'
import { chainTo, firstPath, listed } from './menu.ts'
import { OrderWatch } from './order/OrderWatch.tsx'
import { PageOutlet } from './PageOutlet.tsx'
import { CollapseButton, SideMenu } from './SideMenu.tsx'
import { SubPages } from './SubPages.tsx'
import { useSession } from './session.ts'
import { TopBar } from './TopBar.tsx'
import { TabStrip } from './tabs/TabStrip.tsx'
import { useTabs } from './tabs/tabs.ts'

/** Collapsed by choice on wide screens, by width between 992 and 1366 px unless opened by hand. */
const useCollapsed = (): [boolean, () => void] => {
  const { collapsed, set } = usePrefs()
  const narrow = useMedia('(max-width: 1366px)')
  const [opened, setOpened] = useState(false)
  return narrow ? [!opened, () => setOpened(!opened)] : [collapsed, () => set({ collapsed: !collapsed })]
}

/** The browser asks before it throws away what was typed. */
const useLeaveGuard = () => {
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (anyUnsaved()) event.preventDefault()
    }
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [])
}

interface MenuPartProps {
  menu: readonly MenuItem[]
  chain: readonly MenuItem[]
}

/** Under 992 px: slides in over the page, with all sections. */
const MenuDrawer = ({ menu, chain, open, onClose }: MenuPartProps & { open: boolean; onClose: () => void }) => {
  const { t } = useTranslation('shell')
  return (
    <Drawer open={open} onClose={onClose} placement="left" size={280} title={t('menu')} rootClassName="shell-drawer">
      <SideMenu label={t('menu')} items={menu} chain={chain} folded />
    </Drawer>
  )
}

const Aside = ({ menu, chain, section }: MenuPartProps & { section: MenuItem | undefined }) => {
  const { t } = useTranslation('shell')
  const { layout, darkAside, accent } = usePrefs()
  const [collapsed, toggle] = useCollapsed()
  const all = layout === 'ltr'
  const below = section === undefined || section.type === 1 ? menu.filter((item) => item === section) : section.children
  return (
    <aside
      className={collapsed ? 'shell-aside shell-collapsed' : 'shell-aside'}
      style={darkAside ? (cssVariables('dark', accent) as CSSProperties) : undefined}
    >
      <SideMenu
        key={all ? 'all' : section?.menuId}
        label={all ? t('menu') : (section?.meta.title[currentLang()] ?? t('menu'))}
        items={all ? menu : below}
        chain={chain}
        collapsed={collapsed}
        folded={all}
      />
      <CollapseButton collapsed={collapsed} onToggle={toggle} />
    </aside>
  )
}

const Page = ({
  chain,
  home,
  strip,
}: {
  chain: readonly MenuItem[]
  home: string | null
  strip: boolean
}): ReactNode => (
  <main className="shell-main" id="main" tabIndex={-1}>
    {strip ? <TabStrip /> : null}
    <OrderWatch />
    <Breadcrumb chain={chain} home={home} />
    <SubPages chain={chain} />
    <PageOutlet />
    <Footer />
  </main>
)

export const Frame = () => {
  const { t } = useTranslation('shell')
  const { pathname } = useLocation()
  const all = useSession((s) => s.menu)
  const layout = usePrefs((s) => s.layout)
  const device = useDevice()
  const [drawer, setDrawer] = useState(false)
  useDeviceMark()
  useLeaveGuard()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page closes the drawer
  useEffect(() => setDrawer(false), [pathname])
  // Whoever logs in next begins without the pages of who was here before.
  useEffect(() => () => useTabs.getState().reset(), [])
  const menu = listed(all)
  const chain = chainTo(all, pathname)
  const section = menu.find((item) => item.menuId === chain[0]?.menuId) ?? menu[0]
  const wide = device === 'pc'
  return (
    <div className={`shell shell-${wide ? layout : 'narrow'}`}>
      <button type="button" className="shell-skip" onClick={skip}>
        {t('skip')}
      </button>
      <TopBar menu={menu} section={section} device={device} onMenu={() => setDrawer(true)} />
      {wide ? (
        <Aside menu={menu} chain={chain} section={section} />
      ) : (
        <MenuDrawer menu={menu} chain={chain} open={drawer} onClose={() => setDrawer(false)} />
      )}
      <Page chain={chain} home={firstPath(all)} strip={device !== 'phone'} />
    </div>
  )
}

/** A hash route owns the address's fragment, so the skip link moves the focus itself. */
const skip = () => document.getElementById('main')?.focus()
