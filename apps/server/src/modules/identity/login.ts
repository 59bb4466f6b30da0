/** Login by account name, password and, where asked for, a captcha and a second factor. */

import type { CaptchaPolicy } from '@tidegate/contract/config/login'
import { CAPTCHA_AFTER_FAILURES } from '@tidegate/contract/limits'
import type { InputOf } from '@tidegate/contract/operations/index'
import type { Caller, Handlers } from '../../platform/caller.ts'
import type { Db, Tx } from '../../platform/db.ts'
import { AppError } from '../../platform/errors.ts'
import { audit } from '../audit/index.ts'
import { type Account, accountNamed, accountOf, storeRehash, targetOf } from './accounts.ts'
import type { Captchas } from './captcha.ts'
import type { EnterDeps } from './enter.ts'
import { enter, LOGIN } from './enter.ts'
import type { Factors } from './factors.ts'
import { type Hasher, isOutdated } from './hasher.ts'
import type { Passkeys } from './passkeys.ts'
import type { Owner } from './sessions.ts'
import { subjectOf, type Throttle } from './throttle.ts'
import type { Tickets } from './tickets.ts'
import { type LinkDeps, linkByTicket } from './wechat-links.ts'

export interface LoginDeps extends EnterDeps, LinkDeps {
  hasher: Hasher
  captchas: Captchas
  throttle: Throttle
  factors: Factors
  passkeys: Passkeys
  tickets: Tickets
  captchaPolicy: () => Promise<CaptchaPolicy>
  /** Throws `address_refused` when the account may not be used from there. */
  mustAllowAddress(owner: Owner, ip: string): Promise<void>
}

/** Whether a captcha is asked for after so many failures. */
const captchaAsked = (policy: CaptchaPolicy, failures: number) =>
  policy === 'always' || (policy === 'after-failures' && failures >= CAPTCHA_AFTER_FAILURES)

const CAPTCHA = { extra: { captchaRequired: true } }

const checkCaptcha = async (captchas: Captchas, uuid: string | undefined, answer: string | undefined) => {
  if (!uuid || !answer) throw new AppError('captcha_required', CAPTCHA)
  if (!(await captchas.redeem(uuid, answer))) throw new AppError('captcha_wrong', CAPTCHA)
}

const noteFailure = (db: Db, kind: Owner['kind'], caller: Caller, account: Account | undefined) => {
  // A name that nobody has may be a password typed into the wrong field: it is not written down.
  const target = account ? targetOf(account) : `${kind === 'admin' ? 'admin' : 'customer'} unknown`
  return audit(db, caller, { action: `${LOGIN[kind]}.failed`, target })
}

/** Passwords hashed by weaker parameters than today's are hashed again, now that they are known. */
const upgrade = async ({ db, hasher }: LoginDeps, account: Account, password: string) => {
  if (!isOutdated(account.passwordHash)) return
  const fresh = await hasher.hash(password)
  await storeRehash(db, account, account.passwordHash, fresh)
}

/** Refuses with what the second step needs. */
export const askForMore = async (
  deps: Pick<LoginDeps, 'db' | 'passkeys' | 'tickets'>,
  account: Account,
  caller: Caller,
  methods: readonly string[],
  purpose: 'second' | 'confirm' = 'second',
): Promise<never> => {
  const passkey = await deps.passkeys.beginLogin(account, deps.passkeys.siteOf(caller))
  const usable = methods.filter((method) => method !== 'passkey' || passkey !== null)
  const ticket = await deps.tickets.issue(deps.db, purpose, account, { challenge: passkey?.challenge ?? '' })
  throw new AppError('second_factor_required', {
    extra: { methods: usable, ticket, ...(passkey && { passkey: passkey.options }) },
  })
}

/** Who came with a WeChat account that nobody has links it by this login. */
const linkWechat = async (deps: LoginDeps, tx: Tx, account: Account, caller: Caller, ticket: string | undefined) => {
  if (ticket === undefined) return
  await linkByTicket(deps, tx, caller, { customerId: account.id, name: account.username }, ticket)
}

type Proof = Pick<InputOf<'auth.second'>, 'code' | 'recovery' | 'assertion'>

