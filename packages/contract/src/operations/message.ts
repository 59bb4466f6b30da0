/** Messages and announcements: what the staff writes, and what everybody reads behind the bell. */
import { z } from 'zod'
import { MESSAGE_TARGETS, MESSAGE_TYPES } from '../enums.ts'
import { MAX_CHOSEN_READERS, MAX_MESSAGE_CONTENT } from '../limits.ts'
import { id, idIn, idOut, ids, none, operation, pageIn, pageOut } from '../operation.ts'
import { brokenLink } from '../validators.ts'

const type = z.union(MESSAGE_TYPES.map((n) => z.literal(n)))
const time = z.iso.datetime({ offset: true, error: 'invalid' })
const flag = z.union([z.literal(0), z.literal(1)])

/** What a reader sees of a message (specification, section 3). */
export const messageRow = z.object({
  id: z.int(),
  title: z.string(),
  /** 1 in-site, 2 announcement, 3 work order */
  type: z.int(),
  /** 1 = enabled */
  status: z.int(),
  /** 1 = the caller has read it */
  readStatus: z.int(),
  /** When it is, or will be, out. */
  createtime: z.string(),
  /** Path of the screen that it is about; empty: none. */
  link: z.string(),
})
export type MessageRow = z.infer<typeof messageRow>

/** What the staff sees beside it. */
export const managedMessage = messageRow.extend({
  target: z.enum(MESSAGE_TARGETS),
  /** Empty: it never ends. */
  expireTime: z.string(),
  /** `scheduled`, `out` or `over`; disabled ones too. */
  state: z.enum(['scheduled', 'out', 'over']),
  /** Readers so far. */
  reads: z.int(),
})
export type ManagedMessage = z.infer<typeof managedMessage>

const lines = z
  .array(z.string().trim().min(1, { error: 'required' }).max(64))
  .max(MAX_CHOSEN_READERS, { error: 'too_many_items' })

/** `content` is HTML; what is not plain rich text is taken out of it, a link that leads nowhere is refused. */
const saveIn = z.object({
  id: id.optional(),
  title: z.string({ error: 'required' }).trim().min(1, { error: 'required' }).max(200, { error: 'too_long' }),
  content: z
    .string({ error: 'required' })
    .min(1, { error: 'required' })
    .max(MAX_MESSAGE_CONTENT, { error: 'too_long' })
    .refine((html) => brokenLink(html) === null, { error: 'url' }),
  type,
  status: flag.default(1),
  target: z.enum(MESSAGE_TARGETS).default('all'),
  /** Account names of customers; only with target `chosen`. */
  users: lines.default([]),
  /** From when it is out; now when left out. */
  createtime: time.optional(),
  expireTime: z.union([z.literal(''), time]).default(''),
})

export const messageOperations = [
  operation({
    id: 'message.list',
    method: 'POST',
    path: 'sys/message/GetMessageList',
    audience: 'admin',
    permission: 'login',
    effect: 'read',
    /** Whoever may not manage messages gets the announcements that are out. `drawer` asks for these whoever calls. */
    input: pageIn.extend({ type: type.optional(), status: flag.optional(), drawer: flag.optional() }),
    output: pageOut(managedMessage).extend({ unread: z.int() }),
  }),
  operation({
    id: 'message.info',
    method: 'GET',
    path: 'sys/message/info/{id}',
    aliases: ['app/message/info/{id}'],
    audience: 'any',
    permission: 'login',
    effect: 'read',
    input: idIn,
    output: z.object({
      data: managedMessage.extend({ content: z.string(), users: z.array(z.string()) }),
    }),
  }),
  operation({
    id: 'message.save',
    method: 'POST',
    path: 'sys/message/SaveMessage',
    audience: 'admin',
    permission: 'account:message:save',
    effect: 'write',
    input: saveIn,
    output: idOut,
  }),
  operation({
    id: 'message.delete',
    method: 'POST',
    path: 'sys/message/delete',
    audience: 'admin',
    permission: 'account:message:delete',
    effect: 'write',
    input: z.object({ ids }),
    output: none,
  }),
  operation({
    id: 'message.notices',
    method: 'POST',
    path: 'app/common/notice/list',
    audience: 'user',
    permission: 'login',
    effect: 'read',
    /** The caller's messages, newest first. */
    input: pageIn.extend({ type: type.optional(), readStatus: flag.optional() }),
    output: pageOut(messageRow).extend({ unread: z.int() }),
  }),
  operation({
    id: 'message.read',
    method: 'POST',
    path: 'app/message/read',
    audience: 'any',
    permission: 'login',
    effect: 'write',
    /** These, or with `all` = 1 everything that the caller can see. */
    input: z
      .object({ ids: ids.optional(), all: flag.optional() })
      .refine((v) => v.ids !== undefined || v.all === 1, { path: ['ids'], error: 'required' }),
    output: z.object({ unread: z.int() }),
  }),
  operation({
    id: 'message.unread',
    method: 'GET',
    path: 'app/message/unread',
    audience: 'any',
    permission: 'login',
    effect: 'read',
    input: none,
    /** Up to 100: the bell shows 99+. */
    output: z.object({ unread: z.int().max(100) }),
  }),
]
