/** The form of both login screens: first name and password, then a second factor when one is asked for. */
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useSearchParams } from 'react-router'
import { inAppPath } from '../../shared/paths.ts'
import { CaptchaField, Field, FormAlert, PasswordField, Submit } from './fields.tsx'
import { type Fields, type Login, type Method, type SecondStep, useLogin } from './login.ts'
import { OutsideButton } from './OutsideButton.tsx'
import { UnboundNote } from './UnboundNote.tsx'

const EMPTY: Fields = { username: '', password: '', captcha: '' }

interface StepProps {
  login: Login
  fields: Fields
  onIn: () => void
}

interface PasswordStepProps extends StepProps {
  /** Logged in elsewhere; where the person wanted to be. */
  enter: (to: string | null) => void
  onFields: (change: Partial<Fields>) => void
  /** Fields of the screen's own, and what they say before a login is tried: false stops it. */
  extra: ReactNode
  /** Below the form. */
  foot: ReactNode
  ready: () => boolean
}

const PasswordStep = ({ login, fields, onFields, onIn, enter, extra, foot, ready }: PasswordStepProps) => {
  const { t } = useTranslation('login')
  const { captcha, errors, busy } = login
  const onSubmit = async (event: FormEvent) => {
    event.preventDefault()
    if (!ready()) return
    if (await login.enter(fields)) onIn()
    else onFields({ captcha: '' })
  }
  return (
    <form className="login-form" onSubmit={(e) => void onSubmit(e)} noValidate>
      <h1>{t('title')}</h1>
      <FormAlert text={errors.form} />
      {login.unbound === null ? null : <UnboundNote unbound={login.unbound} onDrop={login.dropUnbound} />}
      {extra}
      <Field
        name="username"
        label={t('account')}
        autoComplete="username"
        value={fields.username}
        error={errors.username}
        onChange={(username) => onFields({ username })}
      />
      <PasswordField
        label={t('password')}
        value={fields.password}
        error={errors.password}
        onChange={(password) => onFields({ password })}
      />
      {captcha === null ? null : (
        <CaptchaField
          captcha={captcha}
          value={fields.captcha}
          error={errors.captcha}
          onChange={(text) => onFields({ captcha: text })}
        />
      )}
      <Submit busy={busy} />
      <OutsideButton login={login} onIn={enter} />
      {foot}
    </form>
  )
}

const SecondForm = ({ login, at, onIn }: Pick<StepProps, 'login' | 'onIn'> & { at: SecondStep }) => {
  const { t } = useTranslation('login')
  const { methods } = at
  const [method, setMethod] = useState<Method>(methods[0] ?? 'totp')
  const [proof, setProof] = useState('')
  const { errors, busy, prove, provePasskey, back } = login
  const other = methods.find((m) => m !== method)
  const totp = method === 'totp'
  const onSubmit = async (event: FormEvent) => {
    event.preventDefault()
    if (await prove(at, method, proof)) onIn()
    else setProof('')
  }
  return (
    <form className="login-form" onSubmit={(e) => void onSubmit(e)} noValidate>
      <h1>{t('second')}</h1>
      <FormAlert text={errors.form} />
      {at.passkey === null ? null : (
        <button
          type="button"
          className="login-submit login-passkey"
          disabled={busy}
          onClick={() => void provePasskey(at).then((isIn) => isIn && onIn())}
        >
          {t('usePasskey')}
        </button>
      )}
      <Field
        key={method}
        name="proof"
        label={totp ? t('totp') : t('recovery')}
        hint={totp ? t('totpHint') : t('recoveryHint')}
        autoComplete={totp ? 'one-time-code' : 'off'}
        inputMode={totp ? 'numeric' : 'text'}
        autoFocus={at.passkey === null}
        value={proof}
        error={errors.proof}
        onChange={setProof}
      />
      <Submit busy={busy} />
      <div className="login-ways">
        <button type="button" className="tg-link-button" onClick={back}>
          {t('back')}
        </button>
        {other === undefined ? null : (
          <button
            type="button"
            className="tg-link-button"
            onClick={() => {
              setMethod(other)
              setProof('')
            }}
          >
            {other === 'totp' ? t('useTotp') : t('useRecovery')}
          </button>
        )}
      </div>
    </form>
  )
}

const always = () => true

export const LoginForm = ({
  extra = null,
  foot = null,
  ready = always,
}: {
  extra?: ReactNode
  foot?: ReactNode
  ready?: () => boolean
}) => {
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const [fields, setFields] = useState(EMPTY)
  const login = useLogin()
  const enter = (to: string | null) => void navigate(inAppPath(to) ?? '/console', { replace: true })
  const onIn = () => enter(search.get('redirect'))
  const onFields = (change: Partial<Fields>) => setFields((f) => ({ ...f, ...change }))
  return login.at.step === 'password' ? (
    <PasswordStep
      login={login}
      fields={fields}
      onFields={onFields}
      onIn={onIn}
      enter={enter}
      extra={extra}
      foot={foot}
      ready={ready}
    />
  ) : (
    <SecondForm login={login} at={login.at} onIn={onIn} />
  )
}
