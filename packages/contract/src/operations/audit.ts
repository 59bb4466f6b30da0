/** The audit log: what administrators and the system did, what customers did, and what one customer did. */
import { z } from 'zod'
import { idIn, int, none, operation, pageIn, pageOut } from '../operation.ts'

const time = z.iso.datetime({ offset: true, error: 'invalid' }).optional()

export const auditRow = z.object({
  id: z.int(),
  time: z.string(),
  /** `admin`, `system`, `node`, `anonymous`. */
  actorKind: z.string(),
  actorId: z.int(),
  actorName: z.string(),
  ip: z.string(),
  requestId: z.string(),
  /** Id of the operation or of the event, e.g. `site.save`. */
  action: z.string(),
  /** Kind and id, e.g. `site 12`. */
  target: z.string(),
  /** Whether there is a state before or after to look at. */
  changed: z.boolean(),
  /** Whether an administrator acted in the actor's place, and who; a customer is not told who. */
  acting: z.boolean(),
  actingName: z.string(),
})
export type AuditRow = z.infer<typeof auditRow>

const searched = pageIn.extend({ action: z.string().max(64).optional(), from: time, to: time })
const entry = z.object({ data: auditRow.extend({ userAgent: z.string(), before: z.unknown(), after: z.unknown() }) })
const actions = z.array(z.string())

export const auditOperations = [
  operation({
    id: 'audit.list',
    method: 'POST',
    path: 'sys/cdn/log/admins',
    audience: 'admin',
    permission: 'cdn:log:admins',
    effect: 'read',
    /** `key` is looked for in actor, target, address and request id; `from` is within the range, `to` is not. */
    input: searched.extend({ actorId: int.min(0).optional() }),
    output: pageOut(auditRow),
  }),
  operation({
    id: 'audit.info',
    method: 'GET',
    path: 'sys/cdn/log/admins/info/{id}',
    audience: 'admin',
    permission: 'cdn:log:admins',
    effect: 'read',
    input: idIn,
    output: entry,
  }),
  operation({
    /** What the log can be filtered by. */
    id: 'audit.filters',
    method: 'GET',
    path: 'sys/cdn/log/admins/filters',
    audience: 'admin',
    permission: 'cdn:log:admins',
    effect: 'read',
    input: none,
    output: z.object({
      data: z.object({
        actions: z.array(z.string()),
        actors: z.array(z.object({ id: z.int(), name: z.string() })),
      }),
    }),
  }),
  operation({
    /** What customers did, and what was done in their place. */
    id: 'userLog.list',
    method: 'POST',
    path: 'sys/cdn/log/users',
    audience: 'admin',
    permission: 'cdn:log:users',
    effect: 'read',
    /** `userId`: of this customer alone, with what was done to the account; `logins`: logins only, good and bad. */
    input: searched.extend({ userId: int.min(1).optional(), logins: z.boolean().optional() }),
    output: pageOut(auditRow),
  }),
  operation({
    id: 'userLog.info',
    method: 'GET',
    path: 'sys/cdn/log/users/info/{id}',
    audience: 'admin',
    permission: 'cdn:log:users',
    effect: 'read',
    input: idIn,
    output: entry,
  }),
  operation({
    id: 'userLog.filters',
    method: 'GET',
    path: 'sys/cdn/log/users/filters',
    audience: 'admin',
    permission: 'cdn:log:users',
    effect: 'read',
    input: none,
    output: z.object({ data: z.object({ actions }) }),
  }),
  operation({
    /** What the caller did, and what was done to the caller's account. */
    id: 'ownLog.list',
    method: 'POST',
    path: 'app/log/list',
    audience: 'user',
    permission: 'cdn:account:log',
    effect: 'read',
    input: searched,
    output: pageOut(auditRow),
  }),
  operation({
    id: 'ownLog.info',
    method: 'GET',
    path: 'app/log/info/{id}',
    audience: 'user',
    permission: 'cdn:account:log',
    effect: 'read',
    input: idIn,
    output: entry,
  }),
  operation({
    id: 'ownLog.filters',
    method: 'GET',
    path: 'app/log/filters',
    audience: 'user',
    permission: 'cdn:account:log',
    effect: 'read',
    input: none,
    output: z.object({ data: z.object({ actions }) }),
  }),
]
