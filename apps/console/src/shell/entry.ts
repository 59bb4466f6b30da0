/** The first entry after a login: menu and user are read, and the page config beside them. */
import { startTransition, useCallback, useDeferredValue, useEffect, useState } from 'react'
import { useSite } from '../shared/site-config.ts'
import { type Entry, useSession } from './session.ts'
import { prefetch } from './tabs/address.ts'

/** How long an entry waits for the page config; it works without. */
const CONFIG_PATIENCE_MS = 3_000

const readConfig = () =>
  useSite
    .getState()
    .read()
    .catch(() => undefined)

const enter = async (): Promise<Entry> => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, CONFIG_PATIENCE_MS)
  })
  const [entry] = await Promise.all([useSession.getState().load(), Promise.race([readConfig(), late])])
  clearTimeout(timer)
  return entry
}

/** `path`: of the page that is asked for; its code is fetched while menu and user are read. */
export const useEntry = (path: string): { state: 'loading' | Entry; again: () => void } => {
  const present = useSession((s) => s.user !== null)
  // The frame's first drawing may pause for whatever else the window has to do; a session's end is seen at once.
  const known = useDeferredValue(present) && present
  const [state, setState] = useState<'loading' | Entry>('loading')
  const [round, setRound] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each round asks anew
  useEffect(() => {
    if (present) return
    let gone = false
    setState('loading')
    prefetch(path)
    void enter().then((entry) => {
      if (!gone) startTransition(() => setState(entry))
    })
    return () => {
      gone = true
    }
  }, [present, round])
  return { state: known ? 'ready' : state, again: useCallback(() => setRound((n) => n + 1), []) }
}
