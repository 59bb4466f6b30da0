/** Login by account name, password and, when the policy asks for it, a captcha. */
import { CAPTCHA_AFTER_FAILURES } from '@tidegate/contract/limits'
import type { InputOf } from '@tidegate/contract/operations/index'
import type { Caller, Handlers } from '../../platform/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db.ts'
import { AppError } from '../../platform/errors.ts'
import { audit } from '../audit/index.ts'
import { accountNamed, noteLogin, targetOf } from './accounts.ts'
import type { Captchas } from './captcha.ts'
import type { Hasher } from './hasher.ts'
import type { Owner, Sessions } from './sessions.ts'
import { subjectOf, type Throttle } from './throttle.ts'

export type CaptchaPolicy = 'always' | 'after-failures' | 'off'

export interface LoginDeps {
  db: Db
  clock: Clock
  hasher: Hasher
  captchas: Captchas
  sessions: Sessions
  throttle: Throttle
  captchaPolicy: CaptchaPolicy
}

/** The operation that lets an audience in. */
const LOGIN = { admin: 'auth.login', user: 'auth.userLogin' } as const

/** Whether a captcha is asked for after so many failures. */
const captchaAsked = (policy: CaptchaPolicy, failures: number) =>
  policy === 'always' || (policy === 'after-failures' && failures >= CAPTCHA_AFTER_FAILURES)

const CAPTCHA = { extra: { captchaRequired: true } }

const checkCaptcha = async (captchas: Captchas, uuid: string | undefined, answer: string | undefined) => {
  if (!uuid || !answer) throw new AppError('captcha_required', CAPTCHA)
  if (!(await captchas.redeem(uuid, answer))) throw new AppError('captcha_wrong', CAPTCHA)
}

/**
 * Order matters: throttled tries and those without their captcha cost no hash; a name that does not exist costs the same as one that
 * does; whether an account is disabled is told only to who knows its password.
 */
const login = async (deps: LoginDeps, kind: Owner['kind'], input: InputOf<'auth.login'>, caller: Caller) => {
  const { db, captchaPolicy } = deps
  const subject = subjectOf(kind, input.username, caller.ip)
  const before = await deps.throttle.check(subject)
  if (captchaAsked(captchaPolicy, before)) await checkCaptcha(deps.captchas, input.uuid, input.captcha)
  const attempt = await deps.throttle.begin(subject)
  const account = await accountNamed(db, kind, input.username)
  const right = await deps.hasher.verify(account?.passwordHash ?? null, input.password)
  if (!account || !right) {
    // A name that nobody has may be a password typed into the wrong field: it is not written down.
    const target = account ? targetOf(account) : targetOf({ kind, id: 0 }).replace(/\d+$/, 'unknown')
    await audit(db, caller, { action: `${LOGIN[kind]}.failed`, target })
    const asked = captchaAsked(captchaPolicy, attempt.failures + 1)
    throw new AppError('login_wrong', asked ? CAPTCHA : {})
  }
  if (!account.enabled) throw new AppError('account_disabled')
  return db.transaction(async (tx) => {
    await attempt.succeeded(tx, account)
    await noteLogin(tx, account, deps.clock.now(), caller.ip)
    const who = { ...caller, kind, id: account.id, name: account.username }
    await audit(tx, who, { action: LOGIN[kind], target: targetOf(account) })
    return deps.sessions.create(tx, account, caller)
  })
}

export const createLogin = (deps: LoginDeps): Handlers<'auth.login' | 'auth.userLogin'> => ({
  'auth.login': (input, caller) => login(deps, 'admin', input, caller),
  'auth.userLogin': (input, caller) => login(deps, 'user', input, caller),
})
