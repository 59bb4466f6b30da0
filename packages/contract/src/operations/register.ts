/** New customers, and passwords that were forgotten. None of it needs a login. */
import { z } from 'zod'
import { CODE_CHANNELS } from '../enums.ts'
import { none, operation } from '../operation.ts'
import { accountName, addressed, code, fail, isMail, isPhone, password } from '../validators.ts'
import { wechatTicket } from './auth.ts'

const channel = z.enum(CODE_CHANNELS)
const captcha = {
  uuid: z.string().min(1, { error: 'required' }).max(64),
  captcha: z.string().trim().min(1, { error: 'required' }).max(16),
}
/** A mail address or a mobile number. */
const reachedAt = z
  .string()
  .trim()
  .superRefine((text, ctx) => {
    if (!isMail(text) && !isPhone(text)) fail(ctx, 'mail_or_mobile')
  })

export const registerOperations = [
  operation({
    /** How one can register here. With neither channel an account needs a captcha only. */
    id: 'register.info',
    method: 'GET',
    path: 'app/register/info',
    audience: 'public',
    permission: null,
    effect: 'read',
    input: none,
    output: z.object({ data: z.object({ closed: z.boolean(), byMail: z.boolean(), byMobile: z.boolean() }) }),
  }),
  operation({
    id: 'register.code',
    method: 'POST',
    path: 'app/register/code',
    audience: 'public',
    permission: null,
    effect: 'write',
    input: z.object({ channel, address: z.string().trim(), ...captcha }).superRefine(addressed),
    output: none,
  }),
  operation({
    /** Makes the account and logs it in. */
    id: 'register.save',
    method: 'POST',
    path: 'app/register',
    audience: 'public',
    permission: null,
    effect: 'write',
    input: z
      .object({
        username: accountName,
        password,
        channel: channel.optional(),
        address: z.string().trim().optional(),
        code: code.optional(),
        uuid: captcha.uuid.optional(),
        captcha: captcha.captcha.optional(),
        wechat: wechatTicket,
      })
      .superRefine((value, ctx) => {
        if (value.channel === undefined) return
        addressed({ channel: value.channel, address: value.address ?? '' }, ctx)
        if (value.code === undefined) fail(ctx, 'required', {}, ['code'])
      }),
    output: z.object({ token: z.string(), expire: z.int() }),
  }),
  operation({
    /** Sends a code to the account's address; the answer is the same when nobody has it. */
    id: 'forgot.send',
    method: 'POST',
    path: 'app/forgot/send',
    audience: 'public',
    permission: null,
    effect: 'write',
    input: z.object({ address: reachedAt, ...captcha }),
    output: none,
  }),
  operation({
    /** A new password by a code; every login of the account ends. */
    id: 'forgot.reset',
    method: 'POST',
    path: 'app/reset-password',
    audience: 'public',
    permission: null,
    effect: 'write',
    input: z.object({ address: reachedAt, code, newPassword: password }),
    output: none,
  }),
]
