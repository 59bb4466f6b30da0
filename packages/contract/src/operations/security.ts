/** One's own second factors, open logins and allowed addresses, for both audiences; and an administrator's hand in those of others. */
import { z } from 'zod'
import { MAX_WHITE_IPS } from '../limits.ts'
import { id, none, operation } from '../operation.ts'
import { fail, ipOrCidr } from '../validators.ts'

export const totpCode = z
  .string()
  .trim()
  .regex(/^\d{6}$/, { error: 'code_six' })
export const presentPassword = z.string().min(1, { error: 'required' }).max(255)
const factorName = z.string().trim().min(1, { error: 'required' }).max(40)

/** Addresses and networks, each once. */
export const addressList = z
  .array(ipOrCidr)
  .max(MAX_WHITE_IPS)
  .superRefine((list, ctx) => {
    list.forEach((entry, i) => {
      if (list.indexOf(entry) < i) fail(ctx, 'duplicate', { value: entry }, [i])
    })
  })
export const whiteIp = z.object({ whiteIpStatus: z.literal([0, 1]), whiteIps: addressList })

const factor = z.object({
  id: z.int(),
  kind: z.enum(['totp', 'passkey']),
  name: z.string(),
  createTime: z.string(),
  /** Empty: never. */
  lastUse: z.string(),
})
export type FactorRow = z.infer<typeof factor>

const openLogin = z.object({
  id: z.int(),
  console: z.string(),
  ip: z.string(),
  userAgent: z.string(),
  createTime: z.string(),
  lastUse: z.string(),
  /** The one that asks. */
  own: z.boolean(),
})
export type OpenLogin = z.infer<typeof openLogin>

const state = z.object({
  factors: z.array(factor),
  /** Recovery codes that are not used up. */
  recoveryLeft: z.int(),
  logins: z.array(openLogin),
  whiteIpStatus: z.int(),
  whiteIps: z.array(z.string()),
})
const ownState = state.extend({
  /** The caller's present address. */
  ip: z.string(),
  /** Without a second factor this account can do nothing else. */
  required: z.boolean(),
  /** Whether passkeys can work at the address that this console is open at. */
  passkeys: z.boolean(),
})
export type SecurityState = z.infer<typeof ownState>

/** What a browser's WebAuthn call takes or gives; its inside is checked by who verifies it. */
export const webauthnJson = z.record(z.string(), z.unknown())

/** Codes are there once, when the first factor is confirmed. */
const codesOut = z.object({ recoveryCodes: z.array(z.string()) })

const own = { audience: 'any', permission: 'login', effect: 'write', ownOnly: true, method: 'POST' } as const

const ownOperations = [
  operation({
    id: 'security.info',
    method: 'GET',
    path: 'app/account/security/info',
    audience: 'any',
    permission: 'login',
    effect: 'read',
    ownOnly: true,
    input: none,
    output: z.object({ data: ownState }),
  }),
  operation({
    /** Begins with an authenticator app; nothing is asked for at logins before the first code was confirmed. */
    ...own,
    id: 'security.totp',
    path: 'app/account/security/totp',
    input: z.object({ password: presentPassword }),
    output: z.object({ secret: z.string(), uri: z.string() }),
  }),
  operation({
    ...own,
    id: 'security.totpConfirm',
    path: 'app/account/security/totp/confirm',
    input: z.object({ code: totpCode }),
    output: codesOut,
  }),
  operation({
    /** `options` go to the browser as they are. */
    ...own,
    id: 'security.passkey',
    path: 'app/account/security/passkey',
    input: z.object({ password: presentPassword }),
    output: z.object({ ticket: z.string(), options: webauthnJson }),
  }),
  operation({
    ...own,
    id: 'security.passkeyConfirm',
    path: 'app/account/security/passkey/confirm',
    input: z.object({ ticket: z.string().max(64), name: factorName, response: webauthnJson }),
    output: codesOut,
  }),
  operation({
    ...own,
    id: 'security.factorDelete',
    path: 'app/account/security/factor/delete',
    input: z.object({ id, password: presentPassword }),
    output: none,
  }),
  operation({
    /** New recovery codes; those before are void. */
    ...own,
    id: 'security.recovery',
    path: 'app/account/security/recovery',
    input: z.object({ password: presentPassword }),
    output: codesOut,
  }),
  operation({
    ...own,
    id: 'security.whiteIp',
    path: 'app/account/security/whiteip',
    input: whiteIp,
    output: none,
  }),
  operation({
    /** Ends one open login; `id` absent: all but the one that asks. */
    ...own,
    id: 'security.revoke',
    path: 'app/account/security/session/revoke',
    input: z.object({ id: id.optional() }),
    output: z.object({ count: z.int() }),
  }),
]

const customerState = state.extend({
  /** The WeChat account that logs in as this customer; null: none. */
  wechat: z.object({ nickname: z.string(), time: z.string() }).nullable(),
})

const admins = { audience: 'admin', permission: 'account:users:admins:security', method: 'POST' } as const
const users = { audience: 'admin', permission: 'account:users:users:security', method: 'POST' } as const
const infoOf = { effect: 'read', input: z.object({ id }), output: z.object({ data: state }) } as const
const revokeOf = {
  effect: 'write',
  input: z.object({ id, sessionId: id.optional() }),
  output: z.object({ count: z.int() }),
} as const
const resetOf = { effect: 'write', input: z.object({ id }), output: none } as const
const whiteOf = { effect: 'write', input: whiteIp.extend({ id }), output: none } as const

/** An account of others is named by `id`. */
const otherOperations = [
  operation({ ...admins, ...infoOf, id: 'adminSecurity.info', path: 'sys/user/security/info' }),
  operation({ ...admins, ...revokeOf, id: 'adminSecurity.revoke', path: 'sys/user/security/session/revoke' }),
  operation({ ...admins, ...resetOf, id: 'adminSecurity.factorReset', path: 'sys/user/security/factor/reset' }),
  operation({ ...admins, ...whiteOf, id: 'adminSecurity.whiteIp', path: 'sys/user/security/whiteip' }),
  operation({
    ...users,
    ...infoOf,
    output: z.object({ data: customerState }),
    id: 'userSecurity.info',
    path: 'sys/account/user/security/info',
  }),
  operation({ ...users, ...revokeOf, id: 'userSecurity.revoke', path: 'sys/account/user/security/session/revoke' }),
  operation({ ...users, ...resetOf, id: 'userSecurity.factorReset', path: 'sys/account/user/security/factor/reset' }),
  operation({ ...users, ...whiteOf, id: 'userSecurity.whiteIp', path: 'sys/account/user/security/whiteip' }),
  operation({
    /** For who lost the phone, or whose account somebody else has linked. `not_found` when nothing is linked. */
    ...users,
    ...resetOf,
    id: 'userSecurity.wechatUnlink',
    path: 'sys/account/user/security/wechat/unlink',
  }),
]

export const securityOperations = [...ownOperations, ...otherOperations] as const
