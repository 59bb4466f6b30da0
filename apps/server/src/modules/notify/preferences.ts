/** What a customer chose: notices by channel, and own receivers. */
import { USER_EVENTS } from '@tidegate/contract/config/notify'
import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Handlers } from '../../platform/caller.ts'
import type { Db, Queryable } from '../../platform/db.ts'
import { fieldError } from '../../platform/errors.ts'
import { isPrivateHost } from '../../platform/private-address.ts'
import { row } from '../../platform/query.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { audit } from '../audit/index.ts'
import { hasSms } from './channels/sms.ts'
import { masked, type NotifyConfigs, unmasked } from './configs.ts'
import { receiverAad } from './deliver.ts'
import { EVENTS } from './events.ts'
import { noticePreferences, noticeReceivers } from './schema.ts'

interface Deps {
  db: Db
  secrets: Secrets
  configs: Pick<NotifyConfigs, 'sms'>
}

const read = async ({ secrets }: Deps, on: Queryable, customerId: number) => {
  const chosen = await on.select().from(noticePreferences).where(eq(noticePreferences.customerId, customerId))
  const receivers = await on.select().from(noticeReceivers).where(eq(noticeReceivers.customerId, customerId))
  const webhook = receivers.find((one) => one.channel === 'webhook')
  const secret = webhook && webhook.secret !== '' ? secrets.open(webhook.secret, receiverAad(customerId)) : ''
  return {
    events: USER_EVENTS.map((event) => ({
      event,
      channels: chosen.find((one) => one.event === event)?.channels ?? [...EVENTS[event].channels],
    })),
    telegram: receivers.find((one) => one.channel === 'telegram')?.address ?? '',
    webhook: webhook?.address ?? '',
    webhookSecret: secret,
  }
}
type Preferences = Awaited<ReturnType<typeof read>>
const shown = (one: Preferences) => ({ ...one, webhookSecret: masked(one.webhookSecret) })

/** With what a form needs beside: names, channels to choose from, whether they lead anywhere. */
const present = async (deps: Deps, customerId: number) => {
  const preferences = shown(await read(deps, deps.db, customerId))
  const bound = await row<{ mail: boolean; sms: boolean }>(
    deps.db,
    sql`SELECT coalesce(email, '') <> '' AS mail, coalesce(mobile, '') <> '' AS sms FROM customer WHERE id = ${customerId}`,
  )
  const sms = await deps.configs.sms()
  return {
    ...preferences,
    events: preferences.events.map((one) => ({
      ...one,
      title: EVENTS[one.event].title,
      // No box for a short message that would never come.
      possible: EVENTS[one.event].channels.filter((channel) => channel !== 'sms' || hasSms(sms, one.event)),
    })),
    bound: bound ?? { mail: false, sms: false },
  }
}

/** A customer may not make the server call into the operator's network; names are judged again at every call. */
const checkWebhook = (address: string) => {
  if (address === '') return
  const host = URL.canParse(address) ? new URL(address).hostname.replace(/^\[|\]$/g, '') : ''
  if (host === '') throw fieldError('webhook', 'web_address')
  if (isPrivateHost(host)) throw fieldError('webhook', 'private_address')
}

const write = async ({ secrets }: Deps, tx: Queryable, customerId: number, next: Preferences) => {
  for (const { event, channels } of next.events) {
    const kept = channels.filter((channel) => EVENTS[event].channels.includes(channel))
    await tx
      .insert(noticePreferences)
      .values({ customerId, event, channels: kept })
      .onConflictDoUpdate({ target: [noticePreferences.customerId, noticePreferences.event], set: { channels: kept } })
  }
  const mine = eq(noticeReceivers.customerId, customerId)
  await tx.delete(noticeReceivers).where(and(mine, inArray(noticeReceivers.channel, ['telegram', 'webhook'])))
  const secret = next.webhookSecret === '' ? '' : secrets.seal(next.webhookSecret, receiverAad(customerId))
  const rows = [
    { customerId, channel: 'telegram' as const, address: next.telegram, secret: '' },
    { customerId, channel: 'webhook' as const, address: next.webhook, secret },
  ].filter((one) => one.address !== '')
  if (rows.length > 0) await tx.insert(noticeReceivers).values(rows)
}

export const createPreferences = (deps: Deps): Handlers<'notify.preference' | 'notify.preferenceSave'> => ({
  'notify.preference': async (_input, caller) => ({ data: await present(deps, caller.id) }),
  'notify.preferenceSave': async (input, caller) => {
    checkWebhook(input.webhook)
    await deps.db.transaction(async (tx) => {
      const before = await read(deps, tx, caller.id)
      const next = { ...input, webhookSecret: unmasked(input.webhookSecret, before.webhookSecret) }
      await write(deps, tx, caller.id, next)
      const after = await read(deps, tx, caller.id)
      await audit(tx, caller, {
        action: 'notify.preferenceSave',
        target: `user ${caller.id}`,
        before: shown(before),
        after: shown(after),
      })
    })
    return {}
  },
})
