/** What a customer sees and changes of the own account. */
import { z } from 'zod'
import { CODE_CHANNELS, VERIFY_STATUSES } from '../enums.ts'
import { none, operation } from '../operation.ts'
import { addressed, code, idCard, isOldEnough } from '../validators.ts'

export const profile = z.object({
  id: z.int(),
  username: z.string(),
  /** Empty = not bound. */
  mobile: z.string(),
  email: z.string(),
  wechat: z.string(),
  /** Cents. */
  balance: z.int(),
  verifyStatus: z.enum(VERIFY_STATUSES),
  /** Masked, as is the number; empty = none. */
  realName: z.string(),
  idCard: z.string(),
  verifyAsked: z.string(),
  verifyTime: z.string(),
  verifyReason: z.string(),
  lastLogin: z.string(),
  lastLoginIp: z.string(),
  createTime: z.string(),
  /** What the installation asks for before domains can be added. */
  force: z.object({ realName: z.boolean(), phone: z.boolean() }),
})
export type Profile = z.infer<typeof profile>

const address = z.object({ channel: z.enum(CODE_CHANNELS), address: z.string().trim() })

export const profileOperations = [
  operation({
    id: 'profile.info',
    method: 'GET',
    path: 'app/account/info',
    audience: 'user',
    permission: 'cdn:account:info',
    effect: 'read',
    input: none,
    output: z.object({ data: profile }),
  }),
  operation({
    /** Hands in a real name. The identity API decides where one is set up and can tell; else it waits until it has been reviewed. */
    id: 'profile.realName',
    method: 'POST',
    path: 'app/account/realname',
    audience: 'user',
    permission: 'cdn:account:info',
    effect: 'write',
    ownOnly: true,
    input: z.object({
      realName: z.string().trim().min(2, { error: 'required' }).max(64),
      idCard: idCard.refine((number) => isOldEnough(number, Date.now()), { message: 'id_card_age' }),
      /** That the number may be compared and kept. */
      consent: z.boolean({ error: 'consent' }).refine((given) => given, { message: 'consent' }),
    }),
    output: z.object({ verifyStatus: z.enum(VERIFY_STATUSES) }),
  }),
  operation({
    /** Sends a code to an address that is to be bound. */
    id: 'profile.code',
    method: 'POST',
    path: 'app/account/code',
    audience: 'user',
    permission: 'cdn:account:info',
    effect: 'write',
    ownOnly: true,
    input: address.superRefine(addressed),
    output: none,
  }),
  operation({
    /** Binds a mail address or mobile number, or puts it in the place of the present one. */
    id: 'profile.bind',
    method: 'POST',
    path: 'app/account/bind',
    audience: 'user',
    permission: 'cdn:account:info',
    effect: 'write',
    ownOnly: true,
    input: address.extend({ code, password: z.string().min(1, { error: 'required' }).max(255) }).superRefine(addressed),
    output: none,
  }),
]
