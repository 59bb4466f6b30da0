/** What stands in place of the console while it is locked: the account's password opens it, or the login is ended. */

import { focusManager } from '@tanstack/react-query'
import { Icon } from '@tidegate/ui/Icon.tsx'
import { type FormEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { call } from '../../shared/api/call.ts'
import { ApiError, errorLine } from '../../shared/api/error.ts'
import { setToken, watchOtherTabs } from '../../shared/token.ts'
import { useLogout } from '../ProfileMenu.tsx'
import { useSession } from '../session.ts'
import { leaveAlone } from './alone.ts'
import { lookAtLock, unlock } from './lock.ts'
import './lock.css'

/** The login is over: nothing of the page may come back, so the login screen begins from nothing. */
const beginAnew = () => {
  window.location.hash = '#/login'
  window.location.reload()
}

/** Tries a password: null when it was right, else what to tell. */
const tryPassword = async (password: string): Promise<string | null> => {
  try {
    await call('auth.unlock', { password }, { quiet: true })
    return null
  } catch (error) {
    if (!(error instanceof ApiError)) return errorLine(error)
    if (error.failure.code === 401) {
      setToken(null)
      beginAnew()
    }
    return error.failure.errors[0]?.msg ?? errorLine(error)
  }
}

const UnlockForm = () => {
  const { t } = useTranslation('shell')
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [password, setPassword] = useState('')
  const [told, setTold] = useState('')
  const [busy, setBusy] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    if (password === '') {
      setTold(t('lockEnter'))
      return
    }
    setBusy(true)
    const wrong = await tryPassword(password)
    setBusy(false)
    setPassword('')
    if (wrong === null) return unlock()
    setTold(wrong)
    input.current?.focus()
  }
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <label htmlFor={id}>{t('lockPassword')}</label>
      <input
        ref={input}
        id={id}
        type="password"
        autoComplete="current-password"
        value={password}
        aria-invalid={told !== ''}
        aria-describedby={`${id}-told`}
        onChange={(event) => setPassword(event.target.value)}
      />
      <p id={`${id}-told`} className="lock-told" role="alert">
        {told}
      </p>
      <button type="submit" className="lock-open" disabled={busy}>
        {t('unlock')}
      </button>
    </form>
  )
}

export const LockScreen = () => {
  const { t } = useTranslation('shell')
  const name = useSession((s) => s.user?.username ?? '')
  const logout = useLogout()
  const [host] = useState(() => document.createElement('div'))
  useLayoutEffect(() => {
    const bringBack = leaveAlone(host)
    host.querySelector('input')?.focus()
    return bringBack
  }, [host])
  // Nobody looks: what is read again and again pauses.
  useEffect(() => {
    focusManager.setFocused(false)
    return () => focusManager.setFocused(undefined)
  }, [])
  useEffect(() => watchOtherTabs(beginAnew), [])
  const leave = async () => {
    await logout()
    lookAtLock()
  }
  return createPortal(
    <main className="lock" aria-labelledby="lock-title">
      <div className="lock-card">
        <span className="lock-sign" aria-hidden="true">
          <Icon name="lock" size={22} />
        </span>
        <h1 id="lock-title">{t('locked')}</h1>
        <p className="lock-who">{t('lockedText', { name })}</p>
        <UnlockForm />
        <button type="button" className="tg-link-button" onClick={() => void leave()}>
          {t('logout')}
        </button>
      </div>
    </main>,
    host,
  )
}