/** Whether a second factor was proved. `challenge`: of the passkey's ticket, else ''. */
export const proved = (
  deps: Pick<LoginDeps, 'db' | 'factors' | 'passkeys'>,
  account: Account,
  caller: Caller,
  proof: Proof,
  challenge: string,
) => {
  if (proof.code !== undefined) return deps.factors.redeemTotp(deps.db, account, proof.code, 'confirmed')
  if (proof.recovery !== undefined) return deps.factors.redeemRecovery(deps.db, account, proof.recovery)
  return challenge === '' || proof.assertion === undefined
    ? Promise.resolve(false)
    : deps.passkeys.login(account, deps.passkeys.siteOf(caller), challenge, proof.assertion)
}

/**
 * Order matters: throttled tries and those without their captcha cost no hash; a name that does not exist costs the same as one that
 * does; whether an account is disabled, or has a second factor, is told only to who knows its password.
 */
const login = async (deps: LoginDeps, kind: Owner['kind'], input: InputOf<'auth.userLogin'>, caller: Caller) => {
  const { db } = deps
  const captchaPolicy = await deps.captchaPolicy()
  const subject = subjectOf(kind, input.username, caller.ip)
  const before = await deps.throttle.check(subject)
  if (captchaAsked(captchaPolicy, before)) await checkCaptcha(deps.captchas, input.uuid, input.captcha)
  const attempt = await deps.throttle.begin(subject)
  const account = await accountNamed(db, kind, input.username)
  const right = await deps.hasher.verify(account?.passwordHash ?? null, input.password)
  if (!account || !right) {
    await noteFailure(db, kind, caller, account)
    const asked = captchaAsked(captchaPolicy, attempt.failures + 1)
    throw new AppError('login_wrong', asked ? CAPTCHA : {})
  }
  if (!account.enabled) throw new AppError('account_disabled')
  await deps.mustAllowAddress(account, caller.ip)
  await upgrade(deps, account, input.password)
  const methods = await deps.factors.methods(account)
  if (methods.length > 0) {
    if (input.code === undefined && input.recovery === undefined) {
      await attempt.voided(db)
      return askForMore(deps, account, caller, methods)
    }
    if (!(await proved(deps, account, caller, input, ''))) {
      await noteFailure(db, kind, caller, account)
      throw new AppError('second_factor_wrong')
    }
  }
  return enter(deps, account, caller, { action: LOGIN[kind], strong: methods.length > 0 }, async (tx) => {
    await attempt.succeeded(tx, account)
    await linkWechat(deps, tx, account, caller, input.wechat)
  })
}

/** Wrong tries count like wrong passwords: a new ticket does not give new tries. */
const second = async (deps: LoginDeps, kind: Owner['kind'], input: InputOf<'auth.userSecond'>, caller: Caller) => {
  const ticket = await deps.tickets.attempt('second', input.ticket)
  if (ticket?.owner?.kind !== kind) throw new AppError('ticket_expired')
  const account = await accountOf(deps.db, ticket.owner)
  if (!account?.enabled) throw new AppError('ticket_expired')
  await deps.mustAllowAddress(account, caller.ip)
  const attempt = await deps.throttle.begin(subjectOf(kind, account.username, caller.ip))
  if (!(await proved(deps, account, caller, input, String(ticket.data.challenge ?? '')))) {
    await noteFailure(deps.db, kind, caller, account)
    throw new AppError('second_factor_wrong')
  }
  const action = kind === 'admin' ? 'auth.second' : 'auth.userSecond'
  return enter(deps, account, caller, { action, strong: true }, async (tx) => {
    if ((await deps.tickets.take(tx, 'second', input.ticket)) === null) throw new AppError('ticket_expired')
    await attempt.succeeded(tx, account)
    await linkWechat(deps, tx, account, caller, input.wechat)
  })
}

type Ids = 'auth.login' | 'auth.userLogin' | 'auth.second' | 'auth.userSecond'

export const createLogin = (deps: LoginDeps): Handlers<Ids> => ({
  'auth.login': (input, caller) => login(deps, 'admin', input, caller),
  'auth.userLogin': (input, caller) => login(deps, 'user', input, caller),
  'auth.second': (input, caller) => second(deps, 'admin', input, caller),
  'auth.userSecond': (input, caller) => second(deps, 'user', input, caller),
})
