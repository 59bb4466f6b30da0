/** Puts notices into the queue, in the writer's own transaction: they exist only if it commits. */
import type { NotifyChannel, NotifyEvent } from '@tidegate/contract/config/notify'
import { NOTIFY_CHANNELS, USER_EVENTS } from '@tidegate/contract/config/notify'
import type { Lang } from '@tidegate/contract/enums'
import { sql } from 'drizzle-orm'
import type { Clock } from '../../platform/clock.ts'
import type { Queryable } from '../../platform/db.ts'
import { addJob } from '../../platform/jobs.ts'
import { row, rows } from '../../platform/query.ts'
import type { Secrets } from '../../platform/secrets.ts'
import type { NotifyConfigs } from './configs.ts'
import { EVENTS } from './events.ts'
import { checkedValues, HIDDEN, render, type Values } from './render.ts'
import { templateFor } from './templates.ts'

export type DirectChannel = Exclude<NotifyChannel, 'message'>

/** A customer, the staff (addresses of the notice settings), or one address. */
export type Recipient = { user: number } | { operator: true } | { channel: DirectChannel; address: string }

export interface NoticeRequest {
  event: NotifyEvent
  to: Recipient
  /** All variables of the event; `name` is filled in for a customer when it is left out. */
  vars: Values
  /** Else the recipient's language, else the installation's. */
  lang?: Lang
  /** A second notice of the same key to the same address is not made, e.g. `meal_expire 12 2026-12-31`. */
  dedupKey?: string
  /** Seconds after which it is no longer worth sending. */
  validFor?: number
  /** Path of the screen that it is about, for the customer's list of messages. */
  link?: string
}

/** Writes a message into a customer's list, in the given transaction. `content` is plain text; `vars` are the event's. */
export type PostMessage = (
  tx: Queryable,
  message: {
    customerId: number
    event: NotifyEvent
    title: string
    content: string
    vars: Readonly<Record<string, string>>
    link: string | undefined
  },
) => Promise<void>

export interface SendDeps {
  clock: Clock
  secrets: Secrets
  configs: NotifyConfigs
  defaultLang: () => Promise<Lang>
  siteName: () => Promise<string>
  /** Absent until there is a mailbox: then nothing goes there. */
  postMessage?: PostMessage | undefined
}

export const WAKE_JOB = 'notify.wake'

/** Notices to one address within an hour; more are skipped, so that a fault elsewhere cannot flood anyone. Codes have limits of their own. */
export const ADDRESS_LIMITS: Readonly<Record<NotifyChannel, number>> = {
  message: 500,
  mail: 30,
  sms: 10,
  telegram: 60,
  webhook: 600,
}

interface Target {
  ownerKind: 'user' | 'operator' | 'address'
  ownerId: number
  lang: Lang | null
  /** Of the customer. */
  name: string | null
  addresses: Partial<Record<NotifyChannel, string>>
}

const customerTarget = async (tx: Queryable, id: number, event: NotifyEvent): Promise<Target | null> => {
  const found = await row<{
    username: string
    email: string | null
    mobile: string | null
    lang: Lang | null
    chosen: NotifyChannel[] | null
    receivers: Partial<Record<NotifyChannel, string>> | null
  }>(
    tx,
    sql`SELECT c.username, c.email, c.mobile, c.lang,
          (SELECT p.channels FROM notice_preference p WHERE p.customer_id = c.id AND p.event = ${event}) AS chosen,
          (SELECT jsonb_object_agg(r.channel, r.address) FROM notice_receiver r WHERE r.customer_id = c.id) AS receivers
        FROM customer c WHERE c.id = ${id}`,
  )
  if (!found) return null
  const known: Target['addresses'] = {
    message: String(id),
    ...(found.email && { mail: found.email }),
    ...(found.mobile && { sms: found.mobile }),
    ...found.receivers,
  }
  const mayChoose = (USER_EVENTS as readonly NotifyEvent[]).includes(event)
  const wanted = (mayChoose ? found.chosen : null) ?? EVENTS[event].channels
  const addresses = Object.fromEntries(Object.entries(known).filter(([c]) => wanted.includes(c as NotifyChannel)))
  return { ownerKind: 'user', ownerId: id, lang: found.lang, name: found.username, addresses }
}

const targetOf = async (tx: Queryable, deps: SendDeps, { to, event }: NoticeRequest): Promise<Target | null> => {
  if ('user' in to) return customerTarget(tx, to.user, event)
  if ('channel' in to)
    return { ownerKind: 'address', ownerId: 0, lang: null, name: null, addresses: { [to.channel]: to.address } }
  const { mail, telegram, webhook } = await deps.configs.notify()
  const known = { mail: mail.to, telegram: telegram.chatId, webhook: webhook.url }
  const addresses = Object.fromEntries(Object.entries(known).filter(([, address]) => address !== ''))
  return { ownerKind: 'operator', ownerId: 0, lang: null, name: null, addresses }
}

