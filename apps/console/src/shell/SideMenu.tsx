/** The side menu of one section, built from what is permitted. */
import type { MenuItem } from '@tidegate/contract/operations/common'
import { Icon, type IconName, iconNamed } from '@tidegate/ui/Icon.tsx'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { loadPage } from '../features/registry.ts'
import { currentLang } from '../shared/i18n.ts'
import { useBadge } from './badge.ts'
import { firstPath, litPath, trimmed } from './menu.ts'

const iconOf = (item: MenuItem): IconName => iconNamed(item.meta.icon)

/** A failed prefetch is not told: opening the page will tell. */
const prefetch = (path: string) => void loadPage(trimmed(path)).catch(() => undefined)

const Badge = ({ item }: { item: MenuItem }) => {
  const badge = useBadge(item.meta.badge)
  if (badge === null || badge.count === 0) return null
  return (
    <span className={`shell-count${badge.urgent ? ' shell-count-bad' : ''}`}>
      {badge.count > 99 ? '99+' : badge.count}
    </span>
  )
}

interface EntryProps {
  item: MenuItem
  lit: string
  collapsed: boolean
  deep?: boolean
}

const Entry = ({ item, lit, collapsed, deep = false }: EntryProps) => {
  const title = item.meta.title[currentLang()]
  const active = trimmed(item.url) === trimmed(lit)
  return (
    <Link
      to={item.url}
      className={`shell-entry${active ? ' shell-lit' : ''}${deep ? ' shell-deep' : ''}`}
      aria-current={active ? 'page' : undefined}
      title={collapsed ? title : undefined}
      aria-label={collapsed ? title : undefined}
      onMouseEnter={() => prefetch(item.url)}
      onFocus={() => prefetch(item.url)}
    >
      {deep ? null : <Icon name={iconOf(item)} size={18} />}
      {collapsed ? null : <span>{title}</span>}
      {collapsed ? null : <Badge item={item} />}
    </Link>
  )
}

const Group = ({ item, lit, collapsed, inside }: EntryProps & { inside: boolean }) => {
  const [open, setOpen] = useState(true)
  const title = item.meta.title[currentLang()]
  if (collapsed) {
    return (
      <Link
        to={firstPath(item.children) ?? '/console'}
        className={`shell-entry${inside ? ' shell-lit' : ''}`}
        title={title}
        aria-label={title}
      >
        <Icon name={iconOf(item)} size={18} />
      </Link>
    )
  }
  return (
    <div>
      <button
        type="button"
        className={`shell-entry${inside ? ' shell-inside' : ''}`}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        <Icon name={iconOf(item)} size={18} />
        <span>{title}</span>
        <span className={`shell-fold${open ? ' shell-open' : ''}`}>
          <Icon name="down" size={14} />
        </span>
      </button>
      {open
        ? item.children.map((child) => <Entry key={child.menuId} item={child} lit={lit} collapsed={false} deep />)
        : null}
    </div>
  )
}

interface SideMenuProps {
  section: MenuItem
  chain: readonly MenuItem[]
  collapsed: boolean
  /** With the section's own title above, as in the drawer. */
  titled?: boolean
}

export const SideMenu = ({ section, chain, collapsed, titled = false }: SideMenuProps) => {
  const lit = litPath(chain)
  const title = section.meta.title[currentLang()]
  const items = section.type === 1 ? [section] : section.children
  return (
    <nav className="shell-menu" aria-label={title}>
      {titled ? <h2>{title}</h2> : null}
      {items.map((item) =>
        item.type === 1 ? (
          <Entry key={item.menuId} item={item} lit={lit} collapsed={collapsed} />
        ) : (
          <Group
            key={item.menuId}
            item={item}
            lit={lit}
            collapsed={collapsed}
            inside={chain.some((c) => c.menuId === item.menuId)}
          />
        ),
      )}
    </nav>
  )
}

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
