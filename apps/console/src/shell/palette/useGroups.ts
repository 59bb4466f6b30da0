/** The palette's answer to what was typed, in groups. */
import { useQueries } from '@tanstack/react-query'
import { iconNamed } from '@tidegate/ui/Icon.tsx'
import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { currentLang } from '../../shared/i18n.ts'
import { chainTo } from '../menu.ts'
import { useHolds, useSession } from '../session.ts'
import { commandEntries, type Doings, type Entry, screenEntries } from './entries.ts'
import { ranked, wordsOf } from './match.ts'
import { recents } from './recent.ts'
import { SOURCES, type Source } from './sources.ts'

/** Milliseconds without a key before the server is asked. */
const QUIET_MS = 200
const MOST_SCREENS = 8

export interface Group {
  key: string
  title: string
  entries: readonly Entry[]
}

const useQuiet = (text: string): string => {
  const [quiet, setQuiet] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setQuiet(text), QUIET_MS)
    return () => clearTimeout(timer)
  }, [text])
  return quiet
}

/** What the server's lists have; a question that is overtaken is given up. */
const useFound = (typed: string, go: (path: string) => void) => {
  const { t } = useTranslation('palette')
  const holds = useHolds()
  const menu = useSession((s) => s.menu)
  const asked = useQuiet(typed)
  const names: Record<Source['kind'], string> = {
    site: t('site'),
    customer: t('customer'),
    node: t('node'),
    admin: t('admin'),
  }
  const sources = SOURCES.filter(({ permission, screen }) => holds(permission) && chainTo(menu, screen).length > 0)
  const answers = useQueries({
    queries: sources.map(({ kind, ask }) => ({
      queryKey: ['palette', kind, asked],
      queryFn: ({ signal }: { signal: AbortSignal }) => ask(asked, signal),
      enabled: asked !== '',
      gcTime: 60_000,
      retry: false,
    })),
  })
  const groups = sources.map(
    ({ kind, icon }, i): Group => ({
      key: kind,
      title: names[kind],
      entries: (typed === '' ? [] : (answers[i]?.data ?? [])).map(({ title, note, path }) => ({
        key: `${kind} ${path}`,
        icon,
        title,
        also: '',
        note,
        path,
        run: () => go(path),
      })),
    }),
  )
  return {
    groups,
    waiting: typed !== '' && (typed !== asked || answers.some((answer) => answer.isFetching)),
    failed: typed !== '' && answers.some((answer) => answer.isError),
  }
}

export const useGroups = (text: string, doings: Doings) => {
  const { t } = useTranslation('palette')
  const menu = useSession((s) => s.menu)
  const holds = useHolds()
  const lang = currentLang()
  const typed = text.trim()
  const words = useMemo(() => wordsOf(typed), [typed])
  const { go } = doings
  const last = useMemo(() => recents().filter(({ path }) => chainTo(menu, path.split('?')[0] ?? '').length > 0), [menu])
  const found = useFound(typed, go)
  const screens = useMemo(() => screenEntries(menu, lang, go), [menu, lang, go])
  const recent = last.map(
    ({ path, title, icon }): Entry => ({
      key: `recent ${path}`,
      icon: iconNamed(icon),
      title,
      also: '',
      note: '',
      path,
      run: () => go(path),
    }),
  )
  const groups: Group[] = [
    ...(typed === '' ? [{ key: 'recent', title: t('recent'), entries: recent }] : []),
    { key: 'screens', title: t('screens'), entries: ranked(screens, words).slice(0, MOST_SCREENS) },
    ...found.groups,
    { key: 'actions', title: t('actions'), entries: ranked(commandEntries(menu, lang, holds, doings), words) },
  ]
  return {
    words,
    groups: groups.filter(({ entries }) => entries.length > 0),
    waiting: found.waiting,
    failed: found.failed,
  }
}
