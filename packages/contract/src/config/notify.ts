/** Channels by which notices go out, and the five templates that mail and SMS settings carry (specification, section 3). */
import { z } from 'zod'

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

/** A whole web address of a bot API or a receiver. */
const webAddress = z
  .string()
  .max(500)
  .regex(/^https?:\/\/[^\s]+$/, { error: 'web_address' })

/** Operator's bot. `chatId` is where notices for the staff go; customers name their own. */
export const telegramConfig = z.object({
  apiRoot: webAddress.default('https://api.telegram.org'),
  token: z
    .string()
    .max(200)
    .regex(/^(\d+:[A-Za-z0-9_-]+)?$/, { error: 'invalid' })
    .default(''),
  chatId: z
    .string()
    .max(64)
    .regex(/^(-?\d+|@\w+)?$/, { error: 'invalid' })
    .default(''),
})
export type TelegramConfig = z.output<typeof telegramConfig>

/** Operator's receiver of notices for the staff; every call is signed with the secret. */
export const webhookConfig = z.object({
  url: z.union([z.literal(''), webAddress]).default(''),
  secret: z.string().max(200).default(''),
})
export type WebhookConfig = z.output<typeof webhookConfig>

/** Channels beside mail and SMS: config record `NOTIFY_CONFIG_KEY`. */
export const notifyConfig = z.object({
  telegram: telegramConfig.prefault({}),
  webhook: webhookConfig.prefault({}),
})
export type NotifyConfig = z.output<typeof notifyConfig>

/** Paths of members that are stored sealed and read back masked. */
export const NOTIFY_SECRETS = ['telegram.token', 'webhook.secret'] as const
