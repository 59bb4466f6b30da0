/** The open pages as a strip. Keys: arrows move along it, Enter opens, Delete closes, the menu key offers the rest; the middle button closes. */
import { ActionMenu } from '@tidegate/ui/ActionMenu.tsx'
import { Icon } from '@tidegate/ui/Icon.tsx'
import { Dropdown, type MenuProps } from 'antd'
import { type KeyboardEvent, type MouseEvent, memo, useEffect, useRef, useState, type WheelEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { currentLang } from '../../shared/i18n.ts'
import { usePageNames } from '../../shared/page-key.ts'
import { chainTo } from '../menu.ts'
import { useSession } from '../session.ts'
import { addressOf, keysToClose, type Tab, useTabs, WAYS_TO_CLOSE, type WayToClose } from './tabs.ts'
import { type TabActions, useTabActions } from './useTabActions.ts'
import './tabs.css'

const MIDDLE = 1

const useTabTitle = (tab: Tab): string => {
  const menu = useSession((s) => s.menu)
  const name = usePageNames((s) => s.names[tab.key])
  return name ?? chainTo(menu, tab.path).at(-1)?.meta.title[currentLang()] ?? tab.path
}

/** What can be done with the strip, seen from one page. */
const useTabMenu = (from: string | null, actions: TabActions): MenuProps => {
  const { t } = useTranslation('shell')
  const tabs = useTabs((s) => s.tabs)
  if (from === null) return { items: [] }
  const words: Record<WayToClose, string> = {
    one: t('closeTab'),
    others: t('closeOthers'),
    left: t('closeLeft'),
    right: t('closeRight'),
    all: t('closeAll'),
  }
  return {
    items: [
      { key: 'refresh', label: t('refresh'), onClick: () => void actions.refresh(from) },
      { type: 'divider' },
      ...WAYS_TO_CLOSE.map((way) => {
        const keys = keysToClose(tabs, from, way)
        return { key: way, label: words[way], disabled: keys.length === 0, onClick: () => void actions.close(keys) }
      }),
    ],
  }
}

/** Moves the focus along the strip; false when the key is none of those that do. */
const moveFocus = (event: KeyboardEvent<HTMLElement>): boolean => {
  const links = [...(event.currentTarget.closest('ul')?.querySelectorAll('a') ?? [])]
  const at = links.indexOf(event.currentTarget as HTMLAnchorElement)
  const targets: Record<string, number> = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: links.length - 1 }
  const to = targets[event.key]
  if (to === undefined) return false
  links[Math.min(Math.max(to, 0), links.length - 1)]?.focus()
  return true
}

interface EntryProps {
  tab: Tab
  active: boolean
  /** The one page that is open has no way to be closed. */
  only: boolean
  actions: TabActions
}

const TabEntry = memo(({ tab, active, only, actions }: EntryProps) => {
  const { t } = useTranslation('shell')
  const title = useTabTitle(tab)
  const own = useRef<HTMLLIElement>(null)
  const close = () => void actions.close([tab.key])
  useEffect(() => {
    const strip = own.current?.parentElement
    if (!active || !own.current || !strip) return
    const { offsetLeft, offsetWidth } = own.current
    // By hand: scrollIntoView would move the window, too.
    if (offsetLeft < strip.scrollLeft) strip.scrollLeft = offsetLeft
    else if (offsetLeft + offsetWidth > strip.scrollLeft + strip.clientWidth)
      strip.scrollLeft = offsetLeft + offsetWidth - strip.clientWidth
  }, [active])
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'Delete' && !only) close()
    else if (!moveFocus(event)) return
    event.preventDefault()
  }
  const onAuxClick = (event: MouseEvent) => {
    if (event.button !== MIDDLE) return
    event.preventDefault()
    if (!only) close()
  }
  return (
    <li ref={own} className={active ? 'tab tab-on' : 'tab'} data-key={tab.key}>
      <Link
        to={addressOf(tab)}
        aria-current={active ? 'page' : undefined}
        tabIndex={active ? 0 : -1}
        title={title}
        draggable={false}
        onKeyDown={onKeyDown}
        onAuxClick={onAuxClick}
        onMouseDown={(event) => event.button === MIDDLE && event.preventDefault()}
      >
        {title}
      </Link>
      {only ? null : (
        <button type="button" tabIndex={-1} aria-label={t('closePage', { title })} onClick={close}>
          <Icon name="close" size={12} />
        </button>
      )}
    </li>
  )
})

const keyOfTab = (target: EventTarget): string | null =>
  (target instanceof Element ? target.closest<HTMLElement>('[data-key]')?.dataset.key : undefined) ?? null

/** A wheel without a sideways axis moves the strip as well. */
const sideways = (event: WheelEvent<HTMLElement>) => {
  if (event.deltaX === 0) event.currentTarget.scrollLeft += event.deltaY
}

export const TabStrip = () => {
  const { t } = useTranslation('shell')
  const { tabs, active } = useTabs()
  const actions = useTabActions()
  const menu = useTabMenu(active, actions)
  // One menu for all: the page that it was asked for is known by the place of the click.
  const [asked, setAsked] = useState<string | null>(null)
  const menuOfAsked = useTabMenu(asked, actions)
  const ask = (event: MouseEvent) => {
    const key = keyOfTab(event.target)
    setAsked(key)
    // Beside the entries the browser's own menu comes.
    if (key === null) event.stopPropagation()
  }
  if (tabs.length === 0) return <div className="tabs" data-sticky-top />
  return (
    <nav className="tabs" aria-label={t('openPages')} data-sticky-top>
      <Dropdown trigger={['contextMenu']} menu={menuOfAsked}>
        <ul onWheel={sideways} onContextMenuCapture={ask}>
          {tabs.map((tab) => (
            <TabEntry key={tab.key} tab={tab} active={tab.key === active} only={tabs.length === 1} actions={actions} />
          ))}
        </ul>
      </Dropdown>
      <ActionMenu placement="bottomRight" menu={menu}>
        <button type="button" className="tabs-more" aria-label={t('tabMenu')} title={t('tabMenu')}>
          <Icon name="down" size={14} />
        </button>
      </ActionMenu>
    </nav>
  )
}
