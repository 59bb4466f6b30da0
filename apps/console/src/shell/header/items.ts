/**
 * What stands at the right of the top bar, from left to right. Whoever adds something to the bar adds one row.
 * `toggle`: the switch of the theme drawer that hides it; without one it always stands there.
 */
import type { ComponentType } from 'react'
import type { HeaderToggle } from '../../shared/prefs.ts'
import { FullScreenButton } from './FullScreenButton.tsx'
import { LangButton } from './LangButton.tsx'
import { LockButton } from './LockButton.tsx'
import { RefreshButton } from './RefreshButton.tsx'
import { TasksButton } from './TasksButton.tsx'
import { ThemeButton } from './ThemeButton.tsx'

export interface HeaderItem {
  key: string
  toggle?: HeaderToggle
  Item: ComponentType
}

export const HEADER_ITEMS: readonly HeaderItem[] = [
  { key: 'tasks', Item: TasksButton },
  { key: 'refresh', toggle: 'refresh', Item: RefreshButton },
  { key: 'fullscreen', toggle: 'fullscreen', Item: FullScreenButton },
  { key: 'lock', toggle: 'lock', Item: LockButton },
  { key: 'i18n', toggle: 'i18n', Item: LangButton },
  { key: 'theme', Item: ThemeButton },
]