const tooMany = async (tx: Queryable, channel: NotifyChannel, address: string, now: number): Promise<boolean> => {
  const found = await rows(
    tx,
    sql`SELECT FROM notice WHERE channel = ${channel} AND address = ${address} AND event <> 'code' AND state <> 'skipped'
          AND created_at > ${new Date(now - 3_600_000).toISOString()} LIMIT ${ADDRESS_LIMITS[channel]}`,
  )
  return found.length >= ADDRESS_LIMITS[channel]
}

interface Prepared {
  request: NoticeRequest
  target: Target
  lang: Lang
  values: Record<string, string>
}

/** Values as they may be stored: secret ones hidden. */
const openValues = ({ request, values }: Prepared): Record<string, string> => {
  const secret = EVENTS[request.event].variables.filter((one) => one.secret).map((one) => one.name)
  return { ...values, ...Object.fromEntries(secret.map((name) => [name, HIDDEN])) }
}

const insert = async (tx: Queryable, deps: SendDeps, notice: Prepared, channel: NotifyChannel, address: string) => {
  const { request, target, lang, values } = notice
  const now = deps.clock.now()
  const at = new Date(now).toISOString()
  const over = request.event !== 'code' && (await tooMany(tx, channel, address, now))
  const state = over ? 'skipped' : channel === 'message' ? 'sent' : 'queued'
  const expires = request.validFor === undefined ? null : new Date(now + request.validFor * 1000).toISOString()
  const open = openValues(notice)
  const made = await row<{ id: number }>(
    tx,
    sql`INSERT INTO notice (event, channel, owner_kind, owner_id, address, lang, vars, dedup_key, state, fault, next_at, expires_at, created_at, finished_at)
        VALUES (${request.event}, ${channel}, ${target.ownerKind}, ${target.ownerId}, ${address}, ${lang}, ${JSON.stringify(open)}::jsonb,
          ${request.dedupKey ?? null}, ${state}, ${over ? 'rate' : 'none'}, ${state === 'queued' ? at : null}, ${expires}, ${at},
          ${state === 'queued' ? null : at})
        ON CONFLICT (dedup_key, channel, address) WHERE dedup_key IS NOT NULL DO NOTHING RETURNING id`,
  )
  if (!made || over) return false
  if (channel === 'message') await post(tx, deps, notice, made.id)
  else if (Object.values(open).includes(HIDDEN))
    await tx.execute(
      sql`UPDATE notice SET sealed = ${deps.secrets.seal(JSON.stringify(values), sealedAad(made.id))} WHERE id = ${made.id}`,
    )
  return state === 'queued'
}

/** Binds sealed values to their notice. */
export const sealedAad = (id: number) => `notice ${id} vars`

const post = async (tx: Queryable, deps: SendDeps, { request, target, lang, values }: Prepared, id: number) => {
  const template = await templateFor(tx, deps.configs, request.event, 'message', lang)
  const { subject, text } = render(template, { ...values, site: await deps.siteName() })
  const vars = openValues({ request, target, lang, values })
  await deps.postMessage?.(tx, {
    ...{ customerId: target.ownerId, event: request.event, title: subject, content: text, vars },
    link: request.link,
  })
  await tx.execute(sql`UPDATE notice SET subject = ${subject} WHERE id = ${id}`)
}

/** Answers how many deliveries were put into the queue or done. Throws when a variable is missing or unknown: an error in the program. */
export const createSend =
  (deps: SendDeps) =>
  async (tx: Queryable, request: NoticeRequest): Promise<number> => {
    const target = await targetOf(tx, deps, request)
    if (!target) return 0
    const needsName = EVENTS[request.event].variables.some((one) => one.name === 'name')
    const given = needsName && target.name !== null ? { name: target.name, ...request.vars } : request.vars
    const values = checkedValues(request.event, given)
    const lang = request.lang ?? target.lang ?? (await deps.defaultLang())
    const channels = NOTIFY_CHANNELS.filter((c) => c !== 'message' || deps.postMessage !== undefined)
    let queued = 0
    let made = 0
    for (const channel of channels) {
      const address = target.addresses[channel]
      if (address === undefined) continue
      made += 1
      if (await insert(tx, deps, { request, target, lang, values }, channel, address)) queued += 1
    }
    if (queued > 0) await addJob(tx, WAKE_JOB, {})
    return made
  }

export type SendNotice = ReturnType<typeof createSend>
