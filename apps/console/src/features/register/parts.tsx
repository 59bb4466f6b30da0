/** The frame and the fields of the pages that need no login. Plain inputs, as on the login: these routes carry no component library. */
import { type FieldErrorKey, fieldText } from '@tidegate/contract/errors'
import { isMail, isPhone } from '@tidegate/contract/validators'
import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import brand from '../../brand.svg'
import { ApiError, errorLine } from '../../shared/api/error.ts'
import type { Captcha } from '../../shared/captcha.ts'
import { currentLang } from '../../shared/i18n.ts'
import { LangSwitch } from '../../shared/LangSwitch.tsx'
import { passwordFault, usePasswordHint } from '../../shared/password-rules.ts'
import { PRODUCT, pageTitle, useSite } from '../../shared/site-config.ts'
import './register.css'
import './texts.ts'

/** What is wrong, by field; `form`: with the whole. */
export type Errors = Readonly<Record<string, string>>

/** A refused call -> texts at the fields that they are about. */
export const errorsOf = (error: unknown, fields: readonly string[]): Errors => {
  if (!(error instanceof ApiError)) return { form: errorLine(error) }
  const { error: key, msg, errors } = error.failure
  if (key === 'captcha_required' || key === 'captcha_wrong') return { captcha: msg }
  const known = errors.filter((e) => fields.includes(e.path))
  if (known.length === 0) return { form: errorLine(error) }
  return Object.fromEntries(known.map((e) => [e.path, e.msg]))
}

export const PublicPage = ({ title, children }: { title: string; children: ReactNode }) => {
  const { t } = useTranslation('register')
  const web = useSite((s) => s.web)
  useEffect(() => {
    document.title = pageTitle(title, web)
  }, [title, web])
  return (
    <div className="login">
      <header>
        <span className="login-brand">
          <img src={brand} alt="" width="28" height="28" />
          <strong>{web.name || PRODUCT}</strong>
        </span>
        <LangSwitch />
      </header>
      <main>
        <div className="login-form">
          <h1>{title}</h1>
          {children}
          <p className="register-links">
            <Link to="/login">{t('toLogin')}</Link>
          </p>
        </div>
      </main>
    </div>
  )
}

interface FieldProps {
  name: string
  label: string
  type?: 'text' | 'password'
  autoComplete: string
  value: string
  errors: Errors
  hint?: string
  onChange: (value: string) => void
  after?: ReactNode
}

export const Field = ({
  name,
  label,
  type = 'text',
  autoComplete,
  value,
  errors,
  hint,
  onChange,
  after,
}: FieldProps) => {
  const error = errors[name]
  const about = error === undefined ? (hint === undefined ? undefined : `${name}-hint`) : `${name}-error`
  return (
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
          aria-describedby={about}
          onChange={(e) => onChange(e.target.value)}
        />
        {after}
      </div>
      {error === undefined ? null : (
        <p className="login-error" id={`${name}-error`}>
          {error}
        </p>
      )}
      {error === undefined && hint !== undefined ? (
        <p className="register-hint" id={`${name}-hint`}>
          {hint}
        </p>
      ) : null}
    </div>
  )
}

/** The password and its repetition. */
export const PasswordPair = ({
  name,
  values,
  errors,
  set,
}: {
  name: 'password' | 'newPassword'
  values: Readonly<Record<string, string>>
  errors: Errors
  set: (name: string) => (value: string) => void
}) => {
  const { t } = useTranslation('register')
  const passwordHint = usePasswordHint()
  return (
    <>
      <Field
        name={name}
        label={name === 'password' ? t('password') : t('newPassword')}
        type="password"
        autoComplete="new-password"
        value={values[name] ?? ''}
        errors={errors}
        hint={passwordHint}
        onChange={set(name)}
      />
      <Field
        name="again"
        label={t('again')}
        type="password"
        autoComplete="new-password"
        value={values.again ?? ''}
        errors={errors}
        onChange={set('again')}
      />
    </>
  )
}

export const CaptchaField = ({
  captcha,
  value,
  errors,
  onChange,
}: {
  captcha: Captcha
  value: string
  errors: Errors
  onChange: (value: string) => void
}) => {
  const { t } = useTranslation('register')
  const name = captcha.failed ? t('captchaFailed') : t('captchaImage')
  const image = (
    <button type="button" className="login-captcha" onClick={captcha.renew} aria-label={name} title={name}>
      {captcha.url === '' ? (
        <span aria-hidden="true">↻</span>
      ) : (
        <img src={captcha.url} alt="" onError={captcha.broken} />
      )}
    </button>
  )
  return (
    <Field
      name="captcha"
      label={t('captcha')}
      autoComplete="off"
      value={value}
      errors={errors}
      onChange={onChange}
      after={image}
    />
  )
}

/** The contract's own rules of fields, and what is said where one is not kept. */
export type Forms = Readonly<Record<string, { fits: (value: string) => boolean; key: FieldErrorKey }>>

/** Where an account is reached. */
export const REACHED: Forms = { address: { fits: (text) => isMail(text) || isPhone(text), key: 'mail_or_mobile' } }

/** Texts typed into a form, and what is wrong with them. */
export const useTyped = (initial: Record<string, string> = {}) => {
  const { t } = useTranslation('register')
  const [values, setValues] = useState<Record<string, string>>(initial)
  const [errors, setErrors] = useState<Errors>({})
  const [busy, setBusy] = useState(false)
  const set = (name: string) => (value: string) => setValues((old) => ({ ...old, [name]: value }))
  /** What is missing or of the wrong form, and a new password that does not do, or differs from its repetition. */
  const missing = (names: readonly string[], password?: string, forms: Forms = {}): Errors => {
    const lacks = names
      .filter((name) => (values[name] ?? '').trim() === '')
      .map((name) => [name, t('required')] as const)
    const malformed = Object.entries(forms).flatMap(([name, { fits, key }]) => {
      const value = (values[name] ?? '').trim()
      return value === '' || fits(value) ? [] : [[name, fieldText(key, currentLang())] as const]
    })
    const differ = password !== undefined && values.again !== values[password] ? [['again', t('notSame')] as const] : []
    const fault = password === undefined || !values[password] ? '' : passwordFault(values[password])
    const unfit = password === undefined || fault === '' ? [] : [[password, fault] as const]
    return Object.fromEntries([...lacks, ...malformed, ...unfit, ...differ])
  }
  /** Runs unless something is wrong; says whether it went well. */
  const run = async (wrong: Errors, work: () => Promise<void>, fields: readonly string[]): Promise<boolean> => {
    setErrors(wrong)
    if (Object.keys(wrong).length > 0 || busy) return false
    setBusy(true)
    try {
      await work()
      return true
    } catch (error) {
      setErrors(errorsOf(error, fields))
      return false
    } finally {
      setBusy(false)
    }
  }
  return { values, set, errors, busy, missing, run }
}
