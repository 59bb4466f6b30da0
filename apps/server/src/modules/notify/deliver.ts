/** One notice by its channel. */
import type { MailConfig } from '@tidegate/contract/config/mail'
import type { NotifyChannel, NotifyConfig } from '@tidegate/contract/config/notify'
import type { SmsConfig } from '@tidegate/contract/config/sms'
import { and, eq } from 'drizzle-orm'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { createMailSender, type MailOptions } from './channels/mail.ts'
import { createTelegramSender, createWebhookSender } from './channels/push.ts'
import { createSmsSender, SMS_ROOTS, type SmsRoots } from './channels/sms.ts'
import type { Send } from './channels/types.ts'
import { type NotifyConfigs, secretsOf } from './configs.ts'
import { DeliveryError } from './fault.ts'
import type { Deliver } from './pump.ts'
import { render } from './render.ts'
import { type Notice, noticeReceivers } from './schema.ts'
import { sealedAad } from './send.ts'
import { templateFor } from './templates.ts'

/** Where the peers are, and how long they may take; the program itself changes nothing. */
export interface Peers {
  mail?: MailOptions
  smsRoots?: SmsRoots
  timeoutMs?: number
}

export interface DeliverDeps {
  db: Db
  clock: Clock
  secrets: Secrets
  configs: NotifyConfigs
  siteName: () => Promise<string>
  /** Distinguishes this installation's notices from any other's: part of the ids that peers see. */
  installation: string
  peers: Peers
}

const notSetUp = (channel: string) => new DeliveryError('not_configured', `${channel} is not set up`, 'skip')

/** AAD of a customer's webhook secret. */
export const receiverAad = (customerId: number) => `notice_receiver ${customerId} secret`

export const senders = ({ clock, peers }: Pick<DeliverDeps, 'clock' | 'peers'>) => ({
  mail: (config: MailConfig): Send => createMailSender(config, peers.mail),
  sms: (config: SmsConfig): Send =>
    createSmsSender({ clock, roots: peers.smsRoots ?? SMS_ROOTS, timeoutMs: peers.timeoutMs }, config),
  telegram: (config: NotifyConfig['telegram']): Send => createTelegramSender(config, peers.timeoutMs),
  webhook: (secret: string, allowPrivate: boolean): Send =>
    createWebhookSender({ clock, secret, allowPrivate, timeoutMs: peers.timeoutMs }),
})

/** The customer's own receiver, when it still is the one that the notice was made for. */
const customerSecret = async ({ db, secrets }: DeliverDeps, notice: Notice): Promise<string> => {
  const [found] = await db
    .select()
    .from(noticeReceivers)
    .where(and(eq(noticeReceivers.customerId, notice.ownerId), eq(noticeReceivers.channel, 'webhook')))
  if (!found || found.address !== notice.address)
    throw new DeliveryError('switched_off', 'the receiver was changed', 'skip')
  return found.secret === '' ? '' : secrets.open(found.secret, receiverAad(notice.ownerId))
}

const senderFor = async (deps: DeliverDeps, notice: Notice): Promise<Send> => {
  const make = senders(deps)
  const { configs } = deps
  const choices: Record<NotifyChannel, () => Promise<Send>> = {
    message: async () => {
      throw new DeliveryError('not_configured', 'messages are written at once', 'fail')
    },
    mail: async () => {
      const config = await configs.mail()
      if (config === null) throw notSetUp('mail')
      return make.mail(config)
    },
    sms: async () => {
      const config = await configs.sms()
      if (config === null) throw notSetUp('sms')
      return make.sms(config)
    },
    telegram: async () => {
      const { telegram } = await configs.notify()
      if (telegram.token === '') throw notSetUp('telegram')
      return make.telegram(telegram)
    },
    webhook: async () =>
      notice.ownerKind === 'user'
        ? make.webhook(await customerSecret(deps, notice), false)
        : make.webhook((await configs.notify()).webhook.secret, true),
  }
  return choices[notice.channel]()
}

/** Renders with the texts and settings of this moment and sends. */
export const createDeliver =
  (deps: DeliverDeps): Deliver =>
  async (notice, handing) => {
    const send = await senderFor(deps, notice)
    const own =
      notice.sealed === null ? notice.vars : JSON.parse(deps.secrets.open(notice.sealed, sealedAad(notice.id)))
    const site = await deps.siteName()
    const template = await templateFor(deps.db, deps.configs, notice.event, notice.channel, notice.lang)
    const answer = await send({
      id: `${deps.installation}-${notice.id}`,
      event: notice.event,
      lang: notice.lang,
      to: notice.address,
      rendered: render(template, { ...own, site }),
      values: { ...own, site },
      handing,
    })
    // Stored with the secrets hidden.
    return { answer, subject: render(template, { ...notice.vars, site }).subject }
  }

/** What must not stand in the log of a notice: the settings' secrets, and its own. */
export const secretsOfNotice = async ({ configs, secrets }: DeliverDeps, notice: Notice): Promise<string[]> => {
  const own: string[] = []
  if (notice.sealed !== null) {
    const values = JSON.parse(secrets.open(notice.sealed, sealedAad(notice.id))) as Record<string, string>
    own.push(...Object.entries(values).flatMap(([name, value]) => (notice.vars[name] === value ? [] : [value])))
  }
  const config =
    notice.channel === 'mail'
      ? await configs.mail()
      : notice.channel === 'sms'
        ? await configs.sms()
        : await configs.notify()
  return [...own, ...secretsOf(config)]
}
