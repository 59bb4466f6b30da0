/** Channels by which notices go out, and the five templates that mail and SMS settings carry (specification, section 3). */
import { z } from 'zod'
import { mailAddress } from '../validators.ts'

export const NOTIFY_CHANNELS = ['message', 'mail', 'sms', 'telegram', 'webhook'] as const
export type NotifyChannel = (typeof NOTIFY_CHANNELS)[number]

/** Template keys of the specification: verification code, plan used up, plan expires, traffic used up, traffic expires. */
export const TEMPLATE_KEYS = ['code', 'meal_out', 'meal_expire', 'flow_out', 'flow_expire'] as const
export type TemplateKey = (typeof TEMPLATE_KEYS)[number]

/** What people call the templates. */
export const TEMPLATE_TITLES: Readonly<Record<TemplateKey, { zh: string; en: string }>> = {
  code: { zh: '验证码', en: 'Verification code' },
  meal_out: { zh: '套餐用尽', en: 'Plan used up' },
  meal_expire: { zh: '套餐到期', en: 'Plan expires' },
  flow_out: { zh: '流量包用尽', en: 'Traffic package used up' },
  flow_expire: { zh: '流量包到期', en: 'Traffic package expires' },
}

/** What notices are about. The first five carry the template keys of mail and SMS settings; `test` is sent by hand only. */
export const NOTIFY_EVENTS = [
  ...TEMPLATE_KEYS,
  'cert_expire',
  'cert_expired',
  'cert_failed',
  'login_new',
  'password_changed',
  'factor_added',
  'factor_removed',
  'wechat_linked',
  'wechat_replaced',
  'wechat_unlinked',
  'account_disabled',
  'work_order_reply',
  'work_order_new',
  'work_order_appeal',
  'cert_report',
  'cert_failed_report',
  'node_down',
  'node_back',
  'task_failed',
  'figures_differ',
  'test',
] as const
export type NotifyEvent = (typeof NOTIFY_EVENTS)[number]

/** Events that a customer may switch off, by channel. Codes and notices about the account itself always come. */
export const USER_EVENTS = [
  'meal_out',
  'meal_expire',
  'flow_out',
  'flow_expire',
  'cert_expire',
  'cert_expired',
  'cert_failed',
  'login_new',
  'work_order_reply',
] as const
export type UserEvent = (typeof USER_EVENTS)[number]

/**
 * States of a notice on its way by one channel. `unknown`: the sender was stopped, or the peer fell silent, while handing over: it may
 * have arrived, so it is not sent again. `skipped`: switched off, not set up, or beyond the address's limit.
 */
export const NOTIFY_STATES = ['queued', 'sending', 'sent', 'failed', 'unknown', 'skipped'] as const
export type NotifyState = (typeof NOTIFY_STATES)[number]

/** Why a notice was not sent. */
export const NOTIFY_FAULTS = [
  'none',
  'not_configured',
  'auth',
  'refused',
  'temporary',
  'unreachable',
  'certificate',
  'silent',
  'rate',
  'switched_off',
  'expired',
  'private_address',
] as const
export type NotifyFault = (typeof NOTIFY_FAULTS)[number]

/** What a verification code is for; one of another purpose is not taken. */
export type CodePurpose = 'register' | 'forgot' | 'bind'

/** Digits of a code, its life and the wait between two, in seconds, and how many wrong tries void it. */
export const CODE_DIGITS = 6
export const CODE_TTL = 300
export const CODE_WAIT = 60
export const CODE_TRIES = 5

/** A whole web address of a bot API or a receiver. */
const webAddress = z
  .string()
  .max(500)
  .regex(/^https?:\/\/[^\s]+$/, { error: 'web_address' })

/** Operator's bot. `chatId` is where notices for the staff go; customers name their own. */
export const telegramConfig = z.strictObject({
  apiRoot: webAddress.default('https://api.telegram.org'),
  token: z
    .string()
    .max(200)
    .regex(/^(\*{8}|\d+:[A-Za-z0-9_-]+)?$/, { error: 'invalid' })
    .default(''),
  chatId: z
    .string()
    .max(64)
    .regex(/^(-?\d+|@\w+)?$/, { error: 'invalid' })
    .default(''),
})
export type TelegramConfig = z.output<typeof telegramConfig>

/** Operator's receiver of notices for the staff; every call is signed with the secret. */
export const webhookConfig = z.strictObject({
  url: z.union([z.literal(''), webAddress]).default(''),
  secret: z.string().max(200).default(''),
})
export type WebhookConfig = z.output<typeof webhookConfig>

/** Where notices for the staff go, by channel; empty = not by this channel. */
export const notifyConfig = z.strictObject({
  mail: z.strictObject({ to: z.union([z.literal(''), mailAddress]).default('') }).prefault({}),
  telegram: telegramConfig.prefault({}),
  webhook: webhookConfig.prefault({}),
})
export type NotifyConfig = z.output<typeof notifyConfig>

/** Paths of members that are stored sealed and read back masked. */
export const NOTIFY_SECRETS = ['telegram.token', 'webhook.secret'] as const

/** Where a customer has notices sent beside the account's own address and number. */
export const preferenceReceivers = z.object({
  /** Private chats only: groups and channels may be other people's. */
  telegram: z.string().regex(/^\d{0,20}$/, { error: 'private_chat' }),
  webhook: webhookConfig.shape.url,
  webhookSecret: webhookConfig.shape.secret,
})

/** A subject is one line. */
export const templateText = z.object({
  subject: z
    .string()
    .max(200)
    .regex(/^[^\p{Cc}]*$/u, { error: 'one_line' }),
  body: z.string().min(1, { error: 'required' }).max(20_000),
})

/** Names between braces, in their order, each once. */
export const placesOf = (text: string): string[] => [
  ...new Set(Array.from(text.matchAll(/\{(\w+)\}/g), ([, name]) => name ?? '')),
]

/** The first name in a text that none of these variables has, or null. */
export const unknownPlace = (text: string, variables: readonly { name: string }[]): string | null =>
  placesOf(text).find((name) => !variables.some((one) => one.name === name)) ?? null
