/** The staff's side: log, texts, channels, tests. */
import type { MailConfig } from '@tidegate/contract/config/mail'
import { type NotifyChannel, type NotifyConfig, notifyConfig, unknownPlace } from '@tidegate/contract/config/notify'
import type { SmsConfig } from '@tidegate/contract/config/sms'
import type { InputOf, OutputOf } from '@tidegate/contract/operations/index'
import { and, eq, sql } from 'drizzle-orm'
import type { Caller, Handlers } from '../../platform/caller.ts'
import type { Tx } from '../../platform/db.ts'
import { AppError, fieldError } from '../../platform/errors.ts'
import { row } from '../../platform/query.ts'
import { audit } from '../audit/index.ts'
import type { Send } from './channels/types.ts'
import { masked, type OwnSettings, secretsOf, unmasked } from './configs.ts'
import { type DeliverDeps, senders } from './deliver.ts'
import { EVENTS, variablesOf } from './events.ts'
import { DeliveryError, withoutSecrets } from './fault.ts'
import { listNotices, resend } from './log.ts'
import { render } from './render.ts'
import { noticeTemplates } from './schema.ts'
import { listTemplates, templateFor } from './templates.ts'

export interface ScreenDeps extends DeliverDeps {
  own: OwnSettings
}

type Ids =
  | 'notify.log'
  | 'notify.resend'
  | 'notify.templateList'
  | 'notify.templateSave'
  | 'notify.templatePreview'
  | 'notify.channelInfo'
  | 'notify.channelSave'
  | 'notify.testMail'
  | 'notify.testSms'
  | 'notify.testTelegram'
  | 'notify.testWebhook'

const checkPlaces = ({ event, subject, body }: InputOf<'notify.templatePreview'>) => {
  for (const [path, text] of Object.entries({ subject, body })) {
    const value = unknownPlace(text, variablesOf(event))
    if (value !== null) throw fieldError(path, 'unknown_variable', { value: `{${value}}` })
  }
}

const saveTemplate = async (tx: Tx, deps: ScreenDeps, input: InputOf<'notify.templateSave'>, caller: Caller) => {
  const { event, channel, lang, subject, body } = input
  if (channel === 'sms' || channel === 'webhook' || !EVENTS[event].channels.includes(channel))
    throw new AppError('not_found')
  const before = await templateFor(tx, deps.configs, event, channel, lang)
  const mine = and(
    eq(noticeTemplates.event, event),
    eq(noticeTemplates.channel, channel),
    eq(noticeTemplates.lang, lang),
  )
  if (input.reset) await tx.delete(noticeTemplates).where(mine)
  else {
    const value = { subject, body, updatedAt: new Date(deps.clock.now()) }
    await tx
      .insert(noticeTemplates)
      .values({ event, channel, lang, ...value })
      .onConflictDoUpdate({
        target: [noticeTemplates.event, noticeTemplates.channel, noticeTemplates.lang],
        set: value,
      })
  }
  const after = input.reset ? EVENTS[event].texts[lang] : { subject, body }
  await audit(tx, caller, {
    action: 'notify.templateSave',
    target: `template ${event} ${channel} ${lang}`,
    before,
    after,
  })
}

const shown = (config: NotifyConfig): NotifyConfig => ({
  ...config,
  telegram: { ...config.telegram, token: masked(config.telegram.token) },
  webhook: { ...config.webhook, secret: masked(config.webhook.secret) },
})

const ready = async ({ configs }: ScreenDeps): Promise<Record<NotifyChannel, boolean>> => {
  const [mail, sms, own] = await Promise.all([configs.mail(), configs.sms(), configs.notify()])
  return {
    message: true,
    mail: mail !== null,
    sms: sms !== null,
    telegram: own.telegram.token !== '',
    webhook: own.webhook.url !== '',
  }
}

type Tested = OutputOf<'notify.testMail'>

interface Trial {
  channel: Exclude<NotifyChannel, 'message'>
  to: string
  /** Null: not set up. */
  send: Send | null
  secrets: readonly string[]
}

