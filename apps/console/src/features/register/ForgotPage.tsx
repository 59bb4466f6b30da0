/** Asks for a code to the account's mail address or mobile number. The answer does not tell whether anybody has it. */
import type { FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { call } from '../../shared/api/call.ts'
import { useCaptcha } from '../../shared/captcha.ts'
import { here } from '../../shared/console.ts'
import { CaptchaField, Field, PublicPage, REACHED, useTyped } from './parts.tsx'

const Form = () => {
  const { t } = useTranslation('register')
  const navigate = useNavigate()
  const captcha = useCaptcha(true)
  const { values, set, errors, busy, missing, run } = useTyped()
  const { address = '' } = values
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const proof = { uuid: captcha.uuid, captcha: (values.captcha ?? '').trim() }
    const done = await run(
      missing(['address', 'captcha'], undefined, REACHED),
      async () => void (await call('forgot.send', { address: address.trim(), ...proof }, { quiet: true })),
      ['address', 'captcha'],
    )
    if (done) await navigate(`/reset-password?address=${encodeURIComponent(address.trim())}`)
    else {
      captcha.renew()
      set('captcha')('')
    }
  }
  return (
    <form onSubmit={(e) => void submit(e)} noValidate>
      <p className="login-alert" role="alert">
        {errors.form ?? ''}
      </p>
      <p className="register-text">{t('forgotText')}</p>
      <Field
        name="address"
        label={t('mailOrMobile')}
        autoComplete="username"
        value={address}
        errors={errors}
        onChange={set('address')}
      />
      <CaptchaField captcha={captcha} value={values.captcha ?? ''} errors={errors} onChange={set('captcha')} />
      <button type="submit" className="login-submit" disabled={busy}>
        {t('sendCode')}
      </button>
    </form>
  )
}

const ADMIN_COMMAND = 'npm run admin -- reset-password'

export const Page = () => {
  const { t } = useTranslation('register')
  return (
    <PublicPage title={t('forgotTitle')}>
      {here.audience === 'admin' ? (
        <p className="register-text">
          {t('forgotAdmin')} <code className="tg-mono">{ADMIN_COMMAND}</code>
        </p>
      ) : (
        <Form />
      )}
    </PublicPage>
  )
}
