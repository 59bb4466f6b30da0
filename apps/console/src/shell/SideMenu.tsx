/** The side menu, built from what is permitted: one section's entries, or all sections where there is no row of them. */
import type { MenuItem } from '@tidegate/contract/operations/common'
import { Icon, iconNamed } from '@tidegate/ui/Icon.tsx'
import { Dropdown, type MenuProps } from 'antd'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { currentLang } from '../shared/i18n.ts'
import { capped, useBadge } from './badge.ts'
import { litPaths, trimmed } from './menu.ts'
import { prefetch, useOpenAddress } from './tabs/address.ts'

const SCREEN = 1
/** An entry without an icon of its own has its section's. */
const MenuIcon = ({ item, section }: { item: MenuItem; section?: MenuItem | undefined }) => (
  <Icon name={iconNamed(item.meta.icon ?? section?.meta.icon)} size={18} />
)

const Badge = ({ of }: { of: 'task_count' | 'wkCount' }) => {
  const badge = useBadge(of)
  if (badge === null || badge.count === 0) return null
  return <span className={`shell-count${badge.urgent ? ' shell-count-bad' : ''}`}>{capped(badge.count)}</span>
}

/** What every entry has to know: where the person is, and whether there is only room for icons. */
interface Place {
  chain: readonly MenuItem[]
  lit: readonly string[]
  collapsed: boolean
  /** Groups that the person is not in begin folded. */
  folded: boolean
}
interface NodeProps {
  item: MenuItem
  place: Place
  depth: number
}

const Entry = ({ item, place: { chain, lit, collapsed }, depth }: NodeProps) => {
  const title = item.meta.title[currentLang()]
  const active = lit.includes(trimmed(item.url))
  return (
    <Link
      to={useOpenAddress(item.url)}
      className={`shell-entry${active ? ' shell-lit' : ''} shell-depth-${depth}`}
      aria-current={active ? 'page' : undefined}
      title={collapsed ? title : undefined}
      aria-label={collapsed ? title : undefined}
      onMouseEnter={() => prefetch(item.url)}
      onFocus={() => prefetch(item.url)}
    >
      {depth === 0 || item.meta.icon !== undefined ? <MenuIcon item={item} section={chain[0]} /> : null}
      {collapsed ? null : <span>{title}</span>}
      {collapsed || item.meta.badge === undefined ? null : <Badge of={item.meta.badge} />}
    </Link>
  )
}

/** The screens below an entry as the items of a menu that flies out. */
const flyout = (items: readonly MenuItem[], go: (path: string) => void): NonNullable<MenuProps['items']> =>
  items.map((item) => {
    const label = item.meta.title[currentLang()]
    return item.type === SCREEN
      ? { key: trimmed(item.url), label, onMouseEnter: () => prefetch(item.url), onClick: () => go(item.url) }
      : { key: String(item.menuId), type: 'group' as const, label, children: flyout(item.children, go) }
  })

/** A group that has only room for its icon: its screens fly out. */
const Flyout = ({ item, place: { chain, lit } }: NodeProps) => {
  const navigate = useNavigate()
  const title = item.meta.title[currentLang()]
  const inside = chain.some((c) => c.menuId === item.menuId)
  const items: MenuProps['items'] = [
    { key: 'title', type: 'group', label: title, children: flyout(item.children, (path) => void navigate(path)) },
  ]
  return (
    <Dropdown
      trigger={['hover', 'click']}
      placement="topLeft"
      align={{ points: ['tl', 'tr'], offset: [8, 0] }}
      menu={{ items, selectedKeys: [...lit] }}
    >
      <button type="button" className={`shell-entry${inside ? ' shell-lit' : ''}`} aria-label={title}>
        <MenuIcon item={item} />
      </button>
    </Dropdown>
  )
}

const Group = ({ item, place, depth }: NodeProps) => {
  const inside = place.chain.some((c) => c.menuId === item.menuId)
  const [open, setOpen] = useState(inside || !place.folded)
  useEffect(() => {
    if (inside) setOpen(true)
  }, [inside])
  return (
    <div>
      <button
        type="button"
        className={`shell-entry${inside ? ' shell-inside' : ''} shell-depth-${depth}`}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        <MenuIcon item={item} />
        <span>{item.meta.title[currentLang()]}</span>
        <span className={`shell-fold${open ? ' shell-open' : ''}`}>
          <Icon name="down" size={14} />
        </span>
      </button>
      {open ? <Nodes items={item.children} place={place} depth={depth + 1} /> : null}
    </div>
  )
}

const Nodes = ({ items, place, depth }: { items: readonly MenuItem[]; place: Place; depth: number }) =>
  items.map((item) => {
    const Node = item.type === SCREEN ? Entry : place.collapsed ? Flyout : Group
    return <Node key={item.menuId} item={item} place={place} depth={depth} />
  })

interface SideMenuProps {
  label: string
  items: readonly MenuItem[]
  chain: readonly MenuItem[]
  collapsed?: boolean
  folded?: boolean
}

export const SideMenu = ({ label, items, chain, collapsed = false, folded = false }: SideMenuProps) => (
  <nav className="shell-menu" aria-label={label}>
    <Nodes items={items} place={{ chain, lit: litPaths(chain), collapsed, folded }} depth={0} />
  </nav>
)

export const CollapseButton = ({ collapsed, onToggle }: { collapsed: boolean; onToggle: () => void }) => {
  const { t } = useTranslation('shell')
  const name = collapsed ? t('expand') : t('collapse')
  return (
    <button
      type="button"
      className="shell-collapse"
      onClick={onToggle}
      aria-label={name}
      title={collapsed ? name : undefined}
    >
      <Icon name={collapsed ? 'expand' : 'collapse'} />
      {collapsed ? null : <span>{name}</span>}
    </button>
  )
}
