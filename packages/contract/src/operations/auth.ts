/** Login, captcha, the caller's own account, for both audiences. */
import { z } from 'zod'
import { LANGUAGES } from '../enums.ts'
import { none, operation } from '../operation.ts'
import { fail, password } from '../validators.ts'
import { presentPassword, totpCode, webauthnJson } from './security.ts'

const loginIn = z.object({
  /** Customers may type their bound mobile or mail. */
  username: z.string().min(1, { error: 'required' }).max(255),
  password: z.string().min(1, { error: 'required' }).max(255),
  uuid: z.string().max(64).optional(),
  captcha: z.string().max(16).optional(),
  /** Six digits of the authenticator app, to log in at one go. */
  code: totpCode.optional(),
  /** The same by a recovery code. */
  recovery: z.string().trim().max(40).optional(),
})
/** Of `wechat_unbound`: the WeChat account that the login links with the customer's. */
export const wechatTicket = z.string().max(64).optional()

/** The second step after `second_factor_required`: one of the three beside the ticket. */
const secondFields = z.object({
  ticket: z.string().min(1, { error: 'required' }).max(64),
  code: totpCode.optional(),
  recovery: z.string().trim().max(40).optional(),
  assertion: webauthnJson.optional(),
})
const oneProof = (value: z.output<typeof secondFields>, ctx: z.RefinementCtx) => {
  if ([value.code, value.recovery, value.assertion].filter((v) => v !== undefined).length !== 1)
    fail(ctx, 'required', {}, ['code'])
}
const loginOut = z.object({ token: z.string(), expire: z.int() })
const passwordIn = z.object({
  password: z.string().min(1, { error: 'required' }).max(255),
  newPassword: password,
})

export const authOperations = [
  operation({
    id: 'captcha',
    method: 'GET',
    path: 'captcha.jpg',
    audience: 'public',
    permission: null,
    effect: 'read',
    kind: 'image',
    input: z.object({ uuid: z.string().regex(/^[A-Za-z0-9-]{8,64}$/, { error: 'invalid' }) }),
    output: none,
  }),
  operation({
    id: 'auth.login',
    method: 'POST',
    path: 'sys/login',
    audience: 'public',
    permission: null,
    effect: 'write',
    input: loginIn,
    output: loginOut,
  }),
  operation({
    id: 'auth.userLogin',
    method: 'POST',
    path: 'app/login',
    audience: 'public',
    permission: null,
    effect: 'write',
    input: loginIn.extend({ wechat: wechatTicket }),
    output: loginOut,
  }),
  operation({
    id: 'auth.second',
    method: 'POST',
    path: 'sys/login/second',
    audience: 'public',
    permission: null,
    effect: 'write',
    input: secondFields.superRefine(oneProof),
    output: loginOut,
  }),
  operation({
    id: 'auth.userSecond',
    method: 'POST',
    path: 'app/login/second',
    audience: 'public',
    permission: null,
    effect: 'write',
    input: secondFields.extend({ wechat: wechatTicket }).superRefine(oneProof),
    output: loginOut,
  }),
  operation({
    /** Begins a login at the operator's OpenID provider: send the browser to `url`, keep `ticket` in it. */
    id: 'auth.oidcStart',
    method: 'POST',
    path: 'sys/login/oidc',
    audience: 'public',
    permission: null,
    effect: 'read',
    input: none,
    output: z.object({ url: z.string(), ticket: z.string() }),
  }),
  operation({
    /** The same to link one's own account with one at the provider. */
    id: 'auth.oidcLink',
    method: 'POST',
    path: 'sys/login/oidc/link',
    audience: 'admin',
    permission: 'login',
    effect: 'read',
    ownOnly: true,
    input: z.object({ password: presentPassword }),
    output: z.object({ url: z.string(), ticket: z.string() }),
  }),
  operation({
    /** The provider has sent the browser back with `query`. */
    id: 'auth.oidcFinish',
    method: 'POST',
    path: 'sys/login/oidc/finish',
    audience: 'public',
    permission: null,
    effect: 'write',
    input: z.object({ ticket: z.string().max(64), query: z.string().max(4096) }),
    output: loginOut,
  }),
  operation({
    id: 'auth.logout',
    method: 'POST',
    path: 'sys/logout',
    audience: 'admin',
    permission: 'login',
    effect: 'write',
    input: none,
    output: none,
  }),
  /** Whether this is the password of who is logged in: opens a locked screen. */
  operation({
    id: 'auth.unlock',
    method: 'POST',
    path: 'sys/user/unlock',
    audience: 'any',
    permission: 'login',
    effect: 'write',
    input: z.object({ password: z.string().min(1, { error: 'required' }).max(255) }),
    output: none,
  }),
  operation({
    id: 'auth.userLogout',
    method: 'POST',
    path: 'app/logout',
    audience: 'user',
    permission: 'login',
    effect: 'write',
    input: none,
    output: none,
  }),
  operation({
    id: 'admin.info',
    method: 'GET',
    path: 'sys/user/info',
    audience: 'admin',
    permission: 'login',
    effect: 'read',
    input: none,
    output: z.object({
      user: z.object({
        userId: z.int(),
        username: z.string(),
        superAdmin: z.boolean(),
        whiteIpStatus: z.int(),
        unvalidModel: z.array(z.string()),
        permissions: z.array(z.string()),
      }),
    }),
  }),
  operation({
    id: 'admin.password',
    method: 'POST',
    path: 'sys/user/password',
    audience: 'admin',
    permission: 'login',
    effect: 'write',
    ownOnly: true,
    input: passwordIn,
    output: none,
  }),
  operation({
    /** A customer's own account. Mobile and mail come masked. */
    id: 'account.info',
    method: 'GET',
    path: 'app/user/info',
    audience: 'user',
    permission: 'login',
    effect: 'read',
    input: none,
    output: z.object({
      user: z.object({
        userId: z.int(),
        username: z.string(),
        whiteIpStatus: z.int(),
        unvalidModel: z.array(z.string()),
        permissions: z.array(z.string()),
        /** Empty: not bound. */
        mobile: z.string(),
        email: z.string(),
        /** Whether a WeChat account is bound. */
        wechat: z.boolean(),
        verifyStatus: z.enum(['none', 'pending', 'verified', 'rejected']),
        /** Cents. */
        balance: z.string(),
        /** null: the installation's. */
        lang: z.enum(LANGUAGES).nullable(),
        createTime: z.string(),
      }),
    }),
  }),
  operation({
    /** One's own password; all logins of the account end. */
    id: 'account.password',
    method: 'POST',
    path: 'app/account/password',
    audience: 'user',
    permission: 'login',
    effect: 'write',
    ownOnly: true,
    input: passwordIn,
    output: none,
  }),
]
