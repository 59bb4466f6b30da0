/** Pushes: what is on its way to which node, and what each node said. */
import { z } from 'zod'
import { PUSH_REASONS, PUSH_STATES } from '../enums.ts'
import { refusal } from '../node/protocol.ts'
import { id, ids, int, none, operation, pageIn, pageOut } from '../operation.ts'
import { pushRef } from './site.ts'

export const feedbackRow = z.object({
  nodeId: z.int(),
  nodeName: z.string(),
  online: z.boolean(),
  state: z.enum(PUSH_STATES),
  sentRevision: z.int(),
  appliedRevision: z.int(),
  /** Time of the answer that covered this revision, ISO; empty = none yet. */
  time: z.string(),
  /** Milliseconds from the save to the answer; of it on the node; of it in the engine. -1 = no answer yet. */
  totalMs: z.number(),
  nodeMs: z.number(),
  applyMs: z.number(),
  /** Whether a request through the node's own listener saw the revision. */
  probed: z.boolean(),
  error: z.string(),
  refused: z.array(refusal),
})
export type FeedbackRow = z.infer<typeof feedbackRow>

export const pushRow = z.object({
  scope: z.string(),
  groupName: z.string(),
  revision: z.int(),
  reason: z.enum(PUSH_REASONS),
  /** What it is about: site's first domain, "purge 12", ... */
  subject: z.string(),
  by: z.string(),
  createTime: z.string(),
  state: z.enum(PUSH_STATES),
  nodes: z.int(),
  done: z.int(),
  refused: z.int(),
})

/** One line of the live view. It begins with the present state and goes on with each change; ends when nothing is pending. */
export const pushEvent = z.object({
  scope: z.string(),
  revision: z.int(),
  state: z.enum(PUSH_STATES),
  feedback: z.array(feedbackRow),
})

const refIn = z.object({ scope: z.string().regex(/^group:\d+$/, { error: 'invalid' }), revision: int.min(1) })

/** What can be pushed again by its number. */
export const PUSH_INPUT_TYPES = ['site', 'node', 'certificate'] as const
export type PushInputType = (typeof PUSH_INPUT_TYPES)[number]
export const MAX_PUSH_INPUTS = 200

/** What became of one number. */
const pushInputResult = z.object({
  id: z.int(),
  /** Site's first domain, node's name, certificate's first name; '' = there is none of that number. */
  name: z.string(),
  ok: z.boolean(),
  /** Why not, in the caller's language; '' when it is on its way. */
  error: z.string(),
  push: z.array(pushRef),
})
export type PushInputResult = z.infer<typeof pushInputResult>

export const pushOperations = [
  operation({
    id: 'push.list',
    method: 'POST',
    path: 'sys/cdnsys/auth/push/list',
    audience: 'admin',
    permission: 'cdn:push:list',
    effect: 'read',
    input: pageIn.extend({ state: z.enum(PUSH_STATES).optional() }),
    output: pageOut(pushRow),
  }),
  operation({
    id: 'push.feedback',
    method: 'GET',
    path: 'sys/cdnsys/auth/push/feedbacks/detail',
    audience: 'any',
    permission: 'cdn:push:list',
    effect: 'read',
    input: refIn,
    output: z.object({ data: pushRow.extend({ feedback: z.array(feedbackRow) }) }),
  }),
  operation({
    id: 'push.watch',
    method: 'GET',
    path: 'sys/cdnsys/auth/push/watch',
    audience: 'any',
    permission: 'cdn:push:list',
    effect: 'read',
    kind: 'stream',
    input: refIn,
    output: pushEvent,
  }),
  operation({
    /** Publishes sites again (all that are named). */
    id: 'push.site',
    method: 'GET',
    alsoMethods: ['POST'],
    path: 'sys/cdnsys/auth/pushSiteConfToNode',
    audience: 'any',
    permission: 'cdn:push:run',
    effect: 'write',
    input: z
      .object({ id: id.optional(), ids: ids.optional() })
      .refine((v) => v.id !== undefined || v.ids !== undefined, { message: 'required', path: ['id'] }),
    output: z.object({ push: z.array(pushRef) }),
  }),
  operation({
    /** Publishes everything again to all nodes. */
    id: 'push.all',
    method: 'GET',
    alsoMethods: ['POST'],
    path: 'sys/cdnsys/auth/pushDataToNode',
    audience: 'admin',
    permission: 'cdn:push:run',
    effect: 'write',
    input: none,
    output: z.object({ push: z.array(pushRef) }),
  }),
  operation({
    /** Publishes what was typed in again: sites and certificates with what they need, of nodes everything that they should run. */
    id: 'push.byInput',
    method: 'POST',
    path: 'sys/cdnsys/auth/pushByInputInfo',
    audience: 'admin',
    permission: 'cdn:push:run',
    effect: 'write',
    input: z.object({
      type: z.enum(PUSH_INPUT_TYPES),
      ids: z
        .array(id)
        .min(1, { error: 'required' })
        .max(MAX_PUSH_INPUTS)
        .transform((list) => [...new Set(list)]),
    }),
    output: z.object({ data: z.array(pushInputResult), push: z.array(pushRef) }),
  }),
  operation({
    /** How many pushes wait for some node's answer (type 1); refusals are counted apart. */
    id: 'push.status',
    method: 'POST',
    alsoMethods: ['GET'],
    path: 'sys/cdnsys/auth/pushTaskStatus',
    audience: 'admin',
    permission: 'cdn:push:list',
    effect: 'read',
    input: z.object({ type: int.min(1).max(1).default(1) }),
    output: z.object({ task_size: z.int(), refused_size: z.int() }),
  }),
  operation({
    /** Runs the waiting pushes now: wakes the publisher and tells nodes that are behind once more. */
    id: 'push.run',
    method: 'GET',
    alsoMethods: ['POST'],
    path: 'sys/cdnsys/auth/runTask',
    audience: 'admin',
    permission: 'cdn:push:run',
    effect: 'write',
    input: none,
    output: z.object({ task_size: z.int() }),
  }),
]
