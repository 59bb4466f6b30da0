/** Which text counts: the operator's own, then that of the mail settings, then the built-in one. */
import { NOTIFY_EVENTS, type NotifyChannel, type NotifyEvent } from '@tidegate/contract/config/notify'
import { LANGUAGES, type Lang } from '@tidegate/contract/enums'
import type { TemplateRow } from '@tidegate/contract/operations/notify'
import { and, eq } from 'drizzle-orm'
import type { Queryable } from '../../platform/db.ts'
import type { NotifyConfigs } from './configs.ts'
import { EVENTS, variablesOf } from './events.ts'
import { noticeTemplates } from './schema.ts'

export interface Template {
  subject: string
  body: string
}

/** Channels whose texts can be changed here; a short message's text belongs to its provider, a webhook takes the mail's. */
export const TEXT_CHANNELS = ['message', 'mail', 'telegram'] as const

const channelOfText = (channel: NotifyChannel): NotifyChannel =>
  (TEXT_CHANNELS as readonly NotifyChannel[]).includes(channel) ? channel : 'mail'

/** The text of an event for a channel in a language. */
export const templateFor = async (
  on: Queryable,
  configs: NotifyConfigs,
  event: NotifyEvent,
  channel: NotifyChannel,
  lang: Lang,
): Promise<Template> => {
  const textChannel = channelOfText(channel)
  const [own] = await on
    .select({ subject: noticeTemplates.subject, body: noticeTemplates.body })
    .from(noticeTemplates)
    .where(
      and(eq(noticeTemplates.event, event), eq(noticeTemplates.channel, textChannel), eq(noticeTemplates.lang, lang)),
    )
  if (own) return own
  const builtIn = EVENTS[event].texts[lang]
  if (textChannel !== 'mail') return builtIn
  const set = (await configs.mail())?.templates.find((one) => one.name === event)
  return set && set.status === 1 && set.content !== ''
    ? { subject: set.title === '' ? builtIn.subject : set.title, body: set.content }
    : builtIn
}

/** Every text that can be changed, with its variables. */
export const listTemplates = async (on: Queryable): Promise<TemplateRow[]> => {
  const own = new Map(
    (await on.select().from(noticeTemplates)).map((one) => [`${one.event} ${one.channel} ${one.lang}`, one]),
  )
  return NOTIFY_EVENTS.flatMap((event) =>
    TEXT_CHANNELS.filter((channel) => EVENTS[event].channels.includes(channel)).flatMap((channel) =>
      LANGUAGES.map((lang): TemplateRow => {
        const mine = own.get(`${event} ${channel} ${lang}`)
        const { subject, body } = mine ?? EVENTS[event].texts[lang]
        const variables = variablesOf(event).map(({ name, title, sample }) => ({ name, title, sample }))
        return { event, channel, lang, title: EVENTS[event].title, subject, body, own: mine !== undefined, variables }
      }),
    ),
  )
}
