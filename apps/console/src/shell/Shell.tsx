/** The frame around every page once someone is logged in. */
import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Navigate, useLocation } from 'react-router'
import { loginPath } from '../shared/paths.ts'
import { queryClient } from '../shared/query.ts'
import { token } from '../shared/token.ts'
import { ActingBanner } from './ActingBanner.tsx'
import { useEntry } from './entry.ts'
import { Frame } from './Frame.tsx'
import { LockScreen } from './lock/LockScreen.tsx'
import { followLock, lookAtLock, useLocked } from './lock/lock.ts'
import { NoAnswer } from './NoAnswer.tsx'
import { ReadOnlyBanner } from './ReadOnlyBanner.tsx'
import { ReloginDialog } from './ReloginDialog.tsx'
import { useSession } from './session.ts'
import { ThemeProvider } from './ThemeProvider.tsx'
import './shell.css'
import './texts.ts'

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
      <ActingBanner />
      <ReadOnlyBanner />
      {entered ? <Frame /> : null}
      {locked ? <LockScreen /> : null}
    </>
  )
}

const Entry = () => {
  const { pathname, search, hash } = useLocation()
  const { state, again } = useEntry(pathname)
  if (state === 'refused' || (state === 'loading' && token() === null)) {
    return <Navigate to={loginPath(pathname + search + hash)} replace />
  }
  if (state === 'lost') return <NoAnswer onRetry={again} />
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
