/**
 * What stands at the right of the top bar, from left to right. Whoever adds something to the bar adds one row.
 * `toggle`: the switch of the theme drawer that hides it; without one it always stands there. `folds`: on a phone it moves behind "more".
 */
import type { ComponentType } from 'react'
import type { HeaderToggle } from '../../shared/prefs.ts'
import { BellButton } from '../message/BellButton.tsx'
import { FullScreenButton } from './FullScreenButton.tsx'
import { LangButton } from './LangButton.tsx'
import { LockButton } from './LockButton.tsx'
import { PaletteButton } from './PaletteButton.tsx'
import { RefreshButton } from './RefreshButton.tsx'
import { TasksButton } from './TasksButton.tsx'
import { ThemeButton } from './ThemeButton.tsx'

export interface HeaderItem {
  key: string
  toggle?: HeaderToggle
  folds?: boolean
  Item: ComponentType
}

export const HEADER_ITEMS: readonly HeaderItem[] = [
  { key: 'palette', Item: PaletteButton },
  { key: 'tasks', folds: true, Item: TasksButton },
  { key: 'message', toggle: 'message', Item: BellButton },
  { key: 'refresh', toggle: 'refresh', folds: true, Item: RefreshButton },
  { key: 'fullscreen', toggle: 'fullscreen', folds: true, Item: FullScreenButton },
  { key: 'lock', toggle: 'lock', folds: true, Item: LockButton },
  { key: 'i18n', toggle: 'i18n', Item: LangButton },
  { key: 'theme', Item: ThemeButton },
]
