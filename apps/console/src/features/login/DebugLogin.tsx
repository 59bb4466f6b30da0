/** The compact login of debug mode: the form alone, with the base path of the API. */
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { apiBase } from '../../shared/api/base.ts'
import { acceptBase, useDebug } from '../../shared/debug.ts'
import { LangSwitch } from '../../shared/LangSwitch.tsx'
import { Field } from './fields.tsx'
import { LoginForm } from './LoginForm.tsx'

export const DebugLogin = () => {
  const { t } = useTranslation('login')
  const [base, setBase] = useState(() => useDebug.getState().base)
  const [error, setError] = useState<string>()
  const ready = () => {
    const accepted = acceptBase(base)
    setError(accepted === null ? t('baseForm') : undefined)
    if (accepted !== null) useDebug.getState().set({ base: accepted })
    return accepted !== null
  }
  return (
    <div className="login login-compact">
      <main>
        <LoginForm
          ready={ready}
          extra={
            <Field
              name="base"
              label={t('base')}
              hint={t('baseHint', { base: apiBase() })}
              autoComplete="off"
              value={base}
              error={error}
              onChange={setBase}
            />
          }
        />
      </main>
      <footer>
        <span className="login-mode">{t('debugMode')}</span>
        <Link to="/debug">{t('diagnostics')}</Link>
        <LangSwitch />
      </footer>
    </div>
  )
}
