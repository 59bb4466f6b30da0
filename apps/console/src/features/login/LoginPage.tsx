/** The login, as one of two screens: the branded one, and the compact one of debug mode. */
import type { ConsoleId } from '@tidegate/contract/enums'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, Navigate } from 'react-router'
import brand from '../../brand.svg'
import { here } from '../../shared/console.ts'
import { useDebug } from '../../shared/debug.ts'
import { LangSwitch } from '../../shared/LangSwitch.tsx'
import { answerWaits } from '../../shared/outside.ts'
import { PRODUCT, pageTitle, useSite } from '../../shared/site-config.ts'
import { token } from '../../shared/token.ts'
import { DebugLogin } from './DebugLogin.tsx'
import { LoginForm } from './LoginForm.tsx'
import './login.css'
import './texts.ts'

const Links = () => {
  const { t } = useTranslation('login')
  return (
    <nav className="login-ways" aria-label={t('otherWays')}>
      {here.audience === 'user' ? <Link to="/register">{t('register')}</Link> : null}
      <Link to="/forgot">{t('forgot')}</Link>
    </nav>
  )
}

const BrandedLogin = () => {
  const { t } = useTranslation('login')
  const web = useSite((s) => s.web)
  const failed = useSite((s) => s.failed)
  const names: Record<ConsoleId, string> = {
    admin: t('adminCdn'),
    'dns-admin': t('adminDns'),
    user: t('userCdn'),
    'dns-user': t('userDns'),
  }
  return (
    <div className="login">
      <header>
        <span className="login-brand">
          <img src={brand} alt="" width="28" height="28" />
          <strong>{web.name || PRODUCT}</strong>
          <span>{names[here.id]}</span>
        </span>
        <LangSwitch />
      </header>
      <main>
        <LoginForm foot={<Links />} />
      </main>
      <footer>
        {failed ? (
          <span role="status">
            {t('configFailed')} <Link to="/debug">{t('diagnostics')}</Link>
          </span>
        ) : (
          t('tagline')
        )}
      </footer>
    </div>
  )
}

const PRELOAD_AFTER_MS = 1200

export const LoginPage = () => {
  const { t } = useTranslation('login')
  const web = useSite((s) => s.web)
  const debug = useDebug((s) => s.on)
  const title = t('title')
  // Read once: the login itself goes on to where the person wanted to be. Who links the own account comes back logged in.
  const [had] = useState(() => token() !== null && answerWaits() !== 'login')
  const [linking] = useState(() => answerWaits() === 'link')
  useEffect(() => {
    document.title = pageTitle(title, web)
  }, [title, web])
  useEffect(() => {
    // The shell is fetched while the person types, so that the first page opens at once. If it cannot be had now, it is fetched when it is needed.
    const timer = setTimeout(() => void import('../../shell/Shell.tsx').catch(() => undefined), PRELOAD_AFTER_MS)
    return () => clearTimeout(timer)
  }, [])
  // The account's page takes the provider's answer.
  if (had && linking)
    return <Navigate to={here.variant === 'dns' ? '/dns/account/info' : '/cdn/account/info'} replace />
  if (had) return <Navigate to="/console" replace />
  return debug ? <DebugLogin /> : <BrandedLogin />
}
