/** Notices: the log of deliveries, templates, channels, tests, a customer's choices. */
import { z } from 'zod'
import { mailConfig } from '../config/mail.ts'
import {
  NOTIFY_CHANNELS,
  NOTIFY_EVENTS,
  NOTIFY_FAULTS,
  NOTIFY_STATES,
  notifyConfig,
  preferenceReceivers,
  telegramConfig,
  templateText,
  USER_EVENTS,
  webhookConfig,
} from '../config/notify.ts'
import { smsConfig } from '../config/sms.ts'
import { LANGUAGES } from '../enums.ts'
import { idIn, none, operation, pageIn, pageOut } from '../operation.ts'
import { mailAddress, phone } from '../validators.ts'

const event = z.enum(NOTIFY_EVENTS)
const channel = z.enum(NOTIFY_CHANNELS)
const lang = z.enum(LANGUAGES)

const deliveryRow = z.object({
  id: z.int(),
  createTime: z.string(),
  event,
  channel,
  to: z.string(),
  state: z.enum(NOTIFY_STATES),
  fault: z.enum(NOTIFY_FAULTS),
  attempts: z.int(),
  subject: z.string(),
  /** The peer's own words, without secrets. */
  answer: z.string(),
  /** Empty when nothing more will be done. */
  nextTime: z.string(),
  finishTime: z.string(),
})
export type DeliveryRow = z.infer<typeof deliveryRow>

const words = z.object({ zh: z.string(), en: z.string() })
const variable = z.object({ name: z.string(), title: words, sample: z.string() })
const templateRow = z.object({
  event,
  channel,
  lang,
  title: words,
  subject: z.string(),
  body: z.string(),
  /** Whether the operator changed it. */
  own: z.boolean(),
  variables: z.array(variable),
})
export type TemplateRow = z.infer<typeof templateRow>

const preferenceIn = preferenceReceivers.extend({
  events: z
    .array(z.object({ event: z.enum(USER_EVENTS), channels: z.array(channel).max(NOTIFY_CHANNELS.length) }))
    .max(USER_EVENTS.length),
})

const templateIn = templateText.extend({ event, channel, lang })

const tested = z.object({ data: z.object({ ok: z.boolean(), fault: z.enum(NOTIFY_FAULTS), answer: z.string() }) })
const tester = { method: 'POST', audience: 'admin', permission: 'system:notify:test', effect: 'write' } as const

export const notifyOperations = [
  operation({
    id: 'notify.log',
    method: 'POST',
    path: 'sys/notify/log',
    audience: 'admin',
    permission: 'system:notify',
    effect: 'read',
    /** `key` is looked for in address, subject and answer. */
    input: pageIn.extend({
      event: event.optional(),
      channel: channel.optional(),
      state: z.enum(NOTIFY_STATES).optional(),
    }),
    output: pageOut(deliveryRow),
  }),
  operation({
    /** Sends a failed or unknown notice again; one that held a code cannot be. */
    id: 'notify.resend',
    method: 'POST',
    path: 'sys/notify/log/resend',
    audience: 'admin',
    permission: 'system:notify:save',
    effect: 'write',
    input: idIn,
    output: none,
  }),
  operation({
    id: 'notify.templateList',
    method: 'POST',
    path: 'sys/notify/template/list',
    audience: 'admin',
    permission: 'system:notify',
    effect: 'read',
    input: none,
    output: z.object({ data: z.array(templateRow) }),
  }),
  operation({
    /** An operator's own text; `reset` brings the built-in one back. */
    id: 'notify.templateSave',
    method: 'POST',
    path: 'sys/notify/template/save',
    audience: 'admin',
    permission: 'system:notify:save',
    effect: 'write',
    input: templateIn.extend({ reset: z.boolean().default(false) }),
    output: none,
  }),
  operation({
    /** The text with sample values. */
    id: 'notify.templatePreview',
    method: 'POST',
    path: 'sys/notify/template/preview',
    audience: 'admin',
    permission: 'system:notify',
    effect: 'read',
    input: templateIn,
    output: z.object({ data: z.object({ subject: z.string(), text: z.string(), html: z.string() }) }),
  }),
  operation({
    id: 'notify.channelInfo',
    method: 'GET',
    path: 'sys/notify/channel/info',
    audience: 'admin',
    permission: 'system:notify',
    effect: 'read',
    input: none,
    /** Secrets are masked. `ready`: which channels can send. */
    output: z.object({ data: notifyConfig, ready: z.record(channel, z.boolean()) }),
  }),
  operation({
    /** A masked secret means the stored one. */
    id: 'notify.channelSave',
    method: 'POST',
    path: 'sys/notify/channel/save',
    audience: 'admin',
    permission: 'system:notify:save',
    effect: 'write',
    input: notifyConfig,
    output: none,
  }),
  operation({
    id: 'notify.testMail',
    path: 'sys/notify/test/mail',
    ...tester,
    input: z.object({ to: mailAddress, config: mailConfig.optional() }),
    output: tested,
  }),
  operation({
    id: 'notify.testSms',
    path: 'sys/notify/test/sms',
    ...tester,
    input: z.object({ to: phone, config: smsConfig.optional() }),
    output: tested,
  }),
  operation({
    id: 'notify.testTelegram',
    path: 'sys/notify/test/telegram',
    ...tester,
    input: z.object({ config: telegramConfig.optional() }),
    output: tested,
  }),
  operation({
    id: 'notify.testWebhook',
    path: 'sys/notify/test/webhook',
    ...tester,
    input: z.object({ config: webhookConfig.optional() }),
    output: tested,
  }),
  operation({
    /** Which notices come by which channel, and where a customer's own Telegram chat and receiver are. */
    id: 'notify.preference',
    method: 'GET',
    path: 'app/notify/preference/info',
    audience: 'user',
    permission: 'login',
    effect: 'read',
    input: none,
    output: z.object({
      data: z.object({
        events: z.array(
          z.object({
            event: z.enum(USER_EVENTS),
            title: words,
            channels: z.array(channel),
            /** Channels that the event has at all. */
            possible: z.array(channel),
          }),
        ),
        /** Whether an address for mail and a number for short messages is bound to the account. */
        bound: z.object({ mail: z.boolean(), sms: z.boolean() }),
        telegram: z.string(),
        webhook: z.string(),
        /** Masked when one is set. */
        webhookSecret: z.string(),
      }),
    }),
  }),
  operation({
    id: 'notify.preferenceSave',
    method: 'POST',
    path: 'app/notify/preference/save',
    audience: 'user',
    permission: 'login',
    effect: 'write',
    input: preferenceIn,
    output: none,
  }),
]
