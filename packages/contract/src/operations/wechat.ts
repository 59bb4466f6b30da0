/** Customers' login by WeChat: the way there and back, linking with an account, what the operator registers at WeChat. */
import { z } from 'zod'
import { none, operation } from '../operation.ts'
import { presentPassword } from './security.ts'

/** Send the browser to `url`; keep `ticket` in it until it comes back. */
const away = z.object({ url: z.string(), ticket: z.string() })
/** `query`: what WeChat added to the console's address. */
const back = z.object({ ticket: z.string().min(1, { error: 'required' }).max(64), query: z.string().max(4096) })

export const wechatOperations = [
  operation({
    id: 'auth.wechatStart',
    method: 'POST',
    path: 'app/login/wechat',
    audience: 'public',
    permission: null,
    effect: 'read',
    input: none,
    output: away,
  }),
  operation({
    /**
     * Logs in who has scanned. `second_factor_required` as after a password. `wechat_unbound` when no account is linked: `ticket` then links
     * it by the next login or registration, `nickname` is WeChat's, `register` says whether accounts can be made.
     */
    id: 'auth.wechatFinish',
    method: 'POST',
    path: 'app/login/wechat/finish',
    audience: 'public',
    permission: null,
    effect: 'write',
    input: back,
    output: z.object({ token: z.string(), expire: z.int() }),
  }),
  operation({
    id: 'wechat.info',
    method: 'GET',
    path: 'app/account/wechat/info',
    audience: 'user',
    permission: 'cdn:account:info',
    effect: 'read',
    input: none,
    output: z.object({
      data: z.object({
        /** Whether one can log in by WeChat here. */
        offered: z.boolean(),
        /** null: not linked. */
        linked: z.object({ nickname: z.string(), time: z.string() }).nullable(),
      }),
    }),
  }),
  operation({
    id: 'wechat.link',
    method: 'POST',
    path: 'app/account/wechat/link',
    audience: 'user',
    permission: 'cdn:account:info',
    effect: 'read',
    ownOnly: true,
    input: z.object({ password: presentPassword }),
    output: away,
  }),
  operation({
    /** Links who has scanned with the account that is logged in, in the place of one linked before. */
    id: 'wechat.linkFinish',
    method: 'POST',
    path: 'app/account/wechat/finish',
    audience: 'user',
    permission: 'cdn:account:info',
    effect: 'write',
    ownOnly: true,
    input: back,
    output: none,
  }),
  operation({
    id: 'wechat.unlink',
    method: 'POST',
    path: 'app/account/wechat/unlink',
    audience: 'user',
    permission: 'cdn:account:info',
    effect: 'write',
    ownOnly: true,
    input: z.object({ password: presentPassword }),
    output: none,
  }),
  operation({
    /** What is to be registered with the application at WeChat, and how many customers have linked their account. */
    id: 'wechat.setup',
    method: 'GET',
    path: 'sys/wechat/info',
    audience: 'admin',
    permission: 'system:wechat',
    effect: 'read',
    input: none,
    output: z.object({
      data: z.object({ domain: z.string(), callbacks: z.array(z.string()), linked: z.int() }),
    }),
  }),
]
