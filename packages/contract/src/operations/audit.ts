/** The audit log of what administrators and the system did. */
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
})
export type AuditRow = z.infer<typeof auditRow>

export const auditOperations = [
  operation({
    id: 'audit.list',
    method: 'POST',
    path: 'sys/cdn/log/admins',
    audience: 'admin',
    permission: 'cdn:log:admins',
    effect: 'read',
    /** `key` is looked for in actor, target, address and request id; `from` is within the range, `to` is not. */
    input: pageIn.extend({
      action: z.string().max(64).optional(),
      actorId: int.min(0).optional(),
      from: time,
      to: time,
    }),
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
    output: z.object({ data: auditRow.extend({ userAgent: z.string(), before: z.unknown(), after: z.unknown() }) }),
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
]
