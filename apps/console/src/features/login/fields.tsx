/** Plain inputs of the login: this route carries no component library. */
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Captcha } from '../../shared/captcha.ts'

interface FieldProps {
  name: string
  label: string
  type?: 'text' | 'password'
  autoComplete: string
  inputMode?: 'numeric' | 'text'
  value: string
  error: string | undefined
  hint?: string
  autoFocus?: boolean
  onChange: (value: string) => void
  after?: ReactNode
}

export const Field = ({ name, label, value, error, hint, onChange, after, type = 'text', ...rest }: FieldProps) => (
  <div className="login-field">
    <label htmlFor={name}>{label}</label>
    <div className="login-control">
      <input
        id={name}
        name={name}
        type={type}
        value={value}
        autoCapitalize="none"
        spellCheck={false}
        aria-invalid={error !== undefined}
        aria-describedby={error === undefined && hint === undefined ? undefined : `${name}-error`}
        onChange={(e) => onChange(e.target.value)}
        {...rest}
      />
      {after}
    </div>
    {error === undefined && hint === undefined ? null : (
      <p className={error === undefined ? 'login-hint' : 'login-error'} id={`${name}-error`}>
        {error ?? hint}
      </p>
    )}
  </div>
)

const Eye = ({ shown, onToggle }: { shown: boolean; onToggle: () => void }) => {
  const { t } = useTranslation('login')
  return (
    <button
      type="button"
      className="login-eye"
      aria-label={shown ? t('hidePassword') : t('showPassword')}
      aria-pressed={shown}
      onClick={onToggle}
    >
      <svg
        width="18"
        height="18"
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.7"
        aria-hidden="true"
      >
        <path d="M2 12c3-5 6.500-7 10-7s7 2 10 7c-3 5-6.500 7-10 7s-7-2-10-7z" />
        {shown ? <circle cx="12" cy="12" r="3" /> : <path d="M4 4l16 16" />}
      </svg>
    </button>
  )
}

export const PasswordField = (props: Pick<FieldProps, 'label' | 'value' | 'error' | 'onChange'>) => {
  const [shown, setShown] = useState(false)
  return (
    <Field
      {...props}
      name="password"
      type={shown ? 'text' : 'password'}
      autoComplete="current-password"
      after={<Eye shown={shown} onToggle={() => setShown(!shown)} />}
    />
  )
}

const CaptchaImage = ({ captcha }: { captcha: Captcha }) => {
  const { t } = useTranslation('login')
  const name = captcha.failed ? t('captchaFailed') : t('captchaImage')
  return (
    <button type="button" className="login-captcha" onClick={captcha.renew} aria-label={name} title={name}>
      {captcha.url === '' ? (
        <span aria-hidden="true">{captcha.failed ? '↻' : ''}</span>
      ) : (
        <img src={captcha.url} alt="" onError={captcha.broken} />
      )}
    </button>
  )
}

export const CaptchaField = ({
  captcha,
  ...props
}: Pick<FieldProps, 'value' | 'error' | 'onChange'> & { captcha: Captcha }) => {
  const { t } = useTranslation('login')
  return (
    <Field
      {...props}
      name="captcha"
      label={t('captcha')}
      autoComplete="off"
      after={<CaptchaImage captcha={captcha} />}
    />
  )
}

/** What concerns no single field. Always there, so that the form does not move. */
export const FormAlert = ({ text }: { text: string | undefined }) => (
  <p className="login-alert" role="alert">
    {text ?? ''}
  </p>
)

export const Submit = ({ busy }: { busy: boolean }) => {
  const { t } = useTranslation('login')
  return (
    <button type="submit" className="login-submit" disabled={busy}>
      {busy ? t('busy') : t('submit')}
    </button>
  )
}
