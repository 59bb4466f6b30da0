/** Config record `login`: who may come in, and how. Records of outside logins beside it. */
import { z } from 'zod'

export const CAPTCHA_POLICIES = ['always', 'after-failures', 'off'] as const
export type CaptchaPolicy = (typeof CAPTCHA_POLICIES)[number]

/** Length that the specification's form of a password allows. */
export const PASSWORD_LENGTH = { min: 4, max: 32 } as const
/** Capital letters, small letters, digits, signs. */
export const PASSWORD_CLASSES = 4

/** What a new password must have beyond the specification's form, which is the default. */
export const passwordPolicy = z.object({
  minLength: z.int().min(PASSWORD_LENGTH.min).max(PASSWORD_LENGTH.max).default(PASSWORD_LENGTH.min),
  /** How many kinds of characters. */
  classes: z.int().min(1).max(PASSWORD_CLASSES).default(1),
})
export type PasswordPolicy = z.output<typeof passwordPolicy>

const KINDS = [/[A-Z]/, /[a-z]/, /\d/, /[^A-Za-z0-9]/]

/** Whether a password has what the policy asks for. */
export const fitsPolicy = (password: string, { minLength, classes }: PasswordPolicy): boolean =>
  password.length >= minLength && KINDS.filter((kind) => kind.test(password)).length >= classes

export const loginConfig = z.object({
  /** TIDEGATE_LOGIN_CAPTCHA goes before it. */
  captcha: z.enum(CAPTCHA_POLICIES).default('after-failures'),
  password: passwordPolicy.prefault({}),
  /** Without a second factor an administrator can do nothing but set one up. */
  adminSecondFactor: z.enum(['optional', 'required']).default('optional'),
})
export type LoginConfig = z.output<typeof loginConfig>
