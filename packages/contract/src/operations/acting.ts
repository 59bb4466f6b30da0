/** Acting for a customer, and looking at the consoles with one role's rights: logins of their own, which end with the administrator's. */
import { z } from 'zod'
import { ACTING_KINDS } from '../enums.ts'
import { id, none, operation } from '../operation.ts'

export const acting = z.object({
  kind: z.enum(ACTING_KINDS),
  /** The customer's or the role's name. */
  name: z.string(),
  /** The administrator's. */
  by: z.string(),
  reason: z.string(),
})
export type Acting = z.infer<typeof acting>

/** Good once, for a minute. */
const codeOut = z.object({ handover: z.string() })

export const actingOperations = [
  operation({
    id: 'customer.impersonate',
    method: 'POST',
    path: 'sys/account/user/impersonate',
    audience: 'admin',
    permission: 'account:users:users:impersonate',
    effect: 'write',
    ownOnly: true,
    input: z.object({ id, reason: z.string().trim().min(1, { error: 'required' }).max(255) }),
    output: codeOut,
  }),
  operation({
    /** Reading only, with exactly the role's rights; refused for a role that goes beyond the caller's own. */
    id: 'role.preview',
    method: 'POST',
    path: 'sys/role/preview',
    audience: 'admin',
    permission: 'account:role:list',
    effect: 'write',
    ownOnly: true,
    input: z.object({ id }),
    output: codeOut,
  }),
  operation({
    /** Turns the code into a login. */
    id: 'acting.enter',
    method: 'POST',
    path: 'app/impersonate/enter',
    audience: 'public',
    permission: null,
    effect: 'write',
    input: z.object({ code: z.string().min(1, { error: 'required' }).max(64) }),
    output: z.object({ token: z.string(), expire: z.int(), acting }),
  }),
  operation({
    /** Ends such a login; refused for any other. */
    id: 'acting.leave',
    method: 'POST',
    path: 'app/impersonate/leave',
    audience: 'any',
    permission: 'login',
    effect: 'write',
    input: none,
    output: none,
  }),
]
