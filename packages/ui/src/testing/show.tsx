/** Shows components as the consoles do: with texts, antd's messages and settings that can change. For tests. */

import { act, cleanup, configure, render } from '@testing-library/react'
import type { Lang } from '@tidegate/contract/enums'
import { App } from 'antd'
import i18next from 'i18next'
import { type ReactNode, useState } from 'react'
import { initReactI18next } from 'react-i18next'
import { afterEach, beforeEach, vi } from 'vitest'
import type { ColumnPrefs } from '../columns.ts'
import { DEFAULT_TABLE, type TableSettings, UiContext } from '../context.ts'
import '../texts.ts'

class Observer {
  observe() {}
  unobserve() {}
  disconnect() {}
}

/** What jsdom lacks of a browser; call once in a test file. */
export const inBrowser = (): void => {
  void i18next.use(initReactI18next).init({
    lng: 'en',
    fallbackLng: false,
    resources: {},
    ns: [],
    keySeparator: false,
    nsSeparator: false,
    initAsync: false,
    interpolation: { escapeValue: false },
    react: { useSuspense: false },
  })
  // Looking at every element's computed style for whether it is hidden takes seconds on a page with a table.
  configure({ asyncUtilTimeout: 15_000, defaultHidden: true })
  vi.setConfig({ testTimeout: 60_000 })
  beforeEach(async () => {
    // jsdom has no layout; the editor asks a text range for its place.
    Range.prototype.getClientRects = () => Object.assign([], { item: () => null })
    vi.stubGlobal('ResizeObserver', Observer)
    vi.stubGlobal('matchMedia', (media: string) => ({
      media,
      matches: false,
      addEventListener: () => {},
      removeEventListener: () => {},
      addListener: () => {},
      removeListener: () => {},
    }))
    await act(() => i18next.changeLanguage('en'))
  })
  afterEach(() => {
    cleanup()
    vi.unstubAllGlobals()
  })
}

export interface Seen {
  table: TableSettings
  columns: Readonly<Record<string, ColumnPrefs>>
}

interface AroundProps {
  seen: Seen
  lang: Lang
  timeZone: string
  children: ReactNode
}

const Around = ({ seen, lang, timeZone, children }: AroundProps) => {
  const [table, setTable] = useState(DEFAULT_TABLE)
  const [columns, setAll] = useState<Seen['columns']>({})
  Object.assign(seen, { table, columns })
  const setColumns = (id: string, prefs: ColumnPrefs | null) => {
    const { [id]: _old, ...rest } = columns
    setAll(prefs === null ? rest : { ...rest, [id]: prefs })
  }
  return (
    <UiContext value={{ lang, timeZone, mode: 'light', accent: 'blue', table, setTable, columns, setColumns }}>
      <App>{children}</App>
    </UiContext>
  )
}

/** `seen` holds what was set last. */
export const show = (children: ReactNode, { lang = 'en' as Lang, timeZone = 'Asia/Shanghai' } = {}): Seen => {
  const seen: Seen = { table: DEFAULT_TABLE, columns: {} }
  void i18next.changeLanguage(lang)
  render(
    <Around seen={seen} lang={lang} timeZone={timeZone}>
      {children}
    </Around>,
  )
  return seen
}
