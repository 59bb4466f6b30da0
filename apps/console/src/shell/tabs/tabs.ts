/** The pages that are open, at most ten of them, and which of them is shown. Pure but for the store at the end. */
import type { Location } from 'react-router'
import { create } from 'zustand'
import { forgetName } from '../../shared/page-key.ts'
import { forgetUnsaved, hasUnsaved, showsPage } from '../../shared/unsaved.ts'

/** Specification, section 4: the page keeps at most 10 pages cached. */
export const MAX_PAGES = 10

export interface Tab {
  key: string
  /** The screen's path, by which the registry knows the page. */
  path: string
  /** The page's own address: stays as it is while another page is shown. */
  location: Location
  /** Counts how often the page was built anew. */
  round: number
  /** Greater: used later. */
  used: number
  /** Where the window stood when the page was left, in px. */
  scroll: number
}

export interface Open {
  tabs: readonly Tab[]
  /** null: what is shown is no page (not found). */
  active: string | null
}

export const NOTHING_OPEN: Open = { tabs: [], active: null }

/** Pages of one screen are told apart by the object that they show; of other parameters only the page itself knows. */
export const tabKey = (path: string, search: string, detail: boolean): string => {
  const id = detail ? new URLSearchParams(search).get('id') : null
  return id === null ? path : `${path}?id=${id}`
}

export const addressOf = ({ location }: Tab): string => `${location.pathname}${location.search}`

const latest = (tabs: readonly Tab[]): Tab | undefined =>
  tabs.reduce<Tab | undefined>((best, tab) => (best === undefined || tab.used > best.used ? tab : best), undefined)

/** Remembers where the window stands with the page that is about to be left. */
const left = ({ tabs, active }: Open, scroll: number): readonly Tab[] =>
  tabs.map((tab) => (tab.key === active ? { ...tab, scroll } : tab))

/**
 * Those to go when there are too many: the least recently used. One with unsaved input never goes by itself: rather more than ten stay open until
 * something is saved or closed.
 */
const toDrop = (tabs: readonly Tab[], isDirty: (key: string) => boolean, keep: string): readonly Tab[] =>
  tabs
    .filter((tab) => tab.key !== keep && !isDirty(tab.key))
    .sort((a, b) => a.used - b.used)
    .slice(0, Math.max(0, tabs.length - MAX_PAGES))

/** The one that the page has if it says the same: a page whose place is another object would be drawn anew. */
const kept = (old: Location | undefined, now: Location): Location =>
  old !== undefined && old.pathname === now.pathname && old.search === now.search && old.hash === now.hash ? old : now

/** Shows a page at an address; a page that is open already is the same page, seen from its new address. */
export const shown = (
  open: Open,
  page: Pick<Tab, 'key' | 'path' | 'location'>,
  scroll: number,
  isDirty: (key: string) => boolean,
): Open => {
  const before = open.active === page.key ? open.tabs : left(open, scroll)
  const used = (latest(before)?.used ?? 0) + 1
  const known = before.find((tab) => tab.key === page.key)
  const tab = { ...(known ?? { round: 0, scroll: 0 }), ...page, location: kept(known?.location, page.location), used }
  const tabs = known === undefined ? [...before, tab] : before.map((one) => (one === known ? tab : one))
  const gone = toDrop(tabs, isDirty, page.key)
  return { tabs: tabs.filter((one) => !gone.includes(one)), active: page.key }
}

/** Without some pages; the one used last before takes the place of the one that was shown. */
export const closed = ({ tabs, active }: Open, keys: readonly string[]): Open => {
  const rest = tabs.filter((tab) => !keys.includes(tab.key))
  const stays = rest.some((tab) => tab.key === active)
  return { tabs: rest, active: stays ? active : (latest(rest)?.key ?? null) }
}

/** The page begins anew: another mount, at its top. */
export const renewed = ({ tabs, active }: Open, key: string): Open => ({
  tabs: tabs.map((tab) => (tab.key === key ? { ...tab, round: tab.round + 1, scroll: 0 } : tab)),
  active,
})

export const WAYS_TO_CLOSE = ['one', 'others', 'left', 'right', 'all'] as const
export type WayToClose = (typeof WAYS_TO_CLOSE)[number]

/** The pages that a way to close means, seen from one of them. */
export const keysToClose = (tabs: readonly Tab[], from: string, way: WayToClose): string[] => {
  const at = tabs.findIndex((tab) => tab.key === from)
  const means: Record<WayToClose, (index: number) => boolean> = {
    one: (index) => index === at,
    others: (index) => index !== at,
    left: (index) => index < at,
    right: (index) => index > at,
    all: () => true,
  }
  return tabs.filter((_tab, index) => means[way](index)).map((tab) => tab.key)
}

/**
 * Takes the focus out of a field before its page goes out of sight. The browser would do so too, but only afterwards, when what antd's pickers need to
 * answer (their refs) is gone: they throw then, and stay open.
 */
export const leaveField = () => {
  const at = document.activeElement
  if (at instanceof HTMLElement && at.matches('input, textarea, [contenteditable="true"]')) at.blur()
}

interface Store extends Open {
  /** The page that is to be built anew when it is shown next. */
  stale: string | null
  show: (page: Pick<Tab, 'key' | 'path' | 'location'>) => void
  showNone: () => void
  close: (keys: readonly string[]) => void
  renew: (key: string) => void
  reset: () => void
}

/** What is kept about pages elsewhere goes with them. */
const forget = (before: Open, after: Open) => {
  for (const { key } of before.tabs) {
    if (after.tabs.some((tab) => tab.key === key)) continue
    forgetUnsaved(key)
    forgetName(key)
  }
}

export const useTabs = create<Store>((set, get) => {
  const go = (after: Open) => {
    const before = get()
    if (after.active !== before.active) leaveField()
    // First: forms of the page that comes say anew whether they hold something, those of the page that goes are remembered.
    showsPage(after.active)
    set(after)
    forget(before, after)
  }
  return {
    ...NOTHING_OPEN,
    stale: null,
    show: (page) => {
      if (get().stale === page.key) {
        leaveField()
        forgetUnsaved(page.key)
        set({ ...renewed(get(), page.key), stale: null })
      }
      go(shown(get(), page, window.scrollY, hasUnsaved))
    },
    showNone: () => go({ tabs: left(get(), window.scrollY), active: null }),
    close: (keys) => go(closed(get(), keys)),
    renew: (key) => set({ stale: key }),
    reset: () => go(NOTHING_OPEN),
  }
})
