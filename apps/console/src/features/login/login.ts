/** The login as a machine of two steps: name and password, and a second factor when the server asks for one. */
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../shared/api/call.ts'
import { ApiError, errorLine } from '../../shared/api/error.ts'
import { type Captcha, useCaptcha } from '../../shared/captcha.ts'
import { here } from '../../shared/console.ts'
import { dropUnbound, keepUnbound, type Unbound, unbound, unboundTicket } from '../../shared/outside.ts'
import { useSite } from '../../shared/site-config.ts'
import { setToken } from '../../shared/token.ts'

export interface Fields {
  username: string
  password: string
  captcha: string
}
export type Errors = Partial<Record<keyof Fields | 'proof' | 'form', string>>

/** Ways to prove oneself that are typed in. */
const METHODS = ['totp', 'recovery'] as const
export type Method = (typeof METHODS)[number]

export interface SecondStep {
  step: 'second'
  /** Those that are typed in. */
  methods: readonly Method[]
  /** Stands for the password that was right. */
  ticket: string
  /** For the browser's WebAuthn call; null: no passkey is good here. */
  passkey: Record<string, unknown> | null
}
export type Step = { step: 'password' } | SecondStep

/** The same two operations for each audience. */
const OPERATIONS = {
  admin: { login: 'auth.login', second: 'auth.second' },
  user: { login: 'auth.userLogin', second: 'auth.userSecond' },
} as const

/** What the server offers for the second step; null when it asks for none. */
const secondStep = (error: unknown): Step | null => {
  if (!(error instanceof ApiError) || error.failure.error !== 'second_factor_required') return null
  const { methods, ticket, passkey = null } = error.failure.body
  const offered: readonly unknown[] = Array.isArray(methods) ? methods : []
  return {
    step: 'second',
    methods: METHODS.filter((method) => offered.includes(method)),
    ticket: String(ticket),
    passkey: passkey as SecondStep['passkey'],
  }
}

/** A WeChat account that the next login links; null: the error is another one. */
const unboundOf = (error: unknown): Unbound | null => {
  if (!(error instanceof ApiError) || error.failure.error !== 'wechat_unbound') return null
  const { ticket, nickname, register } = error.failure.body
  return { ticket: String(ticket), nickname: String(nickname), register: register === true }
}

/** A refused login -> texts at the fields that they are about. */
const errorsOf = (error: unknown): Errors => {
  if (!(error instanceof ApiError)) return { form: errorLine(error) }
  const { error: key, msg, errors } = error.failure
  const known = errors.find((e) => e.path === 'username' || e.path === 'password' || e.path === 'captcha')
  if (known !== undefined) return { [known.path]: known.msg }
  if (key === 'captcha_required' || key === 'captcha_wrong') return { captcha: msg }
  if (key === 'second_factor_wrong' || errors.length > 0) return { proof: errors[0]?.msg ?? msg }
  return { form: key === 'login_wrong' || key === 'account_disabled' ? msg : errorLine(error) }
}

/** What is missing, in the person's words. */
const useMissing = () => {
  const { t } = useTranslation('login')
  return (fields: Fields, wantsCaptcha: boolean): Errors => ({
    ...(fields.username.trim() === '' ? { username: t('needAccount') } : {}),
    ...(fields.password === '' ? { password: t('needPassword') } : {}),
    ...(wantsCaptcha && fields.captcha.trim() === '' ? { captcha: t('needCaptcha') } : {}),
  })
}

export interface Login {
  at: Step
  captcha: Captcha | null
  errors: Errors
  busy: boolean
  /** Resolves to whether the person is in. */
  enter: (fields: Fields) => Promise<boolean>
  prove: (at: SecondStep, method: Method, proof: string) => Promise<boolean>
  /** Asks the browser for the passkey. */
  provePasskey: (at: SecondStep) => Promise<boolean>
  /** WeChat account that this login links. */
  unbound: Unbound | null
  dropUnbound: () => void
  /** Goes to an outside provider. */
  leave: (go: () => Promise<void>) => Promise<void>
  /** Logs in by what an outside provider said; resolves to whether the person is in. */
  comeBack: (finish: () => Promise<{ token: string }>) => Promise<boolean>
  back: () => void
}

