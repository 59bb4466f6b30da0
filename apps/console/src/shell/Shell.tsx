/** The frame around every page once someone is logged in. */
import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Navigate, useLocation } from 'react-router'
import { queryClient } from '../shared/query.ts'
import { useSite } from '../shared/site-config.ts'
import { token } from '../shared/token.ts'
import { Frame } from './Frame.tsx'
import { LockScreen } from './lock/LockScreen.tsx'
import { followLock, lookAtLock, useLocked } from './lock/lock.ts'
import { ReloginDialog } from './ReloginDialog.tsx'
import { useSession } from './session.ts'
import { ThemeProvider } from './ThemeProvider.tsx'
import './shell.css'
import './texts.ts'

type State = 'loading' | 'ready' | 'refused'

/** Menu and user are read on the first entry; a login without any page goes back to the login screen. */
const useEntry = (): State => {
  const known = useSession((s) => s.user !== null)
  const [state, setState] = useState<State>(known ? 'ready' : 'loading')
  useEffect(() => {
    if (known) return
    let gone = false
    void Promise.all([
      useSession.getState().load(),
      useSite
        .getState()
        .read()
        .catch(() => undefined),
    ]).then(([ok]) => {
      if (!gone) setState(ok ? 'ready' : 'refused')
    })
    return () => {
      gone = true
    }
  }, [known])
  return known ? 'ready' : state
}

/** While it is locked nothing of the console is in the document; what had not been opened before is not even built. */
const Inside = () => {
  const locked = useLocked((s) => s.locked)
  const [entered, setEntered] = useState(!locked)
  if (!locked && !entered) setEntered(true)
  // A login that came since this was last looked at is not locked by the mark of another.
  useEffect(() => {
    lookAtLock()
    return followLock()
  }, [])
  return (
    <>
      {entered ? <Frame /> : null}
      {locked ? <LockScreen /> : null}
    </>
  )
}

const Entry = () => {
  const state = useEntry()
  const { pathname, search } = useLocation()
  if (state === 'refused' || (state === 'loading' && token() === null)) {
    return <Navigate to={`/login?redirect=${encodeURIComponent(pathname + search)}`} replace />
  }
  return state === 'ready' ? <Inside /> : <div className="shell-progress" role="progressbar" aria-label="Tidegate" />
}

export const Shell = () => {
  useEffect(() => () => useSession.getState().reset(), [])
  return (
    <QueryClientProvider client={queryClient}>
      <ThemeProvider>
        <Entry />
        <ReloginDialog />
      </ThemeProvider>
    </QueryClientProvider>
  )
}
