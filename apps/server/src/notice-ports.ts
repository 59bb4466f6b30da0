/** Joins the notifier to what others tell it, to the customers' message lists and to the codes that customers ask for. */
import type { NotifyEvent } from '@tidegate/contract/config/notify'
import { deviceOf } from '@tidegate/contract/user-agent'
import type { CodePort as CustomersCodePort } from './modules/customer/index.ts'
import { addressKey } from './modules/identity/index.ts'
import type { SecurityEvent } from './modules/identity/places.ts'
import type { WechatChange } from './modules/identity/wechat-links.ts'
import type { MessageModule } from './modules/message/index.ts'
import type { CodePort, PostMessage, SendNotice } from './modules/notify/index.ts'
import type { Caller } from './platform/caller.ts'
import type { Clock } from './platform/clock.ts'
import type { Db, Queryable } from './platform/db.ts'
import type { Log } from './platform/log.ts'

const escaped = (text: string) => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`)

/** A notice's plain text as paragraphs of a message. */
export const intoMailbox =
  (messages: Pick<MessageModule, 'deliver'>): PostMessage =>
  (tx, { customerId, event, title, content, vars, link }) =>
    messages.deliver(tx, {
      customerId,
      title,
      content: content
        .split(/\n{2,}/)
        .map((part) => `<p>${escaped(part).replaceAll('\n', '<br>')}</p>`)
        .join(''),
      ...(event === 'work_order_reply'
        ? { type: 3, link: `/cdn/work-order/list/detail?id=${vars.id}` }
        : { type: 1, ...(link !== undefined && { link }) }),
    })

/** Codes for registration, forgotten passwords and addresses that are to be bound. `codes` is asked at each call: the notifier is built later. */
export const customersCodes = (codes: () => CodePort): CustomersCodePort => ({
  send: (target, { lang, ip, deliver }) => codes().send({ ...target, lang, ip: addressKey(ip), deliver }),
  check: (target, code) => codes().check({ ...target, code }),
})

interface Deps {
  db: Db
  clock: Clock
  log: Log
  send: SendNotice
  /** IANA name. */
  timeZone: () => string
}

/** `2026-11-21 18:00` in the zone. */
const wallTime = (at: number, timeZone: string) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(at)

const NOTICE_OF = {
  new_place: 'login_new',
  password_changed: 'password_changed',
  factor_added: 'factor_added',
  factor_removed: 'factor_removed',
} as const satisfies Record<SecurityEvent['kind'], NotifyEvent>

/**
 * Tells of a login from a new place, a changed password, a second factor that comes or goes: a customer, or the staff where the account is an
 * administrator's. Tells a customer of the account's end, and of the WeChat account that may log in.
 */
export const securityNotices = ({ db, clock, log, send, timeZone }: Deps) => ({
  tell: (event: SecurityEvent): void => {
    const { owner, username: name, ip, userAgent, at } = event
    const agent = deviceOf(userAgent)
    const to = owner.kind === 'admin' ? { operator: true as const } : { user: owner.id }
    send(db, { event: NOTICE_OF[event.kind], to, vars: { name, ip, agent, time: wallTime(at, timeZone()) } }).catch(
      (error: Error) => log.error({ err: error, kind: event.kind }, 'notice about an account'),
    )
  },
  password: async (tx: Queryable, { id, ip, userAgent }: Caller): Promise<void> => {
    const vars = { ip, agent: deviceOf(userAgent), time: wallTime(clock.now(), timeZone()) }
    await send(tx, { event: 'password_changed', to: { user: id }, vars })
  },
  disabled: async (tx: Queryable, customerId: number): Promise<void> => {
    const vars = { time: wallTime(clock.now(), timeZone()) }
    await send(tx, { event: 'account_disabled', to: { user: customerId }, vars })
  },
  wechat: async (tx: Queryable, { customerId, linked, nickname, before, ip }: WechatChange): Promise<void> => {
    // WeChat knows people without a nickname.
    const shown = (name: string) => (name === '' ? '-' : name)
    const vars = { time: wallTime(clock.now(), timeZone()), nickname: shown(nickname) }
    const link = '/cdn/account/info'
    const to = { user: customerId }
    if (before !== undefined)
      await send(tx, { event: 'wechat_replaced', to, vars: { ...vars, ip, before: shown(before) }, link })
    else if (linked) await send(tx, { event: 'wechat_linked', to, vars: { ...vars, ip }, link })
    else await send(tx, { event: 'wechat_unlinked', to, vars, link })
  },
})
