/** A new password by the code that was sent. */
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Navigate, useSearchParams } from 'react-router'
import { call } from '../../shared/api/call.ts'
import { here } from '../../shared/console.ts'
import { Field, PasswordPair, PublicPage, REACHED, useTyped } from './parts.tsx'

const Form = () => {
  const { t } = useTranslation('register')
  const [search] = useSearchParams()
  const { values, set, errors, busy, missing, run } = useTyped({ address: search.get('address') ?? '' })
  const [changed, setChanged] = useState(false)
  const { address = '', code = '', newPassword = '' } = values
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const done = await run(
      missing(['address', 'code', 'newPassword'], 'newPassword', REACHED),
      async () =>
        void (await call('forgot.reset', { address: address.trim(), code: code.trim(), newPassword }, { quiet: true })),
      ['address', 'code', 'newPassword'],
    )
    if (done) setChanged(true)
  }
  if (changed) return <p role="status">{t('changed')}</p>
  return (
    <form onSubmit={(e) => void submit(e)} noValidate>
      <p className="login-alert" role="alert">
        {errors.form ?? ''}
      </p>
      <p className="register-text">{t('resetText')}</p>
      <Field
        name="address"
        label={t('mailOrMobile')}
        autoComplete="username"
        value={address}
        errors={errors}
        onChange={set('address')}
      />
      <Field
        name="code"
        label={t('code')}
        autoComplete="one-time-code"
        value={code}
        errors={errors}
        onChange={set('code')}
      />
      <PasswordPair name="newPassword" values={values} errors={errors} set={set} />
      <button type="submit" className="login-submit" disabled={busy}>
        {t('changePassword')}
      </button>
    </form>
  )
}

export const Page = () => {
  const { t } = useTranslation('register')
  if (here.audience === 'admin') return <Navigate to="/forgot" replace />
  return (
    <PublicPage title={t('resetTitle')}>
      <Form />
    </PublicPage>
  )
}