/** Sends at once, outside the queue, and keeps the outcome in the log like any other. */
const trial = async (deps: ScreenDeps, caller: Caller, { channel, to, send, secrets }: Trial): Promise<Tested> => {
  const now = deps.clock.now()
  const site = await deps.siteName()
  const values = { time: `${new Date(now).toISOString().slice(0, 16).replace('T', ' ')} UTC`, site }
  const rendered = render(EVENTS.test.texts[caller.lang], values)
  const result = { ok: false, fault: 'not_configured' as Tested['data']['fault'], answer: '' }
  if (send !== null && to !== '') {
    const id = `${deps.installation}-test-${now}`
    const done = { id, event: 'test' as const, lang: caller.lang, to, rendered, values, handing: async () => {} }
    try {
      Object.assign(result, { ok: true, fault: 'none', answer: await send(done) })
    } catch (error) {
      if (!(error instanceof DeliveryError)) throw error
      Object.assign(result, { fault: error.fault, answer: error.message })
    }
  }
  result.answer = withoutSecrets(result.answer, secrets)
  const at = new Date(now).toISOString()
  const operation = {
    mail: 'notify.testMail',
    sms: 'notify.testSms',
    telegram: 'notify.testTelegram',
    webhook: 'notify.testWebhook',
  }
  await deps.db.transaction(async (tx) => {
    const made = await row<{ id: number }>(
      tx,
      sql`INSERT INTO notice (event, channel, owner_kind, owner_id, address, lang, vars, state, fault, attempts, subject, answer, created_at, finished_at)
          VALUES ('test', ${channel}, 'admin', ${caller.id}, ${to}, ${caller.lang}, ${JSON.stringify({ time: values.time })}::jsonb,
            ${result.ok ? 'sent' : 'failed'}, ${result.fault}, 1, ${rendered.subject}, ${result.answer}, ${at}, ${at}) RETURNING id`,
    )
    const after = { ok: result.ok, fault: result.fault }
    await audit(tx, caller, { action: operation[channel], target: `notice ${made?.id ?? 0}`, after })
  })
  return { data: result }
}

/** A form as it stands on the screen: its mask means the stored secret. */
const mailOf = (given: MailConfig | undefined, stored: MailConfig | null): MailConfig | null =>
  given === undefined ? stored : { ...given, password: unmasked(given.password, stored?.password) }

const smsOf = (given: SmsConfig | undefined, stored: SmsConfig | null): SmsConfig | null => {
  if (given === undefined) return stored
  if (given.type === 'smsbao')
    return { ...given, api_key: unmasked(given.api_key, stored?.type === 'smsbao' ? stored.api_key : '') }
  return { ...given, secretkey: unmasked(given.secretkey, stored?.type === given.type ? stored.secretkey : '') }
}

const testers = (
  deps: ScreenDeps,
): Handlers<'notify.testMail' | 'notify.testSms' | 'notify.testTelegram' | 'notify.testWebhook'> => {
  const make = senders(deps)
  return {
    'notify.testMail': async ({ to, config }, caller) => {
      const full = mailOf(config, await deps.configs.mail())
      return trial(deps, caller, { channel: 'mail', to, send: full && make.mail(full), secrets: secretsOf(full) })
    },
    'notify.testSms': async ({ to, config }, caller) => {
      const full = smsOf(config, await deps.configs.sms())
      return trial(deps, caller, { channel: 'sms', to, send: full && make.sms(full), secrets: secretsOf(full) })
    },
    'notify.testTelegram': async ({ config }, caller) => {
      const { telegram: stored } = await deps.configs.notify()
      const full = config ? { ...config, token: unmasked(config.token, stored.token) } : stored
      const send = full.token === '' ? null : make.telegram(full)
      return trial(deps, caller, { channel: 'telegram', to: full.chatId, send, secrets: [full.token] })
    },
    'notify.testWebhook': async ({ config }, caller) => {
      const { webhook: stored } = await deps.configs.notify()
      const full = config ? { ...config, secret: unmasked(config.secret, stored.secret) } : stored
      const send = make.webhook(full.secret, true)
      return trial(deps, caller, { channel: 'webhook', to: full.url, send, secrets: [full.secret] })
    },
  }
}

export const createScreens = (deps: ScreenDeps): Handlers<Ids> => ({
  'notify.log': (input) => listNotices(deps.db, input),
  'notify.resend': ({ id }, caller) =>
    deps.db.transaction(async (tx) => {
      const before = await resend(tx, deps.clock, id)
      await audit(tx, caller, { action: 'notify.resend', target: `notice ${id}`, before, after: { state: 'queued' } })
      return {}
    }),
  'notify.templateList': async () => ({ data: await listTemplates(deps.db) }),
  'notify.templateSave': async (input, caller) => {
    if (!input.reset) checkPlaces(input)
    await deps.db.transaction((tx) => saveTemplate(tx, deps, input, caller))
    return {}
  },
  'notify.templatePreview': async (input) => {
    checkPlaces(input)
    const samples = Object.fromEntries(variablesOf(input.event).map((one) => [one.name, one.sample]))
    return { data: render(input, { ...samples, site: await deps.siteName() }) }
  },
  'notify.channelInfo': async () => ({ data: shown(await deps.own.notify()), ready: await ready(deps) }),
  'notify.channelSave': async (input, caller) => {
    await deps.db.transaction(async (tx) => {
      const before = await deps.own.notify(tx)
      const after = notifyConfig.parse({
        ...input,
        telegram: { ...input.telegram, token: unmasked(input.telegram.token, before.telegram.token) },
        webhook: { ...input.webhook, secret: unmasked(input.webhook.secret, before.webhook.secret) },
      })
      await deps.own.save(tx, after)
      await audit(tx, caller, {
        action: 'notify.channelSave',
        target: 'setting notify',
        before: shown(before),
        after: shown(after),
      })
    })
    return {}
  },
  ...testers(deps),
})
