/** Login by account name, password and, when the policy asks for it, a captcha. */
import { CAPTCHA_AFTER_FAILURES } from '@tidegate/contract/limits'
import { eq, sql } from 'drizzle-orm'
import type { Handler } from '../../platform/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db.ts'
import { AppError } from '../../platform/errors.ts'
import { audit } from '../audit/index.ts'
import type { Captchas } from './captcha.ts'
import type { Hasher } from './hasher.ts'
import { admins } from './schema.ts'
import type { Sessions } from './sessions.ts'
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
export const createLogin = (deps: LoginDeps): Handler<'auth.login'> => {
  const { db, captchaPolicy } = deps
  return async (input, caller) => {
    const subject = subjectOf(input.username, caller.ip)
    const before = await deps.throttle.check(subject)
    if (captchaAsked(captchaPolicy, before)) await checkCaptcha(deps.captchas, input.uuid, input.captcha)
    const attempt = await deps.throttle.begin(subject)
    const [admin] = await db
      .select()
      .from(admins)
      .where(eq(sql`lower(${admins.username})`, subject.account))
    const right = await deps.hasher.verify(admin?.passwordHash ?? null, input.password)
    if (!admin || !right) {
      // A name that nobody has may be a password typed into the wrong field: it is not written down.
      await audit(db, caller, { action: 'auth.login.failed', target: admin ? `admin ${admin.id}` : 'admin unknown' })
      const asked = captchaAsked(captchaPolicy, attempt.failures + 1)
      throw new AppError('login_wrong', asked ? CAPTCHA : {})
    }
    if (!admin.enabled) throw new AppError('account_disabled')
    return db.transaction(async (tx) => {
      await attempt.succeeded(tx)
      const lastLogin = { lastLoginAt: new Date(deps.clock.now()), lastLoginIp: caller.ip }
      await tx.update(admins).set(lastLogin).where(eq(admins.id, admin.id))
      const who = { ...caller, kind: 'admin' as const, id: admin.id, name: admin.username }
      await audit(tx, who, { action: 'auth.login', target: `admin ${admin.id}` })
      return deps.sessions.create(tx, who, caller)
    })
  }
}