/** The browser's answer for a passkey; its part is fetched when it is needed. */
const assertionOf = async (options: Record<string, unknown>, failed: string) => {
  const { startAuthentication } = await import('@simplewebauthn/browser')
  type Options = Parameters<typeof startAuthentication>[0]['optionsJSON']
  try {
    return { ...(await startAuthentication({ optionsJSON: options as unknown as Options })) }
  } catch (cause) {
    throw new Error(failed, { cause })
  }
}

export const useLogin = (): Login => {
  const of = OPERATIONS[here.audience]
  const { t } = useTranslation('login')
  const [at, setAt] = useState<Step>({ step: 'password' })
  const [wantsCaptcha, setWantsCaptcha] = useState(false)
  const always = useSite((s) => s.index?.captcha === 'always')
  const wanted = wantsCaptcha || always
  const captcha = useCaptcha(wanted && at.step === 'password')
  const [errors, setErrors] = useState<Errors>({})
  const [busy, setBusy] = useState(false)
  const missing = useMissing()
  const [stranger, setStranger] = useState(unbound)
  const forget = () => {
    dropUnbound()
    setStranger(null)
  }
  const refused = (error: unknown) => {
    const next = secondStep(error)
    if (next !== null) return setAt(next)
    const found = unboundOf(error)
    if (found !== null) {
      keepUnbound(found)
      return setStranger(found)
    }
    if (error instanceof ApiError && error.failure.error === 'ticket_expired') {
      setAt({ step: 'password' })
      forget()
    }
    if (error instanceof ApiError && error.failure.captchaRequired) setWantsCaptcha(true)
    if (wanted) captcha.renew()
    setErrors(errorsOf(error))
  }
  const run = async (login: () => Promise<{ token: string }>): Promise<boolean> => {
    setBusy(true)
    setErrors({})
    try {
      setToken((await login()).token)
      dropUnbound()
      return true
    } catch (error) {
      refused(error)
      return false
    } finally {
      setBusy(false)
    }
  }
  return {
    at,
    captcha: wanted ? captcha : null,
    errors,
    busy,
    enter: async (fields) => {
      const lacks = missing(fields, wanted)
      setErrors(lacks)
      if (Object.keys(lacks).length > 0 || busy) return false
      const proof = wanted ? { uuid: captcha.uuid, captcha: fields.captcha.trim() } : {}
      const { username, password } = fields
      return await run(() =>
        call(of.login, { username: username.trim(), password, ...proof, ...unboundTicket() }, { quiet: true }),
      )
    },
    prove: async ({ ticket }, method, proof) => {
      if (proof.trim() === '') {
        setErrors({ proof: t('needProof') })
        return false
      }
      const given = method === 'totp' ? { code: proof.trim() } : { recovery: proof.trim() }
      return !busy && (await run(() => call(of.second, { ticket, ...given, ...unboundTicket() }, { quiet: true })))
    },
    provePasskey: async ({ ticket, passkey }) =>
      !busy &&
      passkey !== null &&
      (await run(async () => {
        const assertion = await assertionOf(passkey, t('passkeyFailed'))
        return await call(of.second, { ticket, assertion, ...unboundTicket() }, { quiet: true })
      })),
    unbound: stranger,
    dropUnbound: forget,
    leave: async (go) => {
      setBusy(true)
      setErrors({})
      try {
        await go()
      } catch (error) {
        refused(error)
        setBusy(false)
      }
    },
    comeBack: run,
    back: () => {
      setErrors({})
      setAt({ step: 'password' })
    },
  }
}
