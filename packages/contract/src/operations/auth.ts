/** Login, captcha, the caller's own account. */
import { z } from 'zod'
import { none, operation } from '../operation.ts'
import { password } from '../validators.ts'

const loginIn = z.object({
  username: z.string().min(1, { error: 'required' }).max(255),
  password: z.string().min(1, { error: 'required' }).max(255),
  uuid: z.string().max(64).optional(),
  captcha: z.string().max(16).optional(),
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
    output: z.object({ token: z.string(), expire: z.int() }),
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
    input: z.object({
      password: z.string().min(1, { error: 'required' }).max(255),
      newPassword: password,
    }),
    output: none,
  }),
]
