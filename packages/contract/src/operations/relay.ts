/** Calls that are handed on to the linked site or to the DNS product's API; the address is the configured one, callers name a path below it. */
import { z } from 'zod'
import { operation } from '../operation.ts'

const path = z
  .string()
  .trim()
  .min(1, { error: 'required' })
  .max(500)
  .regex(/^\/?(?!\/)[\w./~-]+$/, { error: 'relay_path' })
  .refine((text) => !/(^|\/)\.{1,2}(\/|$)/.test(text), { message: 'relay_path' })
const members = z.record(z.string().max(100), z.unknown())

const input = z.object({
  /** Below the configured root. */
  url: path,
  method: z
    .string()
    .transform((text) => text.toUpperCase())
    .pipe(z.enum(['GET', 'POST']))
    .default('GET'),
  /** Body of a POST. */
  param: members.optional(),
  /** Query. */
  params: members.optional(),
  target: z.enum(['site', 'dns']).default('site'),
})
/** What the other side answered: its status, and its JSON or text. */
const output = z.object({ status: z.int(), data: z.unknown() })

export const relayOperations = [
  operation({
    id: 'relay.account',
    method: 'POST',
    path: 'app/account/request',
    audience: 'user',
    permission: 'login',
    effect: 'write',
    input,
    output,
  }),
  operation({
    id: 'relay.system',
    method: 'POST',
    path: 'sys/common/request',
    aliases: ['sys_common/request'],
    audience: 'admin',
    permission: 'system:website:save',
    effect: 'write',
    input,
    output,
  }),
]
