/** The branded login. Plain inputs: this route carries no component library. */
import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Navigate, useNavigate, useSearchParams } from 'react-router'
import brand from '../../brand.svg'
import { call } from '../../shared/api/call.ts'
import { ApiError, errorLine } from '../../shared/api/error.ts'
import { type Captcha, useCaptcha } from '../../shared/captcha.ts'
import { chooseLang, currentLang } from '../../shared/i18n.ts'
import { inAppPath } from '../../shared/paths.ts'
import { PRODUCT, pageTitle, useSite } from '../../shared/site-config.ts'
import { setToken, token } from '../../shared/token.ts'
import './login.css'
import './texts.ts'

interface Fields {
  username: string
  password: string
  captcha: string
}
type Errors = Partial<Record<keyof Fields | 'form', string>>

const CaptchaImage = ({ captcha }: { captcha: Captcha }) => {
  const { t } = useTranslation('login')
  const name = captcha.failed ? t('captchaFailed') : t('captchaImage')
  return (
    <button type="button" className="login-captcha" onClick={captcha.renew} aria-label={name} title={name}>
      {captcha.url === '' ? (
        <span aria-hidden="true">{captcha.failed ? '↻' : ''}</span>
      ) : (
        <img src={captcha.url} alt="" />
      )}
    </button>
  )
}

interface FieldProps {
  name: keyof Fields
  label: string
  type?: 'text' | 'password'
  autoComplete: string
  value: string
  error: string | undefined
  onChange: (value: string) => void
  after?: ReactNode
}

const Field = ({ name, label, type = 'text', autoComplete, value, error, onChange, after }: FieldProps) => (
  <div className="login-field">
    <label htmlFor={name}>{label}</label>
    <div className="login-control">
      <input
        id={name}
        name={name}
        type={type}
        value={value}
        autoComplete={autoComplete}
        autoCapitalize="none"
        spellCheck={false}
        aria-invalid={error !== undefined}
        aria-describedby={error === undefined ? undefined : `${name}-error`}
        onChange={(e) => onChange(e.target.value)}
      />
      {after}
    </div>
    {error === undefined ? null : (
      <p className="login-error" id={`${name}-error`}>
        {error}
      </p>
    )}
  </div>
)

/** What is missing, in the person's words. */
const useMissing = () => {
  const { t } = useTranslation('login')
  return (fields: Fields, wantsCaptcha: boolean): Errors => ({
    ...(fields.username.trim() === '' ? { username: t('needAccount') } : {}),
    ...(fields.password === '' ? { password: t('needPassword') } : {}),
    ...(wantsCaptcha && fields.captcha.trim() === '' ? { captcha: t('needCaptcha') } : {}),
  })
}

/** A refused login -> texts at the fields that they are about. */
const errorsOf = (error: unknown): Errors => {
  if (!(error instanceof ApiError)) return { form: errorLine(error) }
  const { error: key, msg, errors } = error.failure
  const known = errors.find((e) => e.path === 'username' || e.path === 'password' || e.path === 'captcha')
  if (known !== undefined) return { [known.path]: known.msg }
  if (key === 'captcha_required' || key === 'captcha_wrong') return { captcha: msg }
  return { form: key === 'login_wrong' || key === 'account_disabled' ? msg : errorLine(error) }
}

const useLogin = () => {
  const [wantsCaptcha, setWantsCaptcha] = useState(false)
  const always = useSite((s) => s.index?.captcha === 'always')
  const captcha = useCaptcha(wantsCaptcha || always)
  const [errors, setErrors] = useState<Errors>({})
  const [busy, setBusy] = useState(false)
  const missing = useMissing()
  const wanted = wantsCaptcha || always
  const submit = async (fields: Fields): Promise<boolean> => {
    const lacks = missing(fields, wanted)
    setErrors(lacks)
    if (Object.keys(lacks).length > 0 || busy) return false
    setBusy(true)
    try {
      const proof = wanted ? { uuid: captcha.uuid, captcha: fields.captcha.trim() } : {}
      const { token: given } = await call(
        'auth.login',
        { username: fields.username.trim(), password: fields.password, ...proof },
        { quiet: true },
      )
      setToken(given)
      return true
    } catch (error) {
      if (error instanceof ApiError && error.failure.captchaRequired) setWantsCaptcha(true)
      if (wanted) captcha.renew()
      setErrors(errorsOf(error))
      return false
    } finally {
      setBusy(false)
    }
  }
  return { captcha: wanted ? captcha : null, errors, busy, submit }
}

const LoginForm = () => {
  const { t } = useTranslation('login')
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const [fields, setFields] = useState<Fields>({ username: '', password: '', captcha: '' })
  const [shown, setShown] = useState(false)
  const { captcha, errors, busy, submit } = useLogin()
  const set = (name: keyof Fields) => (value: string) => setFields((f) => ({ ...f, [name]: value }))
  const onSubmit = async (event: FormEvent) => {
    event.preventDefault()
    if (await submit(fields)) await navigate(inAppPath(search.get('redirect')) ?? '/console', { replace: true })
    else setFields((f) => ({ ...f, captcha: '' }))
  }
  const eye = (
    <button
      type="button"
      className="login-eye"
      aria-label={shown ? t('hidePassword') : t('showPassword')}
      aria-pressed={shown}
      onClick={() => setShown(!shown)}
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
  return (
    <form className="login-form" onSubmit={(e) => void onSubmit(e)} noValidate>
      <h1>{t('title')}</h1>
      <p className="login-alert" role="alert">
        {errors.form ?? ''}
      </p>
      <Field
        name="username"
        label={t('account')}
        autoComplete="username"
        value={fields.username}
        error={errors.username}
        onChange={set('username')}
      />
      <Field
        name="password"
        label={t('password')}
        type={shown ? 'text' : 'password'}
        autoComplete="current-password"
        value={fields.password}
        error={errors.password}
        onChange={set('password')}
        after={eye}
      />
      {captcha === null ? null : (
        <Field
          name="captcha"
          label={t('captcha')}
          autoComplete="off"
          value={fields.captcha}
          error={errors.captcha}
          onChange={set('captcha')}
          after={<CaptchaImage captcha={captcha} />}
        />
      )}
      <button type="submit" className="login-submit" disabled={busy}>
        {busy ? t('busy') : t('submit')}
      </button>
    </form>
  )
}

const PRELOAD_AFTER_MS = 1200

export const LoginPage = () => {
  const { t } = useTranslation('login')
  const web = useSite((s) => s.web)
  const title = t('title')
  // Read once: the login itself goes on to where the person wanted to be.
  const [had] = useState(() => token() !== null)
  useEffect(() => {
    document.title = pageTitle(title, web)
  }, [title, web])
  useEffect(() => {
    // The shell is fetched while the person types, so that the first page opens at once.
    const timer = setTimeout(() => void import('../../shell/Shell.tsx'), PRELOAD_AFTER_MS)
    return () => clearTimeout(timer)
  }, [])
  if (had) return <Navigate to="/console" replace />
  return (
    <div className="login">
      <header>
        <span className="login-brand">
          <img src={brand} alt="" width="28" height="28" />
          <strong>{web.name || PRODUCT}</strong>
          <span>{t('admin')}</span>
        </span>
        <button type="button" className="login-lang" onClick={() => chooseLang(currentLang() === 'zh' ? 'en' : 'zh')}>
          {t('switchLang')}
        </button>
      </header>
      <main>
        <LoginForm />
      </main>
      <footer>{t('tagline')}</footer>
    </div>
  )
}
