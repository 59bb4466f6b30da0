/** Customers, as the operator sees them. What a customer does with the own account is in profile.ts. */
import { z } from 'zod'
import { LANGUAGES, VERIFY_STATUSES } from '../enums.ts'
import { MAX_WHITE_IPS } from '../limits.ts'
import { id, idIn, idOut, ids, int, none, operation, pageIn, pageOut } from '../operation.ts'
import { accountName, fail, ipOrCidr, mailAddress, password, phone } from '../validators.ts'
import { screenRef } from './common.ts'

export const customerRow = z.object({
  id: z.int(),
  username: z.string(),
  enabled: z.boolean(),
  /** Empty = not bound. */
  mobile: z.string(),
  email: z.string(),
  wechat: z.string(),
  /** Cents. */
  balance: z.int(),
  verifyStatus: z.enum(VERIFY_STATUSES),
  realName: z.string(),
  note: z.string(),
  /** Number of sites. */
  sites: z.int(),
  /** ISO times, empty = never. */
  lastLogin: z.string(),
  lastLoginIp: z.string(),
  createTime: z.string(),
})
export type CustomerRow = z.infer<typeof customerRow>

export const customerInfo = customerRow.extend({
  /** 0 = from anywhere, 1 = from `whiteIps` only. */
  whiteIpStatus: z.int(),
  whiteIps: z.array(z.string()),
  /** Paths of screens that are taken away from this account. */
  unvalidModel: z.array(z.string()),
  lang: z.enum(LANGUAGES).nullable(),
  /** Masked; empty = none. */
  idCard: z.string(),
  /** When the present real name was handed in, and when it was decided. */
  verifyAsked: z.string(),
  verifyTime: z.string(),
  verifyReason: z.string(),
  passwordTime: z.string(),
})
export type CustomerInfo = z.infer<typeof customerInfo>

/** Empty = not bound. */
const optional = <T extends z.ZodType<string, string>>(schema: T) => z.union([z.literal(''), schema]).default('')

const fields = z.object({
  username: accountName,
  enabled: z.boolean().default(true),
  mobile: optional(phone),
  email: optional(mailAddress),
  wechat: z.string().trim().max(64).default(''),
  note: z.string().max(2000).default(''),
  lang: z.enum(LANGUAGES).nullable().default(null),
  unvalidModel: z.array(z.string().max(255)).max(200).default([]),
  whiteIpStatus: int.min(0).max(1).default(0),
  whiteIps: z
    .array(ipOrCidr)
    .max(MAX_WHITE_IPS)
    .default([])
    .superRefine((list, ctx) => {
      list.forEach((ip, i) => {
        if (list.indexOf(ip) < i) fail(ctx, 'duplicate', { value: ip }, [i])
      })
    }),
})
/** A list that lets nobody in is not meant. */
const reachable = (value: { whiteIpStatus: number; whiteIps: string[] }, ctx: z.RefinementCtx) => {
  if (value.whiteIpStatus === 1 && value.whiteIps.length === 0) fail(ctx, 'required', {}, ['whiteIps'])
}
export const customerIn = fields.extend({ password }).superRefine(reachable)

export const customerOperations = [
  operation({
    id: 'customer.list',
    method: 'POST',
    path: 'sys/account/user/list',
    audience: 'admin',
    permission: 'account:users:users',
    effect: 'read',
    /** `key` is looked for in name, mobile, mail and real name. */
    input: pageIn.extend({ enabled: z.boolean().optional(), verifyStatus: z.enum(VERIFY_STATUSES).optional() }),
    output: pageOut(customerRow),
  }),
  operation({
    id: 'customer.info',
    method: 'GET',
    path: 'sys/account/user/info/{id}',
    audience: 'admin',
    permission: 'account:users:users',
    effect: 'read',
    input: idIn,
    output: z.object({ data: customerInfo }),
  }),
  operation({
    /** Screens of the customers' consoles, which can be taken away from an account. */
    id: 'customer.options',
    method: 'GET',
    path: 'sys/account/user/options',
    audience: 'admin',
    permission: 'account:users:users',
    effect: 'read',
    input: none,
    output: z.object({ data: z.object({ screens: z.array(screenRef) }) }),
  }),
  operation({
    id: 'customer.save',
    method: 'POST',
    path: 'sys/account/user/save',
    audience: 'admin',
    permission: 'account:users:users:save',
    effect: 'write',
    input: customerIn,
    output: idOut,
  }),
  operation({
    id: 'customer.update',
    method: 'POST',
    path: 'sys/account/user/update',
    audience: 'admin',
    permission: 'account:users:users:save',
    effect: 'write',
    input: z.object({ id, ...fields.shape }).superRefine(reachable),
    output: idOut,
  }),
  operation({
    /** A disabled account's logins end at once. */
    id: 'customer.enable',
    method: 'POST',
    path: 'sys/account/user/enable',
    audience: 'admin',
    permission: 'account:users:users:save',
    effect: 'write',
    input: z.object({ ids, enabled: z.boolean() }),
    output: none,
  }),
  operation({
    id: 'customer.note',
    method: 'POST',
    path: 'sys/account/user/note',
    audience: 'admin',
    permission: 'account:users:users:save',
    effect: 'write',
    input: z.object({ id, note: fields.shape.note }),
    output: none,
  }),
  operation({
    /** Refused while the account owns sites. */
    id: 'customer.delete',
    method: 'POST',
    path: 'sys/account/user/delete',
    audience: 'admin',
    permission: 'account:users:users:delete',
    effect: 'write',
    input: z.object({ ids }),
    output: none,
  }),
  operation({
    /** Without a password one is made; it is answered this once. Ends the account's logins. */
    id: 'customer.password',
    method: 'POST',
    path: 'sys/account/user/password',
    audience: 'admin',
    permission: 'account:users:users:password',
    effect: 'write',
    input: z.object({ id, newPassword: password.optional() }),
    output: z.object({ password: z.string().optional() }),
  }),
  operation({
    /** Decides on a real name that waits; a refusal needs its reason. */
    id: 'customer.verify',
    method: 'POST',
    path: 'sys/account/user/verify',
    audience: 'admin',
    permission: 'account:users:users:verify',
    effect: 'write',
    input: z
      .object({ id, approve: z.boolean(), reason: z.string().trim().max(255).default('') })
      .superRefine((v, ctx) => {
        if (!v.approve && v.reason === '') fail(ctx, 'required', {}, ['reason'])
      }),
    output: none,
  }),
]
